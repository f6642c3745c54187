"""Additions of a tree of machines to a growth: steps, matrices, margins, rows and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from lastviz.estimators import TreeClassifier
from lastviz.export.mathml import mathml
from lastviz.inspection import SeparabilityStep, SeparabilitySteps, raster, separability
from lastviz.plots import number
from lastviz.splitters.svm.machine import kernel_distances
from lastviz.tree import Action, Reason
from lastviz.ui.text import join_names, paragraph, percent, plural, t

from .figures import GrowthScene, Pieces, pack_array
from .words import GrowthStep, step_of

MOST_SHOWN = 12  # classes of a matrix whose numbers can be read
MOST_ROOMY = 4  # classes of a matrix with room for four digits
BINS = 48
REMOVED, FREE, SUPPORT, BOUND = range(4)


def step_words(
    estimator: TreeClassifier,
    step: SeparabilityStep,
    events: int,
    names: Sequence[str],
    labels: Sequence[object],
    sizes: np.ndarray,
) -> GrowthStep:
    """Text of a step.

    `names` are for sentences, `labels` for the headline.
    """
    machine = step.machine
    first, second = ([names[c] for c in side] for side in (step.first, step.second))
    bold = t("Split off: {names}.", names=join_names(first))
    rest = paragraph([_reason(estimator, step, names), *_warnings(step, names, sizes)])
    others = " + ".join(str(labels[c]) for c in step.second)
    if len(step.second) > 4:
        others = t("{n} others", n=len(step.second))
    n_bound = int(np.count_nonzero(machine.bound))
    at_limit = t("{n} at the bound C", n=number(n_bound))
    cells = (
        (" + ".join(str(labels[c]) for c in step.first), t("against {rest}", rest=others),
         plural(len(step.first), "class split off", "classes split off")),
        (number(machine.n_training), "", t("training rows used")),
        (number(len(machine.support)), at_limit, t("support vectors")),
        (number(machine.margin), "", t("margin 2/‖w‖")),
        (number(machine.n_wrong), f"{percent(machine.training_error)} %", t("training errors")),
    )  # fmt: skip
    value = _decided(step)
    score = "" if not np.isfinite(value) else number(value)
    return GrowthStep(
        events, step.node, f"{join_names(first)} | {join_names(second)}", f"{bold} {rest}",
        machine.n_training, score, f"<b>{escape(bold)}</b> {escape(rest)}", cells,
    )  # fmt: skip


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _decided(step: SeparabilityStep) -> float:
    return float(step.matrix[step.pair])


def _reason(estimator: TreeClassifier, step: SeparabilityStep, names: Sequence[str]) -> str:
    live = np.flatnonzero(step.live)
    value = number(_decided(step))
    a, b = (names[c] for c in step.pair)
    if estimator.order == "natural":
        return t("The classes are split off in their given order; {b} is {v} away.", b=b, v=value)
    if len(step.first) > 1 or estimator.order == "groups":
        return t("Between the groups, the closest pair is {a} and {b}: {v}.",
                 a=a, b=b, v=value)  # fmt: skip
    if len(live) == 2:
        sentence = (
            "Two classes are left with the same value, {v}; the one with the lower number "
            "comes first."
        )
        return t(sentence, v=value)
    tied = np.flatnonzero(step.tied)
    if step.tie_rule_used:
        sentence = (
            "{tied} tie at {v}: the next smallest entries of their rows decide, "
            "then the lower number."
        )
        return _capital(t(sentence, tied=join_names([names[c] for c in tied]), v=value))
    here = np.where(np.isnan(step.matrix), np.inf, step.matrix)
    c, d = np.unravel_index(int(here.argmin()), here.shape)
    sentence = "Its nearest rival, {b}, is {v} away; {c} and {d} are only {w} from each other."
    return t(sentence, b=b, v=value, c=names[c], d=names[d], w=number(float(here[c, d])))


def _warnings(step: SeparabilityStep, names: Sequence[str], sizes: np.ndarray) -> list[str]:
    sentences = []
    matrix = np.where(np.isnan(step.matrix), np.inf, step.matrix)
    if matrix.min() == 0.0:
        c, d = np.unravel_index(int(matrix.argmin()), matrix.shape)
        sentence = "{c} and {d} have the same centre: their distance is 0."
        sentences.append(_capital(t(sentence, c=names[c], d=names[d])))
    for c in np.flatnonzero(step.live & (sizes == 1))[:3]:
        sentence = "{name} has a single row: its spread counts as 0."
        sentences.append(_capital(t(sentence, name=names[c])))
    if not step.machine.converged:
        sentence = "Its SVM stopped after {n} iterations before it was optimal."
        sentences.append(t(sentence, n=number(step.machine.n_iter)))
    return sentences


def matrix_of(
    step: SeparabilityStep, matrix: np.ndarray, names: Sequence[str], formula: str
) -> dict[str, object]:
    """Matrix of a step for the player: texts, shades from 0 to 1, and who is who."""
    shown = _shown(step)
    part = matrix[np.ix_(shown, shown)]
    finite = np.where(np.isfinite(part), part, np.nan)
    largest = np.nanmax(finite, initial=0.0) or 1.0
    bars = step.separability[shown]
    longest = np.nanmax(np.where(np.isfinite(bars), bars, np.nan), initial=0.0) or 1.0
    place = {c: i for i, c in enumerate(shown)}
    text = number if len(shown) <= MOST_ROOMY else _short
    return {
        "classes": shown,
        "isRoomy": len(shown) <= MOST_ROOMY,
        "hidden": len(step.live) - len(shown),
        "cells": [
            ["" if i == j else text(float(part[i, j])) for j in range(len(shown))]
            for i in range(len(shown))
        ],
        "shades": np.where(np.isfinite(part), part / largest, 1.0).round(2).tolist(),
        "live": step.live[shown].astype(int).tolist(),
        "nearest": [place.get(int(step.nearest[c]), -1) for c in shown],
        "pair": [place.get(c, -1) for c in step.pair],
        "sm": ["" if np.isnan(v) else text(float(v)) for v in bars],
        "bars": [0.0 if np.isnan(v) else min(1.0, float(v / longest)) for v in bars],
        "leaves": [place[c] for c in step.first if c in place],
        "tied": [place[c] for c in np.flatnonzero(step.tied) if c in place],
        "formula": formula,
    }


def _short(value: float) -> str:
    """Value as a narrow column can hold it: .421, 1.05."""
    decimals = 3 if value < 1.0 else 2
    return f"{value:.{decimals}f}".removeprefix("0") if 0.0 < value < 10.0 else number(value)


def _shown(step: SeparabilityStep) -> list[int]:
    """Classes whose rows are shown: all, or those that decide and the most separable."""
    k = len(step.live)
    if k <= MOST_SHOWN:
        return list(range(k))
    ranked = np.argsort(np.where(step.live, -np.nan_to_num(step.separability), np.inf))
    wanted = dict.fromkeys([*step.pair, *map(int, ranked)])
    return sorted(list(wanted)[:MOST_SHOWN])


def statuses(
    step: SeparabilityStep, codes: np.ndarray, shown: np.ndarray, lost: np.ndarray
) -> dict[str, object]:
    """Status of each drawn row for a machine, and the rows it misclassifies."""
    status = np.where(step.live[codes], FREE, REMOVED).astype(np.uint8)
    status[step.machine.support] = np.where(step.machine.bound, BOUND, SUPPORT)
    return {
        "status": pack_array(status[shown]),
        "lost": np.flatnonzero((lost == step.node)[shown]).tolist(),
        "tint": step.first[0] if len(step.first) == 1 else -1,
    }


def values_of(
    steps: SeparabilitySteps, k: int, codes: np.ndarray, n_classes: int
) -> dict[str, object]:
    """Histograms of f of the rows that a machine learned from, class by class."""
    step, f = steps.steps[k], steps.decided[k]
    learned = step.live[codes]
    low, high = min(float(f[learned].min()), -1.2), max(float(f[learned].max()), 1.2)
    edges = np.linspace(low, high, BINS + 1)
    counts = [
        np.histogram(f[codes == c], edges)[0].tolist() if step.live[c] else []
        for c in range(n_classes)
    ]
    room = 0.03 * (high - low)
    view = [low - room, high + room]
    return {"low": low, "high": high, "view": view, "counts": counts}


@dataclass(frozen=True, eq=False)
class MachineStory:
    """Parts that support vector machines add to the story of a growth."""

    steps: tuple[GrowthStep, ...]
    # For each step, what the player shows beside the picture; None for a step without machine.
    parts: list[dict[str, object] | None]
    margins: dict[str, list[list[int]]]  # the lines f = +1 and f = -1 of each node
    separability: SeparabilitySteps


def machine_story(scene: GrowthScene, pieces: Pieces) -> MachineStory:
    """Steps of an SVM tree: one for each class that leaves."""
    found = separability(scene.model, scene.frame, scene.y)
    formulas = _Formulas(scene, found)
    of_node = {step.node: k for k, step in enumerate(found.steps)}
    sizes = np.bincount(scene.y, minlength=len(scene.names))
    labels = scene.dataset.class_order
    matrix = found.steps[0].matrix if found.steps else np.empty((0, 0))
    steps, parts = [], []
    for events, node in _events(scene):
        k = of_node.get(node)
        if k is None:
            steps.append(step_of(scene.model, events - 1, scene.names))
            parts.append(None)
            continue
        step = found.steps[k]
        steps.append(step_words(scene.model, step, events, scene.names, labels, sizes))
        part = matrix_of(step, matrix, scene.names, formulas.of(step))
        part |= statuses(step, scene.y, scene.drawn, found.lost_at)
        if scene.picture == "values":
            part["values"] = values_of(found, k, scene.y, len(scene.names))
        parts.append(part)
    margins = _margins(scene, pieces) if scene.picture == "plane" else {}
    return MachineStory(tuple(steps), parts, margins, found)


# A leaf of one class needs no step of its own.
def _events(scene: GrowthScene) -> list[tuple[int, int]]:
    """Pairs (events so far, node), one for each step."""
    log = scene.model.growth_log_
    found: list[tuple[int, int]] = []
    for event, (node, action, reason) in enumerate(
        zip(log.node, log.action, log.reason, strict=True)
    ):
        if found and action == Action.LEAF and reason == Reason.ONE_CLASS:
            found[-1] = (event + 1, found[-1][1])
        else:
            found.append((event + 1, int(node)))
    return found


def _margins(scene: GrowthScene, pieces: Pieces) -> dict[str, list[list[int]]]:
    tree, plane, form = scene.tree, scene.plane, scene.division.form
    columns = plane.columns_in(form)
    grid = raster(tree, scene.bounds, (columns[0], columns[-1]), plane.at_in(form))
    return {
        str(int(node)): [
            pieces.lines(grid.contour(int(tree.split_row[node]), level)) for level in (1.0, -1.0)
        ]
        for node in np.flatnonzero(tree.n_children > 0)
    }


class _Formulas:
    """Separability of the deciding pair, as general and numeric MathML formulas."""

    def __init__(self, scene: GrowthScene, found: SeparabilitySteps) -> None:
        labels = [str(label) for label in scene.dataset.class_order]
        # Long names do not stand low, nor signs of LaTeX: then numbers count the rows.
        if max(map(len, labels)) > 2 or not all(map(str.isalnum, labels)):
            labels = [str(c + 1) for c in range(len(labels))]
        self.column, self.labels = found.column, labels
        self.distances = self.spreads = None
        if self.column == "separability":
            table = scene.tree.kernel
            self.distances, self.spreads = kernel_distances(
                table.scaling.apply(scene.X), scene.y, len(scene.names), table.kernel,
                scene.model.cross_term,
            )  # fmt: skip

    def of(self, step: SeparabilityStep) -> str:
        i, j = step.pair
        a, b = (rf"\text{{{self.labels[c]}}}" for c in (i, j))
        value = number(float(step.matrix[i, j]))
        both = ("," if any(len(self.labels[c]) > 1 for c in (i, j)) else "").join((a, b))
        if self.column == "centre_distance":
            return mathml(rf"d_{{{both}}} = {value}", "inline")
        power = "" if self.column == "separability" else "^2"
        terms = [
            rf"\text{{sm}}_{{{both}}}",
            rf"\frac{{d_{{{both}}}}}{{σ_{a}{power} + σ_{b}{power}}}",
        ]
        if self.distances is not None:
            one, two = (number(float(self.spreads[c])) for c in (i, j))
            terms.append(rf"\frac{{{number(float(self.distances[i, j]))}}}{{{one} + {two}}}")
        return mathml(" = ".join([*terms, value]), "inline")
