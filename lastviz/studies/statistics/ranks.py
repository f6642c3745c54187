"""Ranks of algorithms over data sets: Friedman's test, and Nemenyi's critical difference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import factorial, inf, sqrt

import numpy as np
from scipy import special, stats

from .study_scores import DIGITS, CannotTell, StudyScores


@dataclass(frozen=True, eq=False)
class Friedman:
    """Friedman's test that several algorithms have the same mean rank."""

    algorithms: tuple[str, ...]
    # datasets, left_out: data sets that were ranked, and those that some algorithm has no value on
    datasets: tuple[str, ...]
    left_out: tuple[str, ...]
    # (n_algorithms, n_datasets) float64, 1 is best; equal values share their mean rank.
    ranks: np.ndarray
    mean_ranks: np.ndarray  # (n_algorithms,) float64
    chi2: float  # Friedman's statistic with n_algorithms - 1 degrees of freedom
    p_chi2: float  # Friedman's statistic with n_algorithms - 1 degrees of freedom
    # f, p: Iman and Davenport's statistic, less conservative; over few data sets it rejects too
    # often (three algorithms on three: 19 of 100 times at 5 %)
    f: float
    p: float
    df: tuple[int, int]  # its degrees of freedom

    @property
    def order(self) -> np.ndarray:
        """The algorithms from best to worst mean rank."""
        return np.argsort(self.mean_ranks, kind="stable")


