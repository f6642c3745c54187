"""Result of a search for a split: the winner, and the table it was chosen from."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Protocol, Self, TypeVar

import numpy as np

from lastviz._on_read import OnRead
from lastviz._sentences import Refusal
from lastviz.criteria import CRITERIA
from lastviz.tree import (
    FeatureScaling,
    KernelFunction,
    KernelSplits,
    Kind,
    Tree,
    threshold_decimals,
)
from lastviz.tree.apply_kernels import positions
from lastviz.tree.kernel_machine_kernels import decide_rows

from .rule import Blend, ChoiceRule, Stage


@dataclass(frozen=True)
class Split:
    """A threshold: rows with ``x[feature] <= threshold`` go to the first child.

    `missing_branch` is the branch of rows without a value, -1 where none is set. An infinite
    threshold asks whether the value is missing: every value is at most that, so only the rows
    without one go to the second child. `score` is NaN where nothing has scored the split.
    """

    feature: int
    threshold: float
    score: float = math.nan
    missing_branch: int = -1


@dataclass(frozen=True, eq=False)
class CategorySplit:
    """Categories: rows whose feature has category c go to the child ``branch[c]``.

    `branch` (n_categories,) names branches 0, 1, ..., and -1 for a category that the split has
    not seen. `missing_branch` is as for :class:`Split`.
    """

    feature: int
    branch: np.ndarray
    score: float = math.nan
    missing_branch: int = -1

    @property
    def n_branches(self) -> int:
        """Number of children."""
        return max(int(self.branch.max()), self.missing_branch) + 1


@dataclass(frozen=True, eq=False)
class ObliqueSplit:
    """A hyperplane: rows with ``x @ weights <= threshold`` go to the first child.

    `weights` (n_features,) belongs to the original features.
    """

    weights: np.ndarray
    threshold: float
    score: float = math.nan

    def goes_first(self, X: np.ndarray) -> np.ndarray:
        """Mask of the rows of `X` (n, n_features) that go to the first child.

        Routing decides in the same way.
        """
        along = np.empty((len(X), 1))
        positions(np.ascontiguousarray(X), np.asarray(self.weights, float)[:, None], along)
        return along[:, 0] <= self.threshold


@dataclass(frozen=True, eq=False)
class Machine:
    """A trained machine: ``f(x) = sum of dual_coef K(support, x) + intercept``."""

    # (n_support,) intp, support vectors, as positions in the rows it learned from, rising.
    rows: np.ndarray
    # (n_support,) float64, multiplier times +1 or -1; a multiplier equal to C is bound.
    dual_coef: np.ndarray
    intercept: float
    converged: bool  # False if the limit of iterations ended the search for the optimum
    n_iter: int

    def decide(self, X: np.ndarray, support: np.ndarray, kernel: KernelFunction) -> np.ndarray:
        """Value of f for each row of X (n, m), given the support vectors (n_support, m)."""
        out = np.empty((len(X), 1))
        start, index = np.array([0, len(support)]), np.arange(len(support))
        decide_rows(
            X, support, kernel.code, kernel.rate, kernel.degree,
            start, index, self.dual_coef, np.array([self.intercept]), out,
        )  # fmt: skip
        return out[:, 0]


@dataclass(frozen=True, eq=False)
class KernelSplit:
    """A kernel machine: rows with ``f(x) > 0`` go to the first child."""

    # first, second: classes of the two children; `first` is the class peeled off, or a group
    first: tuple[int, ...]
    second: tuple[int, ...]
    machine: Machine  # its rows are those of the training data
    vectors: np.ndarray  # (n_support, n_features), scaled
    scaling: FeatureScaling  # from the features to those that the kernel reads
    kernel: KernelFunction
    score: float  # separability of `first`

    def decide(self, X: np.ndarray) -> np.ndarray:
        """Value of f for each row of X (n, n_features)."""
        return self.machine.decide(self.scaling.apply(X), self.vectors, self.kernel)

    def same_test(self, other: KernelSplit) -> bool:
        """Whether `other` makes the same test, bit for bit."""
        one, two = self.machine, other.machine
        return (
            (self.first, self.second, self.kernel) == (other.first, other.second, other.kernel)
            and self.scaling.same(other.scaling)
            and one.intercept == two.intercept
            and np.array_equal(one.rows, two.rows)
            and np.array_equal(one.dual_coef, two.dual_coef)
            and np.array_equal(self.vectors, other.vectors)
        )


AnySplit = Split | CategorySplit | ObliqueSplit | KernelSplit


def stored_split(tree: Tree, node: int) -> AnySplit | None:
    """Split of a node as its tree stores it, None at a leaf."""
    score = float(tree.score[node])
    if tree.is_leaf(node):
        return None
    if tree.kind[node] == Kind.OBLIQUE:
        row = int(tree.split_row[node])
        return ObliqueSplit(tree.oblique.weights[row], float(tree.oblique.threshold[row]), score)
    if tree.kind[node] == Kind.KERNEL:
        return _split_in_table(tree.kernel, int(tree.split_row[node]), score)
    feature, missing_branch = int(tree.feature[node]), int(tree.missing_branch[node])
    if tree.kind[node] == Kind.CATEGORIES:
        branch = tree.categories.branch[tree.split_row[node]]
        branch = branch[: len(tree.feature_categories[feature])]
        return CategorySplit(feature, branch, score, missing_branch)
    return Split(feature, float(tree.threshold[node]), score, missing_branch)


def _split_in_table(table: KernelSplits, row: int, score: float) -> KernelSplit:
    """Row `row` of a tree's table as the split from which it was made."""
    here = table.entries(row)
    index = table.index[here]
    machine = Machine(
        rows=table.rows[index],
        dual_coef=table.dual_coef[here],
        intercept=float(table.intercept[row]),
        converged=bool(table.converged[row]),
        n_iter=int(table.n_iter[row]),
    )
    first, second = (tuple(np.flatnonzero(m[row]).tolist()) for m in (table.first, table.second))
    return KernelSplit(
        first, second, machine, table.vectors[index], table.scaling, table.kernel, score
    )


