"""Measured data that scikit-learn ships: wine, iris, breast_cancer, digits."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from .dataset import Dataset


def iris() -> Dataset:
    """Return Fisher's iris: 150 flowers of three species, four lengths in cm."""
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
    """Return 178 wines of three cultivars, thirteen chemical measurements."""
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
    """Return 569 tumours, malignant or benign, thirty measurements of their cell nuclei."""
    bunch = load_breast_cancer()
    return _measured(
        "breast_cancer",
        pd.DataFrame(bunch.data, columns=[str(name) for name in bunch.feature_names]),
        np.asarray(bunch.target_names, dtype=str)[bunch.target],
        source="Street, Wolberg and Mangasarian 1993; UCI repository, scikit-learn's copy",
    )


def digits() -> Dataset:
    """Return 1797 handwritten digits of 8 x 8 pixels, grey levels 0 to 16."""
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
