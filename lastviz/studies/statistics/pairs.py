"""Algorithms two by two over data sets: Wilcoxon's test with Holm, and effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, nan, sqrt

import numpy as np
from scipy import optimize, special, stats

from .study_scores import CannotTell, StudyScores

N_VARIANCES = 4000  # that stand for all, in the noncentral t
EXACT = 200  # data sets up to which the distribution of the signed ranks is counted out


@dataclass(frozen=True)
class PairTest:
    """Two algorithms over the data sets that both have results on."""

    first: str
    second: str
    n_datasets: int
    wins: int  # data sets on which the first one's mean is better, equal, worse
    ties: int  # data sets on which the first one's mean is better, equal, worse
    losses: int  # data sets on which the first one's mean is better, equal, worse
    # statistic, p: Wilcoxon's T, the smaller sum of signed ranks, zeros shared among both; p of
    # both sides, NaN for fewer than two data sets
    statistic: float
    p: float
    p_holm: float  # after Holm over all pairs that are tested
    is_apart: bool  # whether p_holm is below alpha
    # shift, low, high: median of the means of all pairs of differences (Hodges and Lehmann), in the
    # metric's unit and positive where the first is better, and the interval that inverts the test;
    # infinite where there are too few data sets for any
    shift: float
    low: float
    high: float
    # effect, effect_low, effect_high: mean difference in its standard deviations (Cohen's d of
    # pairs) with its interval; NaN where the differences do not vary
    effect: float
    effect_low: float
    effect_high: float


@dataclass(frozen=True)
class PairTests:
    """All pairs that were asked about."""

    alpha: float
    pairs: tuple[PairTest, ...]

    @property
    def least_p(self) -> float:
        """The smallest p that Wilcoxon's test can give on the data sets of the largest pair."""
        return 2.0 ** (1 - max((pair.n_datasets for pair in self.pairs), default=0))


def compare_pairs(
    scores: StudyScores, *, against: str | None = None, alpha: float = 0.05
) -> PairTests:
    """Compare algorithms two by two over data sets.

    Parameters
    ----------
    scores : StudyScores
        A pair is compared on the data sets that both have runs in common on.
    against : str, optional
        Compare the others with this one alone, instead of all pairs.
    alpha : float, default 0.05
        Of all comparisons together.

    Raises
    ------
    CannotTell
        If there are fewer than two algorithms, or no pair has two data sets.

    Notes
    -----
    O(n_datasets^2 log n_datasets) for each pair, intervals O(n_datasets^3) up to 200.

    References
    ----------
    Demsar (2006), section 3.1.3; Holm, S. (1979). A simple sequentially rejective multiple test
    procedure. Scandinavian Journal of Statistics 6, 65-70.
    """
    if len(scores.algorithms) < 2:
        raise CannotTell("A comparison needs two algorithms, got {n}.", n=len(scores.algorithms))
    names = _pairs_of(scores, against)
    away = [_known(scores.mean_differences(*pair)) for pair in names]
    tested = [len(each) > 1 for each in away]
    if not any(tested):
        raise CannotTell(
            "One data set gives no ranking: comparing algorithms over data sets needs at least "
            "two on which both have results."
        )
    raw = [_wilcoxon(each) if ok else (nan, nan) for each, ok in zip(away, tested, strict=True)]
    adjusted = holm(np.array([p for _, p in raw]))
    pairs = []
    for (first, second), d, (statistic, p), p_holm in zip(
        names, away, raw, adjusted.tolist(), strict=True
    ):
        counts = int((d > 0).sum()), int((d == 0).sum()), int((d < 0).sum())
        effects = (*median_shift(d, 1 - alpha), *standardised(d, 1 - alpha))
        test = (statistic, p, p_holm, p_holm < alpha)
        pairs.append(PairTest(first, second, len(d), *counts, *test, *effects))
    return PairTests(alpha, tuple(pairs))


def _pairs_of(scores: StudyScores, against: str | None) -> list[tuple[str, str]]:
    if against is None:
        return list(combinations(scores.algorithms, 2))
    scores.index(against)
    return [(against, other) for other in scores.algorithms if other != against]


def _known(values: np.ndarray) -> np.ndarray:
    return values[np.isfinite(values)]


def _wilcoxon(differences: np.ndarray) -> tuple[float, float]:
    """Return T and p; where all are ties, no evidence at all."""
    n = len(differences)
    if not differences.any():
        return n * (n + 1) / 4, 1.0
    found = stats.wilcoxon(differences, zero_method="zsplit")
    return float(found.statistic), float(found.pvalue)


def holm(p: Sequence[float]) -> np.ndarray:
    """Return p-values adjusted for how many there are, stepping down; NaN is not counted."""
    p = np.asarray(p, dtype=np.float64)
    known = np.flatnonzero(np.isfinite(p))
    order = known[np.argsort(p[known], kind="stable")]
    raised = p[order] * np.arange(len(order), 0, -1)
    out = np.full(len(p), np.nan)
    out[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return out


def median_shift(differences: np.ndarray, confidence: float = 0.95) -> tuple[float, float, float]:
    """Return the Hodges-Lehmann estimate of the difference, and its interval's ends.

    The interval holds every shift that Wilcoxon's test does not contradict; there is none for so
    few data sets that the test can contradict nothing, up to five at 95 %. All NaN without
    differences.

    Notes
    -----
    The distribution of the signed ranks is counted out for up to 200 data sets, O(n^3); beyond
    that it is normal.
    """
    d = np.asarray(differences, dtype=np.float64)
    n = len(d)
    if not n:
        return nan, nan, nan
    walsh = np.sort(((d[:, None] + d) / 2)[np.triu_indices(n)])
    cut = _signed_rank_cut(n, (1 - confidence) / 2)
    middle = float(np.median(walsh))
    return (middle, float(walsh[cut - 1]), float(walsh[-cut])) if cut else (middle, -inf, inf)


def _signed_rank_cut(n: int, tail: float) -> int:
    """Return the largest c with P(sum of positive ranks < c) <= tail, 0 if there is none."""
    if n > EXACT:
        mean, spread = n * (n + 1) / 4, sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return int(mean + stats.norm.ppf(tail) * spread)
    p = np.ones(1)
    for rank in range(1, n + 1):
        longer = np.zeros(len(p) + rank)
        longer[: len(p)] = p / 2
        longer[rank:] += p / 2
        p = longer
    return int(np.searchsorted(np.cumsum(p), tail, side="right"))


def standardised(differences: np.ndarray, confidence: float = 0.95) -> tuple[float, float, float]:
    """Return the mean difference in standard deviations, and its interval's ends.

    The ends are the effects for which the observed t would be as extreme as that (noncentral t).
    NaN for fewer than two differences, or where they do not vary.
    """
    d = np.asarray(differences, dtype=np.float64)
    n = len(d)
    if n < 2 or np.ptp(d) == 0:
        return nan, nan, nan
    effect = float(d.mean() / d.std(ddof=1))
    t, tail = effect * sqrt(n), (1 - confidence) / 2
    # scipy's noncentral t is NaN far out; the mean over equally likely variances never is.
    even = (np.arange(N_VARIANCES) + 0.5) / N_VARIANCES
    at = t * np.sqrt(stats.chi2.ppf(even, n - 1) / (n - 1))

    def end(share: float) -> float:
        def beyond(shift: float) -> float:
            return float(special.ndtr(at - shift).mean()) - share

        return optimize.brentq(beyond, at.min() - 9.0, at.max() + 9.0, xtol=1e-9) / sqrt(n)

    return effect, end(1 - tail), end(tail)
