"""Searches that go through no thresholds: for hyperplanes, and for classes to split off."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.criteria import CRITERIA
from lastviz.export.blocks import Text
from lastviz.inspection import SeparabilityStep, tied_ranks
from lastviz.plots import Drawing, best_tests_plot, machine_words, number, split_words
from lastviz.splitters import ObliqueSearch, ObliqueSplit
from lastviz.ui.compute import nodes
from lastviz.ui.shared.blocks import PAGE, REPORT, Block, Chart, Controls, NumbersTable, Only
from lastviz.ui.shared.figures import plane_of
from lastviz.ui.shared.headline import kept_for_pruning, strip
from lastviz.ui.shared.hyperplane_search import (
    TERMS,
    how_to_read,
    move_head,
    move_sentence,
    move_test,
    search_caption,
    search_figure,
)
from lastviz.ui.shared.widgets import put, save_table
from lastviz.ui.state import session
from lastviz.ui.text import percent, plural, t

from .node import NodeScene, NodeView, brief
from .scene import draw_forced, split_here
from .words import children_html, forced_branches

MOST_STARTS = 500  # rows of the table
TITLES = {
    "separability": "separability in kernel space",
    "separability_input": "separability in input space",
    "centre_distance": "distance of the class centres",
}
BY_ORDER = {
    "first_group": "The least separable classes are put together until two groups remain; the "
    "closest pair between them, {a} and {b}, has {value}.",
    "class_order": "The classes are split off in their given order, whatever their separability; "
    "{b} is the nearest to {a} with {value}.",
}


@dataclass(frozen=True, eq=False)
class HyperplaneScene(NodeScene):
    """Node, the hyperplanes visited there, and their scores."""

    criterion: str  # what the score is called
    search: ObliqueSearch | None  # None at a leaf where no hyperplane was wanted
    move: int  # the move that is shown
    equal: bool  # whether one unit is as long on both axes of the plane; of two features
    key: str  # names the search

    @property
    def X(self) -> np.ndarray:
        """The rows that the hyperplane was searched on."""
        return self.at.division.values[self.at.rows]

    @property
    def y(self) -> np.ndarray:
        """Their classes."""
        return self.at.division.y[self.at.rows]

    @property
    def ranked_starts(self) -> np.ndarray:
        """The best move of each start, the best start first."""
        search = self.search
        order = np.lexsort((search.step, -search.score, search.restart))
        starts = order[np.r_[True, np.diff(search.restart[order]) > 0]]
        return starts[np.argsort(-search.score[starts], kind="stable")]

    def counts_of(self, moves: np.ndarray) -> np.ndarray:
        """Class counts of the first child of some moves, (n_moves, n_classes)."""
        below = self.search.threshold[moves] >= self.X @ self.search.weights[moves].T
        members = np.eye(len(self.at.class_names), dtype=np.intp)[self.y]
        return below.T.astype(np.intp) @ members

    @cached_property
    def moves(self) -> Drawing:
        """The rows with the hyperplane of a move, and the score over all moves."""
        figure = search_figure(
            self.search,
            self.move,
            self.X,
            self.y,
            self.at.rows,
            theme=self.at.theme,
            feature_names=tuple(self.at.tree.feature_names),
            class_names=self.at.class_names,
            score=self.criterion,
            equal=self.equal,
        )
        if self.at.tree.n_features == 2:
            draw_forced(figure, self.at, (0, 1))
        figure.about(self.key)
        return figure

    def pictures(self) -> list[Block]:
        """The search with the slider of its moves, and the tree."""
        if self.search is None:
            return [self.tree_chooser()]
        alt = t(
            "The rows of node {node} with the hyperplane of move {at}; below, the score over all "
            "{all} moves of the search of {title}.",
            node=self.at.index,
            at=self.move + 1,
            all=self.search.n_moves,
            title=self.at.title,
        )
        moves = Chart(
            self.moves,
            alt,
            how_to_read(),
            key="hyperplanes",
            on_click=self._clicked,
            filename="search",
        )
        return [
            Controls(self._slider),
            moves,
            Only((PAGE,), [Text(search_caption())]),
            self.tree_chooser(),
        ]

    def _slider(self) -> None:
        if self.search.n_moves < 2:
            return
        slider, button = st.columns([5, 1], vertical_alignment="bottom")
        put("split_move", self.move + 1)
        slider.slider(
            t("Move"),
            min_value=1,
            max_value=self.search.n_moves,
            key="split_move",
            on_change=lambda: session.select_model(0, move=st.session_state["split_move"] - 1),
        )
        button.button(
            t("Best"),
            key="split_best",
            disabled=self.move == self.search.winner,
            on_click=lambda: session.select_model(0, move=None),
        )

    def _clicked(self, click: dict) -> None:
        """Show the move that was clicked in the curves."""
        if click.get("axis") == "x2":
            move = min(max(int(click["x"]) - 1, 0), self.search.n_moves - 1)
            session.select_model(0, move=move)

    def explanations(self) -> list[Block]:
        """The split of the node, the move that is shown, and its children."""
        if self.search is None:
            return brief([self._headline()], 1)
        search, at = self.search, self.move
        is_picked = at != search.winner
        left = self.counts_of(np.array([at]))[0]
        test = move_test(search, at, self.at.tree.feature_names)
        children = children_html(
            test, [left, search.counts - left], self.at.theme, is_picked=is_picked
        )
        parts = [self._headline(), forced_branches(self.at), self._move(), children]
        found = brief(list(filter(None, parts)), 2)
        if is_picked:
            split = ObliqueSplit(search.weights[at], float(search.threshold[at]), 0.0)
            found.append(Controls(partial(split_here, self.at, lambda: split)))
        rule = t(
            "The algorithm selects the hyperplane with the largest score, among equals the first, "
            "and then moves its threshold midway between the two nearest rows."
        )
        return [*found, Only((PAGE,), [Text(rule)])]

    def _headline(self) -> str:
        """The split as the tree stores it; of a leaf first that it has none, and why."""
        at = self.at
        if at.stored_split is None:
            return at.why_no_split
        test = split_words(at.grown, at.origin, terms=TERMS, rest=t("{n} more", n="{n}"))
        left = int(at.branches[0].sum())
        cells = [
            (f"{number(left)} | {number(len(at.rows) - left)}", "", t("rows yes | no")),
            (number(float(at.grown.score[at.origin])), "", self.criterion),
        ]
        if self.search is not None:
            n_starts = int(self.search.restart[-1]) + 1
            cells.append((number(n_starts), "", plural(n_starts, "start", "starts")))
        if at.origin == 0:
            cells += kept_for_pruning(at.estimator, len(at.division.train_rows))
        head = f'<div class="lv-split"><b>{test}</b><span>{at.stored_label}</span></div>'
        return f'<div class="lv-head" role="group">{at.why_no_split}{head}{strip(cells)}</div>'

    def _move(self) -> str:
        """The move that is shown in words, its hyperplane and its score."""
        search, at = self.search, self.move
        score = t(
            "{criterion} {score}, the best is {best}",
            criterion=self.criterion,
            score=number(float(search.score[at])),
            best=number(float(search.score[search.winner])),
        )
        return (
            '<div class="lv-card lv-move" role="group" aria-live="polite"><div>'
            f"<p><b>{move_head(search, at)}</b> {move_sentence(search, at)}</p>"
            f'<span class="lv-formula">{move_test(search, at, self.at.tree.feature_names)}</span>'
            f"<p>{score}</p></div></div>"
        )

    def details(self) -> list[Block]:
        """The best hyperplane of each start as a table, and all moves as a file."""
        if self.search is None:
            return []
        title = t("The best hyperplane of each start")
        rows = NumbersTable("", title, lambda: self.moves_table(self.ranked_starts))
        return [
            Controls(partial(st.markdown, f"**{title}**")),
            Controls(self._table),
            Only((REPORT,), [rows]),
        ]

    def _table(self) -> None:
        """Draw a table of each start's best hyperplane, and offer all moves as a file."""
        starts, n_moves = self.ranked_starts, self.search.n_moves
        shown = starts[:MOST_STARTS]

        def picked() -> None:
            rows = st.session_state["starts"]["selection"]["rows"]
            session.select_model(0, move=int(shown[rows[0]]) if rows else None)

        st.dataframe(
            self.moves_table(shown),
            key="starts",
            hide_index=True,
            height=min(35 * len(shown) + 40, 400),
            on_select=picked,
            selection_mode="single-row",
        )
        if len(starts) > len(shown):
            n, of_all = number(len(shown)), number(len(starts))
            st.caption(t("The best {n} of {all}.", n=n, all=of_all))
        save_table(
            t("All {n} as CSV", n=number(n_moves)),
            lambda: self.moves_table(np.arange(n_moves)),
            "hyperplanes",
        )

    def moves_table(self, moves: np.ndarray) -> pd.DataFrame:
        """Hyperplanes as rows: start, move, score, children, threshold and weights."""
        search = self.search
        left = self.counts_of(moves).sum(axis=1)
        columns: dict[str, object] = {
            "mark": [t("best of all") if move == search.winner else "" for move in moves.tolist()],
            t("start"): search.restart[moves] + 1,
            t("move"): moves + 1,
            self.criterion: search.score[moves],
            t("yes"): left,
            t("no"): len(self.at.rows) - left,
            t("threshold"): search.threshold[moves],
        }
        for feature, name in enumerate(self.at.tree.feature_names):
            columns[t("weight of {feature}", feature=name)] = search.weights[moves, feature]
        return pd.DataFrame(columns).rename(columns={"mark": ""})


