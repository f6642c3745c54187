"""Subject of a question, and the verdict on an answer by the search that grew the tree.

Nothing of the answer is in what the page draws before it is asked for; it is here, on the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from string import ascii_uppercase

import numpy as np

from lastviz.datasets import Dataset
from lastviz.plots import (
    THEMES,
    Drawing,
    Points,
    Theme,
    ThemeName,
    cut_plane_plot,
    flow_tree_plot,
    pad_bounds,
    plain_split,
    scatter_plot,
)
from lastviz.splitters import Search
from lastviz.tree import Tree
from lastviz.ui.compute import nodes
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.figures import Plane, words
from lastviz.ui.state.quiz_codes import Question
from lastviz.ui.text import number

NOWHERE = "none"  # the answer that the root is a leaf


@dataclass(frozen=True, eq=False)
class AnswerVerdict:
    """Comparison of a split with the one that the algorithm chooses by its own search."""

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
        """Whether the split separates the rows as the algorithm does."""
        return self.candidate >= 0 and self.candidate == self.best


@dataclass(frozen=True, eq=False)
class PosedQuestion:
    """A question with all that is resolved for it."""

    question: Question
    work: Work  # its scene
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

    def verdict(self, answer: str) -> AnswerVerdict | None:
        """Verdict on an answer, None for the answer that nothing is split."""
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
        """Test of a node as plain text."""
        return plain_split(self.tree, node)

    def verdict(self, node: int) -> AnswerVerdict:
        """Verdict on the split of a node, beside the one that its search chooses."""
        search = self.work.first.node(node).search
        rows = self.work.first.node(node).rows
        feature, threshold = int(self.tree.feature[node]), float(self.tree.threshold[node])
        values = self.division.values[rows, feature]
        return verdict_of(search, search.parting_as(feature, threshold, values), search.winner)

    def best_test(self, node: int) -> str:
        """Test that the search of a node takes, as plain text."""
        search = self.work.first.node(node).search
        feature, threshold = search.feature[search.winner], search.threshold[search.winner]
        return (
            f"{self.names[feature]} ≤ {number(float(threshold), search.decimals_at(search.winner))}"
        )


@dataclass(frozen=True, eq=False)
class NumberQuestion(PosedQuestion):
    """The question how many rows the model gets wrong: of those held out, if any are."""

    plane: Plane  # where the rows are drawn
    n: int  # rows that are counted
    answer: str  # the number of those that are wrong
    tolerance: int  # rows by which a right answer may be off


def split_answer(feature: int, threshold: float) -> str:
    """Place as an answer."""
    return f"{int(feature)}_{float(threshold)!r}"


def place_of(answer: str, n_features: int) -> tuple[int, float] | None:
    """Feature and threshold of an answer, None for the answer that nothing is split."""
    try:
        feature, _, threshold = answer.partition("_")
        place = int(feature), float(threshold)
    except ValueError:
        return None
    return place if 0 <= place[0] < n_features and np.isfinite(place[1]) else None


def verdict_of(search: Search, candidate: int, best: int) -> AnswerVerdict:
    """Verdict on a candidate of a search, beside the best one."""
    last = search.rule.stages[-1].column
    ranks = nodes.rank_candidates(search, last)
    left_out = None
    if candidate >= 0 and candidate != best:
        stages = search.survivors[:-1]
        left_out = next((i for i, stage in enumerate(stages) if candidate not in stage), None)

    def value(name: str, which: int) -> float:
        return float(search.columns[name][which]) if which >= 0 else np.nan

    return AnswerVerdict(
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


# ---- The pictures of a question: rows with lines to be, a row in question, a tree with letters


HEIGHT = 460  # pixels
TREE_HEIGHT = 330
MOST_DRAWN = 2000  # rows
MOST_LINES = 60  # answers of a class
BEST, PICKED, OTHER = 3.5, 2.5, 1.5  # pixels


def letter(place: int) -> str:
    """Letter of an inner node, by its place among them."""
    return ascii_uppercase[place]


def axes_for(n_features: int, feature: int, other: int | None = None) -> tuple[int, int]:
    """Features across and up: the first two, or the one in question and another."""
    if n_features == 1:
        return 0, 0
    if n_features == 2:
        return 0, 1
    if other is not None and other != feature:
        return feature, other
    return feature, 0 if feature else 1


def figure_of(
    posed: PosedQuestion,
    picked: str | None,
    others: Sequence[str] = (),
    *,
    feature: int | None = None,
    best: bool = False,
) -> Drawing:
    """Picture of a question, with the `best` answer once it is shown.

    `picked` is the reader's answer, given or thought of, `others` are those of others; `feature`
    is the one whose threshold is moved.
    """
    if isinstance(posed, SplitQuestion):
        return split_figure(posed, picked, others, feature=feature, best=best)
    if isinstance(posed, ClassQuestion | NumberQuestion):
        return class_figure(posed)
    return node_figure(posed, picked, best=best)


def split_figure(
    posed: SplitQuestion,
    picked: str | None,
    others: Sequence[str] = (),
    *,
    feature: int | None = None,
    best: bool = False,
) -> Drawing:
    """Rows of the root with the lines of answers, and the `best` once it is shown."""
    n = len(posed.names)
    place = place_of(picked, n) if picked else None
    truth = place_of(posed.answer, n) if best else None
    known = truth or place  # what is shown at last, the best, stands across
    if feature is None:
        feature = known[0] if known is not None else 0
    axes = axes_for(n, feature, None if place is None else place[0])
    rows = some_rows(posed.rows)
    x, y = posed.division.values[rows][:, axes].T
    single = axes[0] == axes[1]
    y = np.zeros(len(rows)) if single else y
    figure = scatter_plot(
        Points.plain(x, y, posed.division.y[rows], rows + 1),
        theme=posed.theme,
        names=(posed.names[axes[0]], "" if single else posed.names[axes[1]]),
        class_names=posed.class_names,
        units=tuple(posed.dataset.units.get(posed.names[axis], "") for axis in axes),
        height=HEIGHT,
        view=pad_bounds(x, y),
        words=words(),
    )
    colours = THEMES[posed.theme]
    looks = [(answer, {"color": colours.grey3, "width": OTHER}) for answer in others[:MOST_LINES]]
    if best:
        looks.append((posed.answer, {"color": colours.ink, "width": BEST}))
    if picked:
        looks.append((picked, {"color": colours.accent, "width": PICKED, "dash": "dash"}))
    for answer, line in looks:
        _draw_line(figure, place_of(answer, n), axes, line)
    return figure.about(f"{posed.question.scene}|{axes}")


def some_rows(rows: np.ndarray) -> np.ndarray:
    """Rows that are drawn: all, or as many evenly spaced ones as can be seen."""
    places = np.linspace(0, len(rows) - 1, min(len(rows), MOST_DRAWN)).astype(np.intp)
    return rows[places]


def _draw_line(
    figure: Drawing, place: tuple[int, float] | None, axes: tuple[int, int], line: dict
) -> None:
    if place is None or place[0] not in axes:
        return
    shape = {"type": "line", "layer": "below", "line": line}
    at = place[1]
    if place[0] == axes[0]:
        ends = {"xref": "x", "x0": at, "x1": at, "yref": "y domain", "y0": 0, "y1": 1}
    else:
        ends = {"yref": "y", "y0": at, "y1": at, "xref": "x domain", "x0": 0, "x1": 1}
    figure.settings["shapes"].append(shape | ends)


def class_figure(posed: ClassQuestion | NumberQuestion) -> Drawing:
    """Training rows, and the row in question, if there is one, without its class."""
    plane, division = posed.plane, posed.division
    row = posed.row if isinstance(posed, ClassQuestion) else -1
    rows = some_rows(np.setdiff1d(division.train_rows, [row]))
    x, y = plane.across.places, plane.upward.places
    points = Points.plain(x[rows], y[rows], division.y[rows], rows + 1)
    figure = cut_plane_plot(
        replace(points, texts=plane.texts(rows)),
        np.ones(len(rows), dtype=bool),
        np.empty((0, 2)),
        theme=posed.theme,
        names=plane.titles,
        class_names=posed.class_names,
        equal=plane.equal,
        height=HEIGHT,
        view=plane.view,
        words=words(),
        bands=plane.bands,
    )
    if row >= 0:
        figure.traces += _in_question((float(x[row]), float(y[row])), THEMES[posed.theme])
    return figure.about(f"{posed.question.scene}|{row}")


def _in_question(place: tuple[float, float], theme: Theme) -> list[dict]:
    """Mark of the row in question: a disc of paper, the reader's ring around it."""
    at = {"type": "scatter", "x": [place[0]], "y": [place[1]], "hoverinfo": "skip"}
    ring = {"size": 26, "color": theme.paper, "line": {"color": theme.accent, "width": 2.5}}
    font = {"size": 17, "color": theme.accent}
    return [
        at | {"mode": "markers", "name": "question", "meta": {"role": "question"}, "marker": ring},
        at | {"mode": "text", "text": ["<b>?</b>"], "textfont": font, "name": "question mark"},
    ]


