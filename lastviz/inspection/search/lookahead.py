"""Cost of greedy search: the best trees of depth two, for every threshold of the root."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.criteria.ties_kernels import TIE, tie_floors
from lastviz.splitters import Presorted, Split, presort, result_of

from .lookahead_kernels import child_errors, child_ginis

MOST_STEPS = 2e8  # of the search over all features
BEST_FEATURES = 12  # that are searched beyond it


@dataclass(frozen=True)
class TwoLevels:
    """A tree of depth two."""

    errors: int  # training errors
    root: Split
    # first, second: The splits of the children, None where one is a leaf. The score of a split that
    # was chosen by errors is minus these.
    first: Split | None
    second: Split | None


@dataclass(frozen=True, eq=False)
class Lookahead:
    """Fewest training errors of a depth-two tree with each candidate as its root."""

    feature: np.ndarray  # (n_candidates,) intp, as in the table of candidates of the node
    threshold: np.ndarray  # (n_candidates,) float64, the largest value of the first child
    errors: np.ndarray  # (n_candidates,) float64, NaN for features that were left out
    leaf_errors: int  # of the node as a leaf
    features: np.ndarray  # intp, the features that were looked at, in the root and in its children
    exact: bool  # whether these were all features; else `errors` are upper bounds
    # The criterion's best root and its best splits of the children; None if nothing can be split.
    greedy: TwoLevels | None
    greedy_root: TwoLevels | None  # the same root with the children of the fewest errors
    # The tree of the fewest errors: of ties the lower feature, then the lower threshold.
    best: TwoLevels | None


def lookahead(
    data: Presorted | np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    n_classes: int,
    *,
    criterion: str = "gini",
) -> Lookahead:
    """Training errors of the best tree of depth two below each candidate of a node.

    Parameters
    ----------
    data : Presorted or ndarray of float64, shape (n_samples, n_features)
        Numbers without missing values.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    rows : ndarray of intp
        The rows of the node.
    n_classes : int
    criterion : str, default "gini"
        By which the greedy tree is grown: a key of CRITERIA whose score class counts say.

    Notes
    -----
    Exact, O(m^2 n K log n) for m features, n rows and K classes. Above 2e8 steps the root and
    its children are looked for in the 12 features of the fewest one-split errors; the errors are
    then upper bounds. Optimal trees of depth two are the building block of Demirovic et al.
    (2022), "MurTree"; here features are continuous.

    :func:`root_prices` of depth 2 are the same errors; they do not take its place, since all of
    them took 4 to 60 times as long (2.2 s against 0.08 s on 1,000 rows of waveform).
    """
    return result_of(lookahead_in_steps(data, y, rows, n_classes, criterion=criterion))


def lookahead_cost(n_samples: int, n_features: int, n_classes: int) -> float:
    """Approximate number of steps, of some nanoseconds, to search all features."""
    depth = np.log2(max(n_samples, 2))
    return float(2.0 * n_features**2 * n_samples * max(n_classes - 1, 1) * depth)


def lookahead_in_steps(
    data: Presorted | np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    n_classes: int,
    *,
    criterion: str = "gini",
) -> Generator[float, None, Lookahead]:
    """Look ahead as :func:`lookahead` does, yielding the share done after a feature."""
    rows = np.sort(np.asarray(rows, dtype=np.intp))
    here = data.take(rows) if isinstance(data, Presorted) else presort(np.asarray(data)[rows])
    present, labels = np.unique(np.asarray(y)[rows], return_inverse=True)
    labels = labels.astype(np.int64)
    n, n_present = here.n_samples, len(present)
    feature, position = np.nonzero(here.fresh[:, 1:])
    features = np.arange(here.n_features)
    exact = (
        lookahead_cost(n, len(features), n_present) <= MOST_STEPS or len(features) <= BEST_FEATURES
    )
    if not exact:
        features = _most_telling(here, labels, n_present)
    ranks, n_ranks = _ranks(here, features)
    by_cut = np.full((here.n_features, max(n - 1, 0)), np.nan)
    first, second = np.empty((2, max(n - 1, 0)), dtype=np.int64)
    for done, f in enumerate(features.tolist(), start=1):
        order = here.order[f].astype(np.int64)
        child_errors(order, ranks, n_ranks, labels, n_present, first, second)
        by_cut[f] = first + second
        yield done / len(features)
    errors = by_cut[feature, position]
    greedy, greedy_root, best = _trees(here, labels, n_present, errors, criterion, features)
    return Lookahead(
        feature=feature,
        threshold=here.columns[feature, here.order[feature, position]],
        errors=errors,
        leaf_errors=int(n - np.bincount(labels).max(initial=0)),
        features=features,
        exact=exact,
        greedy=greedy,
        greedy_root=greedy_root,
        best=best,
    )


def _ranks(here: Presorted, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rank of each row in some features, and how many ranks each of these has."""
    ranks = np.empty((len(features), here.n_samples), dtype=np.int64)
    for g, f in enumerate(features.tolist()):
        ranks[g, here.order[f]] = np.cumsum(here.fresh[f]) - here.fresh[f, :1]
    return ranks, ranks.max(axis=1, initial=0) + 1


