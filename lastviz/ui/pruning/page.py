"""The page *pruning*: the curve, before and after, the tree with what goes, who would cut."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.estimators import ESTIMATORS, entry_of
from lastviz.export.slide_show import Block
from lastviz.plots import ThemeName
from lastviz.ui.components.chart_host import chart
from lastviz.ui.components.frames import Frame
from lastviz.ui.compute import cache, pruning, python_code
from lastviz.ui.compute.jobs import Working
from lastviz.ui.compute.suitability import obstacle
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.brushing import passing_rows
from lastviz.ui.shared.figures import as_table, current_theme, paper_theme
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.moving import Moving
from lastviz.ui.shared.slider_frames import follow
from lastviz.ui.shared.view_controls import MOST_NODES, node_words
from lastviz.ui.shared.widgets import put
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, t

from .controls import pruning_choices, slider_key
from .details import curve_table, pruning_report, pruning_slide
from .figures import curve_figure, plane_figure, texts_of, tree_figure
from .scene import PruningScene, pruning_scene
from .stops import stop_value
from .words import (
    card_words,
    curve_alt,
    decision_table,
    errors_table,
    plane_caption,
    plane_title,
    pruning_legend,
    reduced_words,
    stop_words,
    tree_alt,
    value_title,
    verdict_words,
)

QUESTION = "How far should it be cut back?"
MODELS = 1
REPLAYS = True
ABOUT_CLASSES = True
CURVE, TREE, BEFORE, AFTER = "pruning_curve", "pruning_tree", "pruning_before", "pruning_after"


def choices() -> None:
    """Draw the sidebar."""
    sidebar.data_chooser()
    sidebar.model_choosers(MODELS)
    pruning_choices()
    sidebar.seed()
    sidebar.foot(lambda: python_code.python_of(session.current().first_models(MODELS)), report)


def report(address: str | None) -> str:
    """Return the page as one file of html."""
    return pruning_report(pruning_scene(session.current(), paper_theme()), t(QUESTION), address)


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows."""
    return pruning_slide(pruning_scene(selection, theme))


def moving(selection: Selection) -> Moving | None:
    """Return the trees that an offline page's slider goes through."""
    scene = pruning_scene(selection, "light")
    if scene.job is not None:
        raise Working(scene.job)
    stops = [
        (
            stop_words(stop_value(scene.trees, stop), int(scene.trees.n_leaves[stop])),
            selection.change(cut_at=stop_value(scene.trees, stop)),
            scene.trees.cuts[stop],
        )
        for stop in scene.stops
    ]
    return Moving(value_title(scene.pruner), stops, scene.stops.index(scene.at), scene.tree)


def prepared() -> PruningScene:
    """Work out what the page shows."""
    return pruning_scene(session.current(), current_theme())


def instead() -> None:
    """Offer the algorithms whose trees can be cut back, where this one's cannot."""
    selection = session.current().first_models(MODELS)
    try:
        pruning.to_prune(selection)
        return
    except Working:
        return
    except CannotShow:
        pass
    dataset = cache.data(selection).dataset
    fitting = [
        key
        for key, entry in ESTIMATORS.items()
        if not entry.cls.TAGS.forest
        and key != selection.models[0].key
        and obstacle(entry, dataset) is None
    ]
    with st.container(key="prunable", horizontal=True, wrap=True, gap="small"):
        for key in fitting:
            st.button(
                t("Choose {title}", title=t(entry_of(key).title)),
                key=f"to_{key}",
                on_click=partial(session.select_model, 0, key=key),
            )


def body(scene: PruningScene) -> None:
    """Draw legend, numbers and pictures, and what stands below them."""
    show(f'<div class="lv-verdict">{verdict_words(scene)}</div>')
    left, right = st.columns([8, 5], gap="medium")
    with left:
        show(f'<div class="lv-over">{pruning_legend(scene)}</div>')
        _curve(scene)
    with right:
        show(errors_table(scene))
        st.caption(reduced_words(scene))
    _planes(scene)
    _tree(scene)
    _weighing(scene)
    _follow(scene)


def _curve(scene: PruningScene) -> None:
    figure = curve_figure(scene)
    chart(
        figure,
        key=CURVE,
        height=figure.height,
        alt=curve_alt(scene),
        on_click=partial(_picked_tree, scene),
        filename="pruning-curve",
    )
    if scene.job is not None:
        job_box(scene.job, "folds")


def _picked_tree(scene: PruningScene, click: dict) -> None:
    """Choose the tree of the dot that was clicked."""
    if click.get("row") is not None and int(click["row"]) < len(scene.trees):
        session.select(cut_at=stop_value(scene.trees, int(click["row"])))


