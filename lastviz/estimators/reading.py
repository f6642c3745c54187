"""How the tables given to an estimator become the matrix that its tree reads."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.class_weight import compute_sample_weight

from lastviz._sentences import Refusal
from lastviz.splitters import Presorted, Unsorted, presort

from .columns import categories_of, encoded, nominal_features
from .gate import (
    check_array,
    check_sum,
    check_X_y,
    checked_targets,
    checked_weight,
    validate_data,
)

EXACT = 2**53
"""Whole numbers up to here are told apart in double precision."""
_FLOAT = type(np.dtype(np.float64))


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Checked training data."""

    # (n_samples, n_features) float64, NaN is missing, a nominal value is the place of its category.
    X: np.ndarray
    y: np.ndarray  # (n_samples,), class indices, or numbers
    names: tuple[str, ...]  # of the features
    classes: np.ndarray  # (n_classes,), empty where numbers are learnt
    categories: tuple[tuple | None, ...]  # of each nominal feature, None for a numeric one
    weight: np.ndarray | None = None  # (n_samples,) float64, None: every row counts once
    presorted: Presorted | None = None  # the sorted columns, if they were given

    @classmethod
    def of_sorted(cls, presorted: Presorted, y: np.ndarray, n_classes: int) -> Self:
        """Return sorted columns of numbers without names, and classes 0, 1, ... ."""
        names = tuple(f"x{f + 1}" for f in range(presorted.n_features))
        categories = (None,) * presorted.n_features
        return cls(presorted.X, y, names, np.arange(n_classes), categories, presorted=presorted)

    @property
    def is_plain(self) -> bool:
        """Whether the features are numbers, rows count once and no value is missing."""
        if self.categories.count(None) < len(self.categories):
            return False
        if self.weight is not None and not (self.weight == 1.0).all():
            return False
        with np.errstate(all="ignore"):
            suspicious = np.isnan(self.X.sum())  # a sum is quicker than a look at each value
        return not (suspicious and np.isnan(self.X).any())

    @property
    def n_categories(self) -> np.ndarray:
        """Number of categories of each feature, 0 for a numeric one."""
        counts = [0 if known is None else len(known) for known in self.categories]
        return np.array(counts, dtype=np.intp)

    @cached_property
    def sorted(self) -> Presorted:
        """The sorted columns, for a growth or searches of many nodes."""
        return presort(self.X) if self.presorted is None else self.presorted

    @property
    def columns(self) -> Presorted | Unsorted:
        """The columns, sorted only if they were given so, for a search or two."""
        return Unsorted(self.X) if self.presorted is None else self.presorted


