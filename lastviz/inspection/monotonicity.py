"""Is a model monotone? Proof or counter-example where its regions are exact, else sampling."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import kendalltau

from lastviz.criteria.rank import DominanceCounter, orient
from lastviz.estimators.base import directions_of
from lastviz.splitters import result_of
from lastviz.tree import Kind, LeafBoxes, Tree, leaf_boxes
from lastviz.tree.box_kernels import box_violations

MOST_LEAVES = 20_000  # of a tree whose leaves are compared pair by pair
MOST_CELLS = 1_000_000  # of a grid of thresholds that is looked at as a whole
MOST_PAIRS = 1000  # violating pairs of leaves that are listed
STEP = 20_000  # cells that are looked at between two signs of life


class Predictor(Protocol):
    """Interface of a model under audit."""

    classes_: np.ndarray

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Class of each row."""


@dataclass(frozen=True, eq=False)
class CounterExample:
    """Two points of which the upper one is put into a lower class."""

    # below, above: (n_features,) float64, `above` is at least as large in rising features, as small
    # in falling ones, and equal in the others
    below: np.ndarray
    above: np.ndarray
    label_below: int  # their class indices, the first one larger
    label_above: int  # their class indices, the first one larger


@dataclass(frozen=True, eq=False)
class MonotonicityAudit:
    """Findings of an audit."""

    # {"boxes", "scores", "grid", "sampling"}: every pair of leaves; every pair of leaves of each
    # tree of a sum, by their scores; every pair of neighbours in the grid of all thresholds; random
    # comparable pairs of points.
    method: str
    # Pairs with different classes (boxes) or scores (scores) of which a point of one can lie at or
    # beyond a point of the other, all pairs (grid, sampling).
    n_compared: int
    n_violating: int  # how many of them contradict the directions
    counter_example: CounterExample | None
    # (n, 2) intp, violating pairs of leaves, lower box first, at most 1,000; empty for other
    # methods.
    pairs: np.ndarray
    directions: np.ndarray  # (n_features,) intp

    @property
    def exact(self) -> bool:
        """Whether the result is a proof."""
        return self.method != "sampling"

    @property
    def proven(self) -> bool:
        """Whether the model is proven to be monotone."""
        return self.exact and self.n_violating == 0

    @property
    def refuted(self) -> bool:
        """Whether a counter-example was found."""
        return self.n_violating > 0


def monotonicity_audit(
    estimator: Predictor,
    X: ArrayLike | None = None,
    *,
    directions: np.ndarray | None = None,
    n_pairs: int = 10_000,
    max_cells: int = MOST_CELLS,
    random_state: int = 0,
) -> MonotonicityAudit:
    """Find out whether a fitted model is monotone.

    Parameters
    ----------
    estimator : TreeClassifier, ForestClassifier or any classifier with ordered classes
        Fitted; `classes_` runs from low to high.
    X : ndarray, shape (n_samples, n_features), optional
        Data whose range is sampled where no proof is possible; needed for models without
        thresholds, by default the range of the thresholds.
    directions : sequence of {1, -1, 0}, optional
        Default: those of the model, or all 1.
    n_pairs : int, default 10000
        Pairs that are sampled.
    max_cells : int, default 1000000
        Largest grid of thresholds that is checked as a whole.
    random_state : int, default 0

    Raises
    ------
    ValueError
        If directions are wrong, or a model without thresholds comes without `X`.

    Notes
    -----
    A tree of thresholds: all pairs of up to 20,000 leaves, O(n_leaves^2 n_features). A forest or
    an envelope: its prediction is constant in each cell of the grid of all thresholds, and it
    is monotone if and only if it does not fall between neighbours. A sum of trees is monotone if
    the scores of each are, by pairs of leaves as above; if not, it may be so all the same and is
    looked at as a forest. So is one whose largest sum decides. Otherwise sampling, which refutes
    but never proves.
    """
    steps = monotonicity_audit_in_steps(
        estimator,
        X,
        directions=directions,
        n_pairs=n_pairs,
        max_cells=max_cells,
        random_state=random_state,
    )
    return result_of(steps)