def score_of_parts(
    criterion: str,
    y: np.ndarray,
    first: np.ndarray,
    n_classes: int,
    weights: np.ndarray | None = None,
) -> float:
    """Score of a partition of rows by a criterion, NaN if all rows go one way.

    Also NaN if class counts do not tell. `y` (n_rows,) holds class indices, `first` (n_rows,) who
    goes to the first child.
    """
    row = CRITERIA[criterion]
    if row.score is None or row.reads != "counts" or first.all() or not first.any():
        return math.nan
    weights = np.ones(len(y)) if weights is None else weights
    left, right = (np.bincount(y[s], weights[s], n_classes) for s in (first, ~first))
    return float(row.score(left, right))


def same_split(one: AnySplit | None, other: AnySplit | None) -> bool:
    """Whether two splits are of one kind and make the same test, bit for bit."""
    if type(one) is not type(other):
        return False
    if isinstance(one, ObliqueSplit):
        return one.threshold == other.threshold and np.array_equal(one.weights, other.weights)
    if isinstance(one, KernelSplit):
        return one.same_test(other)
    if one is None:
        return True
    if (one.feature, one.missing_branch) != (other.feature, other.missing_branch):
        return False
    if isinstance(one, CategorySplit):
        return np.array_equal(one.branch, other.branch)
    return one.threshold == other.threshold


# ---------------------------------------------------------------- search


Result = TypeVar("Result")
Pulse = TypeVar("Pulse")


@dataclass(frozen=True, eq=False)
class NodeContext:
    """All that a splitter sees of a node."""

    rows: np.ndarray  # intp, rows of the training data, rising
    weights: np.ndarray  # float64, their weights
    depth: int
    key: int  # the node's key, see `lastviz._random`
    side: int = -1  # which branch of its parent it is; -1 at the root
    inherited: object = None  # the splitter's own frozen record, handed from parent to child


