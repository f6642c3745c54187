"""Generated data with numbers to learn instead of classes."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lastviz._params import Param

from .dataset import Dataset
from .generated import RANDOM_STATE, rows_param

FRIEDMAN_SOURCE = "Friedman 1991, Multivariate adaptive regression splines"
N_FRIEDMAN = 5


def _noise(default: float, highest: float) -> Param:
    return Param(
        "noise", float, default, low=0.0, high=10.0,
        label="Noise", help="Standard deviation of what is added to the true value.",
        slider=(0.0, highest, highest / 20), main=True,
    )  # fmt: skip


NOISY_SINE_PARAMS = (rows_param(200, (50, 2000, 50), main=True), _noise(0.3, 1.0), RANDOM_STATE)
FRIEDMAN_PARAMS = (rows_param(500, (100, 5000, 100), main=True), _noise(1.0, 4.0), RANDOM_STATE)


def noisy_sine(n_samples: int = 200, noise: float = 0.3, random_state: int = 0) -> Dataset:
    """Return y = sin(x) with normal noise, x uniform on [0, 10].

    Parameters
    ----------
    n_samples : int, default 200
        Number of rows.
    noise : float, default 0.3
        Standard deviation of the noise.
    random_state : int, default 0
        Seed.
    """
    rng = np.random.default_rng(random_state)
    x = rng.uniform(0.0, 10.0, n_samples)
    y = np.sin(x) + noise * rng.standard_normal(n_samples)
    return _numbers(x[:, None], ["x"], y, name="noisy_sine")


def friedman(n_samples: int = 500, noise: float = 1.0, random_state: int = 0) -> Dataset:
    """Return Friedman's first problem, five features uniform on [0, 1].

    y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 with normal noise.
    Deviation: without the five features of the paper that say nothing.

    Parameters
    ----------
    n_samples : int, default 500
        Number of rows.
    noise : float, default 1.0
        Standard deviation of the noise.
    random_state : int, default 0
        Seed.
    """
    rng = np.random.default_rng(random_state)
    X = rng.uniform(size=(n_samples, N_FRIEDMAN))
    y = 10.0 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20.0 * (X[:, 2] - 0.5) ** 2
    y += 10.0 * X[:, 3] + 5.0 * X[:, 4] + noise * rng.standard_normal(n_samples)
    names = [f"x{j + 1}" for j in range(N_FRIEDMAN)]
    return _numbers(X, names, y, name="friedman", source=FRIEDMAN_SOURCE)


def _numbers(X: np.ndarray, names: list[str], y: np.ndarray, **about: str) -> Dataset:
    frame = pd.DataFrame(X, columns=names)
    return Dataset(frame, pd.Series(y, name="y"), task="regression", **about)
