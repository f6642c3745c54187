"""Flips of a forest's vote, by a mixed integer program over its thresholds and leaves."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp

from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.inspection.monotonicity import codes_of, thresholds_of
from lastviz.tree import Kind, LeafBoxes, leaf_boxes
from lastviz.tree.routing import shares_of_nodes

from .box_flips import Leeway, nothing

MOST_VARIABLES = 400  # thresholds and leaves of a forest whose flips are solved for
TOLERANCE = 1e-6  # by which the program may miss a majority: the forest itself is asked then
ONE_MORE = 1e-3  # share of a changed feature that all changes together count for (l0)

OPTIMAL, TIME_IS_UP, INFEASIBLE = 0, 1, 2  # how the solver ends


def fits_program(est: TreeClassifier | ForestClassifier) -> bool:
    """Whether a forest votes by leaves and is small enough for an integer program."""
    if not isinstance(est, ForestClassifier) or getattr(est, "monotone", False):
        return False
    if est.adds_scores and len(est.start_) > 1 and getattr(est, "decision_", "") != "sums":
        return False  # scores of several borders are counted, not added
    trees = [each.tree_ for each in est.estimators_]
    if any((tree.kind > Kind.THRESHOLD).any() for tree in trees):
        return False
    cuts = thresholds_of(trees, est.n_features_in_)
    n_cuts = sum(map(len, cuts))
    return 0 < n_cuts <= MOST_VARIABLES - sum(tree.n_leaves for tree in trees)


@dataclass(frozen=True, eq=False)
class _Program:
    """Integer program of a forest.

    It has one variable per threshold (the point lies above it), and one per leaf.
    """

    feature: np.ndarray  # (n_thresholds,), by feature, rising
    threshold: np.ndarray  # (n_thresholds,), by feature, rising
    cost: np.ndarray  # (n_variables,) float64
    start: float  # what staying costs where all variables are 0
    least: np.ndarray  # (n_variables,) float64
    most: np.ndarray  # (n_variables,) float64
    rows: list[LinearConstraint]


def nearest_by_votes(
    forest: ForestClassifier, leeway: Leeway, wanted: int, seconds: float
) -> dict[str, object]:
    """Fields of the flip of a forest, with a bound where time is up.

    The cell that a solution names is read off its thresholds and the sample is moved there; if
    the forest, by its own rule for ties, says otherwise, the cell is cut off and the program goes
    on.
    """
    boxes = [leaf_boxes(each.tree_) for each in forest.estimators_]
    program = _program(forest, boxes, leeway, wanted)
    n, size = len(program.threshold), len(program.cost)
    rows, until = list(program.rows), monotonic() + seconds
    bound = 0.0
    while (left := until - monotonic()) > 0:
        solved = _solved(program, rows, left)
        if solved.status == INFEASIBLE:
            return nothing("program", proved=True)
        if solved.mip_dual_bound is not None:
            bound = max(bound, _as_distance(solved.mip_dual_bound + program.start, leeway.metric))
        if solved.x is None:
            break
        above = solved.x[:n] > 0.5
        found = _cell(forest, program, above, leeway, wanted)
        if found is not None:
            proved = solved.status == OPTIMAL
            found["bound"] = found["distance"] if proved else min(bound, found["distance"])
            return found | {"proved": proved}
        cut = np.zeros(size)
        cut[:n] = np.where(above, -1.0, 1.0)
        rows.append(LinearConstraint(cut, lb=1.0 - np.count_nonzero(above)))
    return nothing("program", proved=False, bound=bound)


def _solved(program: _Program, rows: list[LinearConstraint], seconds: float) -> OptimizeResult:
    """Solution of the solver, again without presolve where presolve makes it fail.

    Leaves follow from thresholds, and are whole all the same: of a solution that it has to round
    the solver writes lines to the standard output that nobody can turn off.
    """
    integrality = np.ones(len(program.cost))
    for presolve in (True, False):
        solved = milp(
            program.cost,
            constraints=rows,
            integrality=integrality,
            bounds=Bounds(program.least, program.most),
            options={"time_limit": seconds, "mip_rel_gap": 0.0, "presolve": presolve},
        )
        if solved.status in (OPTIMAL, TIME_IS_UP, INFEASIBLE):
            break
    return solved


def _as_distance(cost: float, metric: str) -> float:
    """Distance that a cost of the program stands for, from below."""
    if metric == "l2":
        return float(np.sqrt(max(cost, 0.0)))
    return float(np.floor(cost)) if metric == "l0" else float(cost)


def _cell(
    forest: ForestClassifier, program: _Program, above: np.ndarray, leeway: Leeway, wanted: int
) -> dict[str, object] | None:
    """Fields of the flip into a cell, None if the forest gives it another class."""
    low, high = np.full(len(leeway.x), -np.inf), np.full(len(leeway.x), np.inf)
    np.maximum.at(low, program.feature[above], program.threshold[above])
    np.minimum.at(high, program.feature[~above], program.threshold[~above])
    points, lowest, highest, reached = leeway.closest(low[None, :], high[None, :])
    if not reached[0] or codes_of(forest, points)[0] != wanted:
        return None
    return {
        "point": points[0], "edge": points[0], "method": "program",
        "distance": float(leeway.distances(points)[0]), "leaf": None, "row": None,
        "changed": tuple(np.flatnonzero(points[0] != leeway.x).tolist()),
        "low": lowest[0], "high": highest[0], "options": {},
    }  # fmt: skip


def _program(
    forest: ForestClassifier, boxes: list[LeafBoxes], leeway: Leeway, wanted: int
) -> _Program:
    """Program of a forest's flips to a class."""
    cuts = thresholds_of([each.tree_ for each in forest.estimators_], len(leeway.x))
    feature = np.repeat(np.arange(len(cuts)), [len(each) for each in cuts])
    threshold = np.concatenate(cuts)
    n, leaves = len(threshold), sum(len(each.leaf) for each in boxes)
    cost, start, least, most, same = _prices(cuts, leeway)
    rows = [_in_order(feature, n, leaves), *_ties(same, n + leaves)]
    rows += _leaves(boxes, feature, threshold, n + leaves)
    rows += _votes(forest, boxes, wanted, n + leaves)
    return _Program(
        feature=feature,
        threshold=threshold,
        cost=np.r_[cost, np.zeros(leaves)],
        start=start,
        least=np.r_[least, np.zeros(leaves)],
        most=np.r_[most, np.ones(leaves)],
        rows=[row for row in rows if row.A.size],
    )


