"""Ordered classes that never fall as a feature grows: monotone."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from lastviz._params import param, with_params

from .dataset import Dataset
from .generated import LABEL_NOISE, RANDOM_STATE, flip, make_dataset, rows_param

SCHEMES = ("width", "frequency")


@with_params
def monotone(
    n_samples: int = rows_param(1000, (100, 5000, 100)),
    n_classes: int = param(
        int, 4, low=2, high=20, label="Classes",
        help="The paper's Set1 to Set4 have 2, 4, 6 and 8.",
        doc="They are labelled 1, 2, ... from low to high.", slider=(2, 8, 2), main=True,
    ),
    scheme: str = param(
        str, "width", choices=SCHEMES, label="Classes of equal",
        help="Cut the range of the function into equal widths or into equally frequent parts.",
        doc="That range is [0, 1].",
    ),
    label_noise: float = LABEL_NOISE,
    random_state: int = RANDOM_STATE,
) -> Dataset:  # fmt: skip
    """Uniform points whose ordered class rises with x1 + (x2^2 - x1^2) / 2."""
    rng = np.random.default_rng(random_state)
    points = rng.random((n_samples, 2))
    codes = monotone_bayes_predict(points, n_classes, scheme)
    return make_dataset(
        points,
        flip(codes, n_classes, label_noise, rng),
        tuple(range(1, n_classes + 1)),
        ordered=True,
        directions={"x1": 1, "x2": 1},
        name="monotone",
        source="Xu, Wang and Ren 2017, eq 16",
        bayes_error=label_noise,
    )


def five_rows() -> Dataset:
    """Five consistent samples with a non-monotone tree by rank mutual information.

    Found by drawing small consistent data at random.
    """
    points = [(4.0, 3.0), (0.0, 3.0), (3.0, 4.0), (4.0, 1.0), (3.0, 2.0)]
    return Dataset(
        pd.DataFrame(points, columns=["x1", "x2"]),
        pd.Series([3, 1, 3, 1, 2], name="class"),
        class_order=(1, 2, 3),
        ordered=True,
        directions={"x1": 1, "x2": 1},
        name="five_rows",
        source="lastviz",
    )


def monotone_bayes_predict(
    X: np.ndarray, n_classes: int = 4, scheme: str = "width", label_noise: float = 0.0
) -> np.ndarray:
    """Class index before label noise: the number of cuts below the function."""
    x1, x2 = np.asarray(X).T
    cuts = _equally_frequent(n_classes) if scheme == "frequency" else _equally_wide(n_classes)
    return np.searchsorted(cuts, x1 + (x2**2 - x1**2) / 2, side="left")


def _equally_wide(n_classes: int) -> np.ndarray:
    return np.arange(1, n_classes) / n_classes


@lru_cache(maxsize=32)
def _equally_frequent(n_classes: int) -> np.ndarray:
    shares = np.arange(1, n_classes) / n_classes
    return np.array([brentq(lambda f, p=p: _share_below(f) - p, 0.0, 1.0) for p in shares])


def _share_below(f: float) -> float:
    """P(function <= f) of (1 + v^2 - u^2) / 2 with u, v uniform on [0, 1].

    With c = 2f - 1 >= 0 it is the area where v <= sqrt(u^2 + c); below it, the mirror image.
    """
    c = abs(2 * f - 1)
    end = np.sqrt(1 - c)  # from here on the root exceeds 1
    curved = end / 2 + (c / 2 * np.arcsinh(end / np.sqrt(c)) if c > 0 else 0.0)
    share = float(curved + 1 - end)
    return share if f >= 0.5 else 1 - share


# ---- Ordered classes in many dimensions, half of the features with eleven values: monotone_large

# Rows, features and classes of the paper's sets (table 4).
LARGE_SETS = {
    "LargeSet1": {"n_samples": 100_000, "n_features": 8, "n_classes": 5},
    "LargeSet2": {"n_samples": 100_000, "n_features": 12, "n_classes": 8},
    "LargeSet3": {"n_samples": 100_000, "n_features": 48, "n_classes": 8},
    "LargeSet4": {"n_samples": 500_000, "n_features": 8, "n_classes": 5},
    "LargeSet5": {"n_samples": 500_000, "n_features": 12, "n_classes": 8},
    "LargeSet6": {"n_samples": 500_000, "n_features": 48, "n_classes": 8},
}


@with_params
def monotone_large(
    n_samples: int = param(
        int, 5000, low=20, high=500_000, label="Rows", unit="rows",
        help="The paper's LargeSet1 to LargeSet3 have 100,000, the others 500,000.",
        slider=(500, 20_000, 500), main=True,
    ),
    n_features: int = param(
        int, 8, low=2, high=200, label="Features",
        help="An even number; the paper's sets have 8, 12 and 48.",
        doc="The first half is uniform, the second half holds integers.",
        slider=(2, 48, 2), main=True,
    ),
    n_classes: int = param(
        int, 5, low=2, high=20, label="Classes", help="The paper's sets have 5 and 8.",
        doc="They are labelled 1, 2, ... from low to high, of equal width; those at the ends are "
            "rare in many dimensions and may be missing.",
        slider=(2, 8, 1), main=True,
    ),
    random_state: int = RANDOM_STATE,
) -> Dataset:  # fmt: skip
    """Points in 0..10 whose ordered class rises with every feature.

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
    return make_dataset(
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
    """Class index: the number of cuts below the mean of f over pairs of features."""
    scaled = np.asarray(X) / 10.0
    first, second = scaled[:, ::2], scaled[:, 1::2]
    value = (first + (second**2 - first**2) / 2).mean(axis=1)
    return np.searchsorted(np.arange(1, n_classes) / n_classes, value, side="left")