class Splitter(Protocol):
    """Interface of a splitter for growth and replay."""

    def root(self) -> NodeContext:
        """Context of the root."""

    def child(
        self, context: NodeContext, split: Split | CategorySplit | ObliqueSplit, branch: int
    ) -> NodeContext:
        """Context of child number `branch` (0, 1, ...) of a split node."""


def context_of(splitter: Splitter, tree: Tree, node: int) -> NodeContext:
    """Context of a node of a grown tree, walked down from the root."""
    context = splitter.root()
    for parent, child in pairwise(tree.path(node)):
        branch = child - int(tree.first_child[parent])
        context = splitter.child(context, stored_split(tree, parent), branch)
    return context


def children_of(splitter: Splitter, context: NodeContext, split: AnySplit) -> list[NodeContext]:
    """Contexts of all children of a split node."""
    at_once = getattr(splitter, "children", None)
    if at_once is not None:
        return at_once(context, split)
    n_branches = split.n_branches if isinstance(split, CategorySplit) else 2
    return [splitter.child(context, split, branch) for branch in range(n_branches)]


@dataclass(frozen=True, eq=False)
class CandidateTable:
    """The candidates of a node, ordered by feature, then by threshold."""

    feature: np.ndarray  # (n_candidates,) intp
    # (n_candidates,) float64. The first child takes the rows with x <= threshold. May be given as a
    # function, and is then made when it is read; so may `left_counts`.
    threshold: np.ndarray = OnRead()
    # dict of str to ndarray, shape (n_candidates,), scores by criterion (a key of CRITERIA); -inf
    # is not admissible, also where smaller is better.
    columns: dict[str, np.ndarray]
    left_counts: np.ndarray = OnRead()  # (n_candidates, n_classes), class counts of the first child
    counts: np.ndarray  # (n_classes,), class counts of the node
    # (n_candidates,) float64. The smallest value of the second child: any threshold from the
    # largest value of the first child up to below it makes the same split. None where it was not
    # looked up.
    upper: np.ndarray | None = field(default=None, kw_only=True)
    # Why the criteria that failed did so; their columns admit nothing.
    failed: dict[str, Refusal] = field(default_factory=dict, kw_only=True)

    @property
    def n_candidates(self) -> int:
        """Number of candidates, admissible or not."""
        return len(self.feature)

    @property
    def right_counts(self) -> np.ndarray:
        """Class counts of the second child, shape (n_candidates, n_classes)."""
        return self.counts - self.left_counts

    def decimals_at(self, candidate: int) -> int:
        """Decimals that distinguish a candidate's threshold from its neighbours'."""
        near = slice(max(candidate - 1, 0), candidate + 2)
        cuts = self.threshold[near][self.feature[near] == self.feature[candidate]]
        return threshold_decimals(cuts, np.full(len(cuts), -np.inf), np.full(len(cuts), np.inf))

    def scores(self, column: str | Blend) -> np.ndarray:
        """Column, or a weighted sum of columns, with larger always better."""
        values = Stage("argmax", column).scores(self.columns, np.arange(self.n_candidates))
        if isinstance(column, str) and CRITERIA[column].smaller_is_better:
            return np.where(values == -np.inf, -np.inf, -values)
        return values

    def find(self, feature: int, threshold: float) -> int:
        """Candidate that splits as ``x[feature] <= threshold`` does, -1 if none."""
        here = (self.feature == feature) & (self.threshold <= threshold) & (self.upper > threshold)
        found = np.flatnonzero(here)
        return int(found[0]) if len(found) else -1


