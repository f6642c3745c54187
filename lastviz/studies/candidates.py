"""The algorithms that a study may compare: ours, and peers, made for one data set."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from functools import lru_cache
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
import pandas as pd

from lastviz._params import check_params, defaults
from lastviz.datasets import Dataset
from lastviz.estimators import ESTIMATORS, REGRESSORS, takes_levels

from .peers import PEERS, RANDOM_STATE

MOST_INDICATORS = 2_000  # columns that nominal features may become
WITH_GAPS = {"hybrid"}  # a missing value of a nominal column is a value, as in its paper
PRIVATE = {RANDOM_STATE}  # set by the address of a fold unless the study sets it

RESULTS_VERSION: dict[str, int] = {
    "id3": 1,
    "c45": 1,
    "cart": 1,
    "gsodt": 1,
    "lsodt": 1,
    "hybrid": 1,
    "oc1": 1,
    "optimal": 1,
    "tao": 1,
    "cart_lc": 1,
    "svm_tree": 2,
    "remt": 2,
    "mcdf": 3,
    "adaboost_m1": 2,
    "monotone_boosting": 4,
    "cart_regressor": 1,
    "random_forest": 1,
    "gradient_boosting": 1,
    "svc": 1,
    "k_nn": 1,
    "logistic_regression": 1,
    "lightgbm_monotone": 1,
}
"""Raised by hand when an algorithm gives other figures than before; older ones do not count."""


def candidates() -> tuple[str, ...]:
    """Return the keys of all algorithms that a study may name here."""
    return (*ESTIMATORS, *REGRESSORS, *(key for key, peer in PEERS.items() if peer.is_installed))


def _ours(key: str) -> type | None:
    entry = ESTIMATORS.get(key) or REGRESSORS.get(key)
    return entry.cls if entry else None


def title_of(key: str) -> str:
    """Return what people call an algorithm."""
    entry = ESTIMATORS.get(key) or REGRESSORS.get(key) or PEERS[key]
    return entry.title


def version_of(key: str) -> str:
    """Return the version of an algorithm's figures; a peer's names its library's too."""
    own = str(RESULTS_VERSION[key])
    if _ours(key):
        return own
    package = PEERS[key].package
    return f"{own}, {package} {version(package)}"


def takes_unlabelled(key: str) -> bool:
    """Tell whether an algorithm can see test rows without their classes while it learns."""
    cls = _ours(key)
    return cls is not None and "unlabelled" in inspect.signature(cls.fit).parameters


def checked_params(key: str, params: Mapping[str, object]) -> dict[str, object]:
    """Return all parameters of an algorithm with their defaults, but for its seed if not given.

    Raises
    ------
    ValueError
        If a parameter is unknown or illegal; the sentence names it.
    """
    declared = (_ours(key) or PEERS[key]).PARAMS
    full = {**defaults(declared), **check_params(declared, dict(params))}
    return {k: value for k, value in full.items() if k not in PRIVATE or k in params}


def obstacle(key: str, dataset: Dataset) -> str | None:
    """Return in one sentence why an algorithm cannot learn a data set; None if it can."""
    title = title_of(key)
    nominal = [column for column, kind in dataset.kinds.items() if kind == "nominal"]
    if dataset.weights is not None:
        return "Rows with weights are not compared in studies; take the weights away."
    if dataset.task not in _tasks(key):
        what = "classes" if dataset.is_regression else "numbers"
        return f"{title} learns {what}, which {dataset.name} does not have."
    if key in PEERS:
        if PEERS[key].ordered and not dataset.ordered:
            return f"{title} needs classes in an order with a meaning."
        if PEERS[key].ordered and (nominal or dataset.has_missing):
            return f"{title} needs numbers in every cell of the table."
        return _crowded(title, dataset) if nominal else None
    tags = _ours(key).TAGS
    if nominal and not (tags.nominal or tags.indicators or key in WITH_GAPS):
        return f"{title} needs numbers, but “{nominal[0]}” is nominal."
    if nominal and not tags.nominal and _crowded(title, dataset):
        return _crowded(title, dataset)
    column = None if tags.missing else _lacking(dataset, but=nominal if key in WITH_GAPS else ())
    if column is not None:
        return f"{title} needs all values, but “{column}” lacks some; leave the column out."
    if tags.ordered_classes and not dataset.ordered:
        return f"{title} needs classes in an order with a meaning."
    many = _too_many_values(dataset, tags.max_values)
    if many:
        return f"{title} makes a branch of every value, but “{many}” has too many different ones."
    return None


