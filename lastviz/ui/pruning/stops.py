"""Where the slider of a pruner's parameter stops: at trees that exist, by values that are short."""

from __future__ import annotations

import math

import numpy as np

from lastviz.inspection import PrunedTrees

MOST_STOPS = 30  # of more trees, those of evenly many leaves


def stops_of(trees: PrunedTrees, *included: int | None) -> list[int]:
    """Return the trees that the slider stops at: all, or those of evenly many leaves (log).

    Those `included` are among them: the slider says the same of a tree as the page.
    """
    if len(trees) <= MOST_STOPS:
        return list(range(len(trees)))
    size = np.log(trees.n_leaves.astype(np.float64))
    wanted = np.linspace(size.max(), size.min(), MOST_STOPS)
    nearest = np.abs(size[None, :] - wanted[:, None]).argmin(axis=1)
    also = [i for i in included if i is not None]
    return np.unique([0, *nearest, *also, len(trees) - 1]).tolist()


def tree_at(trees: PrunedTrees, value: float | None, chosen: int | None) -> int:
    """Return which tree a value of the parameter leaves; None: that of the rule, else the whole."""
    if value is not None:
        return trees.at(value)
    return 0 if chosen is None else chosen


def stop_value(trees: PrunedTrees, i: int) -> float:
    """Return a short number that leaves tree `i`, for links and labels."""
    exact = float(trees.value[i])
    if not trees.nested or exact == 0.0:
        return exact
    beyond = float(trees.value[i + 1]) if i + 1 < len(trees) else math.inf
    for digits in range(2, 17):
        step = 10.0 ** (math.floor(math.log10(exact)) - digits + 1)
        short = float(f"{math.ceil(exact / step) * step:.{digits}g}")
        if exact <= short < beyond and trees.at(short) == i:
            return short
    return exact
