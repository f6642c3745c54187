"""From columns of text, truth values and numbers to a matrix of codes and numbers.

A nominal value becomes its category's place (0.0, 1.0, ...), a category that was not there at
fit -1.0, a missing value NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from numbers import Integral, Rational, Real
from typing import TypeVar

import numpy as np
from sklearn.base import BaseEstimator

from lastviz._params import LARGEST_INTEGER
from lastviz._sentences import Refusal
from lastviz.tree import Tree

from .reading import (
    check_array,
    check_X_y,
    checked_weight,
    goes_by_type,
    names_of,
    refuse_missing,
    validate_data,
)

MOST_CATEGORIES = 1000
UNSEEN = -1.0
_FLOAT = type(np.dtype(np.float64))


def nominal_features(X: object, categorical_features: object) -> np.ndarray:
    """Mask of nominal columns, shape (n_features,); empty if none can be nominal.

    Parameters
    ----------
    X : array-like or DataFrame
    categorical_features : "from_dtype", None or sequence of int or str
        "from_dtype": the columns of a DataFrame whose type is category, object, string or
        bool. None: no column. Else their numbers or names.

    Raises
    ------
    ValueError
        If `categorical_features` names what is not there.
    """
    is_frame = hasattr(X, "iloc") and hasattr(X, "columns")
    if categorical_features is None or isinstance(categorical_features, str):
        if categorical_features not in (None, "from_dtype"):
            raise ValueError(
                f"categorical_features must be 'from_dtype', None or a list of columns, got "
                f"{categorical_features!r}"
            )
        types = X.dtypes if is_frame and categorical_features is not None else ()
        nominal = [
            hasattr(dtype, "categories") or getattr(dtype, "kind", "O") in "OSUTb"
            for dtype in types
        ]
        return np.array(nominal, dtype=bool)
    out = np.zeros(n_features_of(X), dtype=bool)
    n_features = len(out)
    names = [str(c) for c in X.columns] if is_frame else []
    for column in categorical_features:
        place = names.index(column) if column in names else column
        if isinstance(place, str) or not 0 <= place < n_features:
            known = ", ".join(names) or f"numbers from 0 to {n_features - 1}"
            raise ValueError(
                f"categorical_features names {column!r}, which is no column; these are: {known}"
            )
        out[int(place)] = True
    return out


def n_features_of(X: object) -> int:
    """Number of columns, 0 if `X` is not a table."""
    shape = X.shape if hasattr(X, "shape") else np.asarray(X).shape
    return shape[1] if len(shape) == 2 else 0


def categories_of(
    X: object,
    nominal: np.ndarray,
    names: Sequence[str],
    sample_weight: np.ndarray | None = None,
) -> tuple[tuple | None, ...]:
    """Categories of each nominal column, None for a numeric one.

    Those of a pandas Categorical in its order, of another column its values, sorted; values
    of rows of weight 0 do not count.

    Raises
    ------
    ValueError
        If a column has more than `MOST_CATEGORIES` of them, or holds what is no category.
    """
    counts = None if sample_weight is None else sample_weight > 0
    return tuple(
        _categories(_column(X, f), str(names[f]), counts) if here else None
        for f, here in enumerate(nominal)
    )


def _categories(column: object, name: str, counts: np.ndarray | None) -> tuple:
    given = getattr(getattr(column, "dtype", None), "categories", None)
    if given is not None:
        found = given.tolist()
    else:
        place, values = _values(column, name)
        known = place >= 0 if counts is None else (place >= 0) & counts
        found = _sorted([values[i] for i in np.unique(place[known]).tolist()])
    if len(found) > MOST_CATEGORIES:
        raise Refusal(
            "column {name!r} has {n} different values; a nominal feature may have at "
            "most {most}: leave the column out, put values together, or give "
            "numbers as numbers",
            name=name,
            n=len(found),
            most=MOST_CATEGORIES,
        )
    for value in found:
        check_category(value, name)
    return tuple(map(_plain, found))


def _sorted(values: list) -> list:
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda value: (type(value).__name__, str(value)))


def _plain(value: object) -> object:
    """Number as Python's own, a whole one as an int, so that 2.0 is called 2."""
    if isinstance(value, str | Integral | np.bool_):
        return value
    value = float(value)
    return int(value) if value.is_integer() and abs(value) <= LARGEST_INTEGER else value


