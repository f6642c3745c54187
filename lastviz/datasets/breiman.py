"""Breiman's problems in many dimensions: waveform, twonorm, ringnorm, threenorm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import log_ndtr, logsumexp
from scipy.stats import ncx2, norm

from lastviz._params import with_params

from .dataset import Dataset
from .generated import RANDOM_STATE, balanced_codes, make_dataset, rows_param

N_CELLS = 400  # per axis: good to 5e-5, as a test shows on closed forms
REACH = 6.5  # deviations around the centres; what lies beyond is below 1e-9


@dataclass(frozen=True, eq=False)
class Clusters:
    """Equally likely round normal clusters; each belongs to a class.

    A cluster listed twice is twice as likely.
    """

    centres: np.ndarray  # (n_clusters, n_features)
    sds: np.ndarray  # (n_clusters,), standard deviation of each cluster in every direction
    codes: np.ndarray  # (n_clusters,) int, class index of each cluster

    def draw(self, n_samples: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Random points, shape (n_samples, n_features), and their class indices."""
        cluster = balanced_codes(n_samples, len(self.codes), rng)
        noise = rng.standard_normal((n_samples, self.centres.shape[1]))
        return self.centres[cluster] + self.sds[cluster, None] * noise, self.codes[cluster]

    def log_densities(self, X: np.ndarray) -> np.ndarray:
        """Log of density times share of each class; shape (n, n_classes)."""
        n_clusters, n_features = self.centres.shape
        squared = np.stack([((X - centre) ** 2).sum(axis=1) for centre in self.centres], axis=1)
        log_each = -squared / (2 * self.sds**2) - n_features * np.log(self.sds)
        log_each -= n_features / 2 * np.log(2 * np.pi) + np.log(n_clusters)
        classes = range(self.codes.max() + 1)
        return np.stack([logsumexp(log_each[:, self.codes == c], axis=1) for c in classes], axis=1)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Most probable class index of each row of X."""
        return self.log_densities(np.asarray(X)).argmax(axis=1)

    def bayes_error(self) -> float:
        """Error of :meth:`predict` for clusters in the plane."""
        return error_in_plane(self.log_densities, self.centres, float(self.sds.max()))


def error_in_plane(
    log_densities: Callable[[np.ndarray], np.ndarray], centres: np.ndarray, sd: float
) -> float:
    """Integrate the error of the best rule over a grid in the plane (midpoint rule).

    Parameters
    ----------
    log_densities : callable
        Points (n, 2) -> log of density times share of each class, (n, n_classes).
    centres : ndarray, shape (k, 2)
        Points around which the densities lie.
    sd : float
        Their largest standard deviation.
    """
    low = centres.min(axis=0) - REACH * sd
    cell = (centres.max(axis=0) + REACH * sd - low) / N_CELLS
    middle = low + cell * (np.arange(N_CELLS)[:, None] + 0.5)
    grid = np.stack(np.meshgrid(*middle.T, indexing="ij"), axis=-1).reshape(-1, 2)
    error = 1.0 - np.exp(log_densities(grid).max(axis=1)).sum() * cell.prod()
    # Further digits are the processor's own, and this is part of what names a data set: folds of a
    # study are drawn by that name, the same ones everywhere.
    return round(float(error), 10)


# ---------------------------------------------------------------- breiman


WAVEFORM_SOURCE = "Breiman, Friedman, Olshen and Stone 1984"
NORM_SOURCE = "Breiman 1996, Bias, variance and arcing classifiers"

# Waves and classes: triangles of height 6 with their peaks at t = 11, 15 and 7 of 21, and the
# two of them that each class mixes.
TIME = np.arange(1, 22)
WAVES = np.maximum(6.0 - np.abs(TIME - np.array([[11], [15], [7]])), 0.0)
MIXED = np.array([[0, 1], [0, 2], [1, 2]])
N_NOISE_FEATURES = 19

N_FEATURES = 20
A = 2 / np.sqrt(N_FEATURES)

WAVEFORM_ROWS = rows_param(5000, (300, 10_000, 100), main=True)
NORM_ROWS = rows_param(7400, (200, 10_000, 200), main=True)


@with_params
def waveform(n_samples: int = WAVEFORM_ROWS, random_state: int = RANDOM_STATE) -> Dataset:
    """21 readings of a random mixture of two of three waves, with unit noise."""
    points, codes = _draw_waveform(n_samples, np.random.default_rng(random_state))
    return make_dataset(
        points,
        codes,
        (0, 1, 2),
        name="waveform",
        source=WAVEFORM_SOURCE,
        bayes_error=waveform_bayes_error(),
    )


@with_params
def waveform_noise(n_samples: int = WAVEFORM_ROWS, random_state: int = RANDOM_STATE) -> Dataset:
    """Waveform data with 19 further features that are only noise."""
    rng = np.random.default_rng(random_state)
    points, codes = _draw_waveform(n_samples, rng)
    return make_dataset(
        np.hstack([points, rng.standard_normal((n_samples, N_NOISE_FEATURES))]),
        codes,
        (0, 1, 2),
        name="waveform_noise",
        source=WAVEFORM_SOURCE,
        bayes_error=waveform_bayes_error(),
    )


def _draw_waveform(n_samples: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    codes = balanced_codes(n_samples, 3, rng)
    share = rng.random((n_samples, 1))
    first, second = WAVES[MIXED[codes].T]
    clean = share * first + (1 - share) * second
    return clean + rng.standard_normal(clean.shape), codes


def waveform_bayes_predict(X: np.ndarray) -> np.ndarray:
    """Most probable class index; features beyond the 21st do not count."""
    readings = np.asarray(X)[:, : len(TIME)]
    return _log_waveform_densities(readings, WAVES).argmax(axis=1)


@lru_cache(maxsize=1)
def waveform_bayes_error() -> float:
    """Bayes error, integrated over the plane of the three waves.

    The noise is round, so this plane is enough.
    """
    edges = WAVES[1:] - WAVES[0]
    plane, _ = np.linalg.qr(edges.T)
    corners = (WAVES - WAVES[0]) @ plane
    return error_in_plane(lambda points: _log_waveform_densities(points, corners), corners, 1.0)


def _log_waveform_densities(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Log of density times share, for each class.

    A class is an edge of the triangle, blurred by unit noise.

    Along an edge of length d the mixture is uniform, so the blur integrates to a difference
    of two normal distribution functions; across the edge it stays normal.
    """
    columns = []
    for start, end in corners[MIXED]:
        along = end - start
        d = np.linalg.norm(along)
        offset = points - start
        place = offset @ along / d
        across = (offset**2).sum(axis=1) - place**2
        columns.append(_log_normal_between(-place, d - place) - np.log(d) - across / 2)
    constant = (points.shape[1] - 1) / 2 * np.log(2 * np.pi) + np.log(len(MIXED))
    return np.stack(columns, axis=1) - constant