def monotonicity_audit_in_steps(
    estimator: Predictor,
    X: np.ndarray | None = None,
    *,
    directions: np.ndarray | None = None,
    n_pairs: int = 10_000,
    max_cells: int = MOST_CELLS,
    random_state: int = 0,
) -> Generator[float, None, MonotonicityAudit]:
    """Audit as :func:`monotonicity_audit` does.

    A grid yields the share of it that is done.
    """
    trees = _trees(estimator)
    if directions is None:
        directions = getattr(estimator, "directions_", None)
    if X is None and not trees:
        raise ValueError("X must say which range to sample for a model without thresholds")
    n_features = trees[0].n_features if trees else np.shape(X)[1]
    directions = directions_of(directions, n_features)
    if trees and hasattr(estimator, "start_") and getattr(estimator, "decision_", "") != "sums":
        audit = yield from _audit_scores(estimator, directions)
        if audit.n_violating == 0:
            return audit
    single = len(trees) == 1 and not hasattr(estimator, "estimators_")
    if single and not getattr(estimator, "monotone", False) and trees[0].n_leaves <= MOST_LEAVES:
        return _audit_boxes(trees[0], directions)
    cuts = thresholds_of(trees, n_features) if trees else []
    if trees and np.prod([len(each) + 1.0 for each in cuts]) <= max_cells:
        return (yield from _audit_grid(estimator, cuts, directions))
    low, high = _range(cuts) if X is None else (np.min(X, axis=0), np.max(X, axis=0))
    return _audit_sample(estimator, low, high, directions, n_pairs, random_state)


def single_step(estimator: Predictor, example: CounterExample) -> CounterExample:
    """Counter-example whose points differ in one feature only.

    On the way from the lower point to the upper one, feature by feature, the class must fall
    somewhere; the first such step is returned.
    """
    path = np.tile(example.below, (len(example.below) + 1, 1))
    for f in range(len(example.below)):
        path[f + 1 :, f] = example.above[f]
    label = codes_of(estimator, path)
    i = int(np.flatnonzero(np.diff(label) < 0)[0])
    return CounterExample(path[i], path[i + 1], int(label[i]), int(label[i + 1]))


def widest_example(tree: Tree, audit: MonotonicityAudit) -> CounterExample | None:
    """Counter-example of an audit by boxes with the widest gap between its classes.

    Of pairs of leaves with equal gaps that whose smaller leaf holds most rows; of those that are
    listed, see :attr:`MonotonicityAudit.pairs`. None if none is.
    """
    if not len(audit.pairs):
        return None
    boxes = leaf_boxes(tree)
    place = np.empty(tree.n_nodes, dtype=np.intp)
    place[boxes.leaf] = np.arange(len(boxes.leaf))
    pairs = place[audit.pairs]
    gap = boxes.label[pairs[:, 0]] - boxes.label[pairs[:, 1]]
    rows = tree.n_node_samples[audit.pairs].min(axis=1)
    return _between(boxes, *pairs[np.lexsort((rows, gap))[-1]], audit.directions)


def has_thresholds(estimator: Predictor) -> bool:
    """Whether a model is made of trees of thresholds, whose leaves are boxes."""
    return bool(_trees(estimator))


def thresholds_of(trees: list[Tree], n_features: int) -> list[np.ndarray]:
    """Distinct thresholds of each feature in all trees, rising."""
    feature = np.concatenate([tree.feature for tree in trees])
    threshold = np.concatenate([tree.threshold for tree in trees])
    cut = np.isfinite(threshold)  # an infinite one asks whether the value is missing
    return [np.unique(threshold[cut & (feature == f)]) for f in range(n_features)]


