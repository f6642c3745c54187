"""Parts of the chart host, for Streamlit and for notebooks: its files, frame and words.

Knows no Streamlit; ``chart_host`` shows it on pages.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from lastviz.plots import THEMES, template

HERE = Path(__file__).parent
SLIDE_PARTS = ("chart/slide.js", "chart/downloads.js", "chart/print.js")
FORMS = ("png", "svg", "print")
BACKGROUNDS = ("white", "none", "page")
ROLES_OF_ROWS = ("training", "held_out", "sample", "inclusion")  # of marks, in their meta
ROLES_BRUSHED = ("training", "held_out", "outside", "inclusion")  # their customdata is the row
PARTS = (
    "packed.js",
    "library.js",
    "brush_store.js",
    "skip.js",
    *(
        f"chart/{name}.js"
        for name in (
            "host",
            "decoded",
            "unpack",
            "texts",
            "places",
            "dots",
            "turn",
            "layers",
            "line",
            "table",
            "stage",
            "room",
            "brush",
            "walk",
        )
    ),
    *SLIDE_PARTS,
)
MARKS = (  # role and name of marks that plots call themselves; tables say them as series
    ("test", "test"),
    ("answer", "answer"),
    ("counter_example", "counter-example"),
    ("count", "count"),
    ("count", "rows"),
    ("class", "class"),
    ("leaf", "leaf"),
    ("nearest", "nearest rows"),
    ("node", "node"),
    ("node", "nodes"),
    ("other", "other ways"),
    ("outside", "other rows"),
    ("outside", "outside"),
    ("own", "p of the rows"),
    ("path_node", "path node"),
    ("picked_rows", "picked rows"),
    ("point", "points"),
    ("chosen_dot", "chosen"),
    ("loading", "loading"),
    ("lost", "lost"),
    ("new_leaf", "new leaf"),
    ("picked_dot", "picked"),
    ("sample", "sample"),
    ("sample", "samples"),
    ("survivor_dot", "survivor"),
    ("training", "training"),
    ("winner", "best of all"),
    ("held_out", "held out"),
)


def menu() -> str:
    """Link out of a frame, the button that opens the menu, the menu, and its answers."""
    form = '<button type="button" role="menuitem" data-tool="{}"></button>'
    back = '<button type="button" role="menuitemradio" data-tool="back" data-back="{}"></button>'
    return (
        '<a class="lv-see" target="_blank" rel="noopener" hidden></a>'
        '<button type="button" data-tool="menu" aria-haspopup="menu" aria-expanded="false">⋯'
        '</button><div class="lv-menu" role="menu" hidden>'
        + "".join(map(form.format, FORMS))
        + '<p class="lv-menu-title" role="presentation"></p>'
        + "".join(map(back.format, BACKGROUNDS))
        + '</div><span role="status"></span>'
    )


HTML = f"""<div class="lv-chart">
  <div class="lv-draw" hidden>
    <button type="button" data-tool="line" aria-pressed="false"></button>
    <span role="status"></span>
  </div>
  <div class="lv-frame" role="application" tabindex="0"><div class="lv-figure"></div></div>
  <p class="lv-said" role="status"></p>
  <div class="lv-tip" hidden></div>
  <div class="lv-table" role="region" tabindex="0" hidden></div>
  <div class="lv-tools" role="toolbar">
    <button type="button" data-tool="brush" aria-pressed="false" hidden><svg viewBox="0 0 16 16"
      ><circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="2"
      stroke-dasharray="3.5 2.8"/></svg></button>
    <button type="button" data-tool="reset">⟲</button>
    <button type="button" data-tool="table" aria-pressed="false">▦</button>
    <button type="button" data-tool="turn" hidden>▶</button>
    {menu()}
  </div>
</div>"""
CSS = ("chart/tools.css", "chart/chart.css", "chart/brush.css")


def code_of(*names: str) -> str:
    """Code in files of this folder, one after the other."""
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)


def chart_code(*parts: str) -> str:
    """Code of the chart host: `parts`, those of :data:`PARTS` or others for them."""
    code = with_looks(code_of(*parts))
    code = code.replace('"{{roles of rows}}"', json.dumps(ROLES_OF_ROWS))
    return with_roles_brushed(code)


def words_of_chart(t: Callable[..., str]) -> dict[str, str]:
    """Texts of a figure's buttons and of its table.

    `t` translates a text for the user.
    """
    return words_of_slides(t) | {
        "brush": t("Select rows: draw around them, or click (key b); Shift adds"),
        "brushed": t("{n} brushed", n="{n}"),
        "lit": t("brushed"),
        "line": t("Draw a line that splits the node (key l)"),
        "draw": t("Draw a line"),
        "drag": t("Press, drag, release; Esc cancels."),
        "turn": t("Turn into this plane again"),
        "reset": t("Reset the view (key 0)"),
        "table": t("Show as a table (key t)"),
        "figure": t("figure"),
        "keys": t(
            "Arrow keys go from place to place, Enter picks one, m changes between areas and "
            "marks, full stop and comma go through all, Shift and arrows move the view, t shows "
            "a table."
        ),
        "place": t("{n} of {all}", n="{n}", all="{all}"),
        "area": t("Area"),
        "series": t("Series"),
        "across": t("Across"),
        "up": t("Up"),
        "about": t("About it"),
        "more": t("Rows not listed: {n}.", n="{n}"),
        "nothing": t("This picture has only lines; its numbers are beside it."),
        "marks": {f"{role}/{name}": t(name) for role, name in MARKS},
    }


def words_of_slides(t: Callable[..., str]) -> dict[str, str]:
    """Texts of the menu for saving or printing a picture.

    `t` translates a text for the user.
    """
    return {
        "see": t("See in lastviz"),
        "menu": t("Save or print this picture"),
        "png": t("Slide as PNG"),
        "svg": t("Slide as SVG"),
        "print": t("Print, or save as PDF"),
        "back": t("Background of slides"),
        "white": t("White"),
        "none": t("None"),
        "page": t("As on this page"),
        "failed": t("That did not work; try SVG instead."),
    }


def with_roles_brushed(code: str) -> str:
    """Code of a component with the roles of marks that are rows of the data."""
    return code.replace('"{{roles brushed}}"', json.dumps(ROLES_BRUSHED))


def with_looks(code: str) -> str:
    """Code with the templates and the colours of both themes."""
    looks = json.dumps({name: template(name) for name in THEMES})
    return code.replace('"{{templates}}"', looks).replace('"{{themes}}"', json.dumps(_colours()))


def _colours() -> dict[str, list[str]]:
    """Paper, inks and hues of both themes, in the same order: paper first, then ink."""
    names = ("paper", "ink", "grey7", "grey5", "grey3", "grey2", "grey1", "accent", "side", "card")
    return {
        name: [*(getattr(theme, token) for token in names), *theme.hues]
        for name, theme in THEMES.items()
    }
