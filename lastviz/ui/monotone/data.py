"""The part *Data* of the page *monotone*: contradicting pairs, inclusion degrees, directions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from lastviz._params import Param
from lastviz.export.blocks import Columns, Text, Words
from lastviz.plots import Drawing, ThemeName, contradictions_plot, inclusion_plot, pad_bounds
from lastviz.ui.components.frames import Frame
from lastviz.ui.compute.work import Work
from lastviz.ui.shared import column_editors, order_editor
from lastviz.ui.shared.blocks import PAGE, Block, Chart, Controls, Only, Title
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.headline import Say
from lastviz.ui.shared.view_controls import follow
from lastviz.ui.shared.widgets import control, stops
from lastviz.ui.state import session
from lastviz.ui.text import number, plain, t

from .scene import OrderScene, order_scene
from .words import (
    inclusion_latex,
    order_finding,
    order_headline,
    order_legend,
    order_notes,
    shades,
)

SLIDER = "inclusion_degree"
HEIGHT = 400
MOST_COLUMNS = 4  # features whose values the table of pairs lists
PARAM = Param(
    "inclusion", float, 0.1, low=0.0, high=1.0, slider=(0.0, 1.0, 0.01), label="Threshold e",
    help="Rows whose inclusion degree lies below e get a ring. MCDF drops them from further "
    "subsets once a tree gets them wrong.",
)  # fmt: skip


def data_part(work: Work, theme: ThemeName) -> list[Block]:
    """Data as an ordered set."""
    scene = order_scene(work)
    drawn = scene.drawn()
    notes = [*order_notes(scene), *map(plain, order_editor.doubts(scene.work))]
    cautions = [Controls(partial(st.info, note, icon=":material/info:")) for note in notes]
    return [
        Say(order_finding(scene)),
        Words(order_legend(scene, theme, len(drawn))),
        Words(order_headline(scene)),
        *cautions,
        Columns([_contradictions(scene, theme, drawn), _inclusion(scene, theme, drawn)]),
        Controls(partial(_below, scene)),
    ]


def _below(scene: OrderScene) -> None:
    """Draw the pairs and the formula, and the controls of the order."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        _table(scene)
    with right:
        st.markdown(f"**{t('Inclusion degree')}**")
        general, own = inclusion_latex(scene)
        st.latex(general)
        st.latex(own)
        st.caption(
            t(
                "Of the rows z at or above x, the share that is not lower in class; the formula is "
                "filled in for the row clicked in the right picture, else for the least consistent."
            )
        )
    full = scene.work.data.full
    title = t("Order of the classes, directions of the features")
    with st.expander(title, key="order", expanded=True):
        left, right = st.columns([3, 2], gap="large")
    with left:
        order_editor.directions_editor(full)
    with right:
        column_editors.class_editor(full)


def _axis_options(scene: OrderScene, theme: ThemeName) -> dict[str, object]:
    names = tuple(scene.names[f] for f in scene.axes)
    units = tuple(scene.dataset.units.get(name, "") for name in names)
    single = scene.axes[0] == scene.axes[1]
    view = pad_bounds(*scene.places())
    alike = 0.5 <= (view[1] - view[0]) / (view[3] - view[2]) <= 2.0
    return {
        "theme": theme,
        "names": (names[0], "") if single else names,
        "units": units,
        "class_names": scene.class_names,
        "height": HEIGHT,
        "view": view,
        "equal": not single and units[0] == units[1] and alike,
        "words": words(),
    }


def _contradictions(scene: OrderScene, theme: ThemeName, drawn: np.ndarray) -> list[Block]:
    """Pairs that contradict each other."""
    picked = scene.picked
    figure = contradictions_plot(
        scene.points(drawn, ringed=False),
        scene.ends(scene.drawn_pairs),
        picked=None if picked is None else scene.ends(picked)[0],
        **_axis_options(scene, theme),
    )
    alt = t(
        "The rows by class; a segment joins the two rows of each pair of which the upper one is "
        "lower in class"
    )
    return [
        Only((PAGE,), [Title(t("Pairs that contradict each other"))]),
        Chart(figure, alt, key="pairs_plane", on_click=session.click_row, filename="pairs"),
        *map(Text, drawn_words(scene)),
    ]