def _log_normal_between(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Log of P(low < Z < high).

    It is mirrored in the upper tail, so that no digits are lost.
    """
    mirrored = low + high > 0
    low, high = np.where(mirrored, -high, low), np.where(mirrored, -low, high)
    log_high = log_ndtr(high)
    return log_high + np.log1p(-np.exp(log_ndtr(low) - log_high))


@with_params
def twonorm(n_samples: int = NORM_ROWS, random_state: int = RANDOM_STATE) -> Dataset:
    """Two unit normal classes at (a, ..., a) and (-a, ..., -a), a = 2 / sqrt(20)."""
    return _normal("twonorm", TWONORM, n_samples, random_state, float(norm.cdf(-2.0)))


def twonorm_bayes_predict(X: np.ndarray) -> np.ndarray:
    """Bayes prediction: 0 where the sum of the features is positive, else 1."""
    return TWONORM.predict(X)


@with_params
def ringnorm(n_samples: int = NORM_ROWS, random_state: int = RANDOM_STATE) -> Dataset:
    """Wide class, N(0, 4 I), and a unit normal one at (a, ..., a), a = 2 / sqrt(20)."""
    return _normal("ringnorm", RINGNORM, n_samples, random_state, ringnorm_bayes_error())


def ringnorm_bayes_predict(X: np.ndarray) -> np.ndarray:
    """Bayes prediction: 1 inside a ball about (4 / 3) (a, ..., a), else 0."""
    return RINGNORM.predict(X)


def ringnorm_bayes_error() -> float:
    """Exact error, from noncentral chi-squared distributions.

    The densities are equal where |x - 4m/3|^2 = r2, m being the centre of class 1.
    """
    m2 = N_FEATURES * A**2
    r2 = 4 / 3 * (2 * N_FEATURES * np.log(2) + m2 / 3)
    outside_1 = ncx2.sf(r2, N_FEATURES, m2 / 9)
    inside_0 = ncx2.cdf(r2 / 4, N_FEATURES, 4 * m2 / 9)
    return float((outside_1 + inside_0) / 2)


@with_params
def threenorm(n_samples: int = NORM_ROWS, random_state: int = RANDOM_STATE) -> Dataset:
    """One class half at (a, ..., a) and half at its opposite, one at (a, -a, a, ...).

    All clusters are unit normal, a = 2 / sqrt(20).
    """
    return _normal("threenorm", THREENORM, n_samples, random_state, threenorm_bayes_error())


def threenorm_bayes_predict(X: np.ndarray) -> np.ndarray:
    """Class index with the larger density."""
    return THREENORM.predict(X)


@lru_cache(maxsize=1)
def threenorm_bayes_error() -> float:
    """Bayes error, integrated over the plane of the three centres.

    They are two vectors of length 2 at right angles.
    """
    centres = np.array([[2.0, 0.0], [0.0, 2.0], [-2.0, 0.0], [0.0, 2.0]])
    return Clusters(centres, np.ones(4), THREENORM.codes).bayes_error()


def _normal(
    name: str, clusters: Clusters, n_samples: int, random_state: int, bayes_error: float
) -> Dataset:
    points, codes = clusters.draw(n_samples, np.random.default_rng(random_state))
    return make_dataset(
        points, codes, (0, 1), name=name, source=NORM_SOURCE, bayes_error=bayes_error
    )


UP = np.full(N_FEATURES, A)
ALTERNATING = A * (-1.0) ** np.arange(N_FEATURES)
TWONORM = Clusters(np.stack([UP, -UP]), np.ones(2), np.array([0, 1]))
RINGNORM = Clusters(np.stack([0 * UP, UP]), np.array([2.0, 1.0]), np.array([0, 1]))
THREENORM = Clusters(
    np.stack([UP, ALTERNATING, -UP, ALTERNATING]), np.ones(4), np.array([0, 1, 0, 1])
)
