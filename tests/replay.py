"""Replay: every node of a fitted tree is searched again, and what growth found is found."""

from collections.abc import Collection

import numpy as np
import pytest

from lastviz.inspection import split_search
from lastviz.splitters import same_split, stored_split


def replayed(
    fitted: object,
    X: np.ndarray,
    y: np.ndarray,
    *,
    within: float = 0.0,
    without_split: Collection[int] = (),
) -> object:
    """The model, whose trees are valid and found again by replay.

    Scores are equal up to `within`. A leaf that growth gave up for one of the reasons
    `without_split` has no split in replay either.
    """
    grown, log = fitted.grown_tree_, fitted.growth_log_
    for tree in (grown, fitted.tree_):
        tree.validate(fitted.encode(X))
    reasons = dict(zip(log.node[: log.n_growth_events].tolist(), log.reason, strict=False))
    for node in range(grown.n_nodes):
        split = split_search(fitted, X, y, node).split
        if not grown.is_leaf(node):
            split = fitted.as_stored(split, X)
            assert same_split(split, stored_split(grown, node)), node
            assert split.score == pytest.approx(grown.score[node], abs=within, rel=0), node
        elif reasons[node] in without_split:
            assert split is None, node
    return fitted
