"""Numbers on the page *boundaries*: steps over one feature, a heat map over two."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from lastviz.inspection import response_steps, tree_regions
from lastviz.plots import (
    THEMES,
    number,
    regression_plane_plot,
    regression_plot,
    rule_words,
    surroundings,
)
from lastviz.ui.components.chart_host import chart
from lastviz.ui.shared import controls
from lastviz.ui.shared.figures import current_theme
from lastviz.ui.shared.headline import show, sign, strip
from lastviz.ui.shared.view_controls import slice_chooser
from lastviz.ui.shared.widgets import put
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, plural, t

from .regression_view import NumberView, applies, number_view

__all__ = ["NumberPicture", "applies", "body", "choosers", "prepared"]

HEIGHT = 480
STEPS = ""  # the choice of the prediction itself, no feature has this name
HOVERS = 1500  # boxes with a text of their own


@dataclass(frozen=True, eq=False)
class NumberPicture:
    """What the page shows: the view and its figure, or why there is none."""

    view: NumberView | None
    figure: go.Figure | None
    reason: str = ""


def prepared() -> NumberPicture:
    """Work out what the selection asks for."""
    selection = session.current()
    try:
        view = number_view(selection)
    except CannotShow as reason:
        return NumberPicture(None, None, str(reason))
    figure = (_steps if view.is_steps else _plane)(view)
    whose = selection.upload.digest if selection.upload else selection.data
    figure.layout.uirevision = f"{whose}|{view.features}|{selection.scaling}"
    return NumberPicture(view, figure)


def choosers() -> None:
    """Draw the choice of the algorithm's parameters and of the axes."""
    controls.regressor_chooser()
    try:
        view = number_view(session.current())
    except CannotShow:
        return  # the page says why
    if len(view.names) > 1:
        _axis_choosers(view)


def body(picture: NumberPicture) -> None:
    """Draw the headline and the picture."""
    if picture.view is None:
        st.info(picture.reason)
        return
    view, selection = picture.view, session.current()
    show(_legend(view))
    show(_headline(view))
    chart(
        picture.figure,
        key="numbers",
        height=HEIGHT,
        alt=_alt(view),
        filename=f"{selection.data}-cart",
    )
    _notes(view, selection)


def _steps(view: NumberView) -> go.Figure:
    feature, rows = view.features[0], view.rows
    low, high = view.view[:2]
    return regression_plot(
        response_steps(view.tree, feature, low, high, view.at),
        view.division.values[rows, feature],
        view.division.y[rows],
        theme=current_theme(),
        names=(view.names[feature], view.target),
        units=(view.units[feature], ""),
        held_out=view.is_held_out,
        height=HEIGHT,
    )


def _plane(view: NumberView) -> go.Figure:
    across, up = view.features
    rows, values = view.rows, view.division.values
    regions = tree_regions(view.tree, surroundings(view.view), view.features, view.at)
    nodes = regions.node[regions.visible()][:HOVERS].tolist()
    return regression_plane_plot(
        regions,
        view.tree.prediction,
        np.column_stack([values[rows, across], values[rows, up], view.division.y[rows]]),
        theme=current_theme(),
        target=view.target,
        held_out=view.is_held_out,
        view=view.view,
        units=(view.units[across], view.units[up]),
        hover={node: _told(view, node) for node in nodes},
        height=HEIGHT,
    )


def _told(view: NumberView, node: int) -> str:
    """Return what the pointer reads over a box: the prediction, its rows, its rule."""
    rows = plural(int(view.tree.n_node_samples[node]), "mean of {n} row", "mean of {n} rows")
    lines = [f"<b>{escape(view.target)} = {number(float(view.tree.prediction[node]))}</b>", rows]
    rule = rule_words(view.tree, node, joint=f"<br>{t('and')} ")
    return "<br>".join([*lines, rule] if rule else lines)


