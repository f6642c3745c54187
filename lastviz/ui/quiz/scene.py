"""What a question is about, and what an answer comes to by the search that grew the tree.

Nothing of the answer is in what the page draws before it is asked for; it is here, on the server.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.datasets import Dataset
from lastviz.plots import ThemeName, plain_split
from lastviz.splitters import Search
from lastviz.tree import Tree
from lastviz.ui.compute import nodes
from lastviz.ui.compute.division import Division
from lastviz.ui.shared.plane import Plane
from lastviz.ui.state.quiz_codes import Question
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number

NOWHERE = "none"  # the answer that the root is a leaf


@dataclass(frozen=True, eq=False)
class Verdict:
    """What a split comes to beside the one that the algorithm takes, by its own search."""

    candidate: int  # of the search; -1 where all rows lie on one side
    best: int  # what the rule takes, -1 where it takes nothing
    rank: int  # its place by what decides last, 1 the best, 0 if it is not admitted; among how many
    n: int  # its place by what decides last, 1 the best, 0 if it is not admitted; among how many
    # The stage of the rule that leaves it out; None if none does before the last.
    left_out: int | None
    score: float  # what decides last; NaN where there is none
    best_score: float  # what decides last; NaN where there is none
    # Each criterion that the rule reads: of this split and of the best.
    columns: tuple[tuple[str, float, float], ...]

    @property
    def is_best(self) -> bool:
        """Whether it parts the rows as the algorithm does."""
        return self.candidate >= 0 and self.candidate == self.best


@dataclass(frozen=True, eq=False)
class PosedQuestion:
    """A question with all that is resolved for it."""

    question: Question
    selection: Selection  # its scene
    theme: ThemeName  # {"light", "dark"}
    dataset: Dataset
    division: Division
    class_names: tuple[str, ...]
    title: str  # the algorithm, and its parameters where they say something

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features."""
        return tuple(self.division.X.columns)


@dataclass(frozen=True, eq=False)
class SplitQuestion(PosedQuestion):
    """The question where it would split first."""

    search: Search  # the algorithm's own, of the root
    rows: np.ndarray  # intp, the rows of the root, as rows of the data
    reason: str  # why the root is a leaf; "" if it is none

    @property
    def best(self) -> int:
        """The candidate that the root was split at, -1 if it was not."""
        return -1 if self.reason else self.search.winner

    @property
    def answer(self) -> str:
        """The answer that the algorithm gives."""
        if self.best < 0:
            return NOWHERE
        feature = int(self.search.feature[self.best])
        return split_answer(feature, float(self.search.threshold[self.best]))

    def verdict(self, answer: str) -> Verdict | None:
        """Return what an answer comes to; None for the answer that nothing is split."""
        place = place_of(answer, len(self.names))
        if place is None:
            return None
        values = self.division.values[self.rows, place[0]]
        return verdict_of(self.search, self.search.parting_as(*place, values), self.best)


@dataclass(frozen=True, eq=False)
class ClassQuestion(PosedQuestion):
    """The question which class falls here."""

    row: int
    plane: Plane  # where the rows are drawn
    prediction: int  # the class that the model says
    # The tests that the row meets, as html, from the root on; empty for several trees.
    path: tuple[str, ...]
    # What the trees of a forest say, by class; else the class supports where it ends.
    votes: tuple[float, ...]
    is_forest: bool

    @property
    def answer(self) -> str:
        """The answer that the model gives."""
        return str(self.prediction)


@dataclass(frozen=True, eq=False)
class NodeQuestion(PosedQuestion):
    """The question which node is wrong."""

    tree: Tree
    inner: tuple[int, ...]  # its inner nodes, in the order of their letters
    altered: int

    @property
    def answer(self) -> str:
        """The altered node."""
        return str(self.altered)

    def test(self, node: int) -> str:
        """Return the test of a node as plain text."""
        return plain_split(self.tree, node)

    def verdict(self, node: int) -> Verdict:
        """Return what the split of a node comes to beside the one that its search takes."""
        search = nodes.search(self.selection, 0, node)
        rows = nodes.rows_of(self.selection, 0, node)
        feature, threshold = int(self.tree.feature[node]), float(self.tree.threshold[node])
        values = self.division.values[rows, feature]
        return verdict_of(search, search.parting_as(feature, threshold, values), search.winner)

    def best_test(self, node: int) -> str:
        """Return the test that the search of a node takes, as plain text."""
        search = nodes.search(self.selection, 0, node)
        feature, threshold = search.feature[search.winner], search.threshold[search.winner]
        return (
            f"{self.names[feature]} ≤ {number(float(threshold), search.decimals_at(search.winner))}"
        )


def split_answer(feature: int, threshold: float) -> str:
    """Return a place as an answer."""
    return f"{int(feature)}_{float(threshold)!r}"


def place_of(answer: str, n_features: int) -> tuple[int, float] | None:
    """Return feature and threshold of an answer, None for the answer that nothing is split."""
    try:
        feature, _, threshold = answer.partition("_")
        place = int(feature), float(threshold)
    except ValueError:
        return None
    return place if 0 <= place[0] < n_features and np.isfinite(place[1]) else None


def verdict_of(search: Search, candidate: int, best: int) -> Verdict:
    """Return what a candidate of a search comes to beside the best."""
    last = search.rule.stages[-1].column
    ranks = nodes.ranked(search, last)
    left_out = None
    if candidate >= 0 and candidate != best:
        stages = search.survivors[:-1]
        left_out = next((i for i, stage in enumerate(stages) if candidate not in stage), None)

    def value(name: str, which: int) -> float:
        return float(search.columns[name][which]) if which >= 0 else np.nan

    return Verdict(
        candidate=candidate,
        best=best,
        rank=int(ranks[candidate]) if candidate >= 0 else 0,
        n=int(np.count_nonzero(ranks)),
        left_out=left_out,
        score=search.score_of(candidate) if candidate >= 0 else np.nan,
        best_score=search.score_of(best) if best >= 0 else np.nan,
        columns=tuple(
            (name, value(name, candidate), value(name, best)) for name in search.rule.columns
        ),
    )