def node_figure(posed: NodeQuestion, picked: str | None, *, best: bool = False) -> Drawing:
    """Tree with a letter at each inner node; with `best` the altered one is framed."""
    outlined = {int(picked): "dashed"} if picked and int(picked) in posed.inner else {}
    if best:
        outlined[posed.altered] = "ink"
    figure = flow_tree_plot(
        posed.tree,
        theme=posed.theme,
        height=TREE_HEIGHT,
        width_hint=760,
        class_names=tuple(map(escape, posed.class_names)),
        words=words(),
        outlined=outlined,
        texts={},  # the tests stand in the table, by their letters
    )
    figure.traces.append(_letters(posed, figure))
    return figure.about(f"{posed.question.scene}|tree")


def _letters(posed: NodeQuestion, figure: Drawing) -> dict:
    """Letter on each inner node, however close they stand: answers name them."""
    middle = {area["node"]: np.mean(area["xy"], axis=0) for area in figure.areas["hits"]}
    shown = [(place, middle[node]) for place, node in enumerate(posed.inner) if node in middle]
    theme = THEMES[posed.theme]
    halo = ", ".join(f"0 0 {blur}px {theme.paper}" for blur in (2, 3, 5))
    return {
        "type": "scatter",
        "mode": "text",
        "name": "letters",
        "meta": {"role": "letter"},
        "hoverinfo": "skip",
        "x": [float(at[0]) for _, at in shown],
        "y": [float(at[1]) for _, at in shown],
        "text": [f"<b>{letter(place)}</b>" for place, _ in shown],
        "textfont": {"size": 15, "color": theme.ink, "shadow": halo},
    }
