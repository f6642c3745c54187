"""What a search for a split answers: the winner, and the table it was chosen from."""

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
from lastviz.tree import Tree, threshold_decimals

from .rule import Blend, ChoiceRule, Stage
from .splits import AnySplit, CategorySplit, ObliqueSplit, Split, stored_split

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
    """What growth and replay ask of a splitter."""

    def root(self) -> NodeContext:
        """Return the context of the root."""

    def child(
        self, context: NodeContext, split: Split | CategorySplit | ObliqueSplit, branch: int
    ) -> NodeContext:
        """Return the context of child number `branch` (0, 1, ...) of a split node."""


def context_of(splitter: Splitter, tree: Tree, node: int) -> NodeContext:
    """Return the context of a node of a grown tree, walked down from the root."""
    context = splitter.root()
    for parent, child in pairwise(tree.path(node)):
        branch = child - int(tree.first_child[parent])
        context = splitter.child(context, stored_split(tree, parent), branch)
    return context


def children_of(splitter: Splitter, context: NodeContext, split: AnySplit) -> list[NodeContext]:
    """Return the contexts of all children of a split node."""
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
        """Return how many decimals tell the threshold of a candidate from its neighbours'."""
        near = slice(max(candidate - 1, 0), candidate + 2)
        cuts = self.threshold[near][self.feature[near] == self.feature[candidate]]
        return threshold_decimals(cuts, np.full(len(cuts), -np.inf), np.full(len(cuts), np.inf))

    def scores(self, column: str | Blend) -> np.ndarray:
        """Return a column, or a weighted sum of columns, with larger always better."""
        values = Stage("argmax", column).scores(self.columns, np.arange(self.n_candidates))
        if isinstance(column, str) and CRITERIA[column].smaller_is_better:
            return np.where(values == -np.inf, -np.inf, -values)
        return values

    def find(self, feature: int, threshold: float) -> int:
        """Return the candidate that splits as ``x[feature] <= threshold`` does, -1 if none."""
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
        """Return what a candidate scores in the last stage, NaN if it is not admissible.

        It is judged beside those that got there, whether it did or not.
        """
        before = np.arange(self.n_candidates)
        judged = self.survivors[-2] if len(self.survivors) > 1 else before
        judged = np.union1d(judged, candidate).astype(np.intp)
        score = self.rule.stages[-1].scores(self.columns, judged)[judged == candidate][0]
        return float(score) if np.isfinite(score) else math.nan

    def parting_as(self, feature: int, threshold: float, values: np.ndarray) -> int:
        """Return the candidate that parts the node as a threshold of a feature does, -1 if none.

        `values` (n_rows,) are those of the feature at the node; NaN is missing.
        """
        there = np.sort(values[~np.isnan(values)])
        here = np.flatnonzero((self.feature == feature) & ~np.isnan(self.threshold))
        places = np.searchsorted(there, self.threshold[here], side="right")
        same = here[places == np.searchsorted(there, threshold, side="right")]
        return int(same[0]) if len(same) else -1

    def among(self, table: CandidateTable) -> Self:
        """Return the search within all candidates of its node; others are not admissible.

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
        """Return the search as it goes if the candidates of some features are not admissible."""
        out = np.isin(self.feature, list(features))
        columns = {name: np.where(out, -np.inf, scores) for name, scores in self.columns.items()}
        survivors = self.rule.apply(self.feature, columns)
        return replace(self, columns=columns, survivors=survivors)


def search_in(table: CandidateTable, rule: ChoiceRule) -> Search:
    """Return the search of a node that `rule` chooses from a table of candidates."""
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
    """Go through a generator without looking at what it yields; return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as finished:
            return finished.value


def pulsing(steps: Generator[object, None, Result], pulse: Pulse) -> Generator[Pulse, None, Result]:
    """Go through a generator, yielding `pulse` in place of what it yields; return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as finished:
            return finished.value
        yield pulse
