"""The pictures of the page *boundaries*: one column a model, and what stands below them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from lastviz.plots import Words, boundary_and_tree_plot

from . import cache, frame, state
from .components.chart_host import chart
from .headline import headline, node_card, show
from .model_view import ModelView, hover_texts, points_of, regions_of
from .plane import Plane
from .text import percent, t

__all__ = ["model_column", "words"]

# Pixels: plane, tree and width of a column; a single model has more room.
SIDE_BY_SIDE, ALONE = (400, 140, 520), (480, 150, 640)


def words() -> Words:
    """Return the words that figures use, in the language of the session."""
    return Words(
        row=t("row"),
        rows=t("rows"),
        training=t("training"),
        held_out=t("held out"),
        wrong=t("wrong side"),
        hidden=t("{leaves} more leaves below nodes with fewer than {rows} rows"),
        true_class=t("true class"),
        predicted_class=t("predicted class"),
        sampled=t("{shown} of {rows} rows"),
    )


def model_column(
    view: ModelView, place: int, plane: Plane, class_names: tuple[str, ...], *, alone: bool
) -> None:
    """Draw one model: its headline, its regions with its tree, the card of the picked node."""
    selection, theme = state.current(), frame.theme()
    plane_height, tree_height, width = ALONE if alone else SIDE_BY_SIDE
    show(headline(view))
    at = selection.at
    hover = hover_texts(view, class_names)
    figure = boundary_and_tree_plot(
        regions_of(selection, place, plane),
        view.tree,
        points_of(view, selection, plane),
        theme=theme,
        selected=view.node,
        path=view.tree.path(view.node) if view.node else None,
        depth=selection.depth,
        class_names=class_names,
        height=plane_height,
        tree_height=tree_height,
        width_hint=width,
        sample=None if at is None or at >= len(plane.x) else (plane.x[at], plane.y[at]),
        equal=plane.equal,
        view=plane.view,
        units=plane.units,
        hover=hover,
        words=words(),
    )
    # Another plane is another picture: it must not inherit the zoom of the last one.
    figure.layout.uirevision = f"{cache.data_key(selection)}|{plane.features}"
    chart(
        figure,
        key=f"plane{place}",
        height=figure.layout.height,
        alt=_alt(view, selection.data, class_names),
        on_click=partial(_picked, place, view),
        group="plane",
        filename=f"{selection.data}-{selection.models[place].key}",
    )
    show(node_card(view, class_names, theme))
    if view.fidelity is not None:
        sentence = t(
            "An exact slice: {share} % of the rows lie on the colour that the model gives them; "
            "the others differ in features that are fixed here.",
            share=percent(view.fidelity),
        )
        st.caption(sentence)


def _alt(view: ModelView, data: str, class_names: Sequence[str]) -> str:
    sentence = "{title} on {data}: {leaves} regions for {classes}; below, its tree, {depth} deep."
    return t(
        sentence,
        title=view.title,
        data=data,
        leaves=len(view.leaves),
        classes=", ".join(class_names[:8]),
        depth=int(view.tree.depth[view.shown].max()),
    )


def _picked(place: int, view: ModelView, click: dict) -> None:
    """Select what was clicked: the node of an area, or the region that a row lies in."""
    node = click.get("node")
    if node is None and click.get("row") is not None and click.get("axis") == "x":
        row = int(click["row"]) - 1
        values = cache.division(state.current()).X.to_numpy()[[row]]
        node = int(view.stands[view.tree.apply(values)[0]])
    if node is not None:
        same = node == state.current().models[place].node
        state.select_model(place, node=None if same else int(node))