def hyperplane_scene(at: NodeView) -> HyperplaneScene:
    """Shared scene of a node whose hyperplane was searched for.

    Raises Working if the search takes long or was cancelled.
    """
    work, search = at.work, None
    if at.may_be_split:
        search = at.hyperplanes
        search = search if search.winner >= 0 else None
    picked, move = work.first.chosen.move, 0
    if search is not None:
        move = search.winner if picked is None else min(picked, search.n_moves - 1)
    return HyperplaneScene(
        at=at,
        criterion=t(CRITERIA[at.estimator.criterion_column].title),
        search=search,
        move=move,
        equal=at.tree.n_features == 2 and plane_of(work, alone=True).equal,
        key=f"{work.first.cache_key}|{at.index}",
    )


# ---- Classes: which could leave, and how separable they are


@dataclass(frozen=True, eq=False)
class ClassScene(NodeScene):
    """One node and the classes in play there."""

    step: SeparabilityStep | None  # None at a leaf
    column: str  # what is compared: "separability", "separability_input" or "centre_distance"

    @property
    def children(self) -> tuple[np.ndarray, ...]:
        """Class counts of the children."""
        tree = self.at.tree
        return tuple(tree.value[child] for child in tree.children(self.at.index))

    @property
    def compared(self) -> str:
        """Name of the measure that is compared."""
        return t(TITLES[self.column])

    @property
    def test(self) -> str:
        """Classes that part, as html."""
        return machine_words(self.at.tree, self.at.index, class_names=self.at.class_names)

    @property
    def order(self) -> np.ndarray:
        """The classes in play, the most separable first."""
        live = np.flatnonzero(self.step.live)
        leaving = np.isin(live, self.step.first)
        return live[np.lexsort((live, ~leaving, -self.step.separability[live]))]

    @cached_property
    def bars(self) -> Drawing:
        """Bars of the separability of each class in play."""
        step, order = self.step, self.order
        leaving = [place for place, c in enumerate(order.tolist()) if c in step.first]
        return best_tests_plot(
            [escape(self.at.class_names[c]) for c in order],
            step.separability[order],
            theme=self.at.theme,
            chosen=leaving[0] if len(leaving) == 1 else None,
            kept=leaving if len(leaving) > 1 else (),
            refused=t("infinite"),
        )

    def pictures(self) -> list[Block]:
        """The classes that could leave, and the tree."""
        if self.step is None:
            return [self.tree_chooser()]
        title = t("The classes that could be split off")
        note = t(
            "Each bar is the smallest value between the class and any other class present. Only "
            "the ranking of these values is meaningful."
        )
        return [
            Controls(partial(st.markdown, f"**{title}** · {self.compared}")),
            Chart(self.bars, title, title, key="classes", filename="classes"),
            Only((PAGE,), [Text(note)]),
            self.tree_chooser(),
        ]

    def explanations(self) -> list[Block]:
        """Classes that part, the reason, and the children."""
        if self.step is None:
            return brief([self._headline()], 1)
        is_picked = self.at.forced is not None
        children = children_html(self.test, self.children, self.at.theme, is_picked=is_picked)
        return brief([self._headline(), f"<p>{escape(self._rule_words())}</p>", children], 2)

    def _headline(self) -> str:
        """Classes that part, as the tree stores it; of a leaf why it has no split."""
        if self.step is None:
            return self.at.why_no_split
        step, machine = self.step, self.step.machine
        yes, no = (int(counts.sum()) for counts in self.children)
        value = float(step.matrix[step.pair])
        cells = [
            (f"{number(yes)} | {number(no)}", "", t("rows yes | no")),
            (number(value), "", self.compared),
            (number(len(machine.support)), "", t("support vectors")),
            (percent(machine.training_error), "%", t("of its rows are misclassified")),
        ]
        head = f'<div class="lv-split"><b>{self.test}</b><span>{self.at.stored_label}</span></div>'
        return f'<div class="lv-head" role="group">{head}{strip(cells)}</div>'

    def _rule_words(self) -> str:
        """Reason for the classes that part."""
        step = self.step
        if self.at.forced is not None:
            names = [self.at.class_names[c] for c in step.parting.first.tolist()]
            sentence = "Set by hand. The rule would split {classes} from the rest."
            return t(sentence, classes=t(", ").join(names))
        a, b = (self.at.class_names[c] for c in step.pair)
        pair = {"a": a, "b": b, "value": number(float(step.matrix[step.pair]))}
        read = step.parting.rule.stages[-1].column
        if read in BY_ORDER:
            return t(BY_ORDER[read], **pair)
        if step.tie_rule_used:
            tied = [self.at.class_names[c] for c in np.flatnonzero(step.tied)]
            return t(
                "Shared by {n}: {tied} have the same value, {value}. The next smallest values of "
                "each decide, and if these are equal, too, the class that comes first.",
                **pair | {"n": number(len(tied)), "tied": t(", ").join(tied)},
            )
        return t(
            "The class whose nearest other class is farthest is split off: {a} is {value} from "
            "{b}, its nearest.",
            **pair,
        )

    def details(self) -> list[Block]:
        """The separabilities as a table."""
        if self.step is None:
            return []
        title = t("Between all classes in play")
        return [
            Controls(partial(st.markdown, f"**{title}** · {self.compared}")),
            Controls(
                lambda: st.dataframe(self.between_classes(), key="class_table", hide_index=True)
            ),
            Only((REPORT,), [NumbersTable("", title, self.between_classes)]),
        ]

    def between_classes(self) -> pd.DataFrame:
        """The values between all classes in play, with the smallest of each and its class."""
        step, order = self.step, self.order
        names = self.at.class_names
        between = step.matrix[np.ix_(order, order)]
        return pd.DataFrame(
            {
                t("class"): [names[c] for c in order],
                t("leaves"): [t("yes") if c in step.first else "" for c in order.tolist()],
                t("smallest value"): step.separability[order],
                t("rank"): tied_ranks(step.separability[order]),
                t("nearest class"): [names[step.nearest[c]] for c in order],
            }
            | {
                t("to {name}", name=names[c]): [
                    "" if row == place else number(float(value))
                    for row, value in enumerate(between[:, place])
                ]
                for place, c in enumerate(order.tolist())
            }
        )


def class_scene(at: NodeView) -> ClassScene:
    """Shared scene of a node that parts classes."""
    found = nodes.separability_steps(at.model)
    step = next((step for step in found.steps if step.node == at.origin), None)
    return ClassScene(at, step, found.column)