@dataclass(frozen=True, eq=False)
class Search(CandidateTable):
    """All candidates of a node, how they scored, and which of them each stage kept."""

    rule: ChoiceRule  # Rule
    survivors: tuple[np.ndarray, ...]  # candidates left after each stage of the rule
    # The branch of each category where a candidate is nominal; its threshold is then NaN, its first
    # child is branch 0. Empty if no feature is nominal.
    categories: tuple[np.ndarray | None, ...] = field(default=(), kw_only=True)
    # Class counts of each branch of a nominal candidate, shape (n_branches, n_classes).
    category_counts: tuple[np.ndarray | None, ...] = field(default=(), kw_only=True)
    # ndarray or None, shape (n_candidates, n_classes), class counts of the rows whose value is
    # known, which have a branch; None where all rows have one.
    known: np.ndarray | None = field(default=None, kw_only=True)

    @property
    def right_counts(self) -> np.ndarray:
        """Class counts of the second child, shape (n_candidates, n_classes)."""
        return (self.counts if self.known is None else self.known) - self.left_counts

    @property
    def winner(self) -> int:
        """The chosen candidate, -1 if the rule admits none."""
        return int(self.survivors[-1][0]) if len(self.survivors[-1]) else -1

    @property
    def split(self) -> Split | CategorySplit | None:
        """The chosen candidate as a split, None if the rule admits none."""
        i = self.winner
        if i < 0:
            return None
        score = self.rule.score(self.columns, self.survivors)
        if self.categories and self.categories[i] is not None:
            return CategorySplit(int(self.feature[i]), self.categories[i], score)
        return Split(int(self.feature[i]), float(self.threshold[i]), score)

    def score_of(self, candidate: int) -> float:
        """Score of a candidate in the last stage, NaN if it is not admissible.

        It is judged beside those that got there, whether it did or not.
        """
        before = np.arange(self.n_candidates)
        judged = self.survivors[-2] if len(self.survivors) > 1 else before
        judged = np.union1d(judged, candidate).astype(np.intp)
        score = self.rule.stages[-1].scores(self.columns, judged)[judged == candidate][0]
        return float(score) if np.isfinite(score) else math.nan

    def parting_as(self, feature: int, threshold: float, values: np.ndarray) -> int:
        """Candidate that parts the node as a threshold of a feature does, -1 if none.

        `values` (n_rows,) are those of the feature at the node; NaN is missing.
        """
        there = np.sort(values[~np.isnan(values)])
        here = np.flatnonzero((self.feature == feature) & ~np.isnan(self.threshold))
        places = np.searchsorted(there, self.threshold[here], side="right")
        same = here[places == np.searchsorted(there, threshold, side="right")]
        return int(same[0]) if len(same) else -1

    def among(self, table: CandidateTable) -> Self:
        """Search within all candidates of its node; others are not admissible.

        The thresholds are those of the search, where it has some.
        """
        pairs = zip(self.feature, self.threshold, strict=True)
        place = np.array([table.find(*pair) for pair in pairs], dtype=np.intp)
        threshold = table.threshold.copy()
        threshold[place] = self.threshold
        columns = {name: np.full(table.n_candidates, -np.inf) for name in self.columns}
        for name, scores in self.columns.items():
            columns[name][place] = scores
        return replace(
            self,
            feature=table.feature,
            threshold=threshold,
            columns=columns,
            left_counts=table.left_counts,
            upper=table.upper,
            survivors=tuple(place[stage] for stage in self.survivors),
        )

    def without(self, features: Iterable[int]) -> Self:
        """Search as it goes if the candidates of some features are not admissible."""
        out = np.isin(self.feature, list(features))
        columns = {name: np.where(out, -np.inf, scores) for name, scores in self.columns.items()}
        survivors = self.rule.apply(self.feature, columns)
        return replace(self, columns=columns, survivors=survivors)


def search_in(table: CandidateTable, rule: ChoiceRule) -> Search:
    """Search of a node that `rule` chooses from a table of candidates."""
    return Search(
        table.feature,
        table.threshold,
        table.columns,
        table.left_counts,
        table.counts,
        rule,
        rule.apply(table.feature, table.columns),
        upper=table.upper,
    )


def result_of(steps: Generator[object, None, Result]) -> Result:
    """Result of a generator, its yields ignored."""
    while True:
        try:
            next(steps)
        except StopIteration as finished:
            return finished.value


def pulsing(steps: Generator[object, None, Result], pulse: Pulse) -> Generator[Pulse, None, Result]:
    """Run a generator, yielding `pulse` in place of its own yields.

    Returns its result.
    """
    while True:
        try:
            next(steps)
        except StopIteration as finished:
            return finished.value
        yield pulse
