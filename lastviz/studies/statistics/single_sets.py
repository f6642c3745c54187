"""One data set: the corrected t-test over its folds, and who stands where."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import stats

from .pairs import holm
from .study_scores import CannotTell, StudyScores


@dataclass(frozen=True)
class CorrectedT:
    """The mean difference over runs that share training rows.

    Attributes
    ----------
    mean, low, high : float
        And its interval.
    error : float
        Standard error, corrected.
    df : int
    t, p : float
        Of no difference, both sides.
    """

    mean: float
    low: float
    high: float
    error: float
    df: int
    t: float
    p: float


def corrected_error(values: np.ndarray, n_folds: int) -> float:
    """Return the standard error of the mean of runs, corrected for shared training rows.

    The variance of the runs times 1 / n_runs + 1 / (n_folds - 1), test rows over training rows.
    """
    return sqrt(np.var(values, ddof=1) * (1 / len(values) + 1 / (n_folds - 1)))


def corrected_t(differences: np.ndarray, n_folds: int, *, confidence: float = 0.95) -> CorrectedT:
    """Test the mean difference of two algorithms over the runs of one data set.

    Parameters
    ----------
    differences : ndarray, shape (n_runs,)
        NaN is left out.
    n_folds : int
        Folds of a repeat.
    confidence : float, default 0.95
        Of the interval.

    Raises
    ------
    CannotTell
        If there are fewer than two runs or folds.

    Notes
    -----
    Where all differences are the same, t is infinite, or 0 if they are 0.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239-281.
    """
    away = np.asarray(differences, dtype=np.float64)
    away = away[np.isfinite(away)]
    n = len(away)
    if n < 2 or n_folds < 2:
        raise CannotTell(
            "A spread needs at least two folds, there are {n}: cross-validate with more.",
            n=min(n, n_folds),
        )
    varies = np.ptp(away) > 0
    mean = float(away.mean() if varies else away[0])
    error = corrected_error(away, n_folds) if varies else 0.0
    t = mean / error if error else np.copysign(np.inf, mean) if mean else 0.0
    half = float(stats.t.ppf(0.5 + confidence / 2, n - 1)) * error
    p = float(2 * stats.t.sf(abs(t), n - 1))
    return CorrectedT(mean, mean - half, mean + half, error, n - 1, float(t), p)


@dataclass(frozen=True, eq=False)
class Standings:
    """Every algorithm on every data set: its mean, the interval, and whether it is behind.

    Attributes
    ----------
    alpha : float
    mean, low, high : ndarray of float64, shape (n_algorithms, n_datasets)
        Over the runs that all algorithms with any have; NaN where there is none, the interval
        NaN for fewer than two.
    best : ndarray of intp, shape (n_datasets,)
        The algorithm with the best mean, the first of equal ones; -1 where none has one.
    p : ndarray of float64, shape (n_algorithms, n_datasets)
        Of no difference from the best one, after Holm within the data set; NaN for the best
        one and where nothing can be tested.
    n_done : ndarray of intp, shape (n_algorithms, n_datasets)
        Runs that an algorithm has.
    n_runs : ndarray of intp, shape (n_datasets,)
        Runs of the data set.
    """

    alpha: float
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    best: np.ndarray
    p: np.ndarray
    n_done: np.ndarray
    n_runs: np.ndarray

    @property
    def behind(self) -> np.ndarray:
        """Who is certainly behind the best one, bool, shape (n_algorithms, n_datasets)."""
        return np.nan_to_num(self.p, nan=1.0) < self.alpha

    @property
    def n_tested(self) -> int:
        """Differences from the best one that were tested."""
        return int(np.isfinite(self.p).sum())

    @property
    def finished(self) -> np.ndarray:
        """Whether an algorithm has all runs of a data set, shape (n_algorithms, n_datasets)."""
        return self.n_done == self.n_runs


def standings(scores: StudyScores, *, alpha: float = 0.05) -> Standings:
    """Compare each algorithm with the best one on each data set, by the corrected t-test.

    The best one is the best by chance, too, so that the test favours it a little. O(n_runs) for
    each cell.
    """
    mean = scores.means
    low, high, p = (np.full(mean.shape, np.nan) for _ in range(3))
    filled = np.where(np.isfinite(mean), scores.sign * mean, -np.inf)
    best = np.where(np.isfinite(filled).any(axis=0), filled.argmax(axis=0), -1)
    for of, (runs, n_folds) in enumerate(zip(scores.common, scores.n_folds, strict=True)):
        if runs.sum() < 2 or n_folds < 2:
            continue
        values = scores.values[:, of, runs]
        for a in np.flatnonzero(np.isfinite(mean[:, of])):
            own = corrected_t(values[a], int(n_folds), confidence=1 - alpha)
            low[a, of], high[a, of] = own.low, own.high
            if a != best[of]:
                p[a, of] = corrected_t(values[best[of]] - values[a], int(n_folds)).p
        p[:, of] = holm(p[:, of])
    return Standings(alpha, mean, low, high, best, p, scores.n_done, scores.n_runs)
