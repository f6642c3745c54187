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
    scores : ndarray of float64, shape (n,)
        Larger is better; -inf ranks last.

    Returns
    -------
    ndarray of intp, shape (n,)
        Scores are equal where a rule of choice takes them for equal: each is compared with the
        largest of those that share its rank. O(n log n).
    """
    if not len(scores):
        return np.zeros(0, dtype=np.intp)
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    starts = np.flatnonzero(np.r_[True, falling[1:] < tie_floors(falling[:-1])])
    ends = np.r_[starts[1:], len(falling)]
    # Where many small steps add up to more than a tie, a chain of equals has several leaders.
    chains = np.flatnonzero(falling[ends - 1] < tie_floors(falling[starts]))
    more = [_leaders(falling, int(starts[c]), int(ends[c])) for c in chains]
    leaders = np.sort(np.concatenate([starts, *more])).astype(np.intp)
    ranks = np.empty(len(scores), dtype=np.intp)
    ranks[order] = np.repeat(leaders + 1, np.diff(np.r_[leaders, len(falling)]))
    return ranks


def _leaders(falling: np.ndarray, start: int, end: int) -> list[int]:
    """Return who leads the equals of a chain after those of its first."""
    leaders, at = [], start
    while at < end:
        at += int(np.count_nonzero(falling[at:end] >= tie_floors(falling[at])))
        leaders.append(at)
    return leaders[:-1]


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
