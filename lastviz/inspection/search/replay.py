"""Replay of a node's search, as the explanation of its split."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from lastviz.criteria.ties_kernels import tie_floors
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

from .ties_kernels import ranks_of_falling


def split_search(
    estimator: TreeClassifier | ForestClassifier,
    X: ArrayLike,
    y: ArrayLike,
    node: int,
    *,
    tree: int = 0,
    presorted: Presorted | None = None,
) -> Search | LatentSearch | ObliqueSearch:
    """All candidates of a node, with the result of the selection rule.

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
    """Search as :func:`split_search` does; a long search yields the share done."""
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
    """Whether the replayed search of a node chooses the split stored in the tree.

    Parameters and errors are those of :func:`split_search`. Splits of every kind are compared
    bit for bit. At a leaf the answer is whether the search admits no split, which need not
    be so where growth stopped for another reason. Where a split was forced by hand it is whether
    the search would have chosen the same.
    """
    found = split_search(estimator, X, y, node, presorted=presorted).split
    found = estimator.as_stored(found, X)
    return same_split(found, stored_split(estimator.grown_tree_, node))


# ---- Candidates that are equally good: the ranks they share, and those that lost by order alone

# A stage that takes the first of equals, and the one that keeps them all.
_KEEPS_EQUALS = {"argmax": "largest", "argmin": "minima"}


def tied_ranks(scores: np.ndarray) -> np.ndarray:
    """Rank of each score, 1 the largest; equals share the best of their ranks.

    Parameters
    ----------
    scores : ndarray of float64, shape (n,) or (n, n_columns)
        Larger is better; -inf ranks last. Each column is ranked by itself.

    Returns
    -------
    ndarray of intp, shape of `scores`
        Scores are equal where a selection rule takes them for equal: each is compared with the
        largest of those that share its rank. O(n log n) a column.
    """
    ranks = np.empty(scores.shape, dtype=np.intp, order="F")
    columns = zip(_columns(scores), _columns(ranks), strict=True)
    for column, filled in columns:  # one at a time: a table may have millions of rows
        order = np.argsort(-column, kind="stable")
        ranks_of_falling(column[order], order, filled)
    return ranks


def _columns(scores: np.ndarray) -> np.ndarray:
    return scores.T if scores.ndim > 1 else scores[None]


def tied_candidates(search: Search) -> np.ndarray:
    """Candidates among which only their order decided, rising; the winner is one.

    Parameters
    ----------
    search : Search

    Returns
    -------
    ndarray of intp
        Those that the last stage of the rule takes for as good as the winner and, where the
        rule keeps one candidate of each feature first, their equals of the same feature. Empty
        if there is no winner.
    """
    if search.winner < 0:
        return np.zeros(0, dtype=np.intp)
    stages, survivors = search.rule.stages, search.survivors
    last = stages[-1]
    judged = survivors[-2] if len(survivors) > 1 else np.arange(search.n_candidates)
    every = replace(last, keeps=_KEEPS_EQUALS.get(last.keeps, last.keeps))
    level = judged[every.keep(last.scores(search.columns, judged), search.feature[judged])]
    found = set(level.tolist())
    for stage in stages:
        if stage.keeps != "best_within_feature":
            continue
        for candidate in level.tolist():
            same = np.flatnonzero(search.feature == search.feature[candidate])
            for reads in (stage, last):
                scores = reads.scores(search.columns, same)
                own = scores[same == candidate][0]
                same = same[(scores >= tie_floors(own)) & (own >= tie_floors(scores))]
            found.update(same.tolist())
    return np.array(sorted(found), dtype=np.intp)
