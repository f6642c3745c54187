"""Candidates that are equally good: the ranks they share, and those that lost by order alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lastviz.criteria.ties_kernels import tie_floors
from lastviz.splitters import Search, Stage

__all__ = ["tied_candidates", "tied_ranks"]

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
        Scores are equal where a rule of choice takes them for equal: each is compared with the
        largest of those that share its rank. O(n log n) a column.
    """
    if not scores.size:
        return np.zeros(scores.shape, dtype=np.intp)
    order = np.argsort(-scores, axis=0, kind="stable")
    falling = np.take_along_axis(scores, order, axis=0)
    begins = np.ones(scores.shape, dtype=bool)
    begins[1:] = falling[1:] < tie_floors(falling[:-1])
    places = np.arange(len(scores)).reshape(-1, *[1] * (scores.ndim - 1))
    leaders = np.maximum.accumulate(np.where(begins, places, 0), axis=0)
    # Where many small steps add up to more than a tie, a chain of equals has several leaders.
    chained = falling < tie_floors(np.take_along_axis(falling, leaders, axis=0))
    if chained.any():
        leaders = np.apply_along_axis(_leaders, 0, falling)
    ranks = np.empty(scores.shape, dtype=np.intp)
    np.put_along_axis(ranks, order, leaders + 1, axis=0)
    return ranks


def _leaders(falling: np.ndarray) -> np.ndarray:
    """Return the place of the largest of the equals of each score, one group after the other."""
    leaders, at = np.empty(len(falling), dtype=np.intp), 0
    rising = -falling
    while at < len(falling):
        end = int(np.searchsorted(rising, -tie_floors(falling[at]), side="right"))
        leaders[at:end] = at
        at = end
    return leaders


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
