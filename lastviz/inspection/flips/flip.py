"""Flip of a sample's class: the nearest point of another class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.estimators.reading import check_row
from lastviz.inspection.monotonicity import codes_of
from lastviz.inspection.rules.explanation import encoded_sample
from lastviz.tree import Kind

from .box_flips import LARGEST, METRICS, Leeway, feature_mask, leeway_of, nearest_box, nearest_cell
from .forest_flips import fits_program, nearest_by_votes
from .hyperplane_flips import nearest_polytope

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["METRICS", "Flip", "nearest", "nearest_row"]

OVERSHOOT = 0.01  # share of a change by which a rounder number may go beyond it
MOST_DIGITS = 12  # behind the point of a rounder number
SECONDS = 3.0


@dataclass(frozen=True, eq=False)
class Flip:
    """The smallest change of a sample that gives it a wanted class."""

    # (n_features,) float64, the changed sample, in numbers as round as the change allows; None if
    # none was found.
    point: np.ndarray | None
    # (n_features,) float64, the nearest point itself: on the border, a step of floating point
    # beyond it, or 1e-6 of the unit of distance behind a hyperplane.
    edge: np.ndarray | None
    distance: float  # of `edge`; infinite if none was found
    bound: float  # no point of the class is nearer
    # Whether there is nothing nearer than `edge`, but for the step behind a hyperplane: a point on
    # the very border is nearer by it where the border belongs to the class; without an edge,
    # nothing at all.
    proved: bool
    # {"boxes", "hyperplanes", "program", "grid", "rows"}: the tree's leaves one by one; an integer
    # program over a forest's votes; all cells of a plane through the sample, whose other features
    # stay; the rows of the data.
    method: str
    leaf: int | None  # the leaf of a single tree that `edge` lies in
    row: int | None  # the row that `edge` is, for "rows"
    changed: tuple[int, ...]  # features in which `edge` differs from the sample
    # low, high: (n_features,) float64, smallest and largest values of a box around `edge` within
    # which nothing changes; for "hyperplanes" and "rows" the point alone
    low: np.ndarray | None
    high: np.ndarray | None
    # Changed nominal feature -> the categories, by code, that serve as well.
    options: dict[int, tuple[int, ...]]

    @property
    def found(self) -> bool:
        """Whether there is a point."""
        return self.point is not None


def nearest(
    est: TreeClassifier | ForestClassifier,
    x: np.ndarray | pd.DataFrame,
    wanted: int,
    *,
    metric: str = "l1",
    weights: np.ndarray | None = None,
    fixed: Iterable[int] = (),
    ranges: np.ndarray | None = None,
    directions: np.ndarray | None = None,
    whole: Iterable[int] = (),
    min_samples: float = 0.0,
    rows: np.ndarray | None = None,
    plane: tuple[int, int] = (0, 1),
    seconds: float = SECONDS,
) -> Flip:
    """Smallest change of a sample after which a model gives it a class.

    Parameters
    ----------
    est : TreeClassifier or ForestClassifier
        Fitted, no regression tree.
    x : array-like, shape (n_features,), or DataFrame of one row
        As for :func:`lastviz.inspection.explain`; no value may be missing.
    wanted : int
        The class, by its index.
    metric : {"l1", "l2", "l0"}, default "l1"
        Sum of the weighted changes, root of the sum of their squares, or number of changed
        features, where equal numbers go by "l1".
    weights : array-like of float > 0, shape (n_features,), optional
        Price of one unit of a feature, of a change of category. By default 1 / range where
        `ranges` are given, else 1, and 1 for another category.
    fixed : iterable of int
        Places of features that must stay.
    ranges : array-like, shape (n_features, 2), optional
        Smallest and largest value that a feature may become; without effect on categories. A
        sample outside may stay where it is.
    directions : array-like of {1, -1, 0}, shape (n_features,), optional
        1 where a feature may only rise, -1 only fall; 0 and without effect on categories else.
    whole : iterable of int
        Places of features that take whole numbers alone; without effect where hyperplanes part.
    min_samples : float, default 0
        Only leaves with so many training rows (weighted) of the wanted class count; without
        effect on forests and kernel machines.
    rows : ndarray, shape (n_samples, n_features), optional
        Rows of data, encoded. Needed for kernel machines alone.
    plane : (int, int), default (0, 1)
        The features that may change where forests are too large to be solved.
    seconds : float, default 3
        After which a program stops with the best point so far.

    Returns
    -------
    Flip
        Its point has the wanted class, by ``predict``.

    Raises
    ------
    ValueError
        If a parameter is out of range, a value of `x` is missing or a category of it unknown, or
        a kernel machine is given no rows.

    Notes
    -----
    Trees of thresholds and categories: exact in O(n_leaves n_features). Hyperplanes: least
    distance programming by ``nnls`` (l2) and linear programs (l1), leaves in rising order of the
    distance to the farthest of their borders; every feature and every pair of features (l0), and
    the smallest sum, unproved, where more must change. A leaf thinner than 2e-6 may be missed.
    Forests with at most 400 thresholds and leaves: a mixed integer program; larger ones, and all
    whose prediction is a monotone envelope, on the exact grid of a plane, which proves nothing
    where other features may change, too. Kernel machines: the nearest row of the class.

    Deviation: a category that no row had at a node is never proposed, as a row with it would end
    in no leaf.

    References
    ----------
    Carreira-Perpinan, M. A. and Hada, S. S. (2021). Counterfactual explanations for oblique
    decision trees: exact, efficient algorithms. AAAI 35, 6903-6911.
    Parmentier, A. and Vidal, T. (2021). Optimal counterfactual explanations in tree ensembles.
    ICML, 8422-8431.
    Lawson, C. L. and Hanson, R. J. (1974). Solving Least Squares Problems, chapter 23.
    """
    x, categories = _complete(est, x)
    if not 0 <= wanted < len(est.classes_):
        raise ValueError(f"wanted must be a class index below {len(est.classes_)}, got {wanted}")
    plane = feature_mask("plane", plane if len(x) > 1 else (0,), len(x)).nonzero()[0].tolist()
    leeway = leeway_of(
        x,
        categories,
        metric=metric,
        weights=weights,
        fixed=fixed,
        ranges=ranges,
        directions=directions,
        whole=whole,
    )
    if isinstance(est, ForestClassifier) or getattr(est, "monotone", False):
        found = _of_votes(est, leeway, wanted, plane, seconds)
    elif len(est.tree_.kernel):
        found = _of_rows(est, leeway, wanted, rows)
    elif (est.tree_.kind == Kind.OBLIQUE).any():
        found = Flip(**nearest_polytope(est.tree_, leeway, wanted, min_samples))
    else:
        found = Flip(**nearest_box(est.tree_, leeway, wanted, min_samples))
    return _rounder(found, est, leeway, wanted)


def nearest_row(
    leeway: Leeway, rows: np.ndarray, among: np.ndarray, n: int = 1
) -> list[tuple[int, float]]:
    """Rows nearest to a sample and their distances, whatever may change of it.

    Parameters
    ----------
    leeway : Leeway
        Gives the sample, the prices and the metric.
    rows : ndarray, shape (n_samples, n_features)
        Encoded; rows with a missing value take no part.
    among : ndarray of bool, shape (n_samples,)
        Which rows take part.
    n : int
        How many at most.
    """
    places = np.flatnonzero(np.asarray(among) & np.isfinite(rows).all(axis=1))
    order = leeway.by_distance(rows[places])[:n]
    distance = leeway.distances(rows[places[order]])
    return list(zip(places[order].tolist(), distance.tolist(), strict=True))


def _complete(
    est: TreeClassifier | ForestClassifier, x: np.ndarray | pd.DataFrame
) -> tuple[np.ndarray, tuple[tuple | None, ...]]:
    """Sample without gaps as the model reads it, and the categories of each feature."""
    if isinstance(est, ForestClassifier):
        tree = est.estimators_[0].tree_
        x = check_row(x, est)
    else:
        x = encoded_sample(est, x)
        tree = est.tree_
    if tree.is_regression:
        raise ValueError("a regression tree has no classes that could change")
    if np.abs(np.nan_to_num(x)).max() > LARGEST:
        raise ValueError(
            f"x reaches beyond {LARGEST:g}, where distances cannot be squared: scale it"
        )
    for feature, known in enumerate(tree.feature_categories):
        value = x[feature]
        if not np.isfinite(value) or (known is not None and not 0 <= value < len(known)):
            name = tree.feature_names[feature]
            raise ValueError(
                f"x lacks a value of {name} that the model knows: the distance to other classes "
                "needs every value"
            )
    return x, tree.feature_categories


def _of_votes(
    est: TreeClassifier | ForestClassifier,
    leeway: Leeway,
    wanted: int,
    plane: Sequence[int],
    seconds: float,
) -> Flip:
    """Flip of a vote: by a program if it is small enough, else within a plane."""
    found = nearest_by_votes(est, leeway, wanted, seconds) if fits_program(est) else None
    if found is not None and (found["edge"] is not None or found["proved"]):
        return Flip(**found)
    trees = [each.tree_ for each in getattr(est, "estimators_", [est])]
    return Flip(**nearest_cell(trees, lambda X: codes_of(est, X), leeway, wanted, plane))


def _of_rows(est: TreeClassifier, leeway: Leeway, wanted: int, rows: np.ndarray | None) -> Flip:
    """Nearest row that a machine assigns the wanted class.

    Only rows within the leeway count.
    """
    if rows is None:
        raise ValueError("a tree of kernel machines needs rows, among which the nearest is taken")
    allowed = ((rows >= leeway.low) & (rows <= leeway.high)).all(axis=1)
    found = nearest_row(leeway, rows, allowed & (codes_of(est, rows) == wanted))
    about = {"bound": 0.0, "proved": False, "method": "rows", "options": {}}
    if not found:
        return Flip(None, None, np.inf, leaf=None, row=None, changed=(), low=None, high=None,
                    **about)  # fmt: skip
    row, distance = found[0]
    point = rows[row].copy()
    changed = tuple(np.flatnonzero(point != leeway.x).tolist())
    return Flip(point, point, distance, leaf=None, row=row, changed=changed, low=point,
                high=point, **about)  # fmt: skip


def _rounder(
    found: Flip, est: TreeClassifier | ForestClassifier, leeway: Leeway, wanted: int
) -> Flip:
    """Flip whose point has rounder numbers, if the class and the bounds allow them."""
    if found.edge is None or found.method == "rows":
        return found
    point, known = found.edge.copy(), found.method != "hyperplanes"
    for feature in found.changed:
        if leeway.nominal[feature] or leeway.whole[feature]:
            continue
        ends = (found.low, found.high) if known else (leeway.low, leeway.high)
        point[feature] = _round(
            found.edge[feature], leeway.x[feature], ends[0][feature], ends[1][feature]
        )
    keeps = codes_of(est, point[None, :])[0] == wanted
    return replace(found, point=point) if keeps else found


def _round(value: float, start: float, low: float, high: float) -> float:
    """Number of fewest digits a little farther from `start`, within the ends."""
    most = OVERSHOOT * abs(value - start)
    onwards = np.ceil if value > start else np.floor
    largest = int(np.floor(np.log10(max(most, np.finfo(float).tiny))))
    for digits in range(min(-largest, MOST_DIGITS), MOST_DIGITS + 1):
        rounded = round(float(onwards(value * 10.0**digits)) / 10.0**digits, max(digits, 0))
        if abs(rounded - value) <= most and low <= rounded <= high:
            return rounded
    return value
