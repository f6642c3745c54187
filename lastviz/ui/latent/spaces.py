"""Spaces beside each other: the four ways to find one, and the best pair before and after."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz.inspection import Projection, line_across
from lastviz.latent import LATENT_SPACES
from lastviz.plots import Drawing, Points, ThemeName, cut_plane_plot, number, padded, surroundings
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache, latent
from lastviz.ui.shared.figures import as_table, words
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection, changed
from lastviz.ui.text import percent, plural, rounded, t

from .figures import is_square
from .scene import LatentScene, component_names, split_pair
from .words import warnings_of

SMALL, LARGE = 230, 320
MOST_POINTS = 1500
QUICK_ICA = 8_000  # numbers in the table; with more, ICA is worked out when it is asked for
LISTED = 6  # pairs in the table


def with_space(selection: Selection, space: str) -> Selection:
    """Return the selection with its first model in another latent space."""
    model = selection.models[0]
    declared = session.model_params(model.key) or ()
    param = next(param for param in declared if param.name == "latent")
    return selection.change_model(0, params=changed(model.params, param, space))


def four_spaces(selection: Selection, theme: ThemeName) -> None:
    """Draw the root of the model in each of the spaces, with its error."""
    columns = st.columns(len(LATENT_SPACES), gap="small")
    rows = []
    for column, space in zip(columns, LATENT_SPACES, strict=True):
        with column:
            there = with_space(selection, space)
            if space != "ica" or _ica_is_wanted(there):
                rows.append(_one_space(there, space, theme))
    divided = cache.division(selection)
    judged = divided.held_out_rows if len(divided.held_out_rows) else divided.train_rows
    majority = np.bincount(divided.y[divided.train_rows]).argmax()
    st.caption(
        t(
            "The root in each space: horizontal, the component that it splits; vertical, the one "
            "that separates the classes best besides it. The error is that of the complete tree "
            "on {n} rows; always predicting the majority class has {base} %.",
            n=number(len(judged)),
            base=percent(1 - (divided.y[judged] == majority).mean()),
        )
    )
    as_table("spaces", lambda: pd.DataFrame(rows))


def _ica_is_wanted(selection: Selection) -> bool:
    """Independent components of many rows take seconds, so the reader asks for them."""
    X = cache.division(selection).X
    wanted = f"ica|{cache.model_key(selection, 0)}"
    if X.size <= QUICK_ICA or st.session_state.get(wanted):
        return True
    _title(t(LATENT_SPACES["ica"].title), t("not worked out"))
    st.caption(t("ICA iterates; on these data it may take a minute."))
    if st.button(t("Work it out"), key="ica"):
        st.session_state[wanted] = True
        st.rerun()
    return False


def _title(name: str, note: str) -> None:
    show(f'<p class="lv-heading">{name}<small>{note}</small></p>')


def _one_space(selection: Selection, space: str, theme: ThemeName) -> dict[str, object]:
    """Draw one space; return its row of the table."""
    with st.spinner(t("Looking for the space")):
        tree = cache.fitted(selection, 0).estimator.tree_
    scored = latent.held_out_scores(selection, 0)
    view = latent.view(selection, 0, 0)
    title = t(LATENT_SPACES[space].title)
    nodes = plural(tree.n_nodes, "{n} node", "{n} nodes")
    error = percent(1 - scored.accuracy)
    _title(title, t("error {error} % · {nodes}", error=error, nodes=nodes))
    best = latent.best_components(selection, 0, 0) if view.basis.n_components else None
    if best is not None:
        plane = (view.coordinates, split_pair(view, best), component_names(view))
        figure = _small(selection, theme, *plane, view.component, view.threshold)
        alt = t("The rows in the space {title}, with the split of the root", title=title)
        chart(figure, key=f"space.{space}", height=SMALL, alt=alt, filename=space)
        for sentence in warnings_of(view.basis):
            st.caption(sentence)
    split = ""
    if view.component >= 0:
        split = f"{component_names(view)[view.component]} ≤ {number(view.threshold)}"
    return {
        t("space"): title,
        t("error, %"): round(100 * (1 - scored.accuracy), 2),
        t("nodes"): tree.n_nodes,
        t("split of the root"): split,
    }


def _small(
    selection: Selection,
    theme: ThemeName,
    places: np.ndarray,
    pair: tuple[int, int],
    names: tuple[str, ...],
    component: int,
    threshold: float,
    height: int = SMALL,
    rows: np.ndarray | None = None,
) -> Drawing:
    """Return rows in the plane of two columns, a sample of them where they are many."""
    divided, dataset = cache.division(selection), cache.data(selection).dataset
    rows = latent.rows_in_sight(selection) if rows is None else rows
    shown = rows[np.linspace(0, len(rows) - 1, min(len(rows), MOST_POINTS)).astype(np.intp)]
    x, y = places[shown, pair[0]], places[shown, pair[1]]
    if pair[0] == pair[1]:
        y = (0.5 + 0.618 * np.arange(len(x))) % 1.0
    bounds = padded(x, y)
    equal = pair[0] != pair[1] and is_square(bounds)
    line = np.empty((0, 2))
    if component == pair[0]:
        line = line_across(np.array([1.0, 0.0]), threshold, surroundings(bounds, equal=equal))
    held = np.isin(shown, divided.held_out_rows)
    nothing = np.zeros(len(shown), dtype=bool)
    return cut_plane_plot(
        Points(x, y, divided.y[shown], held, nothing, shown + 1),
        ~nothing,
        line,
        theme=theme,
        names=(names[pair[0]], names[pair[1]] if pair[0] != pair[1] else ""),
        class_names=class_names_of(dataset),
        height=height,
        equal=equal,
        view=bounds,
        small=True,
        words=words(),
    )


def best_pairs(scene: LatentScene, theme: ThemeName) -> None:
    """Draw the two features and the two components in which the classes lie furthest apart."""
    view, rows = scene.view, scene.rows[scene.inside]
    both = {
        "features": (scene.best_features, scene.division.values, view.feature_names),
        "components": (scene.best_components, view.coordinates, scene.names),
    }
    titles = (t("Best two features"), t("Best two components"))
    for column, title, (key, found) in zip(st.columns(2), titles, both.items(), strict=True):
        best, places, names = found
        with column:
            _title(title, t("separation {value}", value=rounded(best.separation)))
            plane = (places, best.components, names)
            figure = _small(scene.selection, theme, *plane, -1, np.nan, height=LARGE, rows=rows)
            pair = t(", ").join(names[i] for i in dict.fromkeys(best.components))
            alt = t("The rows of the node in the plane of {names}", names=pair)
            chart(figure, key=f"best.{key}", height=LARGE, alt=alt, filename="best")
            table = partial(_listed, best, names)
            as_table(f"pairs.{key}", table, title=t("The best pairs as a table"))
    st.caption(
        t(
            "Separation is the share of rows that lie nearer to the mean of their own class, the "
            "row itself left out, than to that of any other class. Each axis counts in its "
            "standard deviation; 1 is perfect."
        )
    )


def _listed(best: Projection, names: tuple[str, ...]) -> pd.DataFrame:
    across, up = np.triu_indices(len(best.separations), 1)
    order = np.argsort(-best.separations[across, up], kind="stable")[:LISTED]
    return pd.DataFrame(
        {
            t("across"): [names[i] for i in across[order]],
            t("up"): [names[i] for i in up[order]],
            t("separation"): best.separations[across, up][order].round(4),
        }
    )
