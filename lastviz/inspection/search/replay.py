"""Why a node split as it did: its search, run again."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import ArrayLike

from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.splitters import (
    LatentSearch,
    ObliqueSearch,
    Presorted,
    Search,
    context_of,
    result_of,
    same_split,
    stored_split,
)


def split_search(
    estimator: TreeClassifier | ForestClassifier,
    X: ArrayLike,
    y: ArrayLike,
    node: int,
    *,
    tree: int = 0,
    presorted: Presorted | None = None,
) -> Search | LatentSearch | ObliqueSearch:
    """Return all candidates of a node and what the selection rule made of them.

    Where a hyperplane was searched for (OC1, CART-LC): the hyperplanes in the order in which
    the search went through them.

    Parameters
    ----------
    estimator : TreeClassifier
        Fitted.
    X, y : array-like
        The very data that it was fitted on.
    node : int
        A node of ``estimator.grown_tree_``; for a node of ``tree_`` use its ``grown_node``.
    tree : int, default 0
        Which tree of a forest.
    presorted : Presorted, optional
        The sorted columns of `X`, for single trees.

    Raises
    ------
    ValueError
        If there is no such node, or the data are not those of the fit.
    """
    if isinstance(estimator, ForestClassifier):
        if not 0 <= tree < len(estimator.estimators_):
            raise ValueError(f"tree must be from 0 to {len(estimator.estimators_) - 1}, got {tree}")
        drawn = estimator.draws_[tree].rows
        X = X.iloc[drawn] if hasattr(X, "iloc") else np.asarray(X)[drawn]  # names stay
        estimator, y = estimator.estimators_[tree], np.asarray(y)[drawn]
    return result_of(split_search_in_steps(estimator, X, y, node, presorted=presorted))


def split_search_in_steps(
    estimator: TreeClassifier,
    X: np.ndarray,
    y: np.ndarray,
    node: int,
    *,
    presorted: Presorted | None = None,
) -> Generator[float, None, Search | LatentSearch | ObliqueSearch]:
    """Search as :func:`split_search` does; a long search yields what share of it is done."""
    grown = estimator.grown_tree_
    if not 0 <= node < grown.n_nodes:
        raise ValueError(f"node must be from 0 to {grown.n_nodes - 1}, got {node}")
    splitter = estimator.splitter(X, y, presorted)
    context = context_of(splitter, grown, node)
    rows, _ = grown.node_samples(node)
    if not np.array_equal(context.rows, rows):
        raise ValueError("X must be the data that the estimator was fitted on")
    in_steps = getattr(splitter, "search_in_steps", None)
    search = splitter.search(context) if in_steps is None else (yield from in_steps(context))
    if not np.array_equal(search.counts, grown.value[node]):
        learnt = "numbers" if grown.is_regression else "classes"
        raise ValueError(f"y must be the {learnt} that the estimator was fitted on")
    return search


def finds_stored_split(
    estimator: TreeClassifier,
    X: np.ndarray,
    y: np.ndarray,
    node: int,
    *,
    presorted: Presorted | None = None,
) -> bool:
    """Tell whether the replayed search of a node chooses the split that its tree stores.

    Parameters and errors are those of :func:`split_search`. Splits of every kind are compared
    bit for bit. At a leaf the answer is whether the search admits no split, which need not
    be so where growth stopped for another reason. Where a split was forced by hand it is whether
    the search would have chosen the same.
    """
    found = split_search(estimator, X, y, node, presorted=presorted).split
    found = estimator.as_stored(found, X)
    return same_split(found, stored_split(estimator.grown_tree_, node))
