"""A table to learn from: features, classes and known facts about them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal, Statement
from lastviz.tables import AS_FOUND, Reading

from .columns import (
    KINDS,
    SCALINGS,
    as_categories,
    as_kind,
    as_labels,
    as_numbers,
    cut_into_bins,
    kind_of,
    scale_column,
    set_aside,
    with_indicators,
)
from .divisions import GROUPS, UNITS, held_units, units_aside

TASKS = ("classification", "regression")


def check_shape(X: pd.DataFrame, y: pd.Series) -> None:
    """Refuse features and classes that do not belong together."""
    if X.shape[1] == 0:
        raise ValueError("X has no column; at least one feature is needed")
    if len(X) == 0:
        raise ValueError("X has no row")
    if len(X) != len(y):
        raise ValueError(f"X has {len(X)} rows but y has {len(y)}")
    names = [*X.columns, y.name or "class"]
    if not all(isinstance(name, str) and name.strip() for name in names):
        raise ValueError(f"every column needs a name made of text, got {names}")
    if y.isna().any():
        raise ValueError(f"{int(y.isna().sum())} rows have no class; leave them out")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise Refusal("two columns are named {twice!r}; rename one", twice=twice)


def check_values(dataset: Dataset) -> None:
    """Refuse classes, directions, a task or an error that cannot be."""
    if dataset.task not in TASKS:
        raise ValueError(f"task must be one of {TASKS}, got {dataset.task!r}")
    if dataset.is_regression:
        if dataset.class_order or not np.isfinite(dataset.y).all():
            raise ValueError("a regression has finite numbers in y and no classes")
    else:
        _check_classes(dataset)
    for column, direction in dataset.directions.items():
        if direction not in (-1, 0, 1):
            raise ValueError(f"the direction of {column!r} must be 1, -1 or 0, got {direction}")
    if dataset.weights is not None:
        check_weights(dataset.weights, dataset.n_samples, "weights")
    if dataset.bayes_error is not None and not 0 <= dataset.bayes_error <= 1:
        raise ValueError(f"bayes_error must lie between 0 and 1, got {dataset.bayes_error}")


def check_weights(weights: np.ndarray, n: int, what: str) -> None:
    """Refuse weights of `n` rows or classes that are none; say which is the first."""
    if weights.shape != (n,):
        raise Refusal(
            "{what}: {n} weights are needed, got {size}", what=what, n=n, size=weights.size
        )
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0.0)))
    if len(wrong):
        found = weights[wrong[0]]
        raise Refusal(
            "{what}: weight {place} is {found}; a weight is a number that is not negative",
            what=what,
            place=wrong[0] + 1,
            found=Statement("missing") if np.isnan(found) else f"{found:g}",
        )
    if not weights.any():
        raise Refusal("{what}: all weights are 0, so no row would count", what=what)


def _check_classes(dataset: Dataset) -> None:
    if len(set(dataset.class_order)) < len(dataset.class_order):
        raise ValueError(f"class_order names a class twice: {dataset.class_order}")
    strange = sorted(set(dataset.y.unique().tolist()) - set(dataset.class_order))
    if strange:
        raise ValueError(f"y holds {strange[0]!r}, which is not in {dataset.class_order}")
    if len(dataset.class_order) < 2:
        raise ValueError(f"at least two classes are needed, got {dataset.class_order}")


# ---------------------------------------------------------------- dataset


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features X, classes y and their metadata.

    Every step returns a new data set.

    What is left out is completed: kinds from the dtypes, levels and classes sorted, no
    direction, no unit. Rows are numbered 0, 1, ... whatever index came in.

    Parameters
    ----------
    X : DataFrame, shape (n_samples, n_features)
        One column per feature: int64 or float64 if numeric, categorical if nominal or ordinal.
    y : Series, shape (n_samples,)
        Class labels, all int or all str, or the numbers of a regression; its name is the name
        of the class column.
    kinds : mapping of str to {"numeric", "nominal", "ordinal"}
        Kind of each feature.
    orders : mapping of str to tuple
        Levels of each nominal and ordinal feature, those of an ordinal one from low to high.
    directions : mapping of str to {+1, -1, 0}
        +1: the class does not fall as the feature grows; -1: it does not rise; 0: neither
        is assumed.
    class_order : tuple
        The classes in their order; their places are the class indices. Empty for a regression.
    ordered : bool
        Whether the order of the classes has a meaning (low to high).
    task : {"classification", "regression"}
        What is learnt.
    name, description, source : str
        A short name, one sentence, and where it comes from.
    bayes_error : float or None
        Smallest possible error of any classifier, a share of 1; None if it is not known.
    units : mapping of str to str
        Unit of each feature, "" if it has none.
    labels, value_labels, class_colours : mapping
        What columns, and values of columns, are called, and the colours of classes, for display
        alone; see :mod:`lastviz.datasets.labels`. None need be known.
    weights : ndarray of float64, shape (n_samples,), or None
        How often each row counts when a tree is grown; None: once each.
    reading : Reading
        How the columns were read from a file, the class column included; new rows are read so.

    Raises
    ------
    ValueError
        If the parts do not fit together; the message names the part.
    """

    X: pd.DataFrame
    y: pd.Series
    kinds: Mapping[str, str] = field(default_factory=dict)
    orders: Mapping[str, tuple] = field(default_factory=dict)
    directions: Mapping[str, int] = field(default_factory=dict)
    class_order: tuple = ()
    ordered: bool = False
    task: str = "classification"
    name: str = ""
    description: str = ""
    source: str = ""
    bayes_error: float | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    value_labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    class_colours: Mapping[str, str] = field(default_factory=dict)
    weights: np.ndarray | None = None
    reading: Reading = AS_FOUND

    def __post_init__(self) -> None:
        """Fill in defaults and check that all parts fit together."""
        check_shape(self.X, self.y)
        columns = [str(column) for column in self.X.columns]
        for part in ("kinds", "orders", "directions", "units"):
            strange = [column for column in getattr(self, part) if column not in columns]
            if strange:
                raise ValueError(f"{part} names {strange[0]!r}, which is not a column of X")
        kinds = {c: self.kinds.get(c) or kind_of(self.X[c]) for c in columns}
        given = {c: self.X[c] for c in columns}
        stored = {c: as_kind(given[c], kinds[c], self.orders.get(c)) for c in columns}
        changed = any(stored[c] is not given[c] for c in columns)  # else the values are kept once
        X = (pd.DataFrame(stored) if changed else self.X).reset_index(drop=True)
        y = self.y.astype(np.float64) if self.is_regression else as_labels(self.y)
        y = y.reset_index(drop=True).rename(self.y.name or "class")
        classes = () if self.is_regression else tuple(sorted(y.unique().tolist()))
        completed = {
            "X": X,
            "y": y,
            "kinds": kinds,
            "orders": {
                c: tuple(X[c].cat.categories.tolist()) for c in columns if kinds[c] != "numeric"
            },
            "directions": {c: self.directions.get(c, 0) for c in columns},
            "class_order": tuple(self.class_order) or classes,
            "units": {c: self.units.get(c, "") for c in columns},
        }
        if self.weights is not None:
            completed["weights"] = np.asarray(self.weights, dtype=np.float64)
        for part, value in completed.items():
            object.__setattr__(self, part, value)
        check_values(self)

    # What it holds

    @property
    def is_regression(self) -> bool:
        """Whether the target is a number instead of a class."""
        return self.task == "regression"

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return len(self.X)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.X.shape[1]

    @property
    def n_classes(self) -> int:
        """Number of classes in `class_order`."""
        return len(self.class_order)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features, in the order of the columns."""
        return tuple(self.X.columns)

    @cached_property
    def codes(self) -> np.ndarray:
        """Class index of each row, its place in `class_order`; intp, shape (n_samples,).

        0 for all rows of a regression.
        """
        if self.is_regression:
            return np.zeros(self.n_samples, dtype=np.intp)
        return pd.Index(self.class_order).get_indexer(pd.Index(self.y)).astype(np.intp)

    @cached_property
    def class_counts(self) -> np.ndarray:
        """Number of rows of each class; intp, shape (n_classes,)."""
        if self.is_regression:
            return np.empty(0, dtype=np.intp)
        return np.bincount(self.codes, minlength=self.n_classes)

    @cached_property
    def has_missing(self) -> bool:
        """Whether any feature has a missing value."""
        return bool(self.X.isna().to_numpy().any())

    @cached_property
    def n_values(self) -> dict[str, int]:
        """Number of different values of each feature, missing ones not counted."""
        return {str(column): int(n) for column, n in self.X.nunique().items()}

    @cached_property
    def numeric_X(self) -> pd.DataFrame:
        """Features as float64 for algorithms that read numbers, without nominal ones.

        Ordinal levels count as their numbers if they are rising numbers, else as their places.
        """
        if all(dtype == np.float64 for dtype in self.X.dtypes):
            return self.X.copy(deep=False)
        usable = [c for c, kind in self.kinds.items() if kind != "nominal"]
        return pd.DataFrame({c: as_numbers(self.X[c]) for c in usable}, index=self.X.index)

    @property
    def n_indicators(self) -> int:
        """Number of columns that :attr:`encoded_X` has for nominal features."""
        return sum(len(self.orders[c]) for c, kind in self.kinds.items() if kind == "nominal")

    @cached_property
    def encoded_X(self) -> pd.DataFrame:
        """As :attr:`numeric_X`, with one 0/1 column per value of a nominal feature.

        The columns stand where the feature stood and are named "feature = value"; where the
        value is missing they all are.
        """
        return with_indicators(self.X, self.kinds, self.orders)

    @cached_property
    def mixed_X(self) -> pd.DataFrame:
        """As :attr:`numeric_X`, with nominal features as categorical columns in place."""
        numbers = self.numeric_X
        return pd.DataFrame({c: numbers[c] if c in numbers else self.X[c] for c in self.X})

    @cached_property
    def categorical_X(self) -> pd.DataFrame:
        """All features as categorical columns: every distinct number is a category."""
        return pd.DataFrame({c: as_categories(self.X[c]) for c in self.X})

    @cached_property
    def digest(self) -> str:
        """Digest of values, kinds, orders, classes and weights: sixteen hex digits.

        Name, description, source and labels do not count. Caches use it as their key.
        """
        known = (self.kinds, self.orders, self.directions, self.class_order, self.units)
        names = (self.y.name, self.ordered, self.task, self.bayes_error)
        digest = hashlib.sha256(repr((known, names)).encode())
        digest.update((self.y.to_numpy() if self.is_regression else self.codes).tobytes())
        digest.update(b"" if self.weights is None else self.weights.tobytes())
        for column, kind in self.kinds.items():
            values = self.X[column] if kind == "numeric" else self.X[column].cat.codes
            digest.update(values.to_numpy(np.float64).tobytes())
        return digest.hexdigest()[:16]

    # Steps that stay with it

    def select(self, columns: Sequence[str]) -> Dataset:
        """Data with these features only, in this order.

        The Bayes error is kept only if all features are.
        """
        strange = [column for column in columns if column not in self.kinds]
        if strange:
            known = ", ".join(self.feature_names)
            raise Refusal(
                "there is no feature {strange!r}; the features are: {known}",
                strange=strange[0],
                known=known,
            )
        parts = {
            part: {c: value for c, value in getattr(self, part).items() if c in set(columns)}
            for part in ("kinds", "orders", "directions", "units")
        }
        error = self.bayes_error if set(columns) == set(self.kinds) else None
        return replace(self, X=self.X[list(columns)], bayes_error=error, **parts)

    def weigh_rows(self, column: str) -> Dataset:
        """Data whose rows count as often as `column` says; it is no feature any more.

        Raises
        ------
        ValueError
            If there is no such column or no other one, or its values are no weights: numbers that
            are not negative, at least one above 0.
        """
        others = [name for name in self.feature_names if name != column]
        rest = self.select(others) if others else None
        if len(others) == self.n_features:
            raise Refusal("there is no column {column!r} to weigh the rows by", column=column)
        if rest is None:
            raise Refusal(
                "{column!r} is the only feature, so it cannot be the weight, too", column=column
            )
        if self.kinds[column] != "numeric":
            raise Refusal(
                "{column!r} holds no numbers, so it cannot be the weight of the rows", column=column
            )
        weights = self.X[column].to_numpy(np.float64)
        check_weights(weights, self.n_samples, column)
        return replace(rest, weights=weights)

    def weigh_classes(
        self, weights: str | Sequence[float], *, rows: np.ndarray | None = None
    ) -> Dataset:
        """Data whose rows count by their class, times the weights that they have.

        Parameters
        ----------
        weights : "balanced" or sequence of float, shape (n_classes,)
            One weight a class, in `class_order`. "balanced": n_samples / (n_classes n_k), as in
            scikit-learn, so that all classes count alike.
        rows : ndarray of intp, optional
            The rows whose classes are counted for "balanced", those that are learnt from; default
            all.
        """
        if self.is_regression:
            raise Refusal("the target is a number here; there are no classes to weight")
        if isinstance(weights, str):
            if weights != "balanced":
                raise ValueError(f"weights must be 'balanced' or one a class, got {weights!r}")
            known = self.codes if rows is None else self.codes[rows]
            counts = np.bincount(known, minlength=self.n_classes)
            weights = len(known) / (self.n_classes * np.maximum(counts, 1))
        weights = np.asarray(weights, dtype=np.float64)
        check_weights(weights, self.n_classes, "the weights of the classes")
        own = np.ones(self.n_samples) if self.weights is None else self.weights
        return replace(self, weights=own * weights[self.codes])

    def scale(self, how: str, *, rows: np.ndarray | None = None) -> Dataset:
        """Data with its numeric features scaled.

        Parameters
        ----------
        how : {"none", "standard", "min-max"}
            As they are; to mean 0 and standard deviation 1; to the range 0 to 1.
        rows : ndarray of intp, optional
            The rows whose mean, deviation and range count, those that are learnt from; default
            all. The others are scaled alike, so they may leave the range.
        """
        if how not in SCALINGS:
            raise ValueError(f"scale must be one of {SCALINGS}, got {how!r}")
        if how == "none":
            return self
        numeric = [c for c, kind in self.kinds.items() if kind == "numeric"]
        known = self.X if rows is None else self.X.iloc[rows]
        X = self.X.assign(**{c: scale_column(self.X[c], how, like=known[c]) for c in numeric})
        return replace(self, X=X, units=self.units | dict.fromkeys(numeric, ""))

    def with_bins(self, n_bins: int, *, rows: np.ndarray | None = None) -> Dataset:
        """Data with numeric features cut into intervals, as ordinal ones.

        Parameters
        ----------
        n_bins : int
            At least 2. Intervals of a feature, each of about equally many rows; a feature with
            no more different values stays as it is.
        rows : ndarray of intp, optional
            The rows whose values count, those that are learnt from; default all.
        """
        if n_bins < 2:
            raise ValueError(f"n_bins must be an integer >= 2, got {n_bins}")
        known = self.X if rows is None else self.X.iloc[rows]
        many = [c for c, k in self.kinds.items() if k == "numeric" and known[c].nunique() > n_bins]
        X = self.X.assign(**{c: cut_into_bins(self.X[c], n_bins, like=known[c]) for c in many})
        orders = {c: tuple(X[c].cat.categories) for c in many}
        kinds = self.kinds | dict.fromkeys(many, "ordinal")
        return replace(self, X=X, kinds=kinds, orders=self.orders | orders, bayes_error=None)

    def one_against_rest(self, cls: int | str) -> Dataset:
        """Two classes: `cls` (as text) first, all others together as "rest"."""
        if cls not in self.class_order:
            raise ValueError(f"there is no class {cls!r}; the classes are: {self.class_order}")
        one, rest = str(cls), "rest" if str(cls) != "rest" else "all others"
        y = pd.Series(np.where(self.y == cls, one, rest), name=self.y.name)
        return replace(self, y=y, class_order=(one, rest), ordered=False, bayes_error=None)

    def reorder_classes(self, order: Sequence, *, ordered: bool = True) -> Dataset:
        """Data with its classes in this order, which has a meaning if `ordered`."""
        if len(order) != self.n_classes or set(order) != set(self.class_order):
            raise Refusal(
                "the order must name each of {class_order} once, got {order}",
                class_order=self.class_order,
                order=order,
            )
        return replace(self, class_order=tuple(order), ordered=ordered)

    def only_occurring_classes(self) -> Dataset:
        """Data without the classes that no row has, unless one class alone occurs."""
        occurring = tuple(c for c, n in zip(self.class_order, self.class_counts, strict=True) if n)
        if len(occurring) < 2 or len(occurring) == self.n_classes:
            return self
        return replace(self, class_order=occurring)

    def with_kinds(
        self, kinds: Mapping[str, str], orders: Mapping[str, Sequence] | None = None
    ) -> Dataset:
        """Data with other kinds of columns.

        Parameters
        ----------
        kinds : mapping of str to {"numeric", "nominal", "ordinal"}
            The new kinds; columns not named keep theirs.
        orders : mapping of str to sequence, optional
            Levels of the columns that become nominal or ordinal; default: sorted.
        """
        strange = [kind for kind in kinds.values() if kind not in KINDS]
        if strange:
            raise ValueError(f"a kind must be one of {KINDS}, got {strange[0]!r}")
        levels = {c: order for c, order in self.orders.items() if kinds.get(c) != "numeric"}
        return replace(self, kinds={**self.kinds, **kinds}, orders={**levels, **(orders or {})})

    def with_directions(self, directions: Mapping[str, int]) -> Dataset:
        """Data with other monotone directions; columns not named keep theirs."""
        return replace(self, directions={**self.directions, **directions})

    def sample(self, n: int, random_state: int = 0) -> Dataset:
        """Random subset of `n` samples, in their order.

        Every class keeps its share.

        All rows if there are no more than `n`; at least one row of every class that occurs.
        """
        if n < self.n_classes:
            raise ValueError(f"a sample needs at least {self.n_classes} rows, one a class, got {n}")
        rows = np.flatnonzero(~set_aside(self.codes, max(self.n_samples - n, 0), random_state))
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, X=self.X.iloc[rows], y=self.y.iloc[rows], weights=weights)

    def held_units(self, how: str, column: str | None = None, random_state: int = 0) -> np.ndarray:
        """Units in which rows are held out, see :func:`.divisions.held_units`."""
        if how not in UNITS or (how == GROUPS and column is None):
            raise ValueError(f"how must be one of {UNITS}, groups of a column, got {how!r}")
        values = None if column is None else self.X[column]
        return held_units(self.n_samples, how, values, random_state)

    def split(
        self, held_out: float, random_state: int = 0, *, units: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rows to learn from and those held out, stratified by class.

        A larger share holds out the rows of a smaller one and more. One row of every class
        is always learnt from.

        Parameters
        ----------
        held_out : float
            Share of the rows, 0 <= held_out < 1; the number of rows is rounded.
        random_state : int
            Seed, >= 0; the same seed gives the same parts.
        units : ndarray of int, shape (n_samples,), optional
            See :meth:`held_units`: rows are held out by whole units in their order, not drawn.

        Returns
        -------
        train_rows, held_out_rows : ndarray of intp
            Row numbers, rising.
        """
        if not 0 <= held_out < 1:
            raise ValueError(f"held_out must be >= 0 and < 1, got {held_out!r}")
        n_aside = round(held_out * self.n_samples)
        if units is None:
            aside = set_aside(self.codes, n_aside, random_state)
        else:
            aside = units_aside(self.codes, units, n_aside)
        return np.flatnonzero(~aside), np.flatnonzero(aside)
