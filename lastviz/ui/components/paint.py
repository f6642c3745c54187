"""A canvas on which rows are painted: with mouse, pen or finger, or by the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import streamlit as st

from lastviz.datasets.painted import MOST_CLASSES, MOST_PAINTED
from lastviz.plots import THEMES, ThemeName, mix, symbol
from lastviz.ui.text import number, t

from .chart_code import code_of
from .served import component

SHADES = 11  # of heights
TOOLS = ("spray", "point", "line", "move", "rub")
HTML = """<div class="lv-paint">
  <div class="lv-paint-row lv-paint-classes" role="group" data-label="classes"></div>
  <div class="lv-paint-row" role="toolbar" data-label="tools">
    {tools}
    <button type="button" data-do="undo" data-word="undo"></button>
    <button type="button" data-do="redo" data-word="redo"></button>
    <button type="button" data-do="clear" data-word="clear"></button>
  </div>
  <canvas class="lv-paint-canvas" tabindex="0" role="application"></canvas>
  <div class="lv-paint-row">
    <label><span data-word="size"></span>
      <input class="lv-paint-size" type="range" min="8" max="120" value="36"></label>
    <label><span data-word="rate"></span>
      <input class="lv-paint-rate" type="range" min="5" max="200" value="40"></label>
    <label hidden><span data-word="height"></span>
      <input class="lv-paint-height" type="range" min="0" max="100" value="50">
      <span class="lv-paint-told"></span></label>
  </div>
  <p class="lv-paint-status" role="status"></p>
</div>"""


def paint_canvas(
    painting: str, *, key: str, heights: bool, theme: ThemeName, on_painted: Callable[[dict], None]
) -> None:
    """Draw the canvas with a painting on it.

    Points are drawn in the browser before the app knows of them.

    Parameters
    ----------
    painting : str
        A :class:`lastviz.datasets.Painting` as text. Another one than the canvas has told replaces
        what is on it.
    key : str
    heights : bool
        Whether rows have heights instead of classes.
    theme : {"light", "dark"}
    on_painted : callable
        Is handed, before the run that follows, ``{"painting": text, "before": number of rows
        before, "tool": name, "value": class or height}`` whenever the pointer was let go.
    """

    def take() -> None:
        found = st.session_state[key]["painted"]
        if found is not None:
            on_painted(found)

    look = THEMES[theme]
    names = ("paper", "ink", "grey3", "grey5", "grey7", "accent")
    data = {
        "painting": painting,
        "heights": heights,
        "rows": MOST_PAINTED,
        "most": MOST_CLASSES,
        "hues": [look.hue(k) for k in range(MOST_CLASSES)],
        "symbols": [symbol(k) for k in range(MOST_CLASSES)],
        "ramp": [mix(look.ink, look.paper, i / (SHADES - 1)) for i in range(SHADES)],
        "tokens": {name: getattr(look, name) for name in names},
        "words": {
            "classes": t("Class to paint"),
            "class": t("class {k}", k="{k}"),
            "tools": t("Tools"),
            "spray": t("Spray"),
            "point": t("Point"),
            "line": t("Line"),
            "move": t("Move"),
            "rub": t("Erase"),
            "undo": t("Undo"),
            "redo": t("Redo"),
            "clear": t("Clear"),
            "size": t("Size"),
            "rate": t("Rows a second"),
            "height": t("Height"),
            "canvas": t(
                "Canvas: arrow keys move the cursor, Space paints a row, Delete erases; 1 to 8 "
                "choose a class, brackets the size, Z undoes"
            ),
            "empty": t("Paint a row"),
            "count": t("{n} rows", n="{n}"),
            "at": t("at {x}, {y}", x="{x}", y="{y}"),
            "full": t("A painting has at most {n} rows.", n=number(MOST_PAINTED)),
        },
    }
    _component()(key=key, data=data, on_painted_change=take)


@cache
def _component():
    buttons = "\n    ".join(
        f'<button type="button" data-tool="{tool}" data-word="{tool}"></button>' for tool in TOOLS
    )
    return component(
        "lastviz_paint",
        html=HTML.replace("{tools}", buttons),
        css=code_of("paint.css"),
        js=code_of("paint.js"),
    )
