"""How probable it is that one algorithm is better, worse, or as good for practical purposes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from .single_sets import corrected_t
from .study_scores import CannotTell

STEP = 4096  # samples that are weighed at once


@dataclass(frozen=True)
class StudentPosterior:
    """Where the mean difference of two algorithms on one data set lies: Student's t, moved."""

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
        """Return the density at differences `x`; needs a scale above 0."""
        return stats.t.pdf(x, self.df, self.mean, self.scale)

    def curve(self, n_points: int = 201) -> tuple[np.ndarray, np.ndarray]:
        """Return differences that hold 99.9 % of the probability, and their density.

        Where all runs differ by the same, a spike of height 1 stands for a density without end.
        """
        if self.scale == 0:
            aside = 0.02 * max(self.rope, abs(self.mean)) or 0.02
            return self.mean + aside * np.array([-1.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
        x = np.linspace(*self.interval(0.999), n_points)
        return x, self.density(x)

    def interval(self, share: float = 0.95) -> tuple[float, float]:
        """Return the shortest interval that holds this `share` of the probability."""
        half = float(stats.t.ppf(0.5 + share / 2, self.df)) * self.scale
        return self.mean - half, self.mean + half


def correlated_posterior(
    differences: np.ndarray, n_folds: int, *, rope: float = 0.01
) -> StudentPosterior:
    """Return the posterior of the Bayesian correlated t-test.

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
    """How an unseen data set like these may turn out."""

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
    """Return the posterior of the Bayesian signed-rank test over data sets.

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
