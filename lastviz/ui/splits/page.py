"""The page *splits*: all candidates of a node, whatever was searched, and the rule that chose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from lastviz.export.html_report import Picture, Text, Words
from lastviz.export.slide_show import Block, Columns
from lastviz.plots import Drawing, ThemeName, crowding, number
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache, nodes, python_code
from lastviz.ui.shared import controls, view_controls
from lastviz.ui.shared.edit_box import edit_box
from lastviz.ui.shared.figures import current_theme, paper_theme
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.hyperplane_search import how_to_read
from lastviz.ui.shared.moving import MOST_STOPS, Moving
from lastviz.ui.shared.plane_view import apart_words
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import plain, plural, t

from . import classes, hyperplanes, nominal
from .by_hand import line_drawn, split_here, threshold_here
from .controls import curves_chooser, distances_chooser, own_rule, tree_chooser
from .details import split_details
from .figures import axes_of_plane, lab_figure, strips_figure, tree_figure
from .formulas import formula_card
from .node import NodeView, node_view
from .node_rows import node_rows
from .report import brief, node_legend, split_report
from .scene import SplitScene, split_scene
from .words import both_sides, distance_words, favourites, reasons, split_headline

QUESTION = "Why this split?"
MODELS = 2
NAMED = 1
REPLAYS = True
ABOUT_CLASSES = True


@dataclass(frozen=True, eq=False)
class SplitPictures:
    """What the page shows of thresholds: the scene and its figures.

    Attributes
    ----------
    scene : SplitScene
    lab, tree : plotly Figure or None
        No `lab` where all rows are the same.
    strips : plotly Figure or None
        The strips of many axes; None where the plane shows them all.
    """

    scene: SplitScene
    lab: Drawing | None
    tree: Drawing
    strips: Drawing | None


Shown = SplitPictures | nominal.TestScene | hyperplanes.HyperplaneScene | classes.ClassScene


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(MODELS)
    view_controls.node_chooser()
    edit_box(session.current(), 0)
    if _searches_thresholds():
        curves_chooser()
        distances_chooser()
        own_rule()
    controls.seed()
    controls.foot(lambda: python_code.python_of(session.current().first_models(MODELS)), report)


def _searches_thresholds() -> bool:
    selection = session.current()
    estimator = cache.trained(selection, 0)
    if estimator is None or not cache.division(selection).is_plain:
        return False
    if cache.weights_of(selection, 0) is not None:
        return False
    return not (nodes.searches_for_hyperplanes(estimator) or nodes.parts_classes(estimator))


def report(address: str | None) -> str:
    """Return the page as one file of html."""
    at = node_view(session.current(), paper_theme())
    shown = _shown(at)
    scene = shown.scene if isinstance(shown, SplitPictures) else shown
    return split_report(scene, _drawn(shown), tree_figure(at), t(QUESTION), address)


def _drawn(shown: Shown) -> list[tuple[Drawing, str, str]]:
    """Return the pictures of what was searched, each with its alternative text and its caption."""
    if isinstance(shown, SplitPictures):
        found = []
        if shown.lab is not None:
            found.append((shown.lab, _alt(shown.scene), _how_to_read()))
        if shown.strips is not None:
            title = _strips_title(shown.scene)
            found.append((shown.strips, title, title))
        return found
    if isinstance(shown, nominal.TestScene):
        if not shown.n_candidates:
            return []
        caption = t("The best test of each feature. Highlighted: the one that the rule selects.")
        return [(nominal.bars(shown), nominal.bars_alt(shown), caption)]
    if isinstance(shown, classes.ClassScene):
        if shown.step is None:
            return []
        return [
            (classes.bars(shown), classes.bars_alt(shown), t("The classes that could be split off"))
        ]
    if shown.search is None:
        return []
    picture, alt = hyperplanes.search_picture(shown), hyperplanes.search_alt(shown)
    return [(picture, alt, how_to_read())]


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows: what was searched beside what was chosen and why."""
    at = node_view(selection, theme)
    shown = _shown(at)
    scene = shown.scene if isinstance(shown, SplitPictures) else shown
    pictures = [Picture(figure, alt, "") for figure, alt, _ in _drawn(shown)[:1]]
    marks = node_legend(scene, [picture.figure for picture in pictures])
    words = [*map(Words, brief(scene)), *map(Text, filter(None, [at.why_no_split]))]
    columns = Columns([pictures, words], (3, 2)) if pictures else Columns([words])
    return [Words(marks), columns]


def moving(selection: Selection) -> Moving | None:
    """Return the thresholds along the shown feature that an offline page's slider goes through."""
    shown = _shown(node_view(selection, "light"))
    scene = shown.scene if isinstance(shown, SplitPictures) else None
    at = None if scene is None else scene.highlighted
    if at is None:
        return None
    feature, threshold = scene.table.feature, scene.table.threshold
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
                threshold=number(threshold[i]),
                criterion=scene.title_of(column),
                score=number(scores[i]),
                rank=number(int(rank[i])),
                n=number(len(rank)),
            ),
            selection.change(pick=None if i == scene.chosen else int(i)),
            np.empty(0, dtype=np.intp),
        )
        for i in along
    ]
    return Moving(t("Threshold"), stops, int(np.searchsorted(along, at)))


