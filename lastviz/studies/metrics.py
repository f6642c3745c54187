"""Metrics of one model on one fold: accuracy, size of errors, tree size, monotonicity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lastviz.inspection import Scores, number_scores, scores, violations

__all__ = ["METRICS", "Metric", "measure"]

SMALLEST = float(np.finfo(np.float64).eps)  # what a probability of 0 counts as


@dataclass(frozen=True)
class Metric:
    """A quantity that is measured on a fold.

    Attributes
    ----------
    key : str
        Its name in results.
    title : str
        What people call it.
    unit : {"share", "classes", "nats", "target", "count", ""}
        A share of 1; places in the order of the classes; natural units of information; the unit
        of the numbers that are learnt; a count; none.
    larger_is_better : bool
    """

    key: str
    title: str
    unit: str
    larger_is_better: bool

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the largest value that there can be."""
        if self.unit == "share":
            return 0.0, 1.0
        return (-np.inf, 1.0) if self.larger_is_better else (0.0, np.inf)


METRICS: dict[str, Metric] = {
    "accuracy": Metric("accuracy", "accuracy", "share", True),
    "balanced_accuracy": Metric("balanced_accuracy", "balanced accuracy", "share", True),
    "mae": Metric("mae", "mean absolute error", "classes", False),
    "kappa": Metric("kappa", "quadratic weighted kappa", "", True),
    "log_loss": Metric("log_loss", "log loss", "nats", False),
    "rmse": Metric("rmse", "root mean squared error", "target", False),
    "r2": Metric("r2", "R²", "", True),
    "nodes": Metric("nodes", "nodes", "count", False),
    "leaves": Metric("leaves", "leaves", "count", False),
    "depth": Metric("depth", "depth", "count", False),
    "violations": Metric("violations", "violations of monotonicity", "share", False),
}


def measure(
    estimator: object,
    X_test: pd.DataFrame | np.ndarray,
    y_test: pd.Series | np.ndarray,
    task: str,
    class_order: Sequence | None = None,
    directions: Sequence[int] | Mapping[str, int] | None = None,
    *,
    predicted: np.ndarray | None = None,
) -> dict[str, float]:
    """Measure a fitted model on rows that it has not seen.

    Parameters
    ----------
    estimator : object
        Fitted, of this package or with scikit-learn's manners; a pipeline or a search speaks
        by its last step or its best model.
    X_test : DataFrame or ndarray, shape (n_samples, n_features)
    y_test : Series or ndarray, shape (n_samples,)
        Labels as the estimator learnt them, or numbers.
    task : {"classification", "regression"}
    class_order : sequence, optional
        All classes from low to high, if their order has a meaning; without it there are no
        distances of classes and no violations.
    directions : sequence or mapping of {1, -1, 0}, optional
        One for each column, or by the name of the column; columns not named have 0.
    predicted : ndarray, shape (n_samples,), optional
        What the estimator says of the rows, if it was asked already.

    Returns
    -------
    dict of str to float
        By keys of :data:`METRICS`. A metric that does not apply is absent; one that applies but
        has no value on these rows is NaN:

        - ``accuracy``: share of right rows; ``balanced_accuracy``: mean of the shares of right
          rows of the classes that occur in `y_test` (a fold without a class leaves it out).
        - ``mae``: mean distance of classes in their order, classes that do not occur counted as
          places; ``kappa``: weighted by the squared distance, NaN where all true and predicted
          classes are one.
        - ``log_loss``: mean of -ln of the probability of the true class, where the model has
          probabilities; one of 0, or of a class that it never saw, counts as 2.2e-16.
        - ``rmse``, ``r2``: as :func:`lastviz.inspection.number_scores`; R² is NaN where the true
          numbers do not differ.
        - ``nodes``, ``leaves``: of a tree; of several trees the sum. ``depth``: in edges; of
          several trees the mean.
        - ``violations``: of the pairs of rows of which one dominates the other in `directions`,
          the share whose predictions contradict it; NaN without such a pair. Rows that lack a
          value are not compared.

        Without rows, all but the size are NaN.

    Raises
    ------
    ValueError
        If `task` is unknown, the rows do not fit together, or `class_order` lacks a class.

    Notes
    -----
    O(n_samples) beside the predictions; violations as :func:`lastviz.inspection.monotonicity`.
    """
    if task not in ("classification", "regression"):
        raise ValueError(f"task must be 'classification' or 'regression', got {task!r}")
    y_test = np.asarray(y_test)
    if len(X_test) != len(y_test):
        raise ValueError(f"X_test has {len(X_test)} rows, y_test {len(y_test)}")
    if predicted is None:
        predicted = estimator.predict(X_test) if len(y_test) else y_test
    predicted = np.asarray(predicted)
    if predicted.shape != y_test.shape:
        raise ValueError(f"{len(y_test)} rows need one prediction each, got {predicted.shape}")
    if task == "regression":
        place, ordered = predicted.astype(np.float64), True
        found = _of_numbers(y_test.astype(np.float64), place)
    else:
        labels = _labels(estimator, y_test, predicted, class_order)
        place, ordered = labels.get_indexer(pd.Index(predicted)), class_order is not None
        true = labels.get_indexer(pd.Index(y_test))
        found = _of_classes(scores(true, place, len(labels)), ordered)
        found |= _of_probabilities(estimator, X_test, true, labels)
    found |= _size(estimator)
    if ordered and directions is not None:
        found |= _monotone(X_test, place, directions)
    return found


