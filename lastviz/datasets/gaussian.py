"""Round normal clusters in the plane: gauss_2d, xor, two_spreads, blobs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.stats import norm

from lastviz._params import param, with_params

from .breiman import Clusters
from .dataset import Dataset
from .generated import RANDOM_STATE, make_dataset, rows_param


@with_params
def gauss_2d(
    n_samples: int = rows_param(5000, (100, 10_000, 100)),
    spread: float = param(
        float, 2.0, low=1.0, high=100.0, low_open=True, label="Spread of class 1",
        help="Standard deviation of class 1; that of class 0 is 1.",
        slider=(1.1, 5.0, 0.1), main=True,
    ),
    random_state: int = RANDOM_STATE,
) -> Dataset:  # fmt: skip
    """Two normal classes with the same centre, one wider than the other."""
    points, codes = _gauss_2d(spread).draw(n_samples, np.random.default_rng(random_state))
    return make_dataset(
        points,
        codes,
        (0, 1),
        name="gauss_2d",
        source="Gaussian benchmark of the ELENA project",
        bayes_error=gauss_2d_bayes_error(spread),
    )


def gauss_2d_bayes_predict(X: np.ndarray, spread: float = 2.0) -> np.ndarray:
    """Bayes prediction: class 0 inside a circle, class 1 outside."""
    return _gauss_2d(spread).predict(X)


def gauss_2d_bayes_error(spread: float) -> float:
    """Exact error; the densities are equal at squared radius r2."""
    r2 = 4 * np.log(spread) / (1 - spread**-2)
    outside_0, inside_1 = np.exp(-r2 / 2), -np.expm1(-r2 / (2 * spread**2))
    return float((outside_0 + inside_1) / 2)


def _gauss_2d(spread: float) -> Clusters:
    return Clusters(np.zeros((2, 2)), np.array([1.0, spread]), np.array([0, 1]))


@with_params
def xor(
    n_samples: int = rows_param(400, (100, 5000, 100)),
    noise: float = param(
        float, 0.2, low=0.01, high=10.0, label="Noise (standard deviation)",
        help="Standard deviation of each cluster; neighbouring centres are 1 apart.",
        slider=(0.05, 0.35, 0.01), main=True,
    ),
    random_state: int = RANDOM_STATE,
) -> Dataset:  # fmt: skip
    """Four clusters at the corners of the unit square; opposite ones share a class."""
    points, codes = _xor(noise).draw(n_samples, np.random.default_rng(random_state))
    return make_dataset(
        points,
        codes,
        (0, 1),
        name="xor",
        source="after Du and Chen 2023, section 3.1",
        bayes_error=xor_bayes_error(noise),
    )


def xor_bayes_predict(X: np.ndarray, noise: float = 0.2) -> np.ndarray:
    """Bayes prediction: class 0 where both coordinates are on the same side of 0.5."""
    return _xor(noise).predict(X)


def xor_bayes_error(noise: float) -> float:
    """Exact error: just one of the two coordinates is on the wrong side of 0.5."""
    q = norm.cdf(-0.5 / noise)
    return float(2 * q * (1 - q))


def _xor(noise: float) -> Clusters:
    centres = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    return Clusters(centres, np.full(4, noise), np.array([0, 0, 1, 1]))


@with_params
def two_spreads(
    n_samples: int = rows_param(450, (90, 4500, 30)),
    wide: float = param(
        float, 0.35, low=0.01, high=10.0, label="Wide spread",
        help="Standard deviation of classes 1 and 2; all centres are 1 apart.",
        slider=(0.05, 0.6, 0.01), main=True,
    ),
    tight: float = param(
        float, 0.1, low=0.01, high=10.0, label="Tight spread",
        help="Standard deviation of class 3.", slider=(0.05, 0.6, 0.01), main=True,
    ),
    random_state: int = RANDOM_STATE,
) -> Dataset:  # fmt: skip
    """Three classes with equidistant centres, two of them wide and one tight.

    The distance of the centres cannot tell which class is easiest to separate; the spread can.
    """
    points, codes = _two_spreads(wide, tight).draw(n_samples, np.random.default_rng(random_state))
    return make_dataset(
        points,
        codes,
        (1, 2, 3),
        name="two_spreads",
        source="after Shi, Wang, Zhao and Yang 2006, figure 1",
        bayes_error=_two_spreads_error(wide, tight),
    )


def two_spreads_bayes_predict(X: np.ndarray, wide: float = 0.35, tight: float = 0.1) -> np.ndarray:
    """Class index of the most probable cluster."""
    return _two_spreads(wide, tight).predict(X)


@lru_cache(maxsize=256)
def _two_spreads_error(wide: float, tight: float) -> float:
    return _two_spreads(wide, tight).bayes_error()


def _two_spreads(wide: float, tight: float) -> Clusters:
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
    return Clusters(corners, np.array([wide, wide, tight]), np.arange(3))


@with_params
def blobs(
    n_samples: int = rows_param(400, (100, 5000, 100)),
    n_classes: int = param(
        int, 3, low=2, high=10, label="Classes",
        help="Number of clusters, one a class, evenly on a circle of radius 1.",
        slider=(2, 7, 1), main=True,
    ),
    noise: float = param(
        float, 0.35, low=0.01, high=10.0, label="Noise (standard deviation)",
        help="Standard deviation of each cluster.", slider=(0.05, 0.8, 0.01), main=True,
    ),
    random_state: int = RANDOM_STATE,
) -> Dataset:  # fmt: skip
    """One cluster a class, the centres evenly on the unit circle."""
    clusters = _blobs(n_classes, noise)
    points, codes = clusters.draw(n_samples, np.random.default_rng(random_state))
    return make_dataset(
        points,
        codes,
        tuple(range(n_classes)),
        name="blobs",
        source="generated",
        bayes_error=_blobs_error(n_classes, noise),
    )


def blobs_bayes_predict(X: np.ndarray, n_classes: int = 3, noise: float = 0.35) -> np.ndarray:
    """Class index of the nearest centre."""
    return _blobs(n_classes, noise).predict(X)


@lru_cache(maxsize=256)
def _blobs_error(n_classes: int, noise: float) -> float:
    return _blobs(n_classes, noise).bayes_error()


def _blobs(n_classes: int, noise: float) -> Clusters:
    angle = np.pi / 2 + 2 * np.pi * np.arange(n_classes) / n_classes
    centres = np.column_stack([np.cos(angle), np.sin(angle)])
    return Clusters(centres, np.full(n_classes, noise), np.arange(n_classes))
