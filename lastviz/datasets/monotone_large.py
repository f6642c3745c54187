"""Ordered classes in many dimensions, half of the features with eleven values: monotone_large."""

from __future__ import annotations

import numpy as np

from lastviz._params import Param

from .dataset import Dataset
from .generated import RANDOM_STATE, generated

# Rows, features and classes of the paper's sets (table 4).
LARGE_SETS = {
    "LargeSet1": {"n_samples": 100_000, "n_features": 8, "n_classes": 5},
    "LargeSet2": {"n_samples": 100_000, "n_features": 12, "n_classes": 8},
    "LargeSet3": {"n_samples": 100_000, "n_features": 48, "n_classes": 8},
    "LargeSet4": {"n_samples": 500_000, "n_features": 8, "n_classes": 5},
    "LargeSet5": {"n_samples": 500_000, "n_features": 12, "n_classes": 8},
    "LargeSet6": {"n_samples": 500_000, "n_features": 48, "n_classes": 8},
}

MONOTONE_LARGE_PARAMS = (
    Param(
        "n_samples",
        int,
        5000,
        low=20,
        high=500_000,
        label="Rows",
        help="The paper's LargeSet1 to LargeSet3 have 100,000, the others 500,000.",
        unit="rows",
        slider=(500, 20_000, 500),
        main=True,
    ),
    Param(
        "n_features",
        int,
        8,
        low=2,
        high=200,
        label="Features",
        help="An even number; the paper's sets have 8, 12 and 48.",
        slider=(2, 48, 2),
        main=True,
    ),
    Param(
        "n_classes",
        int,
        5,
        low=2,
        high=20,
        label="Classes",
        help="The paper's sets have 5 and 8.",
        slider=(2, 8, 1),
        main=True,
    ),
    RANDOM_STATE,
)


def monotone_large(
    n_samples: int = 5000, n_features: int = 8, n_classes: int = 5, random_state: int = 0
) -> Dataset:
    """Return points in 0..10 whose ordered class rises with every feature.

    Parameters
    ----------
    n_samples : int, default 5000
        Number of rows.
    n_features : int, default 8
        An even number of features; the first half is uniform, the second half holds integers.
    n_classes : int, default 5
        Number of classes, labelled 1, 2, ... from low to high, of equal width; those at the
        ends are rare in many dimensions and may be missing.
    random_state : int, default 0
        Seed.

    Raises
    ------
    ValueError
        If `n_features` is odd.
    """
    if n_features % 2:
        raise ValueError(f"n_features must be even, got {n_features}")
    rng = np.random.default_rng(random_state)
    points = rng.random((n_samples, n_features)) * 10.0
    half = n_features // 2
    points[:, half:] = rng.integers(0, 11, (n_samples, half))
    codes = monotone_large_bayes_predict(points, n_features, n_classes)
    return generated(
        points,
        codes,
        tuple(range(1, n_classes + 1)),
        ordered=True,
        directions={f"x{j + 1}": 1 for j in range(n_features)},
        name="monotone_large",
        source="Xu, Wang and Ren 2017, eq 19",
        bayes_error=0.0,
    )


def monotone_large_bayes_predict(
    X: np.ndarray, n_features: int = 8, n_classes: int = 5
) -> np.ndarray:
    """Return the class index: the number of cuts below the mean of f over pairs of features."""
    scaled = np.asarray(X) / 10.0
    first, second = scaled[:, ::2], scaled[:, 1::2]
    value = (first + (second**2 - first**2) / 2).mean(axis=1)
    return np.searchsorted(np.arange(1, n_classes) / n_classes, value, side="left")
