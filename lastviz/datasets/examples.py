"""Small samples of books and of libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from lastviz._params import param, with_params

from .dataset import Dataset
from .generated import RANDOM_STATE, rows_param


def iris() -> Dataset:
    """Fisher's iris: 150 flowers of three species, four lengths in cm."""
    bunch = load_iris()
    names = [name.removesuffix(" (cm)") for name in bunch.feature_names]
    return _measured(
        "iris",
        pd.DataFrame(bunch.data, columns=names),
        np.asarray(bunch.target_names, dtype=str)[bunch.target],
        source="Fisher 1936; UCI repository, scikit-learn's copy",
        units=dict.fromkeys(names, "cm"),
    )


def wine() -> Dataset:
    """178 wines of three cultivars, thirteen chemical measurements."""
    bunch = load_wine()
    names = [
        name.replace("_of_diluted_wines", "").replace("_", " ") for name in bunch.feature_names
    ]
    names = [name.replace("od280/od315", "OD280/OD315") for name in names]
    return _measured(
        "wine",
        pd.DataFrame(bunch.data, columns=names),
        np.array([f"cultivar {c + 1}" for c in bunch.target]),
        source="Forina et al. 1988; UCI repository, scikit-learn's copy",
    )


def breast_cancer() -> Dataset:
    """569 tumours, malignant or benign, thirty measurements of their cell nuclei."""
    bunch = load_breast_cancer()
    return _measured(
        "breast_cancer",
        pd.DataFrame(bunch.data, columns=[str(name) for name in bunch.feature_names]),
        np.asarray(bunch.target_names, dtype=str)[bunch.target],
        source="Street, Wolberg and Mangasarian 1993; UCI repository, scikit-learn's copy",
    )


def digits() -> Dataset:
    """1797 handwritten digits of 8 x 8 pixels, grey levels 0 to 16."""
    bunch = load_digits()
    names = [f"pixel {row} {column}" for row in range(8) for column in range(8)]
    return _measured(
        "digits",
        pd.DataFrame(bunch.data.astype(np.int64), columns=names),
        bunch.target,
        source="Alpaydin and Kaynak 1998; UCI repository, scikit-learn's copy",
    )


def _measured(name: str, X: pd.DataFrame, labels: np.ndarray, **about) -> Dataset:
    return Dataset(X, pd.Series(labels, name="class"), name=name, **about)


# ---- The two tables of the textbook chapter on decision trees: loans, and ten points on a curve


SOURCE = "Li, Statistical Learning Methods, chapter 5"
_LEVELS = {
    "age": ("youth", "middle", "old"),
    "job": ("yes", "no"),
    "house": ("yes", "no"),
    "credit": ("very good", "good", "fair"),
}
# age, job, house, credit, class; one letter a level.
_LOANS = """\
y n n f no|y n n g no|y y n g yes|y y y f yes|y n n f no|m n n f no|m n n g no|m y y g yes|\
m n y v yes|m n y v yes|o n y v yes|o n y g yes|o y n g yes|o y n v yes|o n n f no"""
_CURVE = (4.50, 4.75, 4.91, 5.34, 5.80, 7.05, 7.90, 8.23, 8.70, 9.00)


def loan() -> Dataset:
    """Table 5.1: whether 15 applicants get a loan, by age, job, house and credit."""
    rows = [row.split() for row in _LOANS.split("|")]
    columns = {}
    for place, (name, levels) in enumerate(_LEVELS.items()):
        by_letter = {level[0]: level for level in levels}
        values = [by_letter[row[place]] for row in rows]
        columns[name] = pd.Categorical(values, categories=list(levels))
    return Dataset(
        X=pd.DataFrame(columns),
        y=pd.Series([row[-1] for row in rows], name="class"),
        kinds=dict.fromkeys(_LEVELS, "nominal"),
        orders=_LEVELS,
        class_order=("yes", "no"),
        name="loan",
        description="15 loan applications: age, job, home ownership and credit.",
        source=f"{SOURCE}, table 5.1",
    )


def regression_5_2() -> Dataset:
    """Table 5.2: ten points (x, y) for a regression tree."""
    return Dataset(
        X=pd.DataFrame({"x": range(1, 11)}),
        y=pd.Series(_CURVE, name="y"),
        task="regression",
        name="regression_5_2",
        description="Ten points for a regression tree by least squares.",
        source=f"{SOURCE}, table 5.2",
    )


# ---- Generated data with numbers to learn instead of classes


FRIEDMAN_SOURCE = "Friedman 1991, Multivariate adaptive regression splines"
N_FRIEDMAN = 5


def _noise(default: float, highest: float) -> Any:
    return param(
        float, default, low=0.0, high=10.0,
        label="Noise", help="Standard deviation of what is added to the true value.",
        slider=(0.0, highest, highest / 20), main=True,
    )  # fmt: skip


@with_params
def noisy_sine(
    n_samples: int = rows_param(200, (50, 2000, 50), main=True),
    noise: float = _noise(0.3, 1.0),
    random_state: int = RANDOM_STATE,
) -> Dataset:
    """Values y = sin(x) with normal noise, x uniform on [0, 10]."""
    rng = np.random.default_rng(random_state)
    x = rng.uniform(0.0, 10.0, n_samples)
    y = np.sin(x) + noise * rng.standard_normal(n_samples)
    return _numbers(x[:, None], ["x"], y, name="noisy_sine")


@with_params
def friedman(
    n_samples: int = rows_param(500, (100, 5000, 100), main=True),
    noise: float = _noise(1.0, 4.0),
    random_state: int = RANDOM_STATE,
) -> Dataset:
    """Friedman's first problem, five features uniform on [0, 1].

    y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 with normal noise.
    Deviation: without the five features of the paper that say nothing.
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
