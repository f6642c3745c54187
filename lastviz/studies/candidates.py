"""The algorithms that a study may compare: ours, and peers, made for one data set."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
import pandas as pd

from lastviz._extras import import_extra
from lastviz._params import Param, check_params, defaults
from lastviz.datasets import Dataset
from lastviz.estimators import ESTIMATORS, REGRESSORS, takes_levels

RANDOM_STATE = "random_state"


@dataclass(frozen=True)
class Peer:
    """An algorithm of another library."""

    title: str  # what people call it
    # `make(task, **params)` returns an estimator for "classification" or "regression".
    make: Callable[..., object]
    PARAMS: tuple[Param, ...]
    tasks: tuple[str, ...] = ("classification",)  # what it can learn
    ordered: bool = False  # whether it needs ordered classes, and takes directions
    package: str = "scikit-learn"  # that is not always installed, and what its figures depend on

    @property
    def is_installed(self) -> bool:
        """Whether its package is installed."""
        return find_spec(self.package.replace("scikit-learn", "sklearn")) is not None


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


class LightBoosting:
    """LightGBM's boosting of two classes, once per border between ordered classes.

    Its constraints of monotonicity bind the score of each class where there are more than two. Each
    border has two sides, and a sum of monotone answers is monotone (Frank and Hall 2001).
    """

    def __init__(
        self,
        monotonic_cst: Sequence[int] | None = None,
        max_iter: int = 100,
        random_state: int = 0,
    ) -> None:
        self.params = {
            "n_estimators": max_iter,
            "monotone_constraints": monotonic_cst,
            "random_state": random_state,
            **{"n_jobs": 1, "deterministic": True, "force_row_wise": True, "verbosity": -1},
        }

    def fit(self, X: np.ndarray, y: np.ndarray) -> LightBoosting:
        """Fit on class indices `y` (n_samples,) from low to high."""
        boosting = import_extra("lightgbm", "lightgbm_monotone").LGBMClassifier
        self.borders_ = np.unique(y)
        self.models_ = [boosting(**self.params).fit(X, y > low) for low in self.borders_[:-1]]
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Class index of each row."""
        return self.borders_[sum(np.asarray(one.predict(X), dtype=np.intp) for one in self.models_)]


def _light(task: str, **params: object) -> object:
    return LightBoosting(**params)


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
    "lightgbm_monotone": Peer(
        "LightGBM, monotone",
        _light,
        (Param("max_iter", int, 100, low=1, high=10_000), _SEED),
        ordered=True,
        package="lightgbm",
    ),
}


# ---------------------------------------------------------------- candidates


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
    """Keys of all algorithms that a study may name here."""
    return (*ESTIMATORS, *REGRESSORS, *(key for key, peer in PEERS.items() if peer.is_installed))


def _ours(key: str) -> type | None:
    entry = ESTIMATORS.get(key) or REGRESSORS.get(key)
    return entry.cls if entry else None


def title_of(key: str) -> str:
    """Display name of an algorithm."""
    entry = ESTIMATORS.get(key) or REGRESSORS.get(key) or PEERS[key]
    return entry.title


def version_of(key: str) -> str:
    """Version of an algorithm's figures; a peer's names its library's too."""
    own = str(RESULTS_VERSION[key])
    if _ours(key):
        return own
    package = PEERS[key].package
    return f"{own}, {package} {version(package)}"


def takes_unlabelled(key: str) -> bool:
    """Whether an algorithm can use test rows without their classes in training."""
    cls = _ours(key)
    return cls is not None and "unlabelled" in inspect.signature(cls.fit).parameters


def checked_params(key: str, params: Mapping[str, object]) -> dict[str, object]:
    """All parameters of an algorithm with their defaults.

    The seed is left out unless it is given.

    Raises
    ------
    ValueError
        If a parameter is unknown or illegal; the sentence names it.
    """
    declared = (_ours(key) or PEERS[key]).PARAMS
    full = {**defaults(declared), **check_params(declared, dict(params))}
    return {k: value for k, value in full.items() if k not in PRIVATE or k in params}


def obstacle(key: str, dataset: Dataset) -> str | None:
    """Reason, as a sentence, why an algorithm cannot learn a data set, or None."""
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
    """Features as numbers.

    A nominal column becomes one column per value and one for missing values.
    """
    lacks = dataset.X.isna()
    gaps = {
        f"{column} is missing": lacks[column].astype(float) for column in lacks.columns[lacks.any()]
    }
    return dataset.encoded_X.fillna(0.0).assign(**gaps)


def features_of(key: str, dataset: Dataset) -> Features:
    """Features as an algorithm reads them."""
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
    """Estimator that is not fitted yet.

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