def drawn_words(scene: OrderScene) -> list[str]:
    """Sentence on the number of pairs that are drawn, if it is not all of them."""
    found, n_drawn = scene.found, len(scene.drawn_pairs)
    if n_drawn == found.n_pairs:
        return []
    sentence = "{drawn} of {all} pairs are drawn, evenly taken from the first {listed} found."
    values = {"drawn": n_drawn, "all": found.n_pairs, "listed": len(found.pairs)}
    return [t(sentence, **{name: number(n) for name, n in values.items()})]


def _inclusion(scene: OrderScene, theme: ThemeName, drawn: np.ndarray) -> list[Block]:
    alt = t("The rows as greys, the darker the less consistent; rings where D lies below e")
    figure = _inclusion_figure(scene, theme, drawn)
    return [
        Only((PAGE,), [Title(t("Inclusion degree D of each row"))]),
        Chart(figure, alt, key="inclusion", on_click=session.click_row, filename="inclusion"),
        Controls(partial(_follow_threshold, scene, theme, drawn)),
        Words(shades(theme)),
        Controls(partial(_threshold, scene)),
    ]


def _threshold(scene: OrderScene) -> None:
    control(
        PARAM,
        scene.threshold,
        key=SLIDER,
        apply=lambda value: session.select(inclusion=value),
    )
    if own := _own_threshold(scene):
        st.caption(own)


def _inclusion_figure(scene: OrderScene, theme: ThemeName, drawn: np.ndarray) -> Drawing:
    return inclusion_plot(
        scene.points(drawn, ringed=True),
        scene.found.inclusion[drawn],
        inclusion_word=t("inclusion degree"),
        **_axis_options(scene, theme),
    )


def _follow_threshold(scene: OrderScene, theme: ThemeName, drawn: np.ndarray) -> None:
    """Let rings and numbers follow the slider of the threshold."""

    def at(e: float) -> Frame:
        there = replace(scene, threshold=e)
        return Frame(
            {"inclusion": _inclusion_figure(there, theme, drawn)},
            {".lv-strip": [order_headline(there)]},
        )

    follow(
        SLIDER, scene.threshold, scene.work.selection.change(inclusion=PARAM.default), theme,
        lambda: {e: at(e) for e in stops(PARAM)},
    )  # fmt: skip


def _own_threshold(scene: OrderScene) -> str:
    """Note that the forest on the left has another threshold, "" if it has not."""
    model, shown = scene.work.first.chosen, scene.threshold
    own = {param.name: param.default for param in session.model_params(model.key) or ()}
    own |= dict(model.params)
    if own.get("inclusion", shown) == shown:
        return ""
    return t("The forest on the left drops rows below {e}.", e=number(own["inclusion"]))


def _table(scene: OrderScene) -> None:
    listed = scene.listed
    if not len(listed):
        return
    st.markdown(f"**{t('The pairs')}**")
    key = "pairs_table"

    def pick() -> None:
        rows = st.session_state[key]["selection"]["rows"]
        session.select(pair=int(rows[0]) if rows else None)

    st.dataframe(
        _pairs_frame(scene, listed),
        key=key,
        hide_index=True,
        height=min(38 + 35 * len(listed), 250),
        on_select=pick,
        selection_mode="single-row",
        alt=t("Pairs of rows a and b: a is not above b in any feature, but higher in class"),
    )
    st.caption(
        t(
            "{n} of {all} pairs. In every feature b is at or beyond a, yet a is higher in class. "
            "Select one to see it.",
            n=number(len(listed)),
            all=number(scene.found.n_pairs),
        )
    )


def _pairs_frame(scene: OrderScene, listed: np.ndarray) -> pd.DataFrame:
    a, b = listed.T
    names = np.array(scene.class_names, dtype=object)
    columns: dict[str, object] = {
        t("row a"): scene.rows[a] + 1,
        t("class of a"): names[scene.y[a]],
        t("row b"): scene.rows[b] + 1,
        t("class of b"): names[scene.y[b]],
    }
    for f, name in list(enumerate(scene.names))[:MOST_COLUMNS]:
        columns[t("{name} of a", name=name)] = scene.X[a, f]
        columns[t("{name} of b", name=name)] = scene.X[b, f]
    return pd.DataFrame(columns)
