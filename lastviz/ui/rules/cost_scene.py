"""What the errors of a tree of two classes cost at the reader's threshold, worked out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from lastviz.criteria.ties_kernels import TIE
from lastviz.host.memory import remembered
from lastviz.inspection import (
    CostCurve,
    Costs,
    Decisions,
    Reliability,
    Scores,
    cost_curve,
    decisions,
    reliability,
)
from lastviz.tree import Tree
from lastviz.ui.compute import cache
from lastviz.ui.compute.division import Division
from lastviz.ui.text import t

from .scene import RuleScene


@dataclass(frozen=True, eq=False)
class CostScene:
    """What the errors of a tree cost.

    Attributes
    ----------
    label, other : int
        The rarer class of the training rows, which the threshold is about, and the other one.
    costs : Costs
    cut : float
        The reader's threshold, a share.
    judged : Decisions
        On the rows held out, on the training rows if there are none.
    is_held_out : bool
    never, always : Decisions
        Of giving no row the rarer class (the majority's answer), and of giving it to all.
    curves : dict of str to CostCurve
        By the name of the rows.
    shares : ndarray of float64
        The distinct shares of the rarer class in leaves.
    reliable : Reliability or None
        Of the rows held out; None without any.
    """

    label: int
    other: int
    costs: Costs
    cut: float
    judged: Decisions
    is_held_out: bool
    never: Decisions
    always: Decisions
    curves: dict[str, CostCurve]
    shares: np.ndarray
    reliable: Reliability | None

    @property
    def scores(self) -> Scores:
        """What is right at the reader's threshold."""
        right = np.array([[self.judged.passed, self.judged.alarms],
                          [self.judged.missed, self.judged.found]])  # fmt: skip
        return Scores(right if self.label else right[::-1, ::-1])


def cost_scene(scene: RuleScene) -> CostScene:
    """Work out what the panel shows of a tree of two classes."""
    division, tree, rules = scene.division, scene.tree, scene.selection.rules
    label = rarer_class(division)
    key = f"{cache.model_key(scene.selection, 0)}|{scene.place}|{label}"
    shares, reliable = _of_leaves(key, tree, division, label)
    own = division.y == label
    kept = division.held_out_rows
    rows = kept if len(kept) else division.train_rows
    costs, cut = Costs(rules.cost_miss, rules.cost_alarm), rules.cut / 100.0
    parts = {t("held out"): kept, t("training"): division.train_rows}
    fares = partial(decisions, shares[rows], own[rows], costs=costs)
    return CostScene(
        label=label,
        other=1 - label,
        costs=costs,
        cut=cut,
        judged=fares(threshold=cut),
        is_held_out=bool(len(kept)),
        never=fares(threshold=np.inf),
        always=fares(threshold=0.0),
        curves={
            name: cost_curve(shares[part], own[part], costs)
            for name, part in parts.items()
            if len(part)
        },
        shares=np.unique(shares),
        reliable=reliable,
    )


def rarer_class(division: Division) -> int:
    """Return which of two classes fewer training rows have, the second of equal ones."""
    counts = np.bincount(division.y[division.train_rows], minlength=2)
    return int(counts[1] <= counts[0])


@remembered
def _of_leaves(
    key: str, tree: Tree, division: Division, label: int
) -> tuple[np.ndarray, Reliability | None]:
    """Return the share of a class in the leaf of each row, and whether those shares hold.

    A row of equal shares that the tree gives the other class stands just below one half, so that
    the threshold of one half decides as the tree does.
    """
    shares, kept = tree.class_shares(division.values)[:, label], division.held_out_rows
    is_level = np.abs(shares - 0.5) <= TIE
    shares[is_level & (tree.predict(division.values) != label)] = 0.5 - 2 * TIE
    if not len(kept):
        return shares, None
    return shares, reliability(tree, division.values[kept], division.y[kept], label)
