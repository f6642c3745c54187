"""What a tree of machines adds to the story: its steps, matrices, margins, rows and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from lastviz.inspection import SeparabilityStep, SeparabilitySteps, raster, separability
from lastviz.plots import number
from lastviz.splitters.separability import kernel_distances
from lastviz.tree import Action, Reason

from .growth_machines import matrix_of, statuses, step_words, values_of
from .growth_words import Step, step_of

if TYPE_CHECKING:
    from .growth_story import Teller

__all__ = ["MachineStory", "machine_story"]


@dataclass(frozen=True, eq=False)
class MachineStory:
    """What the machines add.

    Attributes
    ----------
    steps : tuple of Step
    parts : list of dict or None
        For each step, what the player shows beside the picture; None for a step without machine.
    margins : dict
        The lines f = +1 and f = -1 of each node.
    separability : SeparabilitySteps
    """

    steps: tuple[Step, ...]
    parts: list[dict[str, object] | None]
    margins: dict[str, list[list[int]]]
    separability: SeparabilitySteps


def machine_story(teller: Teller) -> MachineStory:
    """Return the steps of an SVM tree: one for each class that leaves."""
    found = separability(teller.model, teller.frame, teller.y)
    formulas = _Formulas(teller, found)
    of_node = {step.node: k for k, step in enumerate(found.steps)}
    sizes = np.bincount(teller.y, minlength=len(teller.names))
    labels = teller.dataset.class_order
    whole = found.steps[0].matrix if found.steps else np.empty((0, 0))
    steps, parts = [], []
    for events, node in _events(teller):
        k = of_node.get(node)
        if k is None:
            pred = int(teller.tree.prediction[node])
            steps.append(step_of(teller.model, events - 1, teller.names, pred))
            parts.append(None)
            continue
        step = found.steps[k]
        steps.append(step_words(teller.model, step, events, teller.names, labels, sizes))
        part = matrix_of(step, whole, teller.names, formulas.of(step))
        part |= statuses(step, teller.y, teller.drawn, found.lost_at)
        if teller.picture == "values":
            part["values"] = values_of(found, k, teller.y, len(teller.names))
        parts.append(part)
    margins = _margins(teller) if teller.picture == "plane" else {}
    return MachineStory(tuple(steps), parts, margins, found)


def _events(teller: Teller) -> list[tuple[int, int]]:
    """Return (events so far, node) of each step: a leaf of one class needs no step of its own."""
    log = teller.model.growth_log_
    found: list[tuple[int, int]] = []
    for event, (node, action, reason) in enumerate(
        zip(log.node, log.action, log.reason, strict=True)
    ):
        if found and action == Action.LEAF and reason == Reason.ONE_CLASS:
            found[-1] = (event + 1, found[-1][1])
        else:
            found.append((event + 1, int(node)))
    return found


def _margins(teller: Teller) -> dict[str, list[list[int]]]:
    tree, plane = teller.tree, teller.plane
    grid = raster(tree, teller.bounds, plane.features, plane.at)
    return {
        str(int(node)): [
            teller.pieces.lines(grid.contour(int(tree.split_row[node]), level))
            for level in (1.0, -1.0)
        ]
        for node in np.flatnonzero(tree.n_children > 0)
    }


class _Formulas:
    """The separability of the deciding pair, in general and with its numbers, as MathML."""

    def __init__(self, teller: Teller, found: SeparabilitySteps) -> None:
        labels = [str(label) for label in teller.dataset.class_order]
        if max(map(len, labels)) > 2:  # long names do not stand low; numbers count the rows
            labels = [str(c + 1) for c in range(len(labels))]
        self.column, self.labels = found.column, labels
        self.distances = self.spreads = None
        if self.column == "separability":
            model = teller.model
            self.distances, self.spreads = kernel_distances(
                teller.X, teller.y, len(teller.names), model.kernel_function(teller.X),
                model.cross_term,
            )  # fmt: skip

    def of(self, step: SeparabilityStep) -> str:
        i, j = step.pair
        a, b = (escape(str(self.labels[c])) for c in (i, j))
        value = _n(float(step.matrix[i, j]))
        if self.column == "centre_distance":
            return _math([_low("d", a, b), "<mo>=</mo>", value])
        power = "" if self.column == "separability" else "2"
        general = _over(_low("d", a, b), _sum(_low("σ", a, power=power), _low("σ", b, power=power)))
        terms = [_low("sm", a, b), "<mo>=</mo>", general, "<mo>=</mo>"]
        if self.distances is not None:
            both = _sum(_n(float(self.spreads[i])), _n(float(self.spreads[j])))
            terms += [_over(_n(float(self.distances[i, j])), both), "<mo>=</mo>"]
        return _math([*terms, value])


def _math(terms: Sequence[str]) -> str:
    return f"<math><mrow>{''.join(terms)}</mrow></math>"


def _n(value: float) -> str:
    return f"<mn>{number(value)}</mn>"


def _low(name: str, *indices: str, power: str = "") -> str:
    mark = "<mo>,</mo>" if any(len(i) > 1 for i in indices) else ""
    low = f"<mrow>{mark.join(f'<mtext>{i}</mtext>' for i in indices)}</mrow>"
    if power:
        return f"<msubsup><mi>{name}</mi>{low}<mn>{power}</mn></msubsup>"
    return f"<msub><mi>{name}</mi>{low}</msub>"


def _over(above: str, below: str) -> str:
    return f"<mfrac>{above}{below}</mfrac>"


def _sum(one: str, two: str) -> str:
    return f"<mrow>{one}<mo>+</mo>{two}</mrow>"