def _prices(cuts: list[np.ndarray], leeway: Leeway) -> tuple[np.ndarray, ...]:
    """Added cost of crossing each threshold, cost at 0, bounds, and equal variables.

    A feature's cost depends on the interval between two thresholds that it lies in alone, so the
    variables of the thresholds below it add up to it.
    """
    adds, least, most, same, start, first = [], [], [], [], 0.0, 0
    for feature, cut in enumerate(cuts):
        ends = np.r_[-np.inf, cut, np.inf]
        box = np.tile(leeway.x, (len(cut) + 1, 1))
        low, high = np.nextafter(box, -np.inf), box.copy()
        low[:, feature], high[:, feature] = ends[:-1], ends[1:]
        points, _, _, reached = leeway.closest(low, high)
        open_cells = np.flatnonzero(reached)
        cost = _cell_costs(points[open_cells], leeway)
        spread = np.interp(np.arange(len(cut) + 1), open_cells, cost)
        start += float(spread[0])
        adds.append(np.diff(spread))
        least.append(np.arange(len(cut)) < open_cells[0])
        most.append(np.arange(len(cut)) < open_cells[-1])
        closed = np.flatnonzero(~reached[open_cells[0] : open_cells[-1] + 1]) + open_cells[0]
        same += [(first + cell - 1, first + cell) for cell in closed.tolist()]
        first += len(cut)
    joined = [np.concatenate(each).astype(np.float64) for each in (adds, least, most)]
    return joined[0], start, joined[1], joined[2], same


def _cell_costs(points: np.ndarray, leeway: Leeway) -> np.ndarray:
    """Cost in the program of points that differ from the sample in one feature."""
    steps = leeway.steps(points).sum(axis=1)
    if leeway.metric == "l2":
        return steps**2
    if leeway.metric == "l1":
        return steps
    widest = (leeway.weights * np.abs(leeway.high - leeway.low))[leeway.free]
    widest = np.where(np.isfinite(widest), widest, 1.0).sum() or 1.0
    return (steps > 0) + ONE_MORE * steps / widest


