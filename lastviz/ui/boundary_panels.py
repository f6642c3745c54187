"""The pictures of the page *boundaries*: one column a model, and what stands below them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from lastviz.plots import Words, boundary_and_tree_plot, confusion_plot, number, rule_words

from . import cache, frame, state
from .components.chart_host import chart
from .headline import headline, node_card, show, strip
from .model_view import ModelView, counts_words, hover_texts, points_of, regions_of
from .plane import Plane
from .text import percent, plural, t

__all__ = ["class_scores", "model_column", "regions_table", "words"]

PLANE_HEIGHT, TREE_HEIGHT = 400, 140


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
        height=PLANE_HEIGHT,
        tree_height=TREE_HEIGHT,
        width_hint=1060 if alone else 520,
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
        row = int(click["row"])
        values = cache.division(state.current()).X.to_numpy()[[row]]
        node = int(view.stands[view.tree.apply(values)[0]])
    if node is not None:
        same = node == state.current().models[place].node
        state.select_model(place, node=None if same else int(node))


def class_scores(view: ModelView, place: int, class_names: tuple[str, ...]) -> None:
    """Draw the confusion matrix and the accuracy of each class."""
    part = view.held_out if view.held_out.n_samples else view.training
    name = t("held out") if part is view.held_out else t("training")
    st.markdown(f"**{view.title}** · {t('{n} rows', n=number(part.n_samples))}, {name}")
    figure = confusion_plot(part.confusion, class_names, theme=frame.theme(), words=words())
    chart(
        figure,
        key=f"confusion{place}",
        height=figure.layout.height,
        alt=t("True against predicted classes of {title}", title=view.title),
        filename="confusion",
    )
    by_class = part.accuracy_by_class
    if len(class_names) <= 6:
        cells = [(percent(by_class[k]), "%", class_names[k]) for k in range(len(class_names))]
        show(strip(cells))
    table = pd.DataFrame(part.confusion, index=class_names, columns=class_names)
    table.insert(0, t("right, %"), (100 * by_class).round(1))
    table.index.name = t("true class")
    with st.expander(t("As a table")):
        st.dataframe(table)


def regions_table(view: ModelView, place: int, class_names: tuple[str, ...]) -> None:
    """Draw the regions as rows; choosing one selects its node, by mouse or keyboard."""
    tree = view.tree
    leaves = sorted(view.leaves.tolist(), key=lambda n: (-tree.n_node_samples[n], n))
    table = pd.DataFrame(
        {
            t("rule"): [rule_words(tree, n, html=False) or t("all rows") for n in leaves],
            t("class"): [class_names[tree.prediction[n]] for n in leaves],
            t("training rows"): tree.n_node_samples[leaves],
            t("by class"): [counts_words(tree, n, class_names) for n in leaves],
        }
    )
    st.markdown(f"**{view.title}** · {plural(len(leaves), '{n} region', '{n} regions')}")

    def chosen() -> None:
        rows = st.session_state[f"regions{place}"]["selection"]["rows"]
        if rows:
            state.select_model(place, node=leaves[rows[0]])

    st.dataframe(
        table,
        key=f"regions{place}",
        hide_index=True,
        height=min(35 * len(leaves) + 40, 360),
        on_select=chosen,
        selection_mode="single-row",
    )