def _tasks(key: str) -> tuple[str, ...]:
    cls = _ours(key)
    return (cls.TAGS.task,) if cls else PEERS[key].tasks


def _crowded(title: str, dataset: Dataset) -> str | None:
    if dataset.n_indicators <= MOST_INDICATORS:
        return None
    return (
        f"{title} reads a nominal column as one column for each value, at most {MOST_INDICATORS} "
        f"in all; these data would need {dataset.n_indicators}."
    )


def _lacking(dataset: Dataset, but: Collection[str]) -> str | None:
    lacks = dataset.X.isna().any()
    return next((column for column in dataset.X if lacks[column] and column not in but), None)


def _too_many_values(dataset: Dataset, most: int | None) -> str | None:
    if most is None:
        return None
    numeric = (column for column, kind in dataset.kinds.items() if kind == "numeric")
    return next((column for column in numeric if dataset.n_values[column] > most), None)


class Features(NamedTuple):
    """The features as an algorithm reads them."""

    # DataFrame or ndarray, shape (n_samples, n_columns), an array of float64 where all are numbers.
    X: pd.DataFrame | np.ndarray
    directions: tuple[int, ...]  # tuple of {1, -1, 0}, of each column
    levels: tuple[int, ...] = ()  # the columns whose numbers stand for ordered levels


@lru_cache(maxsize=16)
def _read(dataset: Dataset, form: str) -> Features:
    X = _with_gaps(dataset) if form == "with_gaps" else getattr(dataset, form)
    directions = tuple(dataset.directions.get(column, 0) for column in X.columns)
    levels = [i for i, column in enumerate(X) if dataset.kinds.get(column) == "ordinal"]
    plain = all(pd.api.types.is_numeric_dtype(kind) for kind in X.dtypes)
    X = np.ascontiguousarray(X.to_numpy(np.float64)) if plain else X
    return Features(X, directions, tuple(levels))


def _with_gaps(dataset: Dataset) -> pd.DataFrame:
    """Return numbers, each nominal column as one for each value and one for a missing value."""
    lacks = dataset.X.isna()
    gaps = {
        f"{column} is missing": lacks[column].astype(float) for column in lacks.columns[lacks.any()]
    }
    return dataset.encoded_X.fillna(0.0).assign(**gaps)


def features_of(key: str, dataset: Dataset) -> Features:
    """Return the features as an algorithm reads them."""
    cls = _ours(key)
    if cls is None:
        return _read(dataset, "encoded_X")
    if cls.TAGS.max_values is not None:
        return _read(dataset, "categorical_X")
    if cls.TAGS.nominal:
        return _read(dataset, "mixed_X")
    if key in WITH_GAPS:
        return _read(dataset, "with_gaps")
    return _read(dataset, "encoded_X" if cls.TAGS.indicators else "numeric_X")


def make(
    key: str, params: Mapping[str, object], task: str, features: Features, seed: int
) -> object:
    """Return an estimator that is not fitted yet.

    Parameters
    ----------
    key : str
        Of :func:`candidates`.
    params : mapping
        As :func:`checked_params` returns them.
    task : {"classification", "regression"}
    features : Features
        What it will read; their directions and levels are told where it takes them.
    seed : int
        For what it draws, unless `params` has a seed.
    """
    cls = _ours(key)
    known = dict(params)
    declared = {param.name for param in (cls or PEERS[key]).PARAMS}
    if RANDOM_STATE in declared:
        known.setdefault(RANDOM_STATE, seed)
    takes = PEERS[key].ordered if cls is None else "monotonic_cst" in cls.OTHER_PARAMS
    if any(features.directions) and takes:
        known["monotonic_cst"] = list(features.directions)
    if features.levels and cls is not None and takes_levels(cls):
        known["categorical_features"] = list(features.levels)
    return cls(**known) if cls else PEERS[key].make(task, **known)