def _tree(scene: PruningScene) -> None:
    figure = tree_figure(scene)
    chart(
        figure,
        key=TREE,
        height=figure.height,
        alt=tree_alt(scene),
        on_click=partial(_picked_node, scene),
        texts=texts_of(scene, scene.tree, figure),
        passing=partial(passing_rows, scene.selection, 0, grown=True),
        filename="pruned-tree",
    )


def _picked_node(scene: PruningScene, click: dict) -> None:
    node = click.get("node")
    node = click.get("row") if node is None else node
    if node is not None and not scene.tree.is_leaf(int(node)):
        session.select(weighed=int(node))


def _weighing(scene: PruningScene) -> None:
    """Draw what each pruner weighs at the framed node, and how the reader's does."""
    _node_chooser(scene)
    decisions = scene.decisions()
    show(decision_table(scene, decisions))
    show(card_words(scene, decisions[0]))
    st.caption(t("Clicking a bar of the tree selects its node, too; a leaf has nothing to cut."))
    as_table("pruning_curve", lambda: curve_table(scene), title=t("The curves as a table"))
    name = f"pruning-{scene.selection.data}-{scene.selection.models[0].key}.csv"
    st.download_button(
        t("The curves as CSV"),
        lambda: _csv(curve_table(scene)),
        file_name=name,
        mime="text/csv",
        on_click="ignore",
        key="pruning_csv",
        icon=":material/download:",
    )


def _node_chooser(scene: PruningScene) -> None:
    """Draw the choice of the node that is weighed, of very many the largest."""
    tree, key = scene.tree, "weighed"
    inner = np.flatnonzero(tree.n_children > 0)
    largest = inner[np.argsort(-tree.weighted_n_node_samples[inner], kind="stable")]
    options = sorted({*largest[:MOST_NODES].tolist(), scene.node})
    put(key, scene.node, node_words(tree, scene.node))
    st.selectbox(
        t("Weigh node"),
        options,
        key=key,
        format_func=partial(node_words, tree),
        on_change=_weigh_chosen,
        args=(key,),
        width=420,
    )
    if len(inner) > len(options):
        sentence = "The {shown} largest of {all} nodes; the tree in the picture has all."
        st.caption(t(sentence, shown=len(options), all=number(len(inner))))


def _weigh_chosen(key: str) -> None:
    """Weigh the chosen node; a browser that is behind may still name one of another tree."""
    node = st.session_state[key]
    if isinstance(node, int):
        session.select(weighed=node)


def _csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False).encode()


def _planes(scene: PruningScene) -> None:
    for column, cut, key in zip(
        st.columns(2, gap="medium"), (False, True), (BEFORE, AFTER), strict=True
    ):
        view = scene.view(cut)
        figure = plane_figure(scene, view, cut=cut)
        with column:
            show(plane_title(scene, cut=cut))
            chart(
                figure,
                key=key,
                height=figure.height,
                alt=plane_caption(cut=cut),
                group="plane",
                texts=texts_of(scene, view.tree, figure),
                filename=key.replace("_", "-"),
            )


def _follow(scene: PruningScene) -> None:
    """Let curve, tree, the picture after and the numbers follow the slider."""
    stops = scene.stops
    if len(stops) < 2 or scene.job is not None:
        return
    follow(
        slider_key(scene.selection, stops),
        stops.index(scene.at),
        scene.selection.change(cut_at=None),
        scene.theme,
        lambda: {i: _frame(scene, stop) for i, stop in enumerate(stops)},
    )


def _frame(scene: PruningScene, stop: int) -> Frame:
    """Return the page as it is at one stop of the slider."""
    there = _at(scene.selection, scene, stop, scene.theme)
    decisions = there.decisions()
    return Frame(
        {
            CURVE: curve_figure(there),
            TREE: tree_figure(there),
            AFTER: plane_figure(there, there.view(True), cut=True),
        },
        {
            ".lv-verdict": [f'<div class="lv-verdict">{verdict_words(there)}</div>'],
            ".lv-cut-back": [errors_table(there)],
            ".lv-after": [plane_title(there, cut=True)],
            ".lv-decisions": [decision_table(there, decisions)],
            ".lv-weighing": [card_words(there, decisions[0])],
        },
    )


def _at(selection: Selection, scene: PruningScene, stop: int, theme: ThemeName) -> PruningScene:
    value = stop_value(scene.trees, stop)
    return pruning_scene(selection.change(cut_at=value), theme)
