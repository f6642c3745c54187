"""From columns of text, truth values and numbers to a matrix of codes and numbers.

A nominal value becomes its category's place (0.0, 1.0, ...), a category that was not there at
fit -1.0, a missing value NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral

import numpy as np

from lastviz._params import LARGEST_INTEGER
from lastviz._sentences import Refusal

from .gate import check_category

MOST_CATEGORIES = 1000
UNSEEN = -1.0


def nominal_features(X: object, categorical_features: object) -> np.ndarray:
    """Return which columns are nominal, shape (n_features,), or none at all if none can be.

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
        by_type = is_frame and categorical_features is not None
        return np.array([_is_nominal(dtype) for dtype in X.dtypes] if by_type else [], dtype=bool)
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
    """Return the number of columns, 0 for what is no table."""
    shape = X.shape if hasattr(X, "shape") else np.asarray(X).shape
    return shape[1] if len(shape) == 2 else 0


def _is_nominal(dtype: object) -> bool:
    return hasattr(dtype, "categories") or getattr(dtype, "kind", "O") in "OSUTb"


def categories_of(
    X: object,
    nominal: np.ndarray,
    names: Sequence[str],
    sample_weight: np.ndarray | None = None,
) -> tuple[tuple | None, ...]:
    """Return the categories of each nominal column, None for a numeric one.

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
    """Return a number as Python's own, a whole one as an int, so that 2.0 is called 2."""
    if isinstance(value, str | Integral | np.bool_):
        return value
    value = float(value)
    return int(value) if value.is_integer() and abs(value) <= LARGEST_INTEGER else value


def encoded(X: object, categories: Sequence[tuple | None], names: Sequence[str]) -> np.ndarray:
    """Return the matrix of codes and numbers, float64, shape (n_samples, n_features).

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
    """Return each row's place among the different values, -1 where missing, and these values."""
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
