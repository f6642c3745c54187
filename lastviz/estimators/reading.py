"""Checks that turn an estimator's tables into training data, each refusal one sentence.

No other module of the estimators calls scikit-learn's checks of data. What they let in and no tree
can learn from (dates, two columns of one name, labels that are missing) is refused here.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import NoReturn, Self

import numpy as np
from sklearn.base import BaseEstimator, is_classifier
from sklearn.utils import check_array as scikit_learns_check_array
from sklearn.utils import check_X_y as scikit_learns_check_X_y
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_sample_weight
from sklearn.utils.validation import validate_data as scikit_learns_validate_data

from lastviz._sentences import Refusal
from lastviz.splitters import Presorted, Unsorted, presort

EXACT = 2**53
"""Whole numbers up to here are told apart in double precision."""
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
        """Training data of sorted numeric columns without names, and classes 0, 1, ... ."""
        names = tuple(f"x{f + 1}" for f in range(presorted.n_features))
        categories = (None,) * presorted.n_features
        return cls(presorted.X, y, names, np.arange(n_classes), categories, presorted=presorted)

    @property
    def is_plain(self) -> bool:
        """Whether features are numeric, samples count once and no value is missing."""
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
    """Place of each class of `y` (n_samples,) among `classes`.

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
    """Each row's weight times that of its class, None where all are 1."""
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
    """Refuse arguments that `fit` does not take, in a sentence.

    `sample_weight` must not stand in the signature of who does not weigh rows: by its name there
    scikit-learn's ensembles decide whether they hand weights on.
    """
    for name in given:
        raise TypeError(
            f"{type(estimator).__name__} takes no {name} in fit: leave it out. CARTClassifier, "
            "C45Classifier and ID3Classifier take sample_weight."
        )


def names_of(estimator: BaseEstimator) -> tuple[str, ...]:
    """Features' names, x1, x2, ... where the table had none."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = [f"x{i + 1}" for i in range(estimator.n_features_in_)]
    return tuple(map(str, names))


def warn_rounded(X: object) -> None:
    """Warn where whole numbers of a column coincide in double precision.

    Trees compare in double precision.
    """
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
    """Checked training data of numbers alone.

    For a table, the error names the column that is not numeric.
    """
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


def goes_by_type(categorical_features: object) -> bool:
    """Whether no column is nominal unless its type says so."""
    by_dtype = isinstance(categorical_features, str) and categorical_features == "from_dtype"
    return categorical_features is None or by_dtype


# ---- Scikit-learn's checks


def validate_data(estimator: object, X: object, y: object = ABSENT, **how: object) -> object:
    """Validate data by scikit-learn's ``validate_data`` after the gate."""
    check_table(X)
    if isinstance(y, str) and y == ABSENT:
        return _checked(scikit_learns_validate_data, estimator, X, **how)
    y = checked_targets(y, classes=is_classifier(estimator))
    return _checked(scikit_learns_validate_data, estimator, X, y, **how)


def check_array(X: object, **how: object) -> np.ndarray:
    """Validate an array by scikit-learn's ``check_array`` after the gate."""
    check_table(X)
    return _checked(scikit_learns_check_array, X, **how)


def check_X_y(X: object, y: object, **how: object) -> tuple[np.ndarray, np.ndarray]:
    """Validate a table by scikit-learn's ``check_X_y`` after the gate."""
    check_table(X)
    return _checked(scikit_learns_check_X_y, X, y, **how)


def _checked(check: Callable, *given: object, **how: object) -> object:
    """Result of a check of scikit-learn's.

    An error of several paragraphs is raised as one sentence.
    """
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


def check_row(x: object, estimator: object) -> np.ndarray:
    """One sample of numbers, shape (n_features,).

    It is given as that or as a row of a table.
    """
    n = estimator.n_features_in_
    if hasattr(x, "to_frame") and all(isinstance(name, str) for name in x.index):
        x = x.to_frame().T  # a row that says its names
    if hasattr(x, "columns") and any(getattr(estimator, "categories_", ())):
        x = estimator.encode(x)  # of a file, which may read categories
    elif hasattr(x, "columns"):
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
    """Labels or numbers to learn, checked.

    They are as they were given, whole numbers as an array of integers.

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
    """Whether a value is None, NaN or one of pandas' own for nothing."""
    return value is None or (not isinstance(value, str) and str(value) in ("nan", "NaT", "<NA>"))


def check_classes(y: np.ndarray) -> None:
    """Refuse numbers that are no classes."""
    kind = type_of_target(y, input_name="y")
    if kind not in ("binary", "multiclass"):
        raise Refusal("Unknown label type: {kind}; classes are text, truth values or whole "
                      "numbers, and CARTRegressor learns other numbers", kind=kind)  # fmt: skip


def checked_weight(sample_weight: object, X: object) -> np.ndarray | None:
    """Weights that `fit` was given, None if it was given none."""
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
