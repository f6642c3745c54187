"""From columns of text, truth values and numbers to a matrix of codes and numbers.

A nominal value becomes its category's place (0.0, 1.0, ...), a category that was not there at
fit -1.0, a missing value NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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


# ---- How MCDF chooses the size of its training subsets and draws them, with every number kept


FLOOR = 30  # fewest rows that the rule may choose
CAP = 4  # it chooses at most 1 / CAP of all rows


@dataclass(frozen=True, eq=False)
class SubsetPlan:
    """The numbers of eq 3 to 8 of Xu, Wang and Ren (2017), in the order in which they arise."""

    n_samples: int  # N
    # (n_features,) float64, of a numeric feature scaled to 0..1: its standard deviation (eq 5, 6);
    # of a nominal one: the share of pairs of rows that differ (eq 7).
    spreads: np.ndarray
    nominal: np.ndarray  # (n_features,) bool
    sigma: float  # their mean, or their sum (eq 4)
    z: float
    error: float
    theta: float
    alpha: float
    raw: float  # z^2 sigma^2 / error^2 (eq 3)
    corrected: float | None  # Eq 8, where raw exceeds theta N
    low: int  # the bounds that the size is clipped to
    high: int  # the bounds that the size is clipped to
    size: int  # M, the rows of each subset
    # Whether the user gave M; the rule's numbers then only tell what it would have said.
    given: bool
    n_kept: int  # rows of a subset from the one before, and rows that no tree has seen
    n_fresh: int  # rows of a subset from the one before, and rows that no tree has seen
    n_expected: int  # number of trees until fewer than M rows are unseen, if none is left out


@dataclass(frozen=True, eq=False)
class Draw:
    """One subset: how it was drawn, and what the errors of its tree changed."""

    rows: np.ndarray  # (size,) intp, rising
    kept: np.ndarray  # (size,) bool, those from the subset before
    quota: np.ndarray  # (n_classes,) intp, rows of each class that were due, and that were there
    drawn: np.ndarray  # (n_classes,) intp, rows of each class that were due, and that were there
    n_unseen: int  # rows of positive weight that no earlier tree has seen
    error: float  # weighted share of errors of the tree (eq 11)
    # By which the weight of each row of `raised` was multiplied (eq 13); 1 if the error is 0, or
    # 1/2 and more.
    factor: float
    # raised, dropped: int32, rows with an error that are consistent, and inconsistent ones, whose
    # weight became 0
    raised: np.ndarray
    dropped: np.ndarray


def nominal_mask(
    categorical_features: Sequence | None, n_features: int, names: np.ndarray | None
) -> np.ndarray:
    """Return which features are categories.

    Raises
    ------
    ValueError
        If a feature does not exist.
    """
    mask = np.zeros(n_features, dtype=bool)
    if categorical_features is None:
        return mask
    known = {} if names is None else {name: f for f, name in enumerate(names)}
    given = np.asarray(categorical_features)
    if given.dtype == bool and given.shape == (n_features,):
        return given
    for each in given.tolist():
        f = known.get(each, each)
        if not isinstance(f, int) or isinstance(f, bool) or not 0 <= f < n_features:
            raise ValueError(
                f"categorical_features must name features of X or number them from 0 to "
                f"{n_features - 1}, got {each!r}"
            )
        mask[f] = True
    return mask


def feature_spreads(X: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Return the spread of each feature (eq 5 to 7); 0 for a constant one."""
    spreads = np.zeros(X.shape[1])
    for f, column in enumerate(X.T):
        if nominal[f]:
            shares = np.unique(column, return_counts=True)[1] / len(column)
            spreads[f] = 1.0 - np.square(shares).sum()
        elif column.max() > column.min():
            # a power of two is taken out, so that nothing overflows and nothing vanishes
            column = np.ldexp(column, -np.frexp(np.abs(column).max())[1])
            low, high = column.min(), column.max()
            spreads[f] = ((column - low) / (high - low)).std()
    return spreads


