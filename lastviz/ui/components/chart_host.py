"""Our own home for figures: zoom survives new data, clicks and areas come back, axes link.

``st.plotly_chart`` builds its chart anew whenever the figure changes, which loses zoom and
camera and draws twice; this component calls ``Plotly.react``. The library comes from the
installed plotly package, copied to where the server serves static files.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lastviz.plots import PLACES, Drawing, figure_json
from lastviz.ui.sheet import sheet

from .brush import is_reached
from .chart_code import CSS, HTML, PARTS, chart_code, code_of, words_of_chart
from .served import PRELOAD, component, library_is_served, pack_text, slide_words

ROW = 32  # pixels above a figure for its buttons: none lies over a mark


def chart(
    figure: Drawing,
    *,
    key: str,
    height: int,
    alt: str,
    on_click: Callable[[dict], None] | None = None,
    on_line: Callable[[dict], None] | None = None,
    group: str | None = None,
    filename: str | None = None,
    texts: dict[str, object] | None = None,
    passing: Callable[[], dict[str, object]] | None = None,
    note: str = "",
    turned_from: str | None = None,
) -> None:
    """Show a figure that keeps its zoom when its data change.

    ``figure.layout.meta["hits"]`` may list areas with a meaning, later ones on top:
    ``{"node": int, "xy": [[x, y], ...], "xaxis": "x2", "text": "<b>words</b>"}``. The area
    under the pointer shows its text (only ``<b>``, ``<br>`` and ``<sub>`` are understood) and
    names its node when clicked. A changed ``layout.uirevision`` gives up the reader's zoom.
    Every figure can be read as a table: the browser makes it of the areas and marks that it drew.

    Parameters
    ----------
    figure : plotly Figure
    key : str
        Name of the place; the same key keeps the zoom.
    height : int
        Height in pixels; the width is that of the column.
    alt : str
        What the picture shows, for those who do not see it.
    on_click : callable, optional
        Called before the next run with ``{"node", "row", "x", "y", "axis", "yaxis"}``: the node
        of the area, the ``customdata`` of the point (its first entry), None where there is none;
        places without either count where ``figure.layout.meta`` has "features".
    on_line : callable, optional
        Lets the reader draw a line over the plane of the first two axes; called before the next
        run with ``{"from": [x, y], "to": [x, y]}``, two places that it goes through.
    group : str, optional
        Figures of one group share the ranges of their first two axes.
    filename : str, optional
        What the picture is, for names of files; they begin with data and model. Default: `key`.
    texts : dict, optional
        What areas without a text of their own say, by node; see ``composed`` in chart/texts.js.
    passing : callable, optional
        Tells which rows come to which node of its tree, see
        :func:`lastviz.ui.shared.brushing.passing_rows`: brushed rows are shown on their way. It
        and the places where trees and curves stand go only to those who brush: they are as large
        as all the rest.
    note : str, optional
        What must not be forgotten where the picture is shown without its page.
    turned_from : str, optional
        Key of the figure from whose places the rows go to their own when this one is first seen.
    """
    if (here := sheet()) is not None:
        here.chart(figure, alt)
        return
    if not library_is_served():
        st.plotly_chart(figure.update_layout(height=height), key=key, alt=alt, theme=None)
        return
    reached = is_reached()
    options = {
        "key": key,
        "height": height,
        "alt": alt,
        "filename": filename or key,
        "group": group,
        "clickable": on_click is not None,
        "drawable": on_line is not None,
        "texts": texts,
        "passing": passing() if passing is not None and reached else None,
        "later": not reached
        and (passing is not None or not PLACES.isdisjoint(figure.settings.get("meta") or {})),
        "note": note,
        "from": turned_from,
        "words": slide_words(words_of_chart),
    }
    if reached not in figure.sent:
        rows: dict[str, dict[str, object]] = {}
        figure.sent[reached] = figure_json(figure, rows, brushed=reached), rows
    drawn, rows = figure.sent[reached]
    payload = json.dumps(options, separators=(",", ":"))[:-1] + f',"figure":{drawn}}}'
    _send_rows(rows, key)

    def clicked() -> None:
        if on_click is not None:
            on_click(st.session_state[name]["click"])

    def drawn() -> None:
        if on_line is not None:
            on_line(st.session_state[name]["line"])

    name = component_key(key)
    _component()(
        key=name,
        data=pack_text(payload),
        height=height + ROW,
        on_click_change=clicked,
        on_line_change=drawn,
    )


def _send_rows(rows: dict[str, dict[str, object]], key: str) -> None:
    """Send the rows of the data, once for all figures.

    The output of models on them is sent separately.

    A message that the browser has from the run before is not sent again: where only a tree
    changes, its rows stay.
    """
    run = get_script_run_ctx()
    sent = set() if run is None else run.__dict__.setdefault("lastviz_rows", set())
    new = {name: places for name, places in rows.items() if name not in sent}
    sent |= new.keys()
    if new:
        data = pack_text(json.dumps(new, separators=(",", ":")))
        _rows()(key=component_key(f"rows-{key}"), data=data, height=1)


def component_key(key: str) -> str:
    """`key` in a form that a component can have.

    Streamlit joins key and event by two underscores and refuses a key that holds them, or
    takes it apart elsewhere; a key may hold a name of the reader's own.
    """
    return key.replace("_", "_.") if "__" in key or key.endswith("_") else key


def preload() -> None:
    """Let the browser fetch plotly.js now, while the rest of the page is still coming."""
    if library_is_served():
        with st.container(key="preload"):
            st.html(PRELOAD, unsafe_allow_javascript=True)


@cache
def _rows():
    return component("lastviz_rows", html="<span></span>", js=code_of("packed.js", "rows.js"))


@cache
def _component():
    return component("lastviz_chart", html=HTML, css=code_of(*CSS), js=chart_code(*PARTS))