def friedman(scores: StudyScores, *, correct_ties: bool = True) -> Friedman:
    """Rank algorithms on each data set and test whether their mean ranks differ.

    Parameters
    ----------
    scores : StudyScores
        Data sets that some algorithm has no value on are left out.
    correct_ties : bool, default True
        Whether the variance of the ranks is that of the ranks with their ties, as scipy has it;
        False is the formula that Demsar (2006) prints, smaller where there are ties.

    Raises
    ------
    CannotTell
        If there are fewer than three algorithms, or fewer than two data sets that all have.

    Notes
    -----
    Where all data sets order the algorithms alike F has no value; then it is infinite and p is
    the probability of that, (1 / k!)^(N - 1) (Conover 1999). O(k N log k).

    References
    ----------
    Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal
    of Machine Learning Research 7, 1-30.
    """
    k, common = len(scores.algorithms), scores.complete
    n = int(common.sum())
    if k < 3:
        raise CannotTell(
            "Friedman's test ranks at least three algorithms, there are {n}: two are compared "
            "by Wilcoxon's test.", n=k,
        )  # fmt: skip
    if n < 2:
        raise CannotTell(
            "Ranks need at least two data sets that every algorithm has results on, there are "
            "{n}: add data sets, or leave out the algorithm that lacks them.", n=n,
        )  # fmt: skip
    ranks = stats.rankdata(-scores.sign * scores.means[:, common], axis=0)
    middle = n * k * (k + 1) ** 2 / 4
    between = float((ranks.sum(axis=1) ** 2).sum() - n * middle)
    spread = float((ranks**2).sum() - middle) if correct_ties else n * k * (k * k - 1) / 12
    chi2 = (k - 1) * between / spread if spread > 0 else 0.0
    df = (k - 1, (k - 1) * (n - 1))
    rest = n * (k - 1) - chi2
    if rest > 1e-9 * n * k:
        f = (n - 1) * chi2 / rest
        p = float(stats.f.sf(f, *df))
    else:
        f, p = inf, factorial(k) ** float(1 - n)
    names = np.array(scores.datasets, dtype=object)
    return Friedman(
        scores.algorithms, tuple(names[common]), tuple(names[~common]), ranks, ranks.mean(axis=1),
        chi2, float(stats.chi2.sf(chi2, k - 1)), f, p, df,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Nemenyi:
    """Significant differences of mean ranks."""

    alpha: float
    critical_difference: float  # mean ranks at least so far apart differ significantly
    # (n_algorithms, n_algorithms) float64, of each pair, all pairs taken into account.
    p: np.ndarray
    # The largest sets of algorithms without a significant difference, each from best to worst; two
    # or more in each.
    groups: tuple[tuple[int, ...], ...]


def nemenyi(found: Friedman, *, alpha: float = 0.05, continuity: bool = True) -> Nemenyi:
    """Compare all mean ranks with each other.

    By the studentized range with infinite degrees of freedom.

    Parameters
    ----------
    found : Friedman
    alpha : float, default 0.05
        Of all comparisons together, those with the best one among them.
    continuity : bool, default True
        Whether half a rank of one data set is added, since ranks are whole numbers and the range
        is not: without it, 6 of 100 studies of three equal algorithms on nine data sets show a
        difference at 5 %, with it at most 5 on any number. False is the formula that Demsar
        (2006) prints.

    Notes
    -----
    O(k^2) quantiles.
    """
    k, n = found.ranks.shape
    error, half = sqrt(k * (k + 1) / (6 * n)), continuity * 0.5 / n
    away = np.abs(found.mean_ranks[:, None] - found.mean_ranks)
    upper = np.triu_indices(k, 1)
    p = np.ones((k, k))
    p[upper] = stats.studentized_range.sf((away[upper] - half) * sqrt(2) / error, k, np.inf)
    p.T[upper] = p[upper]
    difference = critical_quantile(k, alpha) * error + half
    return Nemenyi(alpha, difference, p, _groups(found, difference))


@lru_cache(maxsize=256)
def critical_quantile(n_algorithms: int, alpha: float) -> float:
    """Quantile of Nemenyi's test: the studentized range's, divided by sqrt(2)."""
    return float(stats.studentized_range.ppf(1 - alpha, n_algorithms, np.inf) / sqrt(2))


def _groups(found: Friedman, difference: float) -> tuple[tuple[int, ...], ...]:
    order = found.order
    rank = found.mean_ranks[order]
    ends = np.searchsorted(rank, rank + difference, side="left")
    groups, reached = [], 0
    for start, end in enumerate(ends.tolist()):
        if end - start > 1 and end > reached:
            groups.append(tuple(order[start:end].tolist()))
            reached = end
    return tuple(groups)


# ---- One data set: the corrected t-test over its folds, and who stands where


FEWEST = 5  # runs of a test: accuracies of two or three folds are equal too often


@dataclass(frozen=True)
class CorrectedT:
    """The mean difference over runs that share training rows."""

    mean: float  # and its interval
    low: float  # and its interval
    high: float  # and its interval
    error: float  # standard error, corrected
    df: int
    t: float  # of no difference, both sides
    p: float  # of no difference, both sides


def corrected_error(values: np.ndarray, n_folds: int) -> float:
    """Standard error of the mean of runs, corrected for shared training rows.

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
    Where all differences are the same, there is no spread to measure them by: t is infinite and p
    is how often n fair coins fall alike, 2^(1 - n); where all are 0, t is 0 and p is 1.

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
    half = float(special.stdtrit(n - 1, 0.5 + confidence / 2)) * error
    p = float(2 * special.stdtr(n - 1, -abs(t))) if varies or not mean else 2.0 ** (1 - n)
    return CorrectedT(mean, mean - half, mean + half, error, n - 1, float(t), p)


@dataclass(frozen=True, eq=False)
class Standings:
    """Mean and interval of each algorithm on each data set, and whether it is behind."""

    alpha: float
    # mean, low, high: (n_algorithms, n_datasets) float64, over the runs that all algorithms with
    # any have; NaN where there is none, the interval NaN for fewer than two and for runs that are
    # all alike, which show no spread
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    # (n_datasets,) intp, the algorithm with the best mean, the first of equal ones; -1 where none
    # has one.
    best: np.ndarray
    # (n_algorithms, n_datasets) float64, of no difference from the best one, times the number of
    # all pairs of algorithms on all data sets (Bonferroni); NaN for the best one and where there
    # are fewer than five runs.
    p: np.ndarray
    # gap, half: (n_algorithms, n_datasets) float64, how much better the best one is, in the
    # metric's unit, and half the width of the interval of that, where `p` is known: all intervals
    # together hold with 1 - alpha
    gap: np.ndarray
    half: np.ndarray
    n_done: np.ndarray  # (n_algorithms, n_datasets) intp, runs that an algorithm has
    n_runs: np.ndarray  # (n_datasets,) intp, runs of the data set

    @property
    def behind(self) -> np.ndarray:
        """Mask of the algorithms significantly behind the best one.

        Shape (n_algorithms, n_datasets).
        """
        return np.nan_to_num(self.p, nan=1.0) < self.alpha

    @property
    def n_tested(self) -> int:
        """Differences from the best one that were tested."""
        return int(np.isfinite(self.p).sum())

    @property
    def finished(self) -> np.ndarray:
        """Whether an algorithm has all runs of a data set.

        Shape (n_algorithms, n_datasets).
        """
        return self.n_done == self.n_runs


def standings(scores: StudyScores, *, alpha: float = 0.05) -> Standings:
    """Compare each algorithm with the best on each data set by the corrected t-test.

    Notes
    -----
    Which one is best is known from the same runs. So that this shows no difference where there
    is none, p counts all pairs that might have been compared: at most a share `alpha` of studies
    names any algorithm falsely. O(n_algorithms^2 n_runs) for each data set.
    """
    mean = scores.means
    low, high, p, gap, half = (np.full(mean.shape, np.nan) for _ in range(5))
    filled = np.where(np.isfinite(mean), scores.sign * mean, -np.inf)
    best = np.where(np.isfinite(filled).any(axis=0), filled.argmax(axis=0), -1)
    pairs: list[tuple[int, int, int, CorrectedT]] = []
    for of, (runs, n_folds) in enumerate(zip(scores.common, scores.n_folds, strict=True)):
        if runs.sum() < 2 or n_folds < 2:
            continue
        values = scores.values[:, of, runs]
        known = np.flatnonzero(np.isfinite(mean[:, of]))
        for a in known:
            own = corrected_t(values[a], int(n_folds), confidence=1 - alpha)
            if own.error:
                low[a, of], high[a, of] = own.low, own.high
        if runs.sum() < FEWEST:
            continue
        # The best one first, so that its own pairs are where they are looked for.
        order = [best[of], *(a for a in known if a != best[of])]
        for one, other in combinations(order, 2):
            away = np.round(scores.sign * (values[one] - values[other]), DIGITS)
            pairs.append((of, one, other, corrected_t(away, int(n_folds))))
    for of, one, other, test in pairs:
        if one == best[of]:
            p[other, of], gap[other, of] = min(1.0, len(pairs) * test.p), test.mean
            half[other, of] = special.stdtrit(test.df, 1 - alpha / 2 / len(pairs)) * test.error
    n_done, n_runs = scores.n_done, scores.n_runs
    return Standings(alpha, mean, low, high, best, p, gap, half, n_done, n_runs)
