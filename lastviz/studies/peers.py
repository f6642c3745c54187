"""Algorithms of other libraries that a study may compare with ours.

They read numbers, nominal columns as one column for each value, missing values filled with the
median of the training rows; those that measure distances standardise too. What not everybody has
installed is offered to those who have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from lastviz._extras import wanted
from lastviz._params import Param

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
        """Whether it can be computed here."""
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
    """LightGBM's boosting of two classes, once for each border between ordered classes.

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
        boosting = wanted("lightgbm", "lightgbm_monotone").LGBMClassifier
        self.borders_ = np.unique(y)
        self.models_ = [boosting(**self.params).fit(X, y > low) for low in self.borders_[:-1]]
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class index of each row."""
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
