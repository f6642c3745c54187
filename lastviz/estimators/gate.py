"""The gate that rows, labels and weights pass: scikit-learn's checks, each refusal one sentence.

No other module of the estimators calls scikit-learn's checks of data. What they let in and no tree
can learn from (dates, two columns of one name, labels that are missing) is refused here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from numbers import Integral, Rational, Real
from typing import TypeVar

import numpy as np
from sklearn.base import BaseEstimator, is_classifier
from sklearn.utils import check_array as scikit_learns_check_array
from sklearn.utils import check_X_y as scikit_learns_check_X_y
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_sample_weight
from sklearn.utils.validation import validate_data as scikit_learns_validate_data

from lastviz._params import LARGEST_INTEGER
from lastviz._sentences import Refusal
from lastviz.tree import Tree

LARGEST_SUM = 1e100  # sums of weights from its inverse to here may be squared and multiplied

NO_NUMBERS = {
    "M": "dates: give numbers in their place, such as the days since the first of them",
    "m": "durations: give numbers in their place, such as their seconds",
    "c": "complex numbers (Complex data not supported): give their real and imaginary parts "
    "a column each",
    "V": "records: give each of their fields a column",
}
# What scikit-learn's contract wants line by line.
NAMES_DIFFER = "The feature names should match"
NO_TABLE = (
    "X must be a table of rows and columns, a 2D array: Reshape your data by X.reshape(-1, 1) if "
    "it is one feature, by X.reshape(1, -1) if it is one row"
)
ABSENT = "no_validation"


def validate_data(estimator: object, X: object, y: object = ABSENT, **how: object) -> object:
    """Return what scikit-learn's ``validate_data`` returns of what passes the gate."""
    check_table(X)
    if isinstance(y, str) and y == ABSENT:
        return _checked(scikit_learns_validate_data, estimator, X, **how)
    y = checked_targets(y, classes=is_classifier(estimator))
    return _checked(scikit_learns_validate_data, estimator, X, y, **how)


def check_array(X: object, **how: object) -> np.ndarray:
    """Return what scikit-learn's ``check_array`` returns of what passes the gate."""
    check_table(X)
    return _checked(scikit_learns_check_array, X, **how)


def check_X_y(X: object, y: object, **how: object) -> tuple[np.ndarray, np.ndarray]:
    """Return what scikit-learn's ``check_X_y`` returns of a table that passes the gate."""
    check_table(X)
    return _checked(scikit_learns_check_X_y, X, y, **how)


def _checked(check: Callable, *given: object, **how: object) -> object:
    """Return what a check returns; what it raises in paragraphs, raise as one sentence."""
    try:
        with np.errstate(invalid="ignore"):  # the sum of columns that reach both ends
            return check(*given, **how)
    except (TypeError, ValueError) as error:
        message = str(error)
        if message.startswith(NAMES_DIFFER):
            raise
        if "Reshape your data" in message:
            message = NO_TABLE
        elif message.startswith(("could not convert", "setting an array", "float() argument")):
            message = f"X must hold numbers, in rows of one length; {message}"
        wrong, *remedy = message.split("\n")[0].rstrip(".").split(". ")
        message = ": ".join([wrong, *(each[:1].lower() + each[1:] for each in remedy[:1])])
        raise (TypeError if isinstance(error, TypeError) else ValueError)(message) from None


def check_table(X: object) -> None:
    """Refuse a table by its columns: their number, names and types.

    Raises
    ------
    ValueError
        If it is no table, has no column, two of one name, or one of dates, durations, complex
        numbers or records.
    TypeError
        If it is sparse, or only some names are text.
    """
    if hasattr(X, "toarray"):
        raise TypeError("Sparse data was passed for X, but dense data is required: use X.toarray()")
    if not hasattr(X, "columns"):
        _check_kind("X", getattr(X, "dtype", None))
        if X is None or type(X) in (str, bytes, dict):
            raise Refusal("X must be a table of rows and columns, such as an array or a DataFrame, "
                          "got {kind}", kind=type(X).__name__)  # fmt: skip
        return
    names = list(X.columns)
    if not names:
        n = len(X)
        raise Refusal("X has {n} rows and 0 feature(s) (shape=({n}, 0)) while a minimum of 1 is "
                      "required: give it a column", n=n)  # fmt: skip
    text = [isinstance(name, str) for name in names]
    if any(text) and not all(text):
        kinds = ", ".join(sorted({type(name).__name__ for name in names}))
        raise TypeError(
            "the names of columns must be all text or none of them, got "
            f"{kinds}: X.columns = X.columns.astype(str) makes them text"
        )
    name, count = Counter(names).most_common(1)[0]
    if count > 1 and all(text):
        raise Refusal("X has {count} columns of the name {name!r}: give each its own",
                      count=count, name=name)  # fmt: skip
    for name, dtype in zip(names, X.dtypes, strict=True):
        _check_kind(f"column {name!r}", dtype)