def encode_columns(
    X: object, categories: Sequence[tuple | None], names: Sequence[str]
) -> np.ndarray:
    """Matrix of codes and numbers, float64, shape (n_samples, n_features).

    Raises
    ------
    ValueError
        If a numeric column holds what is no number.
    TypeError
        If a nominal column holds what is neither text nor a number.
    """
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    out = np.empty((n_rows, len(categories)))
    for f, known in enumerate(categories):
        column, name = _column(X, f), str(names[f])
        out[:, f] = _numbers(column, name) if known is None else _codes(column, known, name)
    return out


def _codes(column: object, categories: tuple, name: str) -> np.ndarray:
    code = {value: float(code) for code, value in enumerate(categories)}
    place, values = _values(column, name)
    # A missing value has place -1: the last entry.
    return np.array([*(code.get(value, UNSEEN) for value in values), np.nan])[place]


def _numbers(column: object, name: str) -> np.ndarray:
    try:
        if hasattr(column, "to_numpy"):
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.array([np.nan if value is None else value for value in column], dtype=float)
    except (TypeError, ValueError) as error:
        raise Refusal(
            "column {name!r} is numeric, but holds what is no number: {error}",
            name=name,
            error=error,
        ) from None


def _column(X: object, feature: int) -> object:
    return X.iloc[:, feature] if hasattr(X, "iloc") else np.asarray(X)[:, feature]


def _values(column: object, name: str) -> tuple[np.ndarray, list]:
    """Each row's place among the different values, -1 where missing, and these values."""
    if column.dtype.kind in "biuf" and isinstance(column, np.ndarray):
        values, place = np.unique(column, return_inverse=True)
        if column.dtype.kind == "f":
            place[np.isnan(column)] = -1
        return place, values.tolist()
    try:
        if hasattr(column, "factorize"):
            place, values = column.factorize()
            return place, values.tolist()
        return _numbered(column.tolist())
    except TypeError:
        strange = next(v for v in column if getattr(v, "__hash__", None) is None)
        raise TypeError(
            f"column {name!r} holds {strange!r}; each argument must be a string or a number"
        ) from None


def _numbered(column: list) -> tuple[np.ndarray, list]:
    place: dict[object, int] = {}
    found = [
        -1 if value is None or value != value else place.setdefault(value, len(place))
        for value in column
    ]
    return np.array(found, dtype=np.intp), list(place)


def check_category(value: object, name: str) -> None:
    """Refuse an invalid category of column `name`.

    Valid ones are texts, truth values and numbers.

    Raises
    ------
    ValueError
        If it is an infinite number or one beyond those that floating point tells apart.
    TypeError
        If it is something else.
    """
    if isinstance(value, str | bool | np.bool_):
        return
    is_fraction = isinstance(value, Rational) and not isinstance(value, Integral)
    if not isinstance(value, Real) or is_fraction:  # of which no file keeps all digits
        raise TypeError(
            f"column {name!r} holds {value!r}; each argument must be a string or a number"
        )
    if isinstance(value, Integral):
        if abs(int(value)) > LARGEST_INTEGER:
            raise Refusal("column {name!r} holds {value}, a whole number beyond 2**53: turn the "
                          "column into text", name=name, value=int(value))  # fmt: skip
    elif not np.isfinite(float(value)):
        raise Refusal("column {name!r} holds an infinite value (inf): put a number or a text in "
                      "its place", name=name)  # fmt: skip


# ---- Tables with such columns, read


def read_training(
    estimator: BaseEstimator, X: object, y: object, *, numbers: bool
) -> tuple[np.ndarray, np.ndarray, tuple[tuple | None, ...]]:
    """Matrix of codes and numbers, targets, and categories by feature.

    NaN is a missing value; `numbers` tells whether `y` holds them. Sets what scikit-learn asks
    of a fitted estimator.
    """
    plain = _floats(X)
    by_type = goes_by_type(estimator.categorical_features)
    if plain is not None and by_type:
        validate_data(estimator, X, y, skip_check_array=True)
        X, y = check_X_y(
            plain, y, dtype=np.float64, order="C", ensure_all_finite="allow-nan",
            y_numeric=numbers, estimator=estimator,
        )  # fmt: skip
        return X, y, (None,) * X.shape[1]
    nominal = np.zeros(0, dtype=bool)
    if not by_type or hasattr(X, "iloc"):
        nominal = nominal_features(X, estimator.categorical_features)
    if not nominal.any():
        X, y = validate_data(
            estimator, X, y, dtype=np.float64, order="C", ensure_all_finite="allow-nan",
            y_numeric=numbers,
        )  # fmt: skip
        return X, y, (None,) * X.shape[1]
    X, y = validate_data(estimator, X, y, skip_check_array=True)
    names = names_of(estimator)
    categories = categories_of(X, nominal, names)
    matrix, y = check_X_y(
        encode_columns(X, categories, names), y, dtype=np.float64, order="C",
        ensure_all_finite="allow-nan", y_numeric=numbers,
    )  # fmt: skip
    return matrix, y, categories


