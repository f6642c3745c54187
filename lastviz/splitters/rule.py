"""The rule of choice: a short tuple of stages, each of which keeps some candidates.

C4.5 is ``best_within_feature(gain) -> positive(gain) -> at_least_mean(gain) ->
argmax(gain_ratio)``, CART is ``best_within_feature(gini) -> argmax(gini)``. Candidates are
ordered by feature, then by threshold; a tie goes to the first of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lastviz.criteria.scan_kernels import MEAN_SLACK, TIE

__all__ = ["Rule", "Stage", "tie_floor"]


@dataclass(frozen=True)
class Stage:
    """One step of a rule: what it keeps, judged by which column.

    Attributes
    ----------
    keeps : {"best_within_feature", "positive", "at_least_mean", "largest", "argmax"}
        "largest" keeps all that tie with the largest, "argmax" the first of them.
    column : str
        The column of the search that it reads.
    """

    keeps: str
    column: str


@dataclass(frozen=True)
class Rule:
    """Stages in order; the last one leaves a single candidate."""

    stages: tuple[Stage, ...]

    def apply(
        self, feature: np.ndarray, columns: Mapping[str, np.ndarray]
    ) -> tuple[np.ndarray, ...]:
        """Return the candidates that survive each stage, as rising indices.

        Parameters
        ----------
        feature : ndarray of intp, shape (n_candidates,)
            The feature of each candidate, rising.
        columns : mapping of str to ndarray, shape (n_candidates,)
            Scores; -inf is inadmissible.
        """
        alive = np.arange(len(feature))
        survivors = []
        for stage in self.stages:
            values = columns[stage.column][alive]
            alive = alive[_KEEP[stage.keeps](values, feature[alive])]
            survivors.append(alive)
        return tuple(survivors)


def tie_floor(best: np.ndarray) -> np.ndarray:
    """Return the smallest score that still ties with `best`."""
    slack = TIE * np.maximum(1.0, np.abs(best))
    return best - np.where(np.isinf(best), 0.0, slack)


def _best_within_feature(values: np.ndarray, feature: np.ndarray) -> np.ndarray:
    admitted = np.flatnonzero(values > -np.inf)
    if not len(admitted):
        return admitted
    values, feature = values[admitted], feature[admitted]
    starts = np.flatnonzero(np.r_[True, feature[1:] != feature[:-1]])
    largest = np.maximum.reduceat(values, starts)
    group = np.repeat(np.arange(len(starts)), np.diff(np.r_[starts, len(values)]))
    close = np.flatnonzero(values >= tie_floor(largest)[group])
    first = np.r_[True, group[close[1:]] != group[close[:-1]]]
    return admitted[close[first]]


def _positive(values: np.ndarray, feature: np.ndarray) -> np.ndarray:
    return np.flatnonzero(values > TIE)


def _at_least_mean(values: np.ndarray, feature: np.ndarray) -> np.ndarray:
    mean = values.mean() if len(values) else np.inf
    return np.flatnonzero(values >= mean - MEAN_SLACK)


def _largest(values: np.ndarray, feature: np.ndarray) -> np.ndarray:
    if not len(values) or values.max() == -np.inf:
        return np.zeros(0, dtype=np.intp)
    return np.flatnonzero(values >= tie_floor(values.max()))


def _argmax(values: np.ndarray, feature: np.ndarray) -> np.ndarray:
    return _largest(values, feature)[:1]


_KEEP = {
    "best_within_feature": _best_within_feature,
    "positive": _positive,
    "at_least_mean": _at_least_mean,
    "largest": _largest,
    "argmax": _argmax,
}
