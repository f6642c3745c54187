"""What leads to a node, in simplified conditions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from lastviz.tree import Tree

__all__ = ["Condition", "conditions"]


@dataclass(frozen=True)
class Condition:
    """An interval of one feature: low < x <= high, either end may be open (None)."""

    feature: int
    low: float | None
    high: float | None


def conditions(tree: Tree, node: int) -> tuple[Condition, ...]:
    """Return what must hold to reach `node`: one interval per feature, in order of first use."""
    low: dict[int, float] = {}
    high: dict[int, float] = {}
    path = tree.path(node)
    for parent, child in pairwise(path):
        feature, threshold = int(tree.feature[parent]), float(tree.threshold[parent])
        if child == tree.first_child[parent]:
            high[feature] = min(threshold, high.get(feature, threshold))
            low.setdefault(feature, None)
        else:
            known = low.get(feature)
            low[feature] = threshold if known is None else max(threshold, known)
    return tuple(Condition(f, low[f], high.get(f)) for f in low)