def read_nominal(
    estimator: BaseEstimator,
    X: object,
    y: object,
    nominal: np.ndarray,
    sample_weight: object,
) -> tuple[np.ndarray, np.ndarray, tuple[tuple | None, ...], np.ndarray | None]:
    """Matrix of codes and numbers, labels, categories by feature, and weights.

    Missing values are refused by the name of their column, where they are not treated.
    """
    takes_missing = estimator.TAGS.missing
    X, y = validate_data(estimator, as_table(X, takes_missing), y, skip_check_array=True)
    weight, names = checked_weight(sample_weight, X), names_of(estimator)
    categories = categories_of(X, nominal, names, weight)
    matrix = encode_columns(X, categories, names)
    unknown = np.flatnonzero(np.isnan(matrix).any(axis=0))
    if len(unknown) and not takes_missing:
        refuse_missing(names[unknown[0]], int(np.isnan(matrix[:, unknown[0]]).sum()))
    finite = "allow-nan" if takes_missing else True
    X, y = check_X_y(matrix, y, dtype=np.float64, order="C", ensure_all_finite=finite)
    return X, y, categories, weight


def as_table(X: object, takes_missing: bool) -> object:
    """DataFrame as it is, anything else as an array of two dimensions."""
    finite = "allow-nan" if takes_missing else True
    return X if hasattr(X, "iloc") else check_array(X, dtype=None, ensure_all_finite=finite)


def _floats(X: object) -> np.ndarray | None:
    """Matrix of a pandas table of floats alone, None of anything else.

    What there is to check of it can be checked of the matrix, in a fraction of the time that a
    table takes.
    """
    if not (hasattr(X, "iloc") and hasattr(X, "columns")):
        return None
    floats = all(type(dtype) is _FLOAT and dtype == np.float64 for dtype in X.dtypes)
    return X.to_numpy() if floats else None


def read_known(
    estimator: BaseEstimator,
    X: object,
    categories: tuple[tuple | None, ...],
    *,
    takes_missing: bool,
) -> np.ndarray:
    """Matrix of a table with the columns of the training data.

    An unseen category is -1.
    """
    finite = "allow-nan" if takes_missing else True
    if all(known is None for known in categories):
        plain = _floats(X)
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
    matrix = encode_columns(X, categories, names_of(estimator))
    return check_array(matrix, dtype=np.float64, order="C", ensure_all_finite=finite)


# ---- The same fitted estimator with other names for its columns and their categories


Estimator = TypeVar("Estimator", bound=BaseEstimator)
Categories = tuple[tuple | None, ...]


def called_otherwise(
    estimator: Estimator, names: tuple[str, ...], categories: Categories
) -> Estimator:
    """Fitted estimator that calls columns and categories otherwise; itself if it does.

    Nothing is fitted again: structure, thresholds, keys and rows of its trees are the same.
    O(n_features), the arrays are shared.

    Parameters
    ----------
    estimator : TreeClassifier, ForestClassifier or CARTRegressor
        Fitted on a table with names.
    names : tuple of str
        Of the columns, in their order.
    categories : tuple of (tuple or None)
        Of each nominal column, in the order of their codes; None for a numeric one.
    """
    known = getattr(estimator, "categories_", None)
    if tuple(estimator.feature_names_in_) == names and known in (None, categories):
        return estimator
    made = copy(estimator)
    made.feature_names_in_ = np.array(names, dtype=object)
    if known is not None:
        made.categories_ = tuple(
            None if before is None else now for before, now in zip(known, categories, strict=True)
        )
    if hasattr(made, "estimators_"):
        made.estimators_ = [called_otherwise(each, names, categories) for each in made.estimators_]
    if hasattr(made, "grown_tree_"):
        made.grown_tree_ = renamed_tree(estimator.grown_tree_, names, categories)
        unpruned = estimator.tree_ is estimator.grown_tree_
        made.tree_ = made.grown_tree_
        if not unpruned:
            made.tree_ = renamed_tree(estimator.tree_, names, categories)
    return made


def renamed_tree(tree: Tree, names: tuple[str, ...], categories: Categories) -> Tree:
    """Tree with other names for its columns and their categories."""
    known = tuple(
        None if before is None else now
        for before, now in zip(tree.feature_categories, categories, strict=True)
    )
    return replace(tree, feature_names=names, feature_categories=known)