def class_codes(classes: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the place of each class of `y` (n_samples,) among `classes`.

    Raises
    ------
    ValueError
        If it holds anything else.
    """
    y = np.asarray(checked_targets(y, classes=True))
    place = np.argsort(classes, kind="stable")
    if y.ndim == 1 and (y.dtype.kind in "OSU") == (classes.dtype.kind in "OSU"):
        codes = place[np.searchsorted(classes, y, sorter=place) % len(place)]
        if (classes[codes] == y).all():
            return codes
    raise Refusal("y must hold the classes that the estimator was fitted on, a label for each row")


def check_belongs(presorted: Presorted | None, X: np.ndarray) -> None:
    """Refuse the sorted columns of other data than `X`."""
    if presorted is None or presorted.X is X or np.array_equal(presorted.X, X):
        return
    raise ValueError(
        f"presorted must belong to X: it was made from other data of shape "
        f"{presorted.X.shape}, X has shape {X.shape}; call presort(X) again"
    )


def weight_of(
    X: np.ndarray, y: np.ndarray, sample_weight: object, class_weight: object
) -> np.ndarray | None:
    """Return each row's weight times that of its class, None where all are 1."""
    if sample_weight is None and class_weight is None:
        return None
    weight = 1.0 if class_weight is None else compute_sample_weight(class_weight, y)
    if sample_weight is not None:
        weight = checked_weight(sample_weight, X) * weight
    if (weight == 1.0).all():
        return None
    if not weight.any():
        raise Refusal("every row has weight 0; give some class or row more")
    check_sum(weight)
    return weight


def refuse_others(estimator: BaseEstimator, given: Mapping[str, object]) -> None:
    """Refuse what `fit` does not take, in a sentence.

    `sample_weight` must not stand in the signature of who does not weigh rows: by its name there
    scikit-learn's ensembles decide whether they hand weights on.
    """
    for name in given:
        raise TypeError(
            f"{type(estimator).__name__} takes no {name} in fit: leave it out. CARTClassifier, "
            "C45Classifier and ID3Classifier take sample_weight."
        )


def names_of(estimator: BaseEstimator) -> tuple[str, ...]:
    """Return the features' names, x1, x2, ... where the table had none."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = [f"x{i + 1}" for i in range(estimator.n_features_in_)]
    return tuple(map(str, names))


def read_training(
    estimator: BaseEstimator, X: object, y: object, *, numbers: bool
) -> tuple[np.ndarray, np.ndarray, tuple[tuple | None, ...]]:
    """Return the matrix of codes and numbers, what is learnt, and the categories by feature.

    NaN is a missing value; `numbers` tells whether `y` holds them. Sets what scikit-learn asks
    of a fitted estimator.
    """
    plain = _plain(X)
    if plain is not None and _goes_by_type(estimator.categorical_features):
        validate_data(estimator, X, y, skip_check_array=True)
        X, y = check_X_y(
            plain, y, dtype=np.float64, order="C", ensure_all_finite="allow-nan",
            y_numeric=numbers, estimator=estimator,
        )  # fmt: skip
        return X, y, (None,) * X.shape[1]
    if not _asks_for_nominal(X, estimator.categorical_features):
        X, y = validate_data(
            estimator, X, y, dtype=np.float64, order="C", ensure_all_finite="allow-nan",
            y_numeric=numbers,
        )  # fmt: skip
        return X, y, (None,) * X.shape[1]
    X, y = validate_data(estimator, X, y, skip_check_array=True)
    names = names_of(estimator)
    nominal = nominal_features(X, estimator.categorical_features)
    categories = categories_of(X, nominal, names)
    matrix, y = check_X_y(
        encoded(X, categories, names), y, dtype=np.float64, order="C",
        ensure_all_finite="allow-nan", y_numeric=numbers,
    )  # fmt: skip
    return matrix, y, categories


def warn_rounded(X: object) -> None:
    """Warn where whole numbers of a column are one in double precision, in which trees compare."""
    if not hasattr(X, "dtype") and not hasattr(X, "iloc"):
        return
    columns = X.items() if hasattr(X, "items") else enumerate(np.atleast_2d(X).T)
    for name, column in columns:
        if getattr(column.dtype, "kind", "O") not in "iu":
            continue
        values = np.asarray(column.dropna() if hasattr(column, "dropna") else column)
        values = np.unique(values[(values > EXACT) | (values < -EXACT)])
        rounded = len(np.unique(values.astype(np.float64)))
        if rounded < len(values):
            warnings.warn(
                f"column {name!r} holds {len(values)} different whole numbers beyond 2^53, which "
                f"double precision makes {rounded}; subtract an offset, or make names of them",
                stacklevel=2,
            )


def read_numbers(estimator: BaseEstimator, X: object, y: object) -> tuple[np.ndarray, np.ndarray]:
    """Return checked training data of numbers alone; of a table, say which column is none."""
    try:
        return validate_data(estimator, X, y, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        is_frame = hasattr(X, "iloc") and hasattr(X, "columns")
        for name, column in X.items() if is_frame else ():
            _refuse_other(str(name), column)
        raise


def _refuse_other(name: str, column: object) -> None:
    """Refuse a column of a pandas table that lacks values or holds categories."""
    if column.isna().any():
        refuse_missing(name, int(column.isna().sum()))
    try:
        np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError):
        raise Refusal(
            "column {name!r} holds categories, between which there is no distance; put a column "
            "of 0 and 1 in place of each (pandas.get_dummies), leave it out, or take CART, C4.5 "
            "or ID3",
            name=name,
        ) from None


def refuse_missing(name: str, count: int) -> NoReturn:
    """Refuse a column for its missing values."""
    raise Refusal(
        "column {name!r} lacks {count} values (NaN); fill them in, leave these rows "
        "out, or take C4.5, which treats missing values",
        name=name,
        count=count,
    )


def _plain(X: object) -> np.ndarray | None:
    """Return the matrix of a pandas table of floats alone, None of anything else.

    What there is to check of it can be checked of the matrix, in a fraction of the time that a
    table takes.
    """
    if not (hasattr(X, "iloc") and hasattr(X, "columns")):
        return None
    floats = all(type(dtype) is _FLOAT and dtype == np.float64 for dtype in X.dtypes)
    return X.to_numpy() if floats else None


def _goes_by_type(categorical_features: object) -> bool:
    """Tell whether no column is nominal unless its type says so."""
    by_dtype = isinstance(categorical_features, str) and categorical_features == "from_dtype"
    return categorical_features is None or by_dtype


def _asks_for_nominal(X: object, categorical_features: object) -> bool:
    """Tell whether any column is nominal; what is no table says so only by a list."""
    if _goes_by_type(categorical_features) and not hasattr(X, "iloc"):
        return False
    return bool(nominal_features(X, categorical_features).any())


def read_known(
    estimator: BaseEstimator,
    X: object,
    categories: tuple[tuple | None, ...],
    *,
    takes_missing: bool,
) -> np.ndarray:
    """Return the matrix of a table with the columns of the training data.

    An unseen category is -1.
    """
    finite = "allow-nan" if takes_missing else True
    if all(known is None for known in categories):
        plain = _plain(X)
        if plain is not None:
            validate_data(estimator, X, reset=False, skip_check_array=True)
            return check_array(
                plain, dtype=np.float64, order="C", ensure_all_finite=finite, input_name="X",
                estimator=estimator,
            )  # fmt: skip
        return validate_data(
            estimator, X, reset=False, dtype=np.float64, order="C", ensure_all_finite=finite
        )
    validate_data(estimator, X, reset=False, skip_check_array=True)
    matrix = encoded(X, categories, names_of(estimator))
    return check_array(matrix, dtype=np.float64, order="C", ensure_all_finite=finite)
