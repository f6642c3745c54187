"""The search for a hyperplane at the picked node, move by move."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from lastviz.criteria import CRITERIA
from lastviz.host.jobs import Working
from lastviz.plots import Drawing, number
from lastviz.splitters import ObliqueSearch
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import nodes
from lastviz.ui.shared.figures import as_table, plane_of
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.hyperplane_search import (
    move_head,
    move_sentence,
    move_test,
    search_caption,
    search_figure,
)
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.shared.model_view import ModelView
from lastviz.ui.shared.widgets import put
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.text import t

from .scene import Scene


def search_panel(scene: Scene, place: int) -> None:
    """Draw the search of the picked node of one model."""
    work, view = scene.work, scene.views[place]
    if not nodes.searches_for_hyperplanes(view.estimator):
        st.caption(t("{title} does not search for a hyperplane step by step.", title=view.title))
        return
    st.markdown(f"**{view.title}** · {t('search of node {node}', node=view.node)}")
    if view.tree.is_leaf(view.node):
        st.caption(t("The picked node is a leaf; pick an inner node to see its numbers."))
        return
    try:
        search = work.models[place].node(view.node).hyperplanes
    except Working as working:
        job_box(working.job, f"search{place}")
        return
    picked = work.models[place].chosen.move
    at = search.winner if picked is None else min(picked, search.n_moves - 1)
    _slider(search, place, at)
    show(_words(view, search, at))
    figure = _figure(scene, search, place, at)
    alt = t(
        "The rows of node {node} with the hyperplane of move {at}; below, the score over all "
        "moves of the search of {title}.",
        node=view.node,
        at=at + 1,
        title=view.title,
    )
    on_click = partial(_clicked, search, place)
    name = f"search{place}"
    chart(figure, key=name, height=figure.height, alt=alt, on_click=on_click, filename="search")
    st.caption(search_caption())
    as_table(name, lambda: _moves(search))


def _moves(search: ObliqueSearch) -> pd.DataFrame:
    """Every move of a search with its score."""
    return pd.DataFrame(
        {
            t("move"): np.arange(1, search.n_moves + 1),
            t("start"): search.restart + 1,
            t("what it did"): [move_sentence(search, at) for at in range(search.n_moves)],
            t("score"): search.score,
        }
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
    """Move in words, the hyperplane and its score."""
    score = t(
        "{criterion} {score}, the best is {best}",
        criterion=t(CRITERIA[view.estimator.criterion_column].title),
        score=number(float(search.score[at])),
        best=number(float(search.score[search.winner])),
    )
    return (
        f'<div class="lv-card lv-move" role="group" aria-live="polite"><div>'
        f"<p><b>{move_head(search, at)}</b> {move_sentence(search, at)}</p>"
        f'<span class="lv-formula">{move_test(search, at, view.tree.feature_names)}</span>'
        f"<p>{score}</p></div></div>"
    )


def _figure(scene: Scene, search: ObliqueSearch, place: int, at: int) -> Drawing:
    work, view = scene.work, scene.views[place]
    divided = work.first.division
    rows = work.models[place].node(view.node).rows
    figure = search_figure(
        search,
        at,
        divided.values[rows],
        divided.y[rows],
        rows,
        theme=scene.theme,
        feature_names=tuple(view.tree.feature_names),
        class_names=scene.class_names,
        score=t(CRITERIA[view.estimator.criterion_column].title),
        equal=view.tree.n_features == 2 and plane_of(work, alone=True).equal,
    )
    figure.about(f"{work.models[place].cache_key}|{view.node}")
    return figure


def _clicked(search: ObliqueSearch, place: int, click: dict) -> None:
    """Show the move that was clicked in the curves."""
    if click.get("axis") == "x2":
        move = min(max(int(click["x"]) - 1, 0), search.n_moves - 1)
        session.select_model(place, move=move)
