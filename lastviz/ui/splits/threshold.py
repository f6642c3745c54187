"""The search through thresholds: the plane with its score curves, the strips, the split."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.displays import lab_drawing
from lastviz.export.blocks import Text, Words
from lastviz.plots import Drawing, crowding, distance_traces, feature_strips_plot, number
from lastviz.ui.compute import nodes
from lastviz.ui.shared.blocks import (
    PAGE,
    REPORT,
    Block,
    Box,
    Chart,
    Controls,
    Detail,
    NumbersTable,
    Only,
    WhenSeen,
)
from lastviz.ui.shared.controls import PLACES
from lastviz.ui.shared.figures import apart_words, arrow_table, words
from lastviz.ui.shared.model_view import model_title
from lastviz.ui.shared.view_controls import MOST_STOPS, Moving
from lastviz.ui.shared.widgets import segments
from lastviz.ui.state import session
from lastviz.ui.text import paragraph, plural, t

from .details import candidate_columns, formula_card, listed_candidates, split_details
from .node import NodeScene, NodeView, all_the_same
from .scene import (
    SplitScene,
    axes_of_plane,
    draw_forced,
    line_drawn,
    split_here,
    split_scene,
    threshold_here,
)
from .words import both_sides, favourites, reasons, split_headline

AXIS_ROWS = 6
CHOSEN = ("lab", "opened", "lines_by", "line")  # in the details
MOST_STANDING = 5000  # rows whose places below the curves are sent for the brush


@dataclass(frozen=True, eq=False)
class ThresholdScene(NodeScene):
    """A node whose search went through thresholds."""

    candidates: SplitScene

    @cached_property
    def lab(self) -> Drawing | None:
        """The plane with its score curves; None where all rows are the same."""
        return lab_figure(self.candidates) if self.candidates.axis_names else None

    @cached_property
    def strips(self) -> Drawing | None:
        """The strips of many axes; None where the plane shows them all."""
        return strips_figure(self.candidates) if self.candidates.axis_names else None

    @property
    def marks(self) -> dict[str, str]:
        """Names of the marked candidates."""
        return {"chosen": self.candidates.chosen_word, "picked": self.candidates.picked_word}

    def pictures(self) -> list[Block]:
        """Plane with its score curves and, of many axes, the curves of the best."""
        scene, plane = self.candidates, []
        if self.lab is not None:
            line = partial(line_drawn, scene, axes_of_plane(scene))
            lab = Chart(
                self.lab,
                _alt(scene),
                _how_to_read(),
                key="lab_plot",
                on_click=partial(pick_candidate, scene, self.lab),
                on_line=None if self.at.model.chosen.alone else line,
                filename="split",
            )
            plane = [lab, Only((PAGE,), self._about_plane)]
        return [*plane, self.tree_chooser(), Only((PAGE, REPORT), self._strips)]

    def _about_plane(self) -> list[Block]:
        scene = self.candidates
        click = t(
            "Click a curve to pick a threshold, a point to go down to its node; in a single tree, "
            "draw a line to split the node."
        )
        x, y = scene.values[scene.at.division.train_rows][:, list(axes_of_plane(scene))].T
        return [Text(paragraph(filter(None, [_how_to_read(), click, apart_words(crowding(x, y))])))]

    def _strips(self) -> list[Block]:
        if self.strips is None:
            return []
        title = t("The best candidates")
        curves = Chart(
            self.strips,
            title,
            title,
            key="features",
            on_click=partial(pick_candidate, self.candidates, self.strips),
            filename="curves",
        )
        return [Controls(partial(st.markdown, f"**{title}**")), curves]

    def explanations(self) -> list[Block]:
        """Chosen split, stages of the rule, favourites, children."""
        scene, head = self.candidates, Words(split_headline(self.candidates))
        if not scene.n_candidates:
            return [head, all_the_same()]
        if scene.is_pure:
            return [head]
        titles = {"own": t("The rule's own"), "all": t("Compare criteria")}
        return [
            head,
            *map(Words, reasons(scene)),
            *([Only((PAGE,), [Text(_approximate())])] if scene.at.is_approximate else []),
            Only((PAGE,), [Controls(partial(segments, "criteria", t("Criteria"), titles))]),
            Only((PAGE, REPORT), lambda: [Words(favourites(scene)), Words(both_sides(scene))]),
            *self._of_marked(),
        ]

    def _of_marked(self) -> list[Block]:
        """Button that splits as it was picked, and the formula with its numbers."""
        scene, found = self.candidates, []
        picked = scene.candidates().picked
        if picked is not None and not scene.is_forced_shown:
            split_of = partial(threshold_here, scene, picked)
            found.append(Controls(partial(split_here, scene.at, split_of)))
        if scene.highlighted is not None and scene.read:
            drawn = self.at.work.selection.splits.distances  # its formula stands beside it
            name = drawn if drawn in scene.table.columns else scene.read[-1]
            card = Controls(partial(formula_card, scene, name, scene.highlighted))
            found.append(WhenSeen("formula", t("Formula"), [Box("formula", [card])]))
            if self.at.work.selection.splits.lab != "formulas":  # which leave as such
                own = (partial(formula_card, scene, each, scene.highlighted) for each in scene.read)
                found.append(
                    Only((REPORT,), [Detail(self.at.work.selection, (), card) for card in own])
                )
        return found

    def details(self) -> list[Block]:
        """Details of the split; a report has the best candidates."""
        scene, below = (
            self.candidates,
            [Detail(self.at.work.selection, CHOSEN, partial(split_details, self.candidates))],
        )
        if not scene.n_candidates or scene.is_pure:
            return below
        title = t("The best candidates")

        def best_candidates() -> pd.DataFrame:
            rows = candidate_columns(scene, listed_candidates(scene, None)[0])
            return arrow_table(rows).to_pandas().rename(columns={"mark": ""})

        return [*below, Only((REPORT,), [NumbersTable("", title, best_candidates)])]

    def moving(self) -> Moving | None:
        """Thresholds along the shown feature."""
        scene, work = self.candidates, self.at.work
        at = scene.highlighted
        if at is None:
            return None
        feature = scene.table.feature
        along = np.flatnonzero(feature == feature[at])
        if len(along) > MOST_STOPS:
            some = np.linspace(0, len(along) - 1, MOST_STOPS - 1).round().astype(np.intp)
            along = np.union1d(along[some], at)
        column = scene.read[-1] if scene.read else next(iter(scene.table.columns))
        rank, scores = scene.rank(column), scene.table.columns[column]
        stops = [
            (
                t(
                    "{name} ≤ {threshold}: {criterion} {score}, rank {rank} of {n}",
                    name=scene.axis_names[feature[at]],
                    threshold=scene.threshold_words(int(i)),
                    criterion=scene.title_of(column),
                    score=number(scores[i]),
                    rank=number(int(rank[i])),
                    n=number(len(rank)),
                ),
                work.change(pick=None if i == scene.chosen else int(i)),
                np.empty(0, dtype=np.intp),
            )
            for i in along
        ]
        return Moving(t("Threshold"), stops, int(np.searchsorted(along, at)))


def threshold_scene(at: NodeView) -> ThresholdScene:
    """Compute the scene of a node whose search went through thresholds."""
    return ThresholdScene(at, split_scene(at))


def _how_to_read() -> str:
    return t(
        "Outward is better in every strip. Each criterion has one scale for all features; where "
        "small is good, the scale is logarithmic and reversed."
    )


def _approximate() -> str:
    return t(
        "With more than {n} rows the ranking measures the penalty of BNM along the split "
        "feature; the tree itself was grown with the exact one.",
        n=number(nodes.MOST_EXACT),
    )


def _alt(scene: SplitScene) -> str:
    return t(
        "{title}, node {node} with {rows}: its rows in a plane, {n} candidate thresholds as score "
        "curves around it.",
        title=scene.at.title,
        node=scene.at.index,
        rows=plural(len(scene.rows), "{n} row", "{n} rows"),
        n=number(scene.n_candidates),
    )


# The next node is an inner one.
def pick_candidate(scene: SplitScene, figure: Drawing, click: dict) -> None:
    """Pick a clicked row and the next node towards its leaf, or the nearest threshold."""
    if click.get("row") is not None:
        at, row = scene.at, int(click["row"]) - 1
        path = at.tree.path(int(at.tree.apply(at.division.values[[row]])[0]))
        below = path[max(len(path) - 2, 0)]
        if at.index in path[:-1]:
            below = path[path.index(at.index) + 1]
        session.pick_row(row, session.current().change_model(0, node=below))
        return
    features = figure.areas["features"]
    x_axis, y_axis = click.get("axis", "x"), click.get("yaxis", "y")
    if x_axis in features:
        feature, at = features[x_axis], click["x"]
    elif y_axis in features:
        feature, at = features[y_axis], click["y"]
    else:
        return
    which = scene.candidates().of(feature)
    if len(which):
        nearest = which[np.argmin(np.abs(scene.table.threshold[which] - at))]
        session.select(pick=int(nearest))


def lab_figure(scene: SplitScene) -> Drawing:
    """Plane of two axes with the score curves of both around it."""
    axes, work, theme = axes_of_plane(scene), scene.at.work, scene.at.theme
    rows = scene.at.division.train_rows
    inside = np.isin(rows, scene.rows)
    distances = []
    if work.selection.splits.distances != "none" and scene.highlighted is not None:
        geometry = scene.geometry(scene.highlighted)
        places = scene.values[:, list(axes)]
        distances = distance_traces(
            geometry, work.selection.splits.distances, axes, places, theme=theme
        )
    units, second = scene.dataset.units if scene.basis is None else {}, scene.second
    figure = lab_drawing(
        scene,
        scene.values[rows],
        scene.y[rows],
        rows + 1,
        inside,
        scene.strips(),
        axes=axes,
        class_names=scene.class_names,
        theme=theme,
        units=tuple(units.get(scene.axis_names[axis], "") for axis in axes),
        distances=distances,
        words=words(),
        chosen_word=scene.chosen_word if second is None else _titled(scene, 0),
        picked_word=scene.picked_word,
        second=None if second is None else (second, _titled(scene, 1)),
    )
    # A mark has the name already: it stands where the nearest candidate parts the rows alike.
    draw_forced(figure, scene.at, axes, scene.basis, is_named=not scene.is_forced_shown)
    space = "" if scene.basis is None else work.first.cache_key
    figure.about(f"{work.data_key}|{space}|{scene.at.index}|{axes}")
    return figure


# Two of one algorithm differ in parameters, which find no room there: they have their place.
def _titled(scene: SplitScene, place: int) -> str:
    """Name of a line where those of two models are drawn."""
    work = scene.at.work
    n = work.models[place].tree.n_leaves
    alike = work.first.chosen.key == work.models[1].chosen.key
    title = t(PLACES[place]) if alike else model_title(work.models[place])
    title = re.split(r" ?[(（]", title)[0]  # a phone has no room for more
    return t("{name}: {about}", name=title, about=plural(n, "{n} leaf", "{n} leaves"))


def strips_figure(scene: SplitScene) -> Drawing | None:
    """Curves of the axes with the best candidates; None where the plane has them all."""
    if len(scene.names) <= 2:
        return None
    marked = [scene.table.feature[i] for i in (scene.chosen, scene.picked) if i is not None]
    ranked = list(dict.fromkeys([*(int(axis) for axis in marked), *scene.axes_by_rank()]))
    n = len(scene.values)
    return feature_strips_plot(
        scene.candidates(),
        scene.strips(),
        ranked[:AXIS_ROWS],
        theme=scene.at.theme,
        rows=(np.arange(n), scene.values) if n <= MOST_STANDING else None,
    )
