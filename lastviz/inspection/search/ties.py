"""Candidates that are equally good: the ranks they share, and those that lost by order alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lastviz.criteria.ties_kernels import tie_floors
from lastviz.splitters import Search, Stage

from .ties_kernels import ranks_of_falling

# A stage that takes the first of equals, and the one that keeps them all.
_KEEPS_EQUALS = {"argmax": "largest", "argmin": "minima"}


def tied_ranks(scores: np.ndarray) -> np.ndarray:
    """Return the rank of each score, 1 the largest; equals share the best of their ranks.

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
    """Return the candidates among which only their order decided, rising; the winner is one.

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
    level = judged[_equals(last, search, judged)]
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


def _equals(stage: Stage, search: Search, judged: np.ndarray) -> np.ndarray:
    """Return which of the candidates `judged` a stage takes for the best, as places in them."""
    all_of_them = replace(stage, keeps=_KEEPS_EQUALS.get(stage.keeps, stage.keeps))
    return all_of_them.keep(stage.scores(search.columns, judged), search.feature[judged])