def plan_subsets(
    X: np.ndarray,
    nominal: np.ndarray,
    *,
    z: float,
    error: float,
    theta: float,
    alpha: float,
    sigma: str,
    subset_size: int | None,
) -> SubsetPlan:
    """Return the size of the subsets and how it came about.

    Notes
    -----
    Deviation: sigma is the mean of the spreads, where eq 4 prints their sum, with which no
    reading gives the sizes that the paper reports. Deviation: the rule is clipped to 30 rows
    and a quarter of all, since eq 8 falls to 0 for small sizes and a forest needs several trees.
    """
    n = len(X)
    spreads = feature_spreads(X, nominal)
    total = float(spreads.mean() if sigma == "mean" else spreads.sum())
    raw = (z * total / error) ** 2
    corrected = 10.0 * np.floor(raw * n / ((raw + n) * 10.0)) if raw > theta * n else None
    high = max(n // CAP, 1)
    rule = raw if corrected is None else corrected
    size = int(min(max(rule, FLOOR), high)) if subset_size is None else subset_size
    n_kept = min(round(alpha * size), size - 1)
    return SubsetPlan(
        n_samples=n,
        spreads=spreads,
        nominal=nominal,
        sigma=total,
        z=z,
        error=error,
        theta=theta,
        alpha=alpha,
        raw=raw,
        corrected=corrected,
        low=FLOOR,
        high=high,
        size=size,
        given=subset_size is not None,
        n_kept=n_kept,
        n_fresh=size - n_kept,
        n_expected=_expected_trees(n, size, size - n_kept),
    )


def _expected_trees(n: int, size: int, n_fresh: int) -> int:
    """Return the first number of trees after which fewer than `size` rows are unseen."""
    left = n - size
    return 1 if left < size else 2 + (left - size) // n_fresh


def class_quotas(counts: np.ndarray, size: int) -> np.ndarray:
    """Return how many of `size` rows each class gets (eq 9), by largest remainder.

    `counts` (n_classes,) are the rows of each class among all.
    """
    exact = counts * (size / counts.sum())
    quota = np.floor(exact).astype(np.intp)
    order = np.argsort(-(exact - quota), kind="stable")
    quota[order[: size - quota.sum()]] += 1
    return quota


def draw_rows(
    pools: list[np.ndarray], weights: np.ndarray, quota: np.ndarray, rng: np.random.Generator
) -> list[np.ndarray]:
    """Draw rows by weight without replacement, a quota from each class.

    Parameters
    ----------
    pools : list of ndarray of intp
        The rows of each class that can be drawn; their weights are positive.
    weights : ndarray, shape (n_samples,)
    quota : ndarray of intp, shape (n_classes,)
        A class with fewer rows gives all; rows of other classes take the places that are left.
    rng : numpy.random.Generator

    Returns
    -------
    list of ndarray of intp
        The rows drawn from each class, rising.

    Notes
    -----
    The smallest of Exp(1) / weight. Efraimidis and Spirakis (2006).
    """
    keys = [rng.standard_exponential(len(pool)) / weights[pool] for pool in pools]
    taken = [_smallest(key, int(want)) for key, want in zip(keys, quota, strict=True)]
    missing = int(quota.sum()) - sum(int(each.sum()) for each in taken)
    if missing > 0:
        left = np.concatenate(
            [np.where(each, np.inf, key) for each, key in zip(taken, keys, strict=True)]
        )
        more = _smallest(left, missing) & np.isfinite(left)
        ends = np.cumsum([len(pool) for pool in pools])[:-1]
        taken = [a | b for a, b in zip(taken, np.split(more, ends), strict=True)]
    return [pool[each] for pool, each in zip(pools, taken, strict=True)]


def _smallest(keys: np.ndarray, n: int) -> np.ndarray:
    """Return a mask of the n smallest keys, of all if there are no more."""
    if n >= len(keys):
        return np.ones(len(keys), dtype=bool)
    mask = np.zeros(len(keys), dtype=bool)
    if n > 0:
        mask[np.argpartition(keys, n - 1)[:n]] = True
    return mask