@dataclass(frozen=True, eq=False)
class LookaheadGini:
    """The least Gini impurity of the leaves of a tree of depth two, by its root."""

    # feature, threshold, gini: (n_candidates,), each candidate, its largest value of the first
    # child, and the mean impurity of the rows' leaves below it
    feature: np.ndarray
    threshold: np.ndarray
    gini: np.ndarray
    # greedy, best: of the tree that the Gini gain grows, and of the best one; those of the node
    # where nothing can be split
    greedy: float
    best: float


def lookahead_gini(
    data: Presorted | np.ndarray, y: np.ndarray, rows: np.ndarray, n_classes: int
) -> LookaheadGini:
    """Impurity of the leaves of the best tree of depth two below each candidate.

    Parameters and candidates are those of :func:`lookahead`. Exact, in O(m^2 n^2 K) for m
    features, n rows and K classes: some seconds for 1,000 rows of 20 features.
    """
    rows = np.sort(np.asarray(rows, dtype=np.intp))
    here = data.take(rows) if isinstance(data, Presorted) else presort(np.asarray(data)[rows])
    present, labels = np.unique(np.asarray(y)[rows], return_inverse=True)
    labels, n, features = labels.astype(np.int64), here.n_samples, np.arange(here.n_features)
    feature, position = np.nonzero(here.fresh[:, 1:])
    ranks, n_ranks = _ranks(here, features)
    by_cut, (first, second) = np.empty((len(features), max(n - 1, 0))), np.empty((2, max(n - 1, 0)))
    for f in features.tolist():
        order = here.order[f].astype(np.int64)
        child_ginis(order, ranks, n_ranks, labels, len(present), first, second)
        by_cut[f] = first + second
    gini = by_cut[feature, position] / max(n, 1)
    greedy = float(1 - ((np.bincount(labels) / max(n, 1)) ** 2).sum()) if n else 0.0
    root = _best_split(here, labels, len(present), "gini", features)
    if root is not None:
        leaf = _leaf_of(here, _with_children(here, labels, len(present), root, "gini", features))
        counts = np.zeros((4, len(present)))
        np.add.at(counts, (leaf, labels), 1)
        greedy = float(1 - ((counts**2).sum(axis=1) / np.maximum(counts.sum(axis=1), 1)).sum() / n)
    threshold = here.columns[feature, here.order[feature, position]]
    return LookaheadGini(feature, threshold, gini, greedy, float(gini.min(initial=greedy)))


def _leaf_of(here: Presorted, tree: TwoLevels) -> np.ndarray:
    """Number from 0 to 3 for the leaf of each row."""
    goes_first = here.columns[tree.root.feature] <= tree.root.threshold
    below = np.zeros(here.n_samples, dtype=bool)
    for side, split in ((goes_first, tree.first), (~goes_first, tree.second)):
        if split is not None:
            below |= side & (here.columns[split.feature] <= split.threshold)
    return 2 * goes_first + below


def _left_counts(here: Presorted, f: int, y: np.ndarray, n_classes: int) -> np.ndarray:
    """Class counts left of every position but the last, shape (n - 1, n_classes)."""
    one_hot = np.zeros((here.n_samples, n_classes))
    one_hot[np.arange(here.n_samples), y[here.order[f]]] = 1.0
    return np.cumsum(one_hot, axis=0)[:-1]