def comparable_pairs(
    low: np.ndarray,
    high: np.ndarray,
    directions: np.ndarray,
    n_pairs: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Random points between `low` and `high`, each with one that dominates it."""
    shape = (n_pairs, len(low))
    below = low + rng.random(shape) * (high - low)
    end = np.where(directions > 0, high, np.where(directions < 0, low, below))
    return below, below + rng.random(shape) * (end - below)


def _trees(estimator: Predictor) -> list[Tree]:
    """Trees of a model, none if it has others than of thresholds."""
    each = [estimator] if hasattr(estimator, "tree_") else getattr(estimator, "estimators_", [])
    trees = [one.tree_ for one in np.ravel(each) if isinstance(getattr(one, "tree_", 0), Tree)]
    return [] if any((tree.kind > Kind.THRESHOLD).any() for tree in trees) else trees


def _range(cuts: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Range that reaches a little beyond the thresholds."""
    low = np.array([each.min() if len(each) else 0.0 for each in cuts])
    high = np.array([each.max() if len(each) else 0.0 for each in cuts])
    margin = np.where(high > low, (high - low) / 10, 1.0)
    return low - margin, high + margin


def _audit_boxes(tree: Tree, directions: np.ndarray) -> MonotonicityAudit:
    boxes = leaf_boxes(tree)
    pairs = np.empty((MOST_PAIRS, 2), dtype=np.intp)
    compared, violating = box_violations(
        boxes.low, boxes.high, boxes.label, directions >= 0, directions <= 0, pairs
    )
    pairs = pairs[: min(violating, MOST_PAIRS)]
    example = _between(boxes, *pairs[0], directions) if violating else None
    return MonotonicityAudit("boxes", compared, violating, example, boxes.leaf[pairs], directions)


def _audit_scores(
    estimator: Predictor, directions: np.ndarray
) -> Generator[float, None, MonotonicityAudit]:
    none = np.empty((0, 2), dtype=np.intp)
    compared, violating = 0, 0
    for t, each in enumerate(estimator.estimators_):
        boxes = leaf_boxes(each.tree_)
        for scores in each.scores_[boxes.leaf].T:
            rank = np.unique(scores, return_inverse=True)[1]
            found = box_violations(
                boxes.low, boxes.high, rank, directions >= 0, directions <= 0, none
            )
            compared, violating = compared + found[0], violating + found[1]
        yield (t + 1) / len(estimator.estimators_)
    return MonotonicityAudit("scores", compared, violating, None, none, directions)


def _between(boxes: LeafBoxes, i: int, j: int, directions: np.ndarray) -> CounterExample:
    """Points x of box i and z of box j such that z dominates x."""
    below, above = np.empty(len(directions)), np.empty(len(directions))
    for f, direction in enumerate(directions):
        bounds = np.r_[boxes.low[:, f], boxes.high[:, f]]
        room = _room(np.unique(bounds[np.isfinite(bounds)]))
        # The smaller point lies in one box, the larger one in the other, or both are equal.
        small, large = (j, i) if direction < 0 else (i, j)
        least = max(boxes.low[small, f], boxes.low[large, f])
        if direction == 0:
            upper = lower = _inside(least, min(boxes.high[small, f], boxes.high[large, f]), room)
        else:
            upper = _inside(least, boxes.high[large, f], room)
            lower = _inside(boxes.low[small, f], min(boxes.high[small, f], upper), room)
        below[f], above[f] = (upper, lower) if direction < 0 else (lower, upper)
    return CounterExample(below, above, int(boxes.label[i]), int(boxes.label[j]))


def _room(thresholds: np.ndarray) -> float:
    """Distance of a point beyond the last of the rising `thresholds`."""
    if not len(thresholds):
        return 1.0
    last = float(thresholds[-1])
    room = (last - float(thresholds[0])) / 10 or max(1.0, abs(last))
    return room if last + room > last else float(np.spacing(last))


def _inside(low: float, high: float, room: float) -> float:
    """Finite number in the interval low < x <= high, its middle if it has one."""
    if np.isinf(low):
        return 0.0 if np.isinf(high) else float(high)
    if np.isinf(high):
        return float(max(low + room, np.nextafter(low, np.inf)))
    middle = low / 2 + high / 2
    return float(middle if low < middle <= high else high)


def _audit_grid(
    estimator: Predictor, cuts: list[np.ndarray], directions: np.ndarray
) -> Generator[float, None, MonotonicityAudit]:
    # A cell is low < x <= high, so its upper corner stands for it; beyond the last threshold
    # any larger number does.
    corners = [np.r_[each, each[-1] + _room(each)] if len(each) else np.zeros(1) for each in cuts]
    shape = tuple(map(len, corners))
    points = np.stack([axis.ravel() for axis in np.meshgrid(*corners, indexing="ij")], axis=1)
    label = np.empty(len(points), dtype=np.intp)
    for start in range(0, len(points), STEP):
        label[start : start + STEP] = codes_of(estimator, points[start : start + STEP])
        yield min((start + STEP) / len(points), 1.0)
    label = label.reshape(shape)
    number = np.arange(label.size).reshape(shape)
    compared, violating, example = 0, 0, None
    for f, direction in enumerate(directions):
        if direction == 0:
            continue
        rise = direction * np.diff(label, axis=f)
        compared += rise.size
        fallen = np.argwhere(rise < 0)
        violating += len(fallen)
        if len(fallen) and example is None:
            here, there = fallen[0], fallen[0] + np.eye(len(shape), dtype=np.intp)[f]
            ends = [int(number[tuple(here)]), int(number[tuple(there)])][:: int(direction)]
            example = CounterExample(
                points[ends[0]], points[ends[1]], *(int(label.flat[end]) for end in ends)
            )
    pairs = np.empty((0, 2), dtype=np.intp)
    return MonotonicityAudit("grid", compared, violating, example, pairs, directions)


def _audit_sample(
    estimator: Predictor,
    low: np.ndarray,
    high: np.ndarray,
    directions: np.ndarray,
    n_pairs: int,
    random_state: int,
) -> MonotonicityAudit:
    rng = np.random.default_rng(random_state)
    below, above = comparable_pairs(low, high, directions, n_pairs, rng)
    label_below, label_above = codes_of(estimator, below), codes_of(estimator, above)
    wrong = np.flatnonzero(label_below > label_above)
    example = None
    if len(wrong):
        i = wrong[0]
        example = CounterExample(below[i], above[i], int(label_below[i]), int(label_above[i]))
    pairs = np.empty((0, 2), dtype=np.intp)
    return MonotonicityAudit("sampling", n_pairs, len(wrong), example, pairs, directions)


def codes_of(estimator: Predictor, X: np.ndarray) -> np.ndarray:
    """Predicted class indices, positions in `classes_`, of checked data."""
    if hasattr(estimator, "predict_codes"):
        return estimator.predict_codes(X)
    if isinstance(getattr(estimator, "tree_", None), Tree):
        return estimator.tree_.predict(X)
    names = getattr(estimator, "feature_names_in_", None)
    if names is not None:
        import pandas as pd

        X = pd.DataFrame(X, columns=names)
    classes = np.asarray(estimator.classes_)
    place = np.argsort(classes, kind="stable")
    return place[np.searchsorted(classes, estimator.predict(X), sorter=place)]


# ---- Which rows of ordered data contradict each other, and which way each feature points


ROWS_AT_ONCE = 2000  # rows that are counted between two signs of life


@dataclass(frozen=True, eq=False)
class Violations:
    """Pairs of rows of which the dominating one is lower in class."""

    n_pairs: int  # how many there are
    # Pairs of rows of which one dominates the other; two identical rows, which dominate each other,
    # are one pair too.
    n_comparable: int
    pairs: np.ndarray  # (n, 2) intp, the first of them by row: (dominated row, dominating row)
    # (n_samples,) intp, for each row, how many rows dominate it and are lower in class.
    n_contradicting: np.ndarray
    # (n_samples,) float64, for each row, the share of the rows that dominate it (itself too) that
    # are not lower in class; 1 is consistent.
    inclusion: np.ndarray


def violations(
    X: np.ndarray,
    y: np.ndarray,
    directions: np.ndarray | None = None,
    *,
    limit: int = 1000,
) -> Violations:
    """Count and list the pairs of rows that contradict the directions.

    Parameters
    ----------
    X : array-like, shape (n_samples, n_features)
    y : ndarray of int, shape (n_samples,)
        Class indices from low to high.
    directions : sequence of {1, -1, 0}, optional
        One per feature; all 1 if not given. Rows that differ in a feature of direction 0 are
        not comparable.
    limit : int, default 1000
        Most pairs that are listed; all are counted.

    Notes
    -----
    Counting as in :class:`lastviz.criteria.rank.DominanceCounter`; listing takes
    O(n_samples n_features) for each row that is listed.
    """
    return result_of(violations_in_steps(X, y, directions, limit=limit))


def violations_in_steps(
    X: np.ndarray,
    y: np.ndarray,
    directions: np.ndarray | None = None,
    *,
    limit: int = 1000,
) -> Generator[float, None, Violations]:
    """Count and list as :func:`violations` does, yielding the share that is done."""
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.intp)
    columns = orient(X, directions_of(directions, X.shape[1]))
    counter = DominanceCounter(columns, y, int(y.max(initial=0)) + 1)
    above, above_class = np.empty(len(y), dtype=np.int64), np.empty(len(y), dtype=np.int64)
    for start in range(0, len(y), ROWS_AT_ONCE):
        rows = np.arange(start, min(start + ROWS_AT_ONCE, len(y)))
        above[rows], above_class[rows] = counter.count(rows)
        yield (rows[-1] + 1) / len(y)
    contradicting = above - above_class
    alike = np.unique(columns, axis=0, return_counts=True)[1]
    twice = int((alike * (alike - 1) // 2).sum())  # identical rows dominate each other
    pairs: list[np.ndarray] = []
    found = 0
    for row in np.flatnonzero(contradicting):
        if found >= limit:
            break
        other = np.flatnonzero((y < y[row]) & (columns >= columns[row]).all(axis=1))
        pairs.append(np.stack([np.full(len(other), row), other], axis=1))
        found += len(other)
    listed = np.concatenate(pairs)[:limit] if pairs else np.empty((0, 2), dtype=np.intp)
    return Violations(
        n_pairs=int(contradicting.sum()),
        n_comparable=int(above.sum()) - len(y) - twice,
        pairs=listed,
        n_contradicting=contradicting.astype(np.intp),
        inclusion=above_class / above,
    )


@dataclass(frozen=True, eq=False)
class SuggestedDirections:
    """Suggested direction of each feature."""

    # (n_features,) float64, Kendall's tau-b of feature and class; 0 for a constant feature.
    tau: np.ndarray
    direction: np.ndarray  # (n_features,) intp, its sign where it is unlikely to be chance, else 0
    p_value: np.ndarray  # (n_features,) float64, of no association
    n_samples: int  # rows that they were found from


def suggest_directions(
    X: np.ndarray, y: np.ndarray, *, significance: float = 0.05
) -> SuggestedDirections:
    """Suggest a direction per feature by the sign of Kendall's tau, to be confirmed.

    Parameters
    ----------
    X : array-like, shape (n_samples, n_features)
    y : ndarray of int, shape (n_samples,)
        Class indices from low to high.
    significance : float, default 0.05
        Features with a larger p-value get direction 0.

    Notes
    -----
    O(n_samples log n_samples) per feature. A feature's own association says little where
    features hang together, hence only a suggestion.
    """
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    tau, p_value = np.zeros(X.shape[1]), np.ones(X.shape[1])
    for f, column in enumerate(X.T):
        if len(column) > 1 and np.ptp(column) > 0 and np.ptp(y) > 0:
            found = kendalltau(column, y)
            tau[f], p_value[f] = found.statistic, found.pvalue
    direction = np.where(p_value <= significance, np.sign(tau), 0).astype(np.intp)
    return SuggestedDirections(tau, direction, p_value, len(y))
