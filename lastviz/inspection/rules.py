"""What leads to a node, in simplified conditions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lastviz.splitters import ObliqueSplit, stored_split
from lastviz.tree import Tree

__all__ = ["Condition", "MachineCondition", "ObliqueCondition", "conditions"]


@dataclass(frozen=True)
class Condition:
    """An interval of one feature: low < x <= high, either end may be open (None)."""

    feature: int
    low: float | None
    high: float | None


@dataclass(frozen=True, eq=False)
class ObliqueCondition:
    """An interval along a direction: low < x @ weights <= high, either end may be open (None).

    `weights` (n_features,) belongs to the original features.
    """

    weights: np.ndarray
    low: float | None
    high: float | None


@dataclass(frozen=True)
class MachineCondition:
    """The side of a kernel machine: f(x) > 0 if `branch` is 0, f(x) <= 0 if it is 1."""

    node: int
    branch: int


def conditions(
    tree: Tree, node: int
) -> tuple[Condition | ObliqueCondition | MachineCondition, ...]:
    """Return what must hold to reach `node`, in order of first use.

    In a tree of machines, one side of each machine above it. Else one interval per feature, and
    one per direction of oblique splits: those along the same direction, such as a component of
    one latent space, are one condition.
    """
    if len(tree.kernel):
        steps = [(p, child - int(tree.first_child[p])) for p, child in pairwise(tree.path(node))]
        return tuple(MachineCondition(parent, branch) for parent, branch in steps)
    low: dict[int | bytes, float | None] = {}
    high: dict[int | bytes, float] = {}
    directions: dict[bytes, np.ndarray] = {}
    for parent, child in pairwise(tree.path(node)):
        split = stored_split(tree, parent)
        if isinstance(split, ObliqueSplit):
            along: int | bytes = split.weights.tobytes()
            directions[along] = split.weights
        else:
            along = split.feature
        threshold = split.threshold
        if child == tree.first_child[parent]:
            high[along] = min(threshold, high.get(along, threshold))
            low.setdefault(along, None)
        else:
            known = low.get(along)
            low[along] = threshold if known is None else max(threshold, known)
    return tuple(
        ObliqueCondition(directions[a], low[a], high.get(a))
        if a in directions
        else Condition(a, low[a], high.get(a))
        for a in low
    )