def prepared() -> Shown:
    """Work out what the page shows."""
    return _shown(node_view(session.current(), current_theme()))


def _shown(at: NodeView) -> Shown:
    if not at.division.is_plain or cache.weights_of(at.selection, 0) is not None:
        return nominal.test_scene(at)
    if nodes.searches_for_hyperplanes(at.estimator):
        return hyperplanes.hyperplane_scene(at)
    if nodes.parts_classes(at.estimator):
        return classes.class_scene(at)
    scene = split_scene(at)
    has_axes = len(scene.axis_names) > 0
    return SplitPictures(
        scene,
        lab_figure(scene) if has_axes else None,
        tree_figure(at),
        strips_figure(scene) if has_axes else None,
    )


def body(shown: Shown) -> None:
    """Draw the legend and what was searched."""
    drawn = shown.scene if isinstance(shown, SplitPictures) else shown
    at = drawn.at
    show(node_legend(drawn, [figure for figure, _, _ in _drawn(shown)]))
    if isinstance(shown, nominal.TestScene):
        nominal.pictures(shown)
    elif isinstance(shown, hyperplanes.HyperplaneScene):
        hyperplanes.pictures(shown)
    elif isinstance(shown, classes.ClassScene):
        classes.pictures(shown)
    else:
        _thresholds(shown)
    node_rows(at)


def _thresholds(shown: SplitPictures) -> None:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _pictures(shown)
    with right:
        _numbers(shown.scene)
    split_details(shown.scene)


def _pictures(shown: SplitPictures) -> None:
    """Draw the plane with its score curves and, of many axes, the curves of the best."""
    scene = shown.scene
    if shown.lab is not None:
        chart(
            shown.lab,
            key="lab_plot",
            height=shown.lab.height,
            alt=_alt(scene),
            on_click=lambda click: _clicked(scene, shown.lab, click),
            on_line=lambda line: line_drawn(scene, axes_of_plane(scene), line),
            filename="split",
        )
        click = t(
            "Click a curve to pick a threshold, a point to go down to its node; or draw a line "
            "that splits the node."
        )
        x, y = scene.values[scene.at.division.train_rows][:, list(axes_of_plane(scene))].T
        about = [plain(distance_words(scene)), _how_to_read(), click, apart_words(crowding(x, y))]
        st.caption(" ".join(filter(None, about)))
    tree_chooser(shown.tree)
    if shown.strips is not None:
        _strips(shown)


def _how_to_read() -> str:
    return t(
        "Outward is better in every strip. Each criterion has one scale for all features; where "
        "small is good, the scale is logarithmic and reversed."
    )


def _strips_title(scene: SplitScene) -> str:
    if scene.basis is not None:
        return t("The components with the best candidates")
    return t("The features with the best candidates")


def _strips(shown: SplitPictures) -> None:
    title = _strips_title(shown.scene)
    st.markdown(f"**{title}**")
    chart(
        shown.strips,
        key="features",
        height=shown.strips.height,
        alt=title,
        on_click=lambda click: _clicked(shown.scene, shown.strips, click),
        filename="curves",
    )


def _alt(scene: SplitScene) -> str:
    return t(
        "{title}, node {node} with {rows}: its rows in a plane, {n} candidate thresholds as score "
        "curves around it.",
        title=scene.at.title,
        node=scene.at.node,
        rows=plural(len(scene.rows), "{n} row", "{n} rows"),
        n=number(scene.n_candidates),
    )


def _clicked(scene: SplitScene, figure: Drawing, click: dict) -> None:
    """Go to the node of a clicked row, or pick the threshold nearest to a clicked place."""
    if click.get("row") is not None:
        _go_down(scene, int(click["row"]) - 1)
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


def _go_down(scene: SplitScene, row: int) -> None:
    """Pick a row, and the next inner node towards its leaf, or the last one above it."""
    at = scene.at
    path = at.tree.path(int(at.tree.apply(at.division.values[[row]])[0]))
    below = path[max(len(path) - 2, 0)]
    if at.node in path[:-1]:
        below = path[path.index(at.node) + 1]
    session.pick_row(row, session.current().change_model(0, node=below))


def _numbers(scene: SplitScene) -> None:
    """Draw what was chosen, the stages of the rule, the favourites, the children, the formula."""
    show(split_headline(scene))
    if scene.n_candidates == 0:
        st.info(t("All rows of this node are the same, so no threshold separates them."))
        return
    if scene.is_pure:
        n = number(scene.n_candidates)
        st.caption(t("No criterion prefers any of its {n} thresholds: none gains anything.", n=n))
        return
    for part in reasons(scene):
        show(part)
    if scene.is_approximate:
        st.caption(
            t(
                "With more than {n} rows the ranking measures the penalty of BNM along the split "
                "feature; the tree itself was grown with the exact one.",
                n=number(nodes.MOST_EXACT),
            )
        )
    show(favourites(scene))
    show(both_sides(scene))
    picked = scene.candidates().picked
    if picked is not None and not scene.is_forced_shown:
        split_here(scene.at, lambda: threshold_here(scene, picked))
    if scene.highlighted is not None and scene.read:
        with st.container(key="formula"):
            formula_card(scene, scene.read[-1], scene.highlighted)