def _legend(view: NumberView) -> str:
    theme = THEMES[current_theme()]
    dot = '<circle cx="8" cy="8" r="5.5"/>'
    if view.is_steps:
        step = sign('<path d="M0 8h16"/>', line=theme.ink, width=3.5)
        filled = sign(dot, fill=theme.grey5)
        other = sign(dot, line=theme.grey5, width=2)
        items = [f"{step} {t('prediction')}"]
    else:
        diamond = '<path d="M8 1.5 14.5 8 8 14.5 1.5 8z"/>'
        filled = sign(dot, fill=theme.grey5, line=theme.paper, width=1.5)
        other = sign(diamond, fill=theme.grey5, line=theme.paper, width=1.5)
        items = [t("the darker an area, the larger its prediction; rows in their own shade")]
        if current_theme() == "dark":
            items = [t("the lighter an area, the larger its prediction; rows in their own shade")]
    items.append(f"{filled} {t('training')}")
    if view.held_out.n_samples:
        items.append(f"{other} {t('held out')}")
    return '<div class="lv-legend">' + "".join(f"<span>{item}</span>" for item in items) + "</div>"


def _headline(view: NumberView) -> str:
    cells = []
    for part, name in ((view.held_out, t("held out")), (view.training, t("training"))):
        if part.n_samples:
            rmse, r2 = t("RMSE, {part}", part=name), t("R², {part}", part=name)
            cells += [(number(part.rmse), "", rmse), (_three(part.r2), "", r2)]
    tree = view.tree
    cells += [
        (number(tree.n_nodes), "", t("nodes")),
        (number(tree.n_leaves), "", t("leaves")),
        (number(tree.max_depth), "", t("depth")),
    ]
    took = t("trained in {n} ms", n=number(float(f"{view.milliseconds:.2g}")))
    title = f'<h2 class="lv-name">{escape(view.title)}<small>{took}</small></h2>'
    return f'<div class="lv-head" role="group">{title}{strip(cells)}</div>'


def _three(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3f}".replace("-", "−")


def _notes(view: NumberView, selection: Selection) -> None:
    """Say what the picture leaves out or holds fixed."""
    if view.is_slice and selection.view.at is None:
        st.caption(t("An exact slice: the other features are at their usual values (medians)."))
    elif view.is_slice:
        st.caption(
            t("An exact slice: the other features are as in row {n}.", n=selection.view.at + 1)
        )
    shown, rows = len(view.rows), len(view.division.y)
    if shown < rows:
        sentence = "{shown} of {rows} rows are drawn; all numbers count all rows."
        st.caption(t(sentence, shown=number(shown), rows=number(rows)))


def _alt(view: NumberView) -> str:
    sentence = "{title}: {target} over {features}; the tree has {leaves} leaves."
    features = ", ".join(dict.fromkeys(view.names[f] for f in view.features))
    leaves = number(view.tree.n_leaves)
    return t(sentence, title=view.title, target=view.target, features=features, leaves=leaves)


def _axis_choosers(view: NumberView) -> None:
    """Draw the choice of the axes: two features, or one with the steps over it."""
    names = [view.names[f] for f in view.drawable]
    across, up = (view.names[f] for f in view.features)
    st.markdown(f"**{t('Picture')}**")
    left, right = st.columns(2)
    put("number_across", across)
    left.selectbox(t("Across"), names, key="number_across", on_change=_set_axes, args=(across, up))
    put("number_up", STEPS if view.is_steps else up)
    right.selectbox(
        t("Up"),
        [STEPS, *names],
        key="number_up",
        format_func=lambda name: t("{y} (steps)", y=view.target) if name == STEPS else name,
        on_change=_set_axes,
        args=(across, up),
        help=t("Another feature: a heat map of the prediction. The prediction itself: its steps."),
    )
    if view.is_slice:
        slice_chooser(len(view.division.y))


def _set_axes(*before: str) -> None:
    """Put features on the axes; one that stands on the other axis changes places with it."""
    across, up = st.session_state["number_across"], st.session_state["number_up"]
    if up == STEPS:
        up = across
    elif up == across and len(set(before)) == 2:
        across, up = reversed(before)
    session.select(axes=(across, up))
