"""Algorithms two by two over data sets: Wilcoxon's test with Holm, and effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, nan, sqrt

import numpy as np
from scipy import optimize, special, stats

from .ranks import corrected_t
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
        """Least p that Wilcoxon's test can have on the data sets of the largest pair."""
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
        effects = (*median_shift(d, 1 - alpha), *effect_size(d, 1 - alpha))
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
    """T and p of Wilcoxon's test; no evidence at all where all are ties."""
    n = len(differences)
    if not differences.any():
        return n * (n + 1) / 4, 1.0
    found = stats.wilcoxon(differences, zero_method="zsplit")
    return float(found.statistic), float(found.pvalue)


def holm(p: Sequence[float]) -> np.ndarray:
    """p-values adjusted for their number, stepping down.

    NaN is not counted.
    """
    p = np.asarray(p, dtype=np.float64)
    known = np.flatnonzero(np.isfinite(p))
    order = known[np.argsort(p[known], kind="stable")]
    raised = p[order] * np.arange(len(order), 0, -1)
    out = np.full(len(p), np.nan)
    out[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return out


def median_shift(differences: np.ndarray, confidence: float = 0.95) -> tuple[float, float, float]:
    """Hodges-Lehmann estimate of the difference, and its interval's ends.

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
    """Largest c with P(sum of positive ranks < c) <= tail, 0 if there is none."""
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


def effect_size(differences: np.ndarray, confidence: float = 0.95) -> tuple[float, float, float]:
    """Mean difference in standard deviations, and its interval's ends.

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


# ---- How probable it is that one algorithm is better, worse, or as good for practical purposes


STEP = 4096  # samples that are weighed at once


@dataclass(frozen=True)
class StudentPosterior:
    """Posterior of the mean difference of two algorithms on one data set.

    It is a shifted Student's t.
    """

    mean: float  # a scale of 0 puts all on the mean
    scale: float  # a scale of 0 puts all on the mean
    df: int
    rope: float  # half the width of the region of practical equivalence
    # behind, equal, ahead: probabilities that the first algorithm is worse by more than `rope`,
    # within it, better
    behind: float
    equal: float
    ahead: float

    def density(self, x: np.ndarray) -> np.ndarray:
        """Density at differences `x`; needs a scale above 0."""
        return stats.t.pdf(x, self.df, self.mean, self.scale)

    def curve(self, n_points: int = 201) -> tuple[np.ndarray, np.ndarray]:
        """Differences that hold 99.9 % of the probability, and their density.

        Where all runs differ by the same, a spike of height 1 stands for a density without end.
        """
        if self.scale == 0:
            aside = 0.02 * max(self.rope, abs(self.mean)) or 0.02
            return self.mean + aside * np.array([-1.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
        x = np.linspace(*self.interval(0.999), n_points)
        return x, self.density(x)

    def interval(self, share: float = 0.95) -> tuple[float, float]:
        """Shortest interval that holds this `share` of the probability."""
        half = float(stats.t.ppf(0.5 + share / 2, self.df)) * self.scale
        return self.mean - half, self.mean + half


def correlated_posterior(
    differences: np.ndarray, n_folds: int, *, rope: float = 0.01
) -> StudentPosterior:
    """Posterior of the Bayesian correlated t-test.

    Parameters
    ----------
    differences : ndarray, shape (n_runs,)
        Of the first algorithm from the second on each run, larger is better; NaN is left out.
    n_folds : int
        Folds of a repeat; runs correlate by 1 / n_folds.
    rope : float, default 0.01
        Half the width of the region of practical equivalence, in the metric's unit: one per
        cent of a share. 0 for none.

    Raises
    ------
    CannotTell
        If there are fewer than two runs or folds.
    ValueError
        If `rope` is negative.

    References
    ----------
    Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017). Time for a change: a tutorial
    for comparing multiple classifiers through Bayesian analysis. Journal of Machine Learning
    Research 18, 1-36. Section 3.
    """
    _check(rope)
    found = corrected_t(differences, n_folds)
    if found.error > 0:
        spread = stats.t(found.df, found.mean, found.error)
        behind, ahead = float(spread.cdf(-rope)), float(spread.sf(rope))
    else:  # all on one point; on the edge between two regions half in each
        at = np.array([-found.mean - rope, found.mean - rope])
        behind, ahead = (0.5 * (np.sign(at) + 1)).tolist()
        if rope > 0:
            behind, ahead = float(at[0] > 0), float(at[1] > 0)
    equal = max(0.0, 1.0 - behind - ahead)
    return StudentPosterior(found.mean, found.error, found.df, rope, behind, equal, ahead)


@dataclass(frozen=True, eq=False)
class SignedRankPosterior:
    """Posterior of the outcome on an unseen data set like these."""

    rope: float  # half the width of the region of practical equivalence
    # behind, equal, ahead: probabilities that worse, equal and better is the most probable of the
    # three for the first algorithm on a new data set
    behind: float
    equal: float
    ahead: float
    samples: np.ndarray  # (n_samples, 3) float64, draws of the three shares: worse, equal, better


def signed_rank_posterior(
    differences: np.ndarray,
    *,
    rope: float = 0.01,
    prior_strength: float = 0.5,
    n_samples: int = 50_000,
    random_state: int = 0,
) -> SignedRankPosterior:
    """Posterior of the Bayesian signed-rank test over data sets.

    Parameters
    ----------
    differences : ndarray, shape (n_datasets,)
        Mean difference of the first algorithm from the second on each data set, larger is
        better; NaN is left out.
    rope : float, default 0.01
        Half the width of the region of practical equivalence, in the metric's unit. 0 for none.
    prior_strength : float, default 0.5
        Weight of the prior, one data set on which both are equal.
    n_samples : int, default 50000
    random_state : int, default 0

    Raises
    ------
    CannotTell
        If there are fewer than two data sets.
    ValueError
        If `rope` is negative.

    Notes
    -----
    Each draw weighs the data sets (Dirichlet) and sums the weights of the pairs, data sets with
    themselves too, whose mean difference lies in each region; pairs on its edge count half.
    O(n_samples n_datasets^2).

    References
    ----------
    Benavoli et al. (2017), section 4.2.
    """
    _check(rope)
    away = np.asarray(differences, dtype=np.float64)
    away = away[np.isfinite(away)]
    if len(away) < 2:
        raise CannotTell(
            "A posterior over data sets needs at least two of them, there are {n}: add data sets.",
            n=len(away),
        )
    z = np.r_[0.0, away]
    sums = z[:, None] + z
    right = 0.5 * (np.sign(sums - 2 * rope) + 1)
    left = 0.5 * (np.sign(-sums - 2 * rope) + 1)
    strengths = np.r_[prior_strength, np.ones(len(away))]
    weights = np.random.default_rng(random_state).dirichlet(strengths, n_samples)
    samples = np.empty((n_samples, 3))
    for start in range(0, n_samples, STEP):
        part = weights[start : start + STEP]
        for column, region in ((0, left), (2, right)):
            samples[start : start + STEP, column] = ((part @ region) * part).sum(axis=1)
    samples[:, 1] = np.maximum(1.0 - samples[:, 0] - samples[:, 2], 0.0)
    # Where two shares are equally large the draw counts half for each.
    most = samples >= samples.max(axis=1, keepdims=True) - 1e-12
    behind, equal, ahead = (most / most.sum(axis=1, keepdims=True)).mean(axis=0).tolist()
    return SignedRankPosterior(rope, behind, equal, ahead, samples)


def _check(rope: float) -> None:
    if not rope >= 0:
        raise ValueError(f"rope must be a number >= 0, got {rope!r}")
