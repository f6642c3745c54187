"""The algorithms that a study may compare: ours, and peers of scikit-learn, made for one data set.

A peer reads numbers, nominal columns as one column for each value, missing values filled with the
median of the training rows; those that measure distances standardise too.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version

import numpy as np
import pandas as pd

from lastviz._params import Param, check_params, defaults
from lastviz.datasets import Dataset
from lastviz.estimators import ESTIMATORS, REGRESSORS

from .ordinal_boosting import OrdinalBoosting

__all__ = [
    "PEERS",
    "RESULTS_VERSION",
    "Peer",
    "candidates",
    "checked_params",
    "features_of",
    "make",
    "obstacle",
    "takes_unlabelled",
    "title_of",
    "version_of",
]

MOST_INDICATORS = 2_000  # columns that nominal features may become
RANDOM_STATE = "random_state"
PRIVATE = {RANDOM_STATE}  # set by the address of a fold unless the study sets it

RESULTS_VERSION: dict[str, int] = {
    "id3": 1,
    "c45": 1,
    "cart": 1,
    "gsodt": 1,
    "lsodt": 1,
    "hybrid": 1,
    "oc1": 1,
    "cart_lc": 1,
    "svm_tree": 1,
    "remt": 1,
    "mcdf": 1,
    "adaboost_m1": 1,
    "cart_regressor": 1,
    "random_forest": 1,
    "gradient_boosting": 1,
    "svc": 1,
    "k_nn": 1,
    "logistic_regression": 1,
    "monotone_boosting": 1,
}
"""Raised by hand when an algorithm gives other figures than before; older ones do not count."""


@dataclass(frozen=True)
class Peer:
    """An algorithm of another library.

    Attributes
    ----------
    title : str
        What people call it.
    make : callable
        ``make(task, **params)`` returns an estimator for "classification" or "regression".
    PARAMS : tuple of Param
    tasks : tuple of str
        What it can learn.
    ordered : bool
        Whether it needs ordered classes, and takes directions.
    """

    title: str
    make: Callable[..., object]
    PARAMS: tuple[Param, ...]
    tasks: tuple[str, ...] = ("classification",)
    ordered: bool = False


def _forest(task: str, **params: object) -> object:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    cls = RandomForestRegressor if task == "regression" else RandomForestClassifier
    return _filled(cls(**params))


def _boosting(task: str, **params: object) -> object:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    numbers = task == "regression"
    cls = HistGradientBoostingRegressor if numbers else HistGradientBoostingClassifier
    return cls(early_stopping=False, **params)


def _svc(task: str, C: float, gamma: float | None, random_state: int) -> object:
    from sklearn.svm import SVC

    gamma = "scale" if gamma is None else gamma
    return _filled(SVC(C=C, gamma=gamma, random_state=random_state), scaled=True)


def _neighbours(task: str, **params: object) -> object:
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

    params.pop(RANDOM_STATE, None)
    cls = KNeighborsRegressor if task == "regression" else KNeighborsClassifier
    return _filled(cls(**params), scaled=True)


def _logistic(task: str, C: float, random_state: int) -> object:
    from sklearn.linear_model import LogisticRegression

    return _filled(LogisticRegression(C=C, max_iter=2000, random_state=random_state), scaled=True)


def _monotone(task: str, **params: object) -> object:
    return OrdinalBoosting(**params)


def _filled(estimator: object, *, scaled: bool = False) -> object:
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    fill = SimpleImputer(strategy="median", keep_empty_features=True)
    return make_pipeline(fill, *([StandardScaler()] if scaled else []), estimator)


_BOTH = ("classification", "regression")
_SEED = Param(RANDOM_STATE, int, 0, low=0, high=2**32 - 1)
_C = Param("C", float, 1.0, low=0.0, low_open=True, label="C", main=True)
_GAMMA = Param(
    "gamma", float, None, low=0.0, low_open=True, none=True, none_word="scale", label="Gamma"
)

PEERS: dict[str, Peer] = {
    "random_forest": Peer(
        "Random forest",
        _forest,
        (
            Param("n_estimators", int, 100, low=1, high=10_000, label="Trees", main=True),
            Param("max_depth", int, None, low=1, none=True, label="Depth at most"),
            Param("min_samples_leaf", int, 1, low=1, label="Rows of a leaf at least"),
            _SEED,
        ),
        _BOTH,
    ),
    "gradient_boosting": Peer(
        "Gradient boosting",
        _boosting,
        (
            Param("max_iter", int, 100, low=1, high=10_000, label="Rounds", main=True),
            Param("learning_rate", float, 0.1, low=0.0, low_open=True, label="Learning rate"),
            Param("max_leaf_nodes", int, 31, low=2, none=True, label="Leaves of a tree at most"),
            _SEED,
        ),
        _BOTH,
    ),
    "svc": Peer("SVC", _svc, (_C, _GAMMA, _SEED)),
    "k_nn": Peer(
        "k-NN",
        _neighbours,
        (
            Param("n_neighbors", int, 5, low=1, label="Neighbours", main=True),
            Param("weights", str, "uniform", choices=("uniform", "distance"), label="Weights"),
        ),
        _BOTH,
    ),
    "logistic_regression": Peer("Logistic regression", _logistic, (_C, _SEED)),
    "monotone_boosting": Peer(
        "Monotone boosting",
        _monotone,
        (Param("max_iter", int, 100, low=1, high=10_000, label="Rounds", main=True), _SEED),
        ordered=True,
    ),
}


def candidates() -> tuple[str, ...]:
    """Return the keys of all algorithms that a study may name."""
    return (*ESTIMATORS, *REGRESSORS, *PEERS)


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
    return own if _ours(key) else f"{own}, scikit-learn {version('scikit-learn')}"


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
    if nominal and not (tags.nominal or tags.indicators):
        return f"{title} needs numbers, but “{nominal[0]}” is nominal."
    if nominal and not tags.nominal and _crowded(title, dataset):
        return _crowded(title, dataset)
    if dataset.has_missing and not tags.missing:
        column = dataset.X.columns[int(dataset.X.isna().to_numpy().any(axis=0).argmax())]
        return f"{title} needs all values, but “{column}” lacks some; leave the column out."
    if tags.ordered_classes and not dataset.ordered:
        return f"{title} needs classes in an order with a meaning."
    if tags.max_classes is not None and dataset.n_classes > tags.max_classes:
        return f"{title} takes at most {tags.max_classes} classes."
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


def _too_many_values(dataset: Dataset, most: int | None) -> str | None:
    if most is None:
        return None
    numeric = (column for column, kind in dataset.kinds.items() if kind == "numeric")
    return next((column for column in numeric if dataset.n_values[column] > most), None)


@lru_cache(maxsize=16)
def _read(dataset: Dataset, form: str) -> tuple[pd.DataFrame | np.ndarray, tuple[int, ...]]:
    X = getattr(dataset, form)
    ways = tuple(dataset.directions.get(column, 0) for column in X.columns)
    plain = all(pd.api.types.is_numeric_dtype(kind) for kind in X.dtypes)
    return (np.ascontiguousarray(X.to_numpy(np.float64)) if plain else X), ways


def features_of(key: str, dataset: Dataset) -> tuple[pd.DataFrame | np.ndarray, tuple[int, ...]]:
    """Return the features as an algorithm reads them, and the direction of each of the columns.

    An array of float64 where all are numbers, else a DataFrame; (n_samples, n_columns).
    """
    cls = _ours(key)
    if cls is None:
        return _read(dataset, "encoded_X")
    if cls.TAGS.max_values is not None:
        return _read(dataset, "categorical_X")
    if cls.TAGS.nominal:
        return _read(dataset, "mixed_X")
    return _read(dataset, "encoded_X" if cls.TAGS.indicators else "numeric_X")


def make(
    key: str, params: Mapping[str, object], task: str, directions: tuple[int, ...], seed: int
) -> object:
    """Return an estimator that is not fitted yet.

    Parameters
    ----------
    key : str
        Of :func:`candidates`.
    params : mapping
        As :func:`checked_params` returns them.
    task : {"classification", "regression"}
    directions : tuple of {1, -1, 0}
        Of the columns that it reads; used where it takes them.
    seed : int
        For what it draws, unless `params` has a seed.
    """
    cls = _ours(key)
    known = dict(params)
    declared = {param.name for param in (cls or PEERS[key]).PARAMS}
    if RANDOM_STATE in declared:
        known.setdefault(RANDOM_STATE, seed)
    wants = cls is not None and "monotonic_cst" in cls.OTHER_PARAMS
    if any(directions) and (wants or (cls is None and PEERS[key].ordered)):
        known["monotonic_cst"] = list(directions)
    return cls(**known) if cls else PEERS[key].make(task, **known)
