"""All candidates of one node of a tree of binary splits."""

from __future__ import annotations

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.splitters.cells.presort import pack

from .binary_kernels import mark_first, node_sums, scan_binary
from .data import BinaryData, scratch_for
from .subset_kernels import Node, Problem


class BinaryCandidates:
    """The candidates of one node: its rows, laid out for the kernels.

    Parameters
    ----------
    data : BinaryData
        The node's rows and no others.
    """

    def __init__(self, data: BinaryData) -> None:
        self.data = data
        self.scratch = scratch_for(data)
        self.cells, self.packing = pack(data.presorted, data.label, data.n_classes)
        total = np.zeros(data.n_classes)
        rows = np.arange(data.n_samples, dtype=np.int64)
        self.node = Node(total, *node_sums(rows, data.label, data.problem, total))
        weight = data.problem.weight
        if data.is_regression:
            self.value = np.array([data.centre + self.node.mean])
            self._amounts = np.c_[weight, weight * data.problem.target]
        else:
            self.value = total
            self._amounts = weight[:, None] * np.eye(data.n_classes)[data.label]

    def candidates(self, f: int, *, looked_at: bool) -> dict[str, object]:
        """Return the candidates of feature `f` in the order in which they are tried.

        Those that are not admissible score -inf.
        """
        problem = self.data.problem
        every = problem._replace(min_samples_leaf=1, min_weight_leaf=0.0)
        scores, sides = self._scanned(f, every)
        cuts = np.flatnonzero(scores > -np.inf)
        if self.data.function:
            return self._scored_by_function(f, cuts, looked_at=looked_at)
        if looked_at:
            scores, admitted_sides = self._scanned(f, problem)
            sides = np.where(scores > -np.inf, admitted_sides, sides)
        else:
            scores = np.full(len(scores), -np.inf)
        return {"score": scores[cuts], **self._laid_out(f, cuts, sides[cuts])}

    def _laid_out(self, f: int, cuts: np.ndarray, sides: np.ndarray) -> dict[str, object]:
        lay_out = self._subsets if self.data.problem.n_categories[f] else self._thresholds
        return lay_out(f, cuts, sides)

    def _scored_by_function(
        self, f: int, cuts: np.ndarray, *, looked_at: bool
    ) -> dict[str, object]:
        """Score candidates by a Python function, missing rows where that makes it better."""
        row = CRITERIA[self.data.function]
        sign = -1.0 if row.smaller_is_better else 1.0
        parts, worth = [], []
        for side in (0, 1) if self.data.problem.has_missing[f] else (0,):
            part = self._laid_out(f, cuts, np.full(len(cuts), side, dtype=np.int8))
            large = self._large_enough(part) if looked_at else np.zeros(len(cuts), dtype=bool)
            first, second = part["first"][large], np.maximum(part["second"][large], 0.0)
            score, value = np.full((2, len(cuts)), -np.inf)
            score[large] = row.score(first, second)
            value[large] = np.nan_to_num(sign * score[large], nan=-np.inf)
            parts.append({**part, "score": score})
            worth.append(value)
        best, place = np.argmax(worth, axis=0), np.arange(len(cuts))
        return {
            name: tuple(parts[side][name][i] for i, side in enumerate(best.tolist()))
            if name == "branch"
            else np.array([part[name] for part in parts])[best, place]
            for name in parts[0]
        }

    def _large_enough(self, part: dict[str, object]) -> np.ndarray:
        """Return which candidates leave enough rows and weight in both children."""
        problem, rows = self.data.problem, part["rows"]
        fewest = np.minimum(rows, self.data.n_samples - rows)
        weights = [np.asarray(part[side]).sum(axis=1) for side in ("first", "second")]
        lightest = np.minimum(*weights)
        return (fewest >= max(problem.min_samples_leaf, 1)) & (lightest >= problem.min_weight_leaf)

    def _scanned(self, f: int, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
        """Return the score of each position of feature `f`, and where its missing rows go."""
        count, _ = scan_binary(
            self.cells[f], f, 0, self.data.n_samples, self.packing, self.node, problem,
            self.scratch,
        )  # fmt: skip
        return self.scratch.curve[:count].copy(), self.scratch.side[:count].copy()

    def _thresholds(self, f: int, cuts: np.ndarray, sides: np.ndarray) -> dict[str, object]:
        order, values = self.data.presorted.order[f], self.data.problem.columns[f]
        known = np.isfinite(values[order])
        missing = self._amounts[order[~known]].sum(axis=0)
        first = np.cumsum(self._amounts[order[known]], axis=0)[cuts]
        first += np.where(sides[:, None] == 1, missing, 0.0)
        weight = np.cumsum(self.data.problem.weight[order])[cuts]
        heavier = np.where(2.0 * weight >= self.node.weight, 0, 1)
        below, above = values[order[cuts]], values[order[np.minimum(cuts + 1, len(order) - 1)]]
        middle = below / 2 + above / 2
        between = np.where((below <= middle) & (middle < above), middle, below)
        return {
            "threshold": np.where(np.isinf(above), np.inf, between),
            "branch": (None,) * len(cuts),
            "missing": heavier if known.all() else 1 - sides.astype(np.intp),
            "rows": cuts + 1 + np.where(sides == 1, np.count_nonzero(~known), 0),
            **self._children(first),
        }

    def _subsets(self, f: int, cuts: np.ndarray, sides: np.ndarray) -> dict[str, object]:
        problem, goes_first = self.data.problem, np.zeros(self.data.n_samples, dtype=np.uint8)
        known = np.isfinite(problem.columns[f])
        codes = problem.columns[f, known].astype(np.intp)
        first, missing = np.empty((len(cuts), self._amounts.shape[1])), np.empty_like(cuts)
        branches, rows = [], np.empty_like(cuts)
        for i, cut in enumerate(cuts.tolist()):
            _, missing[i] = mark_first(
                self.cells[f], f, 0, self.data.n_samples, cut, int(sides[i]), self.packing,
                self.node, problem, self.scratch, goes_first,
            )  # fmt: skip
            branch = np.full(problem.n_categories[f], -1, dtype=np.int16)
            branch[codes] = 1 - goes_first[known]
            branches.append(branch)
            first[i] = goes_first @ self._amounts
            rows[i] = np.count_nonzero(goes_first)
        return {
            "threshold": np.full(len(cuts), np.nan),
            "branch": tuple(branches),
            "missing": missing,
            "rows": rows,
            **self._children(first),
        }

    def _children(self, first: np.ndarray) -> dict[str, np.ndarray]:
        """Return what the children hold, from the sums of the first ones."""
        second = self._amounts.sum(axis=0) - first
        if self.data.is_regression:
            first, second = (s[:, 1:] / s[:, :1] + self.data.centre for s in (first, second))
        return {"first": first, "second": second}