def _in_order(feature: np.ndarray, n: int, leaves: int) -> LinearConstraint:
    """A point above a threshold is above the lower ones of the feature."""
    lower = np.flatnonzero(feature[1:] == feature[:-1])
    row = np.zeros((len(lower), n + leaves))
    row[np.arange(len(lower)), lower] = 1.0
    row[np.arange(len(lower)), lower + 1] = -1.0
    return LinearConstraint(row, lb=0.0)


def _ties(same: list[tuple[int, int]], size: int) -> list[LinearConstraint]:
    """No point lies between two thresholds without an allowed value between them."""
    row = np.zeros((len(same), size))
    for place, (lower, upper) in enumerate(same):
        row[place, lower], row[place, upper] = 1.0, -1.0
    return [LinearConstraint(row, lb=0.0, ub=0.0)]


def _leaves(
    boxes: list[LeafBoxes], feature: np.ndarray, threshold: np.ndarray, size: int
) -> list[LinearConstraint]:
    """Each tree has one leaf, whose ends the point keeps."""
    n = len(threshold)
    inside, chosen, first = [], np.zeros((len(boxes), size)), n
    for tree, box in enumerate(boxes):
        chosen[tree, first : first + len(box.leaf)] = 1.0
        for leaf in range(len(box.leaf)):
            inside += _ends_of(
                box.low[leaf], box.high[leaf], feature, threshold, first + leaf, size
            )
        first += len(box.leaf)
    one = LinearConstraint(chosen, lb=1.0, ub=1.0)
    if not inside:
        return [one]
    rows, most = zip(*inside, strict=True)
    return [one, LinearConstraint(np.array(rows), ub=np.array(most))]


def _ends_of(
    low: np.ndarray,
    high: np.ndarray,
    feature: np.ndarray,
    threshold: np.ndarray,
    leaf: int,
    size: int,
) -> list[tuple[np.ndarray, float]]:
    """Rows leaf <= above(low) and leaf + above(high) <= 1 for a leaf's finite ends."""
    rows = []
    for end, sign, most in ((low, -1.0, 0.0), (high, 1.0, 1.0)):
        for cut in np.flatnonzero(threshold == end[feature]):
            row = np.zeros(size)
            row[leaf], row[cut] = 1.0, sign
            rows.append((row, most))
    return rows


def _votes(
    forest: ForestClassifier, boxes: list[LeafBoxes], wanted: int, size: int
) -> list[LinearConstraint]:
    """Constraints by which the forest predicts the wanted class.

    They include ties, and everything that is left to the forest.
    """
    label = np.concatenate([box.label for box in boxes])
    first = size - len(label)
    rows, least = [], []
    if getattr(forest, "vote_", "plurality") == "median":
        middle = (len(boxes) - 1) // 2  # of the trees' classes in order, counted from 0
        rows += [-(label < wanted).astype(float), (label <= wanted).astype(float)]
        least += [-float(middle), middle + 1.0]
    else:
        votes, start = _added(forest, boxes)
        for other in range(len(forest.classes_)):
            if other != wanted:
                rows.append(votes[:, wanted] - votes[:, other])
                least.append(start[other] - start[wanted] - TOLERANCE * float(np.abs(votes).max()))
    padded = np.zeros((len(rows), size))
    padded[:, first:] = rows
    return [LinearConstraint(padded, lb=np.array(least))]


def _added(forest: ForestClassifier, boxes: list[LeafBoxes]) -> tuple[np.ndarray, np.ndarray]:
    """Additions of leaves to classes, (n_leaves, n_classes), and the start.

    Votes, shares or scores: the class of the largest sum is predicted.
    """
    n = len(forest.classes_)
    if forest.adds_scores:
        each = [one.scores_[box.leaf] for one, box in zip(forest.estimators_, boxes, strict=True)]
        added, start = np.concatenate(each), forest.start_
        if len(start) < n:  # one score, of the second class
            added, start = np.c_[np.zeros(len(added)), added], np.r_[0.0, start]
        return added, start
    if getattr(forest, "decision_", "") == "shares":
        each = [shares_of_nodes(one.tree_)[box.leaf]
                for one, box in zip(forest.estimators_, boxes, strict=True)]  # fmt: skip
        return np.concatenate(each), np.zeros(n)
    each = [weight * np.eye(n)[box.label]
            for weight, box in zip(forest.tree_weights_, boxes, strict=True)]  # fmt: skip
    return np.concatenate(each), np.zeros(n)