def _check_kind(what: str, dtype: object) -> None:
    """Refuse a type that no order, distance or equality of numbers goes with."""
    of_categories = getattr(getattr(dtype, "categories", None), "dtype", dtype)
    reason = NO_NUMBERS.get(getattr(of_categories, "kind", ""))
    if reason is not None:
        raise ValueError(f"{what} holds {reason}")


def check_category(value: object, name: str) -> None:
    """Refuse what is no category of column `name`: neither text nor a truth value nor a number.

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


def check_row(x: object, estimator: object) -> np.ndarray:
    """Return one sample of numbers, shape (n_features,), given as that or as a row of a table."""
    n = estimator.n_features_in_
    if hasattr(x, "to_frame") and all(isinstance(name, str) for name in x.index):
        x = x.to_frame().T  # a row that says its names
    if hasattr(x, "columns"):
        x = validate_data(estimator, x, reset=False, skip_check_array=True)
    try:
        x = np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise Refusal("x must be one sample of {n} numbers ({error})", n=n, error=error) from None
    x = x[0] if x.ndim == 2 and len(x) == 1 else x
    if x.shape != (n,):
        raise ValueError(f"x must be one sample of {n} features, got shape {x.shape}")
    return x


def checked_targets(y: object, *, classes: bool) -> object:
    """Return labels or numbers to learn: as they were given, whole numbers as an array of them.

    Raises
    ------
    ValueError
        If one is missing, they are dates, of several kinds, or no numbers where numbers are learnt.
    TypeError
        If they are bytes.
    """
    _check_kind("y", getattr(y, "dtype", None))
    if y is None or getattr(getattr(y, "dtype", None), "kind", "O") not in "OSU":
        return y
    values = np.asarray(y, dtype=object)
    if values.ndim != 1:
        return y  # scikit-learn says what is wrong
    values = values.tolist()
    lacking = [row for row, value in enumerate(values) if _is_missing(value)]
    if lacking:
        raise Refusal("y has no label in row {row} (NaN or None): leave out the rows without one, "
                      "{n} in all", row=lacking[0], n=len(lacking))  # fmt: skip
    if any(isinstance(value, bytes) for value in values):
        raise TypeError("y holds bytes, which are not supported: decode them to text")
    text = [isinstance(value, str) for value in values]
    known = [isinstance(value, str | Real | np.bool_) for value in values]
    if not all(known):
        raise Refusal("Unknown label type: y holds {value!r}, which is neither text nor a truth "
                      "value nor a number", value=values[known.index(False)])  # fmt: skip
    if any(text) and not classes:
        raise Refusal("y must hold numbers, and holds {value!r}", value=values[text.index(True)])
    if any(text) and not all(text):
        raise Refusal("Unknown label type: y holds text ({text!r}) and numbers ({number!r}): make "
                      "them one kind", text=values[text.index(True)],
                      number=values[text.index(False)])  # fmt: skip
    return y if any(text) else np.array(values)


def _is_missing(value: object) -> bool:
    """Tell whether a value is None, NaN or one of pandas' own for nothing."""
    return value is None or (not isinstance(value, str) and str(value) in ("nan", "NaT", "<NA>"))


def check_classes(y: np.ndarray) -> None:
    """Refuse numbers that are no classes."""
    kind = type_of_target(y, input_name="y")
    if kind not in ("binary", "multiclass"):
        raise Refusal("Unknown label type: {kind}; classes are text, truth values or whole "
                      "numbers, and CARTRegressor learns other numbers", kind=kind)  # fmt: skip


def checked_weight(sample_weight: object, X: object) -> np.ndarray | None:
    """Return the weights that `fit` was given, None if it was given none."""
    if sample_weight is None:
        return None
    weight = _checked(
        _check_sample_weight, sample_weight, X, dtype=np.float64, ensure_non_negative=True
    )
    check_sum(weight)
    return weight


def check_sum(weight: np.ndarray) -> None:
    """Refuse weights whose sum cannot be squared without a loss."""
    with np.errstate(over="ignore"):
        total = float(weight.sum())
    if total and not 1.0 / LARGEST_SUM <= total <= LARGEST_SUM:
        raise Refusal(
            "the weights of the rows add up to {total:.3g}, beyond what products of them can hold: "
            "multiply all of them so that their sum is near the number of rows",
            total=total,
        )


# ---- The same fitted estimator with other names for its columns and their categories


Estimator = TypeVar("Estimator", bound=BaseEstimator)
Categories = tuple[tuple | None, ...]


def called_otherwise(
    estimator: Estimator, names: tuple[str, ...], categories: Categories
) -> Estimator:
    """Return a fitted estimator that calls columns and categories otherwise; itself if it does.

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
    """Return a tree with other names for its columns and their categories."""
    known = tuple(
        None if before is None else now
        for before, now in zip(tree.feature_categories, categories, strict=True)
    )
    return replace(tree, feature_names=names, feature_categories=known)
