"""Alternating optimization: a tree's tests improved one after the other, the others as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import numpy as np

from lastviz.criteria import Criterion
from lastviz.splitters import AnySplit, ObliqueSplit, Split, stored_split
from lastviz.splitters.oblique.oblique_search import original_planes
from lastviz.splitters.oblique.standardise_kernels import Space, standardise
from lastviz.splitters.threshold.threshold import midpoints
from lastviz.tree import Action, GrowthLog, Reason, Tree
from lastviz.tree.apply_kernels import positions

from .alternating_kernels import (
    Tests,
    best_stump,
    count_below,
    newton_sums,
    right_below,
    take_branches,
)
from .growth import assemble
from .nodewise import NodewiseGrowth, SplitColumns, predicting_live

RIDGE, STEPS = 1.0, 15  # of the logistic fit, in features of standard deviation 1


class Alternation:
    """The improvement of one tree, test by test; the training error never rises.

    Parameters
    ----------
    grown : Tree
        Of thresholds and hyperplanes, without missing values. Its leaves are labelled anew.
    X : ndarray of float64, shape (n_samples, n_features)
        The rows that grew it.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    oblique : bool
        Whether hyperplanes are fitted besides thresholds.
    kept : ndarray of bool, shape (n_nodes,), optional
        Nodes whose test stays; they and their ancestors are not removed.

    Attributes
    ----------
    splits : list of Split or ObliqueSplit
        The tests that were accepted, in order.
    care : list of ndarray of intp
        The care rows of each.
    n_sweeps : int

    Notes
    -----
    A sweep visits the nodes from the deepest up. The care rows of a node are those that exactly
    one of its children predicts right, all else as it is; a test may take the place of the
    present one if it sends strictly fewer of them to the wrong child, which is by how much the
    training error falls. Then the leaves below are labelled anew. Afterwards a test that sends
    all rows to one side gives way to that child, and sibling leaves of one label become one.
    O(n_features n_care log n_care) for a visit, O(n_features^2 n_care) for a hyperplane.
    """

    def __init__(
        self,
        grown: Tree,
        X: np.ndarray,
        y: np.ndarray,
        *,
        oblique: bool,
        kept: np.ndarray | None = None,
    ) -> None:
        n, m = grown.n_nodes, grown.n_features
        self.splits: list[Split | ObliqueSplit] = []
        self.care: list[np.ndarray] = []
        self.n_sweeps = 0
        self._tried: dict[int, tuple[bytes, bytes]] = {}
        self._grown, self._X, self._y = grown, np.ascontiguousarray(X), np.asarray(y, np.int64)
        self._frozen = np.zeros(n, dtype=bool) if kept is None else kept
        self._tests = Tests(
            grown.first_child.astype(np.int64), np.full(n, -1), np.full(n, np.nan), np.zeros((n, m))
        )
        self._split_of = np.where(grown.n_children > 0, np.arange(n), -1)
        for node in np.flatnonzero(grown.n_children):
            self._put(int(node), stored_split(grown, int(node)))
        self._label = grown.prediction.copy()
        self._counts = np.zeros((n, len(grown.classes)), dtype=np.int64)
        self._counts[0] = np.bincount(self._y, minlength=len(grown.classes))
        self._count(0, np.arange(len(X)))
        self._space = _standardised(self._X) if oblique else None
        self._events: list[tuple[int, Action, int, float, Reason, int]] = []

    def run(self, max_sweeps: int) -> None:
        """Sweep until no test is accepted, at most `max_sweeps` times, then tidy up."""
        for _ in self.steps(max_sweeps):
            pass

    def steps(self, max_sweeps: int) -> Iterator[float]:
        """Run as :meth:`run` does, yielding the share of the sweeps done after each test.

        If nobody asks for more (``close``), the tests accepted so far stand, tidied up.
        """
        moved = True
        try:
            while moved and self.n_sweeps < max_sweeps:
                accepted, self.n_sweeps = len(self.splits), self.n_sweeps + 1
                for share in self._sweep():
                    yield (self.n_sweeps - 1 + share) / max_sweeps
                moved = len(self.splits) > accepted
        finally:
            self._tidy()

    def log(self) -> GrowthLog:
        """Log of the events; its scores are the training errors saved."""
        columns = zip(*self._events, strict=True) if self._events else [()] * 6
        types = (np.intp, np.int8, np.intp, np.float64, np.int8, np.intp)
        arrays = (np.array(c, dtype=t) for c, t in zip(columns, types, strict=True))
        return GrowthLog(*arrays, tuple(self.splits))

    def tree(self, criterion: Criterion) -> Tree:
        """Improved tree; `grown_node` names the node at which a test stood at first."""
        grown, first = self._grown, self._tests.first
        alive = self._below(0)
        inner = first[alive] >= 0
        number = np.full(grown.n_nodes, -1)
        number[alive] = np.arange(len(alive))
        first_child = np.where(inner, number[first[alive]], -1)
        parent, depth = np.full(len(alive), -1), np.zeros(len(alive), dtype=np.intp)
        columns = SplitColumns(len(alive), grown.n_features, len(grown.classes))
        for node in np.flatnonzero(inner).tolist():
            children = slice(first_child[node], first_child[node] + 2)
            parent[children], depth[children] = node, depth[node] + 1
            sides = self._counts[alive[children]].astype(np.float64)
            own = int(self._split_of[alive[node]]) - grown.n_nodes
            split = self.splits[own] if own >= 0 else stored_split(grown, own + grown.n_nodes)
            columns.put(node, replace(split, score=float(criterion.score(*sides))))
        size = self._counts[alive].sum(axis=1)
        start = np.zeros(len(alive), dtype=np.intp)
        for node in np.flatnonzero(inner):
            start[first_child[node]] = start[node]
            start[first_child[node] + 1] = start[node] + size[first_child[node]]
        tree = assemble(
            parent=parent,
            first_child=first_child,
            depth=depth,
            start=start,
            end=start + size,
            counts=self._counts[alive].astype(np.float64),
            samples=np.arange(len(self._X)),
            sample_weight=np.ones(len(self._X)),
            splits=columns.fields(),
            feature_names=grown.feature_names,
            classes=grown.classes,
            criterion=criterion,
            keep_parents_class=False,
        )
        split = self._split_of[alive]
        refit = split >= grown.n_nodes
        places = np.array([event[0] for event in self._events if event[1] == Action.REFIT])
        split[refit] = places[split[refit] - grown.n_nodes]
        return replace(
            tree,
            samples=np.argsort(start[tree.apply(self._X)], kind="stable"),
            prediction=self._label[alive],
            key=grown.key[alive],
            grown_node=split,
        )

    def _sweep(self) -> Iterator[float]:
        """Visit every test once, deepest first, yielding the share visited after each."""
        rows_at, depth = self._rows_by_node(), self._grown.depth
        for done, node in enumerate(sorted(rows_at, key=lambda node: (-depth[node], node)), 1):
            rows = rows_at[node]
            found = None if self._frozen[node] else self._better(node, rows)
            if found is not None:
                split, care = found
                errors = self._errors(node)
                self._split_of[node] = self._grown.n_nodes + len(self.splits)
                self._put(node, split)
                self._count(node, rows)
                saved = errors - self._errors(node)
                self._note(node, Action.REFIT, saved, Reason.FEWER_SENT_WRONG, len(self.splits))
                self.splits.append(split)
                self.care.append(care)
            yield done / len(rows_at)

    def _better(
        self, node: int, rows: np.ndarray
    ) -> tuple[Split | ObliqueSplit, np.ndarray] | None:
        """Best test of a node if it is better than its own, and the care rows."""
        X, first = self._X, int(self._tests.first[node])
        right = np.empty((2, len(rows)), dtype=np.bool_)
        for branch in range(2):
            place = (X, self._y, rows, first + branch, self._tests, self._label)
            right_below(*place, right[branch])
        care = right[0] != right[1]
        second, rows = right[1][care], rows[care]
        query = rows.tobytes(), second.tobytes()
        if not len(rows) or query == self._tried.get(node):
            return None  # for the same rows the same would be found
        self._tried[node] = query
        sent = np.empty(len(rows), dtype=np.bool_)
        take_branches(X, rows, node, self._tests, sent)
        present = int(np.count_nonzero(sent != second))
        wrong, feature, below, above = best_stump(X, rows, second)
        found = Split(int(feature), _between(below, above))
        if np.count_nonzero(~second) < wrong:
            wrong, found = np.count_nonzero(~second), self._all_second(rows)
        plane = None if self._space is None else self._plane(rows, second)
        if plane is not None and plane[0] < wrong:
            wrong, found = plane
        return (found, rows) if found is not None and wrong < present else None

    def _all_second(self, rows: np.ndarray) -> Split | None:
        """Test that sends all these rows to the second child."""
        lowest, column = self._X[rows, 0].min(), self._X[:, 0]
        lower = column[column < lowest]
        at = _between(lower.max(), lowest) if len(lower) else float(np.nextafter(lowest, -np.inf))
        return Split(0, at) if np.isfinite(at) else None

    def _plane(self, rows: np.ndarray, second: np.ndarray) -> tuple[int, ObliqueSplit] | None:
        """Hyperplane of a logistic fit with its best threshold, and the rows it errs on.

        None where there are no more rows than weights, or the fit has no direction.
        """
        if len(rows) <= self._X.shape[1] + 1 or second.all() or not second.any():
            return None
        weights = _logistic(self._space.Z[:, rows].T, second)
        with np.errstate(all="ignore"):
            slopes = original_planes(weights[None], self._space)[0][0]
            along = np.empty((len(rows), 1))
            positions(self._X[rows], slopes[:, None], along)
        if not (np.isfinite(slopes).all() and slopes.any() and np.isfinite(along).all()):
            return None
        wrong, _, below, above = best_stump(along, np.arange(len(rows)), second)
        return int(wrong), ObliqueSplit(slopes, _between(below, above))

    def _tidy(self) -> None:
        """Remove tests without a use, from the leaves up."""
        first, counts, grown = self._tests.first, self._counts, self._grown
        stays = self._frozen.copy()
        for node in range(grown.n_nodes - 1, 0, -1):
            stays[grown.parent[node]] |= stays[node]
        alive = self._below(0)
        for node in alive[np.argsort(-grown.depth[alive], kind="stable")].tolist():
            child, rows = int(first[node]), counts[node].sum()
            if child < 0 or not rows or stays[node]:
                continue
            full = np.flatnonzero(counts[child : child + 2].any(axis=1)) + child
            if len(full) == 1:
                branch = int(full[0])
                self._note(node, Action.RAISE, 0.0, Reason.ONE_SIDE, branch)
                first[node], self._split_of[node] = first[branch], self._split_of[branch]
            elif (first[full] < 0).all() and self._label[full[0]] == self._label[full[1]]:
                self._note(node, Action.COLLAPSE, 0.0, Reason.NO_FEWER_ERRORS, -1)
                first[node] = self._split_of[node] = -1

    def _rows_by_node(self) -> dict[int, np.ndarray]:
        """Rows of every position that has a test."""
        found, waiting = {}, [(0, np.arange(len(self._X)))]
        while waiting:
            node, rows = waiting.pop()
            if self._tests.first[node] < 0:
                continue
            found[node], child = rows, int(self._tests.first[node])
            second = np.empty(len(rows), dtype=np.bool_)
            take_branches(self._X, rows, node, self._tests, second)
            waiting += [(child, rows[~second]), (child + 1, rows[second])]
        return found

    def _below(self, node: int) -> np.ndarray:
        """Position and all below it, rising."""
        found = [node]
        for other in found:
            if self._tests.first[other] >= 0:
                found += [int(self._tests.first[other]), int(self._tests.first[other]) + 1]
        return np.sort(np.array(found, dtype=np.intp))

    def _count(self, node: int, rows: np.ndarray) -> None:
        """Count the samples below a node and label its subtree; on a tie the label stays."""
        below = self._below(node)
        inside = below[below != node]
        self._counts[inside] = 0
        count_below(self._X, self._y, rows, node, self._tests, self._counts)
        largest = self._counts[below].max(axis=1)
        changes = below[largest > self._counts[below, self._label[below]]]
        self._label[changes] = self._counts[changes].argmax(axis=1)

    def _errors(self, node: int) -> int:
        """Training errors of the leaves below a position."""
        leaves = self._below(node)
        leaves = leaves[self._tests.first[leaves] < 0]
        return int(self._counts[leaves].sum() - self._counts[leaves, self._label[leaves]].sum())

    def _put(self, node: int, split: AnySplit) -> None:
        plane = isinstance(split, ObliqueSplit)
        self._tests.feature[node] = -1 if plane else split.feature
        self._tests.threshold[node] = split.threshold
        self._tests.weights[node] = split.weights if plane else 0.0

    def _note(self, node: int, action: Action, saved: float, reason: Reason, branch: int) -> None:
        rows = int(self._counts[node].sum())
        self._events.append((node, action, rows, saved, reason, branch))


def _standardised(X: np.ndarray) -> Space:
    n, m = X.shape
    space = Space(np.empty((m, n)), np.empty(m), np.empty(m))
    standardise(np.ascontiguousarray(X.T), np.arange(n), space)
    return space


def _between(below: float, above: float) -> float:
    return float(midpoints(np.array(below), np.array(above)))


def _logistic(Z: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Weights (m + 1,) of a logistic fit with a ridge, the constant last."""
    Z = np.column_stack([Z, np.ones(len(Z))])
    ridge = np.full(Z.shape[1], RIDGE)
    ridge[-1] = 1e-9  # the constant is free; this keeps the system regular
    weights, slope, curvature = np.zeros(len(ridge)), np.empty(len(ridge)), np.diag(ridge)
    for _ in range(STEPS):
        newton_sums(Z, second, weights, slope, curvature)
        step = np.linalg.solve(curvature + np.diag(ridge), slope - ridge * weights)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return weights


# ---- Growing a tree that parts classes: it ends where one class is in play


class PeelGrowth(NodewiseGrowth):
    """As :class:`~lastviz.builders.NodewiseGrowth`, for inherited live classes.

    A node whose rows are all of one class is still split while several classes are in play,
    and a child may hold no training row: with k classes there are k - 1 inner nodes, unless
    the tree becomes too deep.
    """

    EMPTY_CHILDREN: ClassVar[bool] = True

    def tree(
        self,
        feature_names: tuple[str, ...],
        classes: np.ndarray,
        criterion: Criterion,
        *,
        keep_parents_class: bool = False,
    ) -> Tree:
        """Grown tree; a node predicts the most frequent class still in play."""
        tree = super().tree(
            feature_names, classes, criterion, keep_parents_class=keep_parents_class
        )
        return predicting_live(tree)

    def _reason_not_to_search(self, node: int) -> Reason | None:
        context = self._contexts[node]
        if len(context.inherited) < 2:
            return Reason.ONE_CLASS
        too_deep = 0 <= self._stop.max_depth <= context.depth
        return Reason.MAX_DEPTH if too_deep else None
