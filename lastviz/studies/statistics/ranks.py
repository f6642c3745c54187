"""Ranks of algorithms over data sets: Friedman's test, and Nemenyi's critical difference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import factorial, inf, sqrt

import numpy as np
from scipy import stats

from .study_scores import CannotTell, StudyScores


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
    """Which mean ranks differ significantly."""

    alpha: float
    critical_difference: float  # mean ranks at least so far apart differ significantly
    # (n_algorithms, n_algorithms) float64, of each pair, all pairs taken into account.
    p: np.ndarray
    # The largest sets of algorithms without a significant difference, each from best to worst; two
    # or more in each.
    groups: tuple[tuple[int, ...], ...]


def nemenyi(found: Friedman, *, alpha: float = 0.05, continuity: bool = True) -> Nemenyi:
    """Compare all mean ranks with each other by the studentized range of infinite freedom.

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
    """Return the quantile of Nemenyi's test: the studentized range's, divided by sqrt(2)."""
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
