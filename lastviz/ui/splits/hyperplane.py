"""The search for a hyperplane: the hyperplanes that were visited, and what each scored."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz._csv_writer import as_csv
from lastviz.criteria import CRITERIA
from lastviz.export.html_report import Text
from lastviz.plots import Drawing, number, split_words
from lastviz.splitters import ObliqueSearch, ObliqueSplit
from lastviz.ui.compute import cache, nodes
from lastviz.ui.shared.blocks import PAGE, REPORT, Block, Chart, Controls, Numbers, Only
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
from lastviz.ui.shared.widgets import put, save_button
from lastviz.ui.state import session
from lastviz.ui.text import plural, t

from .node import NodeScene, NodeView, brief
from .scene import draw_forced, split_here
from .words import children_html, forced_branches

MOST_STARTS = 500  # rows of the table


@dataclass(frozen=True, eq=False)
class HyperplaneScene(NodeScene):
    """One node and the search for its hyperplane."""

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
    def starts(self) -> np.ndarray:
        """The best move of each start."""
        search = self.search
        order = np.lexsort((search.step, -search.score, search.restart))
        first = np.r_[True, np.diff(search.restart[order]) > 0]
        return order[first]

    def counts_of(self, moves: np.ndarray) -> np.ndarray:
        """Return the class counts of the first child of some moves, (n_moves, n_classes)."""
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
        """Return the search with the slider of its moves, and the tree."""
        if self.search is None:
            return [self.tree_chooser()]
        moves = Chart(
            self.moves,
            _search_alt(self),
            how_to_read(),
            key="hyperplanes",
            on_click=partial(_clicked, self),
            filename="search",
        )
        return [
            Controls(partial(_slider, self)),
            moves,
            Only((PAGE,), [Text(search_caption())]),
            self.tree_chooser(),
        ]

    def explanations(self) -> list[Block]:
        """Return what the node was split at, the move that is shown, and its children."""
        if self.search is None:
            return brief([_headline(self)], 1)
        forced = forced_branches(self.at)
        parts = filter(None, [_headline(self), forced, _move(self), _children(self)])
        found = brief(list(parts), 2)
        if self.move != self.search.winner:
            found.append(Controls(partial(split_here, self.at, partial(_move_here, self))))
        return [*found, Only((PAGE,), [Text(_rule_words(self))])]

    def details(self) -> list[Block]:
        """Return the best hyperplane of each start as a table, and all moves as a file."""
        if self.search is None:
            return []
        title = t("The best hyperplane of each start")
        rows = Numbers("", title, lambda: moves_table(self, ranked_starts(self)))
        return [
            Controls(partial(st.markdown, f"**{title}**")),
            Controls(partial(_table, self)),
            Only((REPORT,), [rows]),
        ]


def hyperplane_scene(at: NodeView) -> HyperplaneScene:
    """Work out what the page shows of a node whose hyperplane was searched for.

    Raises
    ------
    Working
        If the search takes long or was cancelled.
    """
    selection, search = at.selection, None
    if at.may_be_split:
        search = nodes.hyperplanes(selection, 0, at.node)
        search = search if search.winner >= 0 else None
    picked, move = selection.models[0].move, 0
    if search is not None:
        move = search.winner if picked is None else min(picked, search.n_moves - 1)
    return HyperplaneScene(
        at=at,
        criterion=t(CRITERIA[at.estimator.criterion_column].title),
        search=search,
        move=move,
        equal=at.tree.n_features == 2 and plane_of(selection, alone=True).equal,
        key=f"{cache.model_key(selection, 0)}|{at.node}",
    )


def _move_here(scene: HyperplaneScene) -> ObliqueSplit:
    """Return the hyperplane that is shown as the split that an edit forces."""
    search, at = scene.search, scene.move
    return ObliqueSplit(search.weights[at], float(search.threshold[at]), 0.0)


def _search_alt(scene: HyperplaneScene) -> str:
    """Return what the picture of the search shows, for those who do not see it."""
    return t(
        "The rows of node {node} with the hyperplane of move {at}; below, the score over all "
        "{all} moves of the search of {title}.",
        node=scene.at.node,
        at=scene.move + 1,
        all=scene.search.n_moves,
        title=scene.at.title,
    )


def _slider(scene: HyperplaneScene) -> None:
    if scene.search.n_moves < 2:
        return
    slider, button = st.columns([5, 1], vertical_alignment="bottom")
    put("split_move", scene.move + 1)
    slider.slider(
        t("Move"),
        min_value=1,
        max_value=scene.search.n_moves,
        key="split_move",
        on_change=lambda: session.select_model(0, move=st.session_state["split_move"] - 1),
    )
    button.button(
        t("Best"),
        key="split_best",
        disabled=scene.move == scene.search.winner,
        on_click=lambda: session.select_model(0, move=None),
    )


def _clicked(scene: HyperplaneScene, click: dict) -> None:
    """Show the move that was clicked in the curves."""
    if click.get("axis") == "x2":
        move = min(max(int(click["x"]) - 1, 0), scene.search.n_moves - 1)
        session.select_model(0, move=move)


def _headline(scene: HyperplaneScene) -> str:
    """Return the split as the tree stores it; of a leaf first that it has none, and why."""
    at = scene.at
    if at.stored is None:
        return at.why_no_split
    test = split_words(at.grown, at.origin, terms=TERMS, rest=t("{n} more", n="{n}"))
    left = int(at.branches[0].sum())
    cells = [
        (f"{number(left)} | {number(len(at.rows) - left)}", "", t("rows yes | no")),
        (number(float(at.grown.score[at.origin])), "", scene.criterion),
    ]
    if scene.search is not None:
        n_starts = int(scene.search.restart[-1]) + 1
        cells.append((number(scene.search.n_moves), "", t("hyperplanes visited")))
        cells.append((number(n_starts), "", plural(n_starts, "start", "starts")))
    if at.origin == 0:
        cells += kept_for_pruning(at.estimator, len(at.division.train_rows))
    head = f'<div class="lv-split"><b>{test}</b><span>{at.stored_label}</span></div>'
    return f'<div class="lv-head" role="group">{at.why_no_split}{head}{strip(cells)}</div>'


def _move(scene: HyperplaneScene) -> str:
    """Return the move that is shown in words, its hyperplane and its score."""
    search, at = scene.search, scene.move
    score = t(
        "{criterion} {score}, the best is {best}",
        criterion=scene.criterion,
        score=number(float(search.score[at])),
        best=number(float(search.score[search.winner])),
    )
    return (
        '<div class="lv-card lv-move" role="group" aria-live="polite"><div>'
        f"<p><b>{move_head(search, at)}</b> {move_sentence(search, at)}</p>"
        f'<span class="lv-formula">{move_test(search, at, scene.at.tree.feature_names)}</span>'
        f"<p>{score}</p></div></div>"
    )


def _children(scene: HyperplaneScene) -> str:
    """Return the class histograms of both sides of the hyperplane that is shown."""
    left = scene.counts_of(np.array([scene.move]))[0]
    test = move_test(scene.search, scene.move, scene.at.tree.feature_names)
    sides, is_picked = [left, scene.search.counts - left], scene.move != scene.search.winner
    return children_html(test, sides, scene.at.theme, is_picked=is_picked)


def _rule_words(scene: HyperplaneScene) -> str:
    if scene.at.stored is None or scene.at.forced is not None:
        return t("The hyperplane of the largest score would be taken.")
    return t(
        "Of all hyperplanes visited, the one with the largest score is selected, among equals "
        "the first. The threshold of the split is then set midway between the two nearest rows."
    )


def ranked_starts(scene: HyperplaneScene) -> np.ndarray:
    """Return the best move of each start, the best start first."""
    return scene.starts[np.argsort(-scene.search.score[scene.starts], kind="stable")]


def _table(scene: HyperplaneScene) -> None:
    """Draw the best hyperplane of each start as a table, and offer all moves as a file."""
    search, starts = scene.search, ranked_starts(scene)
    shown = starts[:MOST_STARTS]
    st.dataframe(
        moves_table(scene, shown),
        key="starts",
        hide_index=True,
        height=min(35 * len(shown) + 40, 400),
        on_select=lambda: _picked(shown),
        selection_mode="single-row",
    )
    if len(starts) > len(shown):
        words = {"n": number(len(shown)), "all": number(len(starts))}
        st.caption(t("The best {n} of {all} starts.", **words))
    st.caption(t("Select a row to see its hyperplane."))
    save_button(
        t("All {n} hyperplanes as CSV", n=number(search.n_moves)),
        lambda: as_csv(moves_table(scene, np.arange(search.n_moves))),
        "hyperplanes.csv",
    )


def _picked(shown: np.ndarray) -> None:
    rows = st.session_state["starts"]["selection"]["rows"]
    session.select_model(0, move=int(shown[rows[0]]) if rows else None)


def moves_table(scene: HyperplaneScene, moves: np.ndarray) -> pd.DataFrame:
    """Return hyperplanes as rows: start, move, score, children, threshold and weights."""
    search = scene.search
    left = scene.counts_of(moves).sum(axis=1)
    columns: dict[str, object] = {
        "mark": [t("best of all") if move == search.winner else "" for move in moves.tolist()],
        t("start"): search.restart[moves] + 1,
        t("move"): moves + 1,
        scene.criterion: search.score[moves],
        t("yes"): left,
        t("no"): len(scene.at.rows) - left,
        t("threshold"): search.threshold[moves],
    }
    for feature, name in enumerate(scene.at.tree.feature_names):
        columns[t("weight of {feature}", feature=name)] = search.weights[moves, feature]
    return pd.DataFrame(columns).rename(columns={"mark": ""})
