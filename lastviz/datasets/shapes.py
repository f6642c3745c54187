"""Shapes in the plane: three_spirals, checkerboard, diagonal, moons, circles."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_circles, make_moons

from lastviz._params import param, with_params

from .dataset import Dataset
from .generated import LABEL_NOISE, RANDOM_STATE, flip, make_dataset, rows_param

EVEN_GAPS = 24 / np.pi  # gaps of 15, 16 and 17 between neighbouring arms along a ray
STARTS = np.array([1.0, 16.0, 32.0])  # where the three arms begin


@with_params
def three_spirals(
    n_samples: int = rows_param(
        720, (90, 2160, 30), main=True, doc="720 is 240 per arm as in the paper."
    ),
    k: float = param(
        float, EVEN_GAPS, low=0.0, high=100.0, low_open=True, label="Speed k",
        help="How fast the arms wind outwards; 24/pi spaces them evenly, near 5 they overlap.",
        doc="The radius at angle t is ``k * t + start``.", slider=(6.0, 12.0, 0.1),
    ),
    noise: float = param(
        float, 0.0, low=0.0, high=100.0, label="Noise (standard deviation)",
        help="Standard deviation around the arms, which lie about 16 apart.",
        slider=(0.0, 8.0, 0.5), main=True,
    ),
    random_state: int = RANDOM_STATE,
) -> Dataset:  # fmt: skip
    """Three spirals of three turns, one a class, with evenly spaced angles."""
    rng = np.random.default_rng(random_state)
    arm = np.arange(n_samples) % 3
    place = np.arange(n_samples) // 3
    theta = 6 * np.pi * place / (np.bincount(arm)[arm] - 1)
    radius = k * theta + STARTS[arm]
    points = radius[:, None] * np.column_stack([np.cos(theta), np.sin(theta)])
    points = points + noise * rng.standard_normal(points.shape)
    mixed = rng.permutation(n_samples)
    return make_dataset(
        points[mixed],
        arm[mixed],
        (1, 2, 3),
        name="three_spirals",
        source="Shi, Wang, Zhao and Yang 2006, eq 13 and 14",
        bayes_error=None if noise else 0.0,
    )


@with_params
def checkerboard(
    n_samples: int = rows_param(800, (100, 5000, 100)),
    n_cells: int = param(
        int, 4, low=2, high=50, label="Cells per side",
        help="The unit square is cut into this many cells along each side.",
        slider=(2, 8, 1), main=True,
    ),
    label_noise: float = LABEL_NOISE,
    random_state: int = RANDOM_STATE,
) -> Dataset:  # fmt: skip
    """Uniform points on a checkerboard; its two colours are the classes."""
    rng = np.random.default_rng(random_state)
    points = rng.random((n_samples, 2))
    codes = flip(checkerboard_bayes_predict(points, n_cells), 2, label_noise, rng)
    return make_dataset(
        points, codes, (0, 1), name="checkerboard", source="generated", bayes_error=label_noise
    )


def checkerboard_bayes_predict(
    X: np.ndarray, n_cells: int = 4, label_noise: float = 0.0
) -> np.ndarray:
    """Colour of the cell, whatever the label noise (which stays below a half)."""
    return np.floor(np.asarray(X) * n_cells).astype(np.intp).sum(axis=1) % 2


@with_params
def diagonal(
    n_samples: int = rows_param(400, (100, 5000, 100)),
    angle: float = param(
        float, 45.0, low=0.0, high=180.0, label="Angle of the line", unit="degrees",
        help="0 and 90 degrees are easy for splits on one feature, 45 is hardest.",
        doc="Against the first axis.", slider=(0.0, 90.0, 5.0), main=True,
    ),
    label_noise: float = LABEL_NOISE,
    random_state: int = RANDOM_STATE,
) -> Dataset:  # fmt: skip
    """Uniform points in the unit square, cut in two by a line through its centre."""
    rng = np.random.default_rng(random_state)
    points = rng.random((n_samples, 2))
    codes = flip(diagonal_bayes_predict(points, angle), 2, label_noise, rng)
    return make_dataset(
        points, codes, (0, 1), name="diagonal", source="generated", bayes_error=label_noise
    )


def diagonal_bayes_predict(
    X: np.ndarray, angle: float = 45.0, label_noise: float = 0.0
) -> np.ndarray:
    """Bayes prediction: 1 above (left of) the line, else 0.

    It does not depend on the label noise, which stays below a half.
    """
    slope = np.deg2rad(angle)
    normal = np.array([-np.sin(slope), np.cos(slope)])
    return ((np.asarray(X) - 0.5) @ normal > 0).astype(np.intp)


@with_params
def moons(
    n_samples: int = rows_param(400, (100, 5000, 100)),
    noise: float = param(
        float, 0.2, low=0.0, high=10.0, label="Noise (standard deviation)",
        help="Standard deviation around the half circles, which have radius 1.",
        slider=(0.0, 0.5, 0.01), main=True,
    ),
    random_state: int = RANDOM_STATE,
) -> Dataset:  # fmt: skip
    """Two half circles that reach into each other."""
    points, codes = make_moons(n_samples, noise=noise, random_state=random_state)
    return make_dataset(points, codes, (0, 1), name="moons", source="scikit-learn's make_moons")


@with_params
def circles(
    n_samples: int = rows_param(400, (100, 5000, 100)),
    noise: float = param(
        float, 0.1, low=0.0, high=10.0, label="Noise (standard deviation)",
        help="Standard deviation around the circles; the outer one has radius 1.",
        slider=(0.0, 0.4, 0.01), main=True,
    ),
    factor: float = param(
        float, 0.5, low=0.0, high=0.99, label="Inner radius",
        help="Radius of the inner circle, class 1.", slider=(0.1, 0.9, 0.05), main=True,
    ),
    random_state: int = RANDOM_STATE,
) -> Dataset:  # fmt: skip
    """Circle inside another one."""
    points, codes = make_circles(n_samples, noise=noise, factor=factor, random_state=random_state)
    return make_dataset(points, codes, (0, 1), name="circles", source="scikit-learn's make_circles")
