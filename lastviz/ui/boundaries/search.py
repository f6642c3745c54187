"""The search for a hyperplane at the picked node, move by move."""

from __future__ import annotations

from functools import partial

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from lastviz.criteria import CRITERIA
from lastviz.plots import (
    Moves,
    Points,
    across,
    along,
    feature_html,
    hyperplane_search_plot,
    hyperplane_words,
    number,
    padded,
    surroundings,
)
from lastviz.splitters import Move, ObliqueSearch
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache, nodes
from lastviz.ui.compute.jobs import Working
from lastviz.ui.shared.figures import current_theme
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.model_view import ModelView
from lastviz.ui.shared.plane import plane_of
from lastviz.ui.shared.widgets import put
from lastviz.ui.state import session
from lastviz.ui.text import t

__all__ = ["search_panel"]

TERMS = 4
# In the order of the kinds of moves; the engine's own sentences say the same to programmers.
WORDS = {
    Move.AXIS: "The search starts from the best split of a single feature.",
    Move.RANDOM: "A new start: a random direction, with its best threshold.",
    Move.COEFFICIENT: "One weight moves to the value that is best while all others stay.",
    Move.CONSTANT: "The threshold moves to its best value; the direction stays.",
    Move.JUMP: "No single weight helps any more: a jump along a random direction does.",
    Move.DELETION: "The feature that is missed least is deleted, the others are fitted again.",
}


def search_panel(view: ModelView, place: int, class_names: tuple[str, ...]) -> None:
    """Draw the search of the picked node of one model."""
    st.markdown(f"**{view.title}** · {t('search of node {node}', node=view.node)}")
    if not nodes.searches_for_hyperplanes(view.estimator):
        st.caption(t("{title} does not search for a hyperplane step by step.", title=view.title))
        return
    if view.tree.is_leaf(view.node):
        st.caption(t("The picked node is a leaf; pick an inner node to watch its search."))
        return
    try:
        search = nodes.hyperplanes(session.current(), place, view.node)
    except Working as working:
        job_box(working.job, f"search{place}")
        return
    picked = session.current().models[place].move
    at = search.winner if picked is None else min(picked, search.n_moves - 1)
    _slider(search, place, at)
    show(_words(view, search, at))
    figure = _figure(view, search, place, at, class_names)
    chart(
        figure,
        key=f"search{place}",
        height=figure.layout.height,
        alt=_alt(view, search, at),
        on_click=partial(_clicked, search, place),
        filename="search",
    )
    st.caption(
        t(
            "Each grey curve is a search from a new start; the dot is the best hyperplane of "
            "all. Click the curves to see where the hyperplane stood."
        )
    )


def _slider(search: ObliqueSearch, place: int, at: int) -> None:
    if search.n_moves < 2:
        return
    key = f"move{place}"
    slider, button = st.columns([5, 1], vertical_alignment="bottom")
    put(key, at + 1)
    slider.slider(
        t("Move"),
        min_value=1,
        max_value=search.n_moves,
        key=key,
        on_change=lambda: session.select_model(place, move=st.session_state[key] - 1),
    )
    button.button(
        t("Best"),
        key=f"best{place}",
        disabled=at == search.winner,
        on_click=lambda: session.select_model(place, move=None),
    )


def _words(view: ModelView, search: ObliqueSearch, at: int) -> str:
    """Return the move in words, the hyperplane and its score."""
    head = t(
        "Move {at} of {all}, start {restart} of {restarts}:",
        at=number(at + 1),
        all=number(search.n_moves),
        restart=number(int(search.restart[at]) + 1),
        restarts=number(int(search.restart[-1]) + 1),
    )
    names = [f"<i>{feature_html(name)}</i>" for name in view.tree.feature_names]
    rest = t("{n} more", n="{n}")
    weights, threshold = search.weights[at], float(search.threshold[at])
    test = hyperplane_words(weights, threshold, names, terms=TERMS, rest=rest)
    best = float(search.score[search.winner])
    score = t(
        "{criterion} {score}, the best is {best}",
        criterion=t(CRITERIA[view.estimator.criterion_column].title),
        score=number(float(search.score[at])),
        best=number(best),
    )
    return (
        f'<div class="lv-card lv-move" role="group" aria-live="polite"><div>'
        f"<p><b>{head}</b> {t(WORDS[Move(int(search.kind[at]))])}</p>"
        f'<span class="lv-formula">{test}</span>'
        f"<p>{score}</p></div></div>"
    )


def _figure(
    view: ModelView, search: ObliqueSearch, place: int, at: int, class_names: tuple[str, ...]
) -> go.Figure:
    selection = session.current()
    divided = cache.division(selection)
    rows = nodes.rows_of(selection, place, view.node)
    X, y = divided.values[rows], divided.y[rows]
    moves = Moves(search.restart, search.score, at, search.winner)
    flat = X.shape[1] == 2
    equal = flat and plane_of(selection, alone=True).equal
    if flat:
        x, up, names = X[:, 0], X[:, 1], tuple(view.tree.feature_names)
        bounds = padded(x, up)
        lines = across(search.weights, search.threshold, surroundings(bounds, equal=equal))
    else:
        x, up = along(X, y, search.weights[at], float(search.threshold[at]))
        names = (t("distance from the hyperplane, in standard deviations"), "")
        bounds = padded(np.append(x, 0.0), up)
        lines = np.array([[0.0, bounds[2], 0.0, bounds[3]]])
    figure = hyperplane_search_plot(
        Points.plain(x, up, y, rows + 1),
        moves,
        lines,
        theme=current_theme(),
        names=names,
        class_names=class_names,
        view=bounds,
        equal=equal,
        score_word=t(CRITERIA[view.estimator.criterion_column].title),
        move_word=t("move"),
    )
    figure.layout.uirevision = f"{cache.model_key(selection, place)}|{view.node}"
    return figure


def _alt(view: ModelView, search: ObliqueSearch, at: int) -> str:
    return t(
        "The rows of node {node} with the hyperplane of move {at}; below, the score over all "
        "{all} moves of the search of {title}.",
        node=view.node,
        at=at + 1,
        all=search.n_moves,
        title=view.title,
    )


def _clicked(search: ObliqueSearch, place: int, click: dict) -> None:
    """Show the move that was clicked in the curves."""
    if click.get("axis") == "x2":
        move = min(max(int(click["x"]) - 1, 0), search.n_moves - 1)
        session.select_model(place, move=move)