def _of_numbers(y: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    found = number_scores(y, predicted)
    return {"rmse": found.rmse, "r2": found.r2}


def _labels(
    estimator: object, y: np.ndarray, predicted: np.ndarray, class_order: Sequence | None
) -> pd.Index:
    """All classes, in their order if they have one."""
    known = getattr(estimator, "classes_", predicted)
    parts = [np.asarray(part, dtype=object) for part in (known, y, predicted)]
    if class_order is None:
        return pd.Index(pd.unique(np.concatenate(parts)))
    order = pd.Index(list(class_order))
    for part in parts:
        lacking = np.flatnonzero(order.get_indexer(pd.Index(part)) < 0)
        if len(lacking):
            name = part[lacking[0]]
            raise ValueError(f"class_order must name every class, {name!r} is missing in it")
    return order


def _of_classes(found: Scores, ordered: bool) -> dict[str, float]:
    by_class = found.accuracy_by_class
    balanced = float(np.nanmean(by_class)) if found else float("nan")
    out = {"accuracy": found.accuracy, "balanced_accuracy": balanced}
    if ordered:
        out |= {"mae": found.mean_absolute_error, "kappa": _quadratic_kappa(found.confusion)}
    return out


def _quadratic_kappa(confusion: np.ndarray) -> float:
    """1 less the squared distances as shares of those of independent guesses.

    Cohen (1968); NaN where such guesses would have no distance.
    """
    places = np.arange(len(confusion))
    weights = (places[:, None] - places) ** 2
    expected = np.outer(confusion.sum(axis=1), confusion.sum(axis=0)) * weights
    if not expected.any():
        return float("nan")
    return float(1.0 - (confusion * weights).sum() * confusion.sum() / expected.sum())


def _of_probabilities(
    estimator: object, X: pd.DataFrame | np.ndarray, true: np.ndarray, labels: pd.Index
) -> dict[str, float]:
    if not hasattr(estimator, "predict_proba"):
        return {}
    if not len(true):
        return {"log_loss": float("nan")}
    shares = np.zeros((len(true), len(labels)))
    shares[:, labels.get_indexer(pd.Index(estimator.classes_))] = estimator.predict_proba(X)
    of_true = np.clip(shares[np.arange(len(true)), true], SMALLEST, 1.0)
    return {"log_loss": abs(float(np.log(of_true).mean()))}  # no -0.0


def _size(estimator: object) -> dict[str, float]:
    """Sums of nodes and of leaves, and mean depth, of the trees of a model."""
    sizes = list(_sizes(estimator))
    if not sizes or None in sizes:
        return {}
    nodes, leaves, depth = np.array(sizes, dtype=np.float64).T
    found = {"nodes": nodes.sum(), "leaves": leaves.sum(), "depth": depth.mean()}
    return {key: float(value) for key, value in found.items()}


def _sizes(estimator: object) -> Iterator[tuple[int, int, int] | None]:
    """Yield nodes, leaves and depth of each tree; None for a part that is no tree."""
    best = getattr(estimator, "best_estimator_", None)
    steps = getattr(estimator, "steps", None)
    tree = getattr(estimator, "tree_", None)
    if best is not None or steps:
        yield from _sizes(steps[-1][1] if best is None else best)
    elif tree is not None:
        nodes = tree.n_nodes if hasattr(tree, "n_nodes") else tree.node_count
        yield nodes, tree.n_leaves, tree.max_depth
    elif hasattr(estimator, "estimators_"):
        # Not raveled as one array: forests within would be taken for sequences of trees.
        parts = estimator.estimators_
        for part in parts.ravel() if isinstance(parts, np.ndarray) else parts:
            yield from _sizes(part)
    elif hasattr(estimator, "_predictors"):  # histogram boosting has no public trees
        for tree in (tree for stage in estimator._predictors for tree in stage):
            yield len(tree.nodes), tree.get_n_leaf_nodes(), tree.get_max_depth()
    else:
        yield None


def _monotone(
    X: pd.DataFrame | np.ndarray, place: np.ndarray, directions: Sequence[int] | Mapping[str, int]
) -> dict[str, float]:
    """Share of comparable pairs of rows whose predictions fall against `directions`."""
    if isinstance(directions, Mapping):
        columns = X.columns if isinstance(X, pd.DataFrame) else ()
        strange = [name for name, sign in directions.items() if sign and name not in columns]
        if strange:
            raise ValueError(f"directions names {strange[0]!r}, which is not a column of X_test")
        directions = [directions.get(column, 0) for column in columns]
    directions = np.asarray(directions, dtype=np.intp)
    if not directions.any():
        return {}
    numbers = _numbers(X)
    complete = ~np.isnan(numbers).any(axis=1)
    numbers, place = numbers[complete], place[complete]
    if not len(place):
        return {"violations": float("nan")}
    # A pair agrees if it is still comparable once the prediction is one of the rising columns.
    none = np.zeros(len(place), dtype=np.intp)
    pairs = violations(numbers, none, directions, limit=0).n_comparable
    rising = np.column_stack([numbers, place])
    agreeing = violations(rising, none, np.append(directions, 1), limit=0).n_comparable
    return {"violations": float((pairs - agreeing) / pairs) if pairs else float("nan")}


def _numbers(X: pd.DataFrame | np.ndarray) -> np.ndarray:
    """Columns as float64; categories as their places, missing ones as NaN."""
    if not isinstance(X, pd.DataFrame):
        return np.asarray(X, dtype=np.float64)
    columns = []
    for name in X.columns:
        column = X[name]
        if pd.api.types.is_numeric_dtype(column):
            columns.append(column.to_numpy(np.float64, na_value=np.nan))
            continue
        codes = column.astype("category").cat.codes.to_numpy()
        columns.append(np.where(codes < 0, np.nan, codes))
    return np.column_stack(columns)