def _stump_scores(left: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Negated errors of one split."""
    right = counts - left
    return left.max(axis=1) + right.max(axis=1) - counts.sum()


def _most_telling(here: Presorted, y: np.ndarray, n_classes: int) -> np.ndarray:
    """Features of the fewest errors with one split, rising."""
    counts = np.bincount(y, minlength=n_classes).astype(np.float64)
    fewest = np.full(here.n_features, np.inf)
    for f in range(here.n_features):
        scores = _stump_scores(_left_counts(here, f, y, n_classes), counts)
        fewest[f] = -scores[here.fresh[f, 1:]].max(initial=-np.inf)
    return np.sort(np.argsort(fewest, kind="stable")[:BEST_FEATURES])


def _best_split(
    here: Presorted, y: np.ndarray, n_classes: int, criterion: str | None, features: np.ndarray
) -> Split | None:
    """Best split by a criterion, by training errors if None; None without a candidate.

    Ties go to the lower feature, then to the lower threshold, as CART's do.
    """
    counts = np.bincount(y, minlength=n_classes).astype(np.float64)
    found, best = None, -np.inf
    for f in features.tolist():
        cuts = np.flatnonzero(here.fresh[f, 1:])
        left = _left_counts(here, f, y, n_classes)[cuts]
        if criterion is None:
            scores = _stump_scores(left, counts)
        else:
            scores = CRITERIA[criterion].score(left, counts - left)
        top = scores.max(initial=-np.inf)
        if top == -np.inf or (found is not None and tie_floors(top) <= best):
            continue
        cut = cuts[np.argmax(scores >= tie_floors(top))]
        low, high = here.columns[f, here.order[f, cut : cut + 2]]
        found, best = Split(int(f), float(low / 2 + high / 2), float(top)), top
    return found


def _errors(y: np.ndarray) -> int:
    return int(len(y) - np.bincount(y).max(initial=0))


def _below(
    here: Presorted, y: np.ndarray, n_classes: int, criterion: str | None, features: np.ndarray
) -> tuple[Split | None, int]:
    """Best split of a child that saves anything, and the errors with it."""
    errors = _errors(y)
    if errors == 0:
        return None, 0
    split = _best_split(here, y, n_classes, criterion, features)
    if split is None or (criterion is not None and split.score <= TIE):
        return None, errors
    first = here.columns[split.feature] <= split.threshold
    after = _errors(y[first]) + _errors(y[~first])
    if criterion is None and after == errors:
        return None, errors
    return split, after


def _with_children(
    here: Presorted,
    y: np.ndarray,
    n_classes: int,
    root: Split,
    criterion: str | None,
    features: np.ndarray,
) -> TwoLevels:
    """Root with the best splits of its children by a criterion, or by errors."""
    goes_first = here.columns[root.feature] <= root.threshold
    children, errors = [], 0
    for side in (goes_first, ~goes_first):
        rows = np.flatnonzero(side)
        split, wrong = _below(here.take(rows), y[rows], n_classes, criterion, features)
        children.append(split)
        errors += wrong
    return TwoLevels(errors, root, *children)


def _trees(
    here: Presorted,
    y: np.ndarray,
    n_classes: int,
    errors: np.ndarray,
    criterion: str,
    features: np.ndarray,
) -> tuple[TwoLevels | None, TwoLevels | None, TwoLevels | None]:
    """Greedy tree, its root with the best children, and the best tree."""
    everything = np.arange(here.n_features)
    root = _best_split(here, y, n_classes, criterion, everything)
    if root is None:
        return None, None, None
    greedy = _with_children(here, y, n_classes, root, criterion, everything)
    mended = _with_children(here, y, n_classes, root, None, features)
    feature, position = np.nonzero(here.fresh[:, 1:])
    i = int(np.nanargmin(errors))
    f, p = int(feature[i]), int(position[i])
    low, high = here.columns[f, here.order[f, p : p + 2]]
    best_root = Split(f, float(low / 2 + high / 2), float(-errors[i]))
    best = _with_children(here, y, n_classes, best_root, None, features)
    return greedy, mended, best
