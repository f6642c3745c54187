"""All tables at a glance: a strip of dots each, by how far ours lies from the print."""

from __future__ import annotations

from html import escape
from itertools import groupby
from urllib.parse import quote

from lastviz.plots import THEMES, ThemeName
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, t

from .judged import left_out
from .scene import TABLES_BY_NAME, PaperScene, paper_scene

WIDTH, HEIGHT, DOT = 240, 34, 4  # pixels of a strip, and across a dot
REACH = 3.6  # standard deviations to either end: what lies beyond stands there
STEPS = int(2 * REACH * 8)  # columns of dots


def strips_of(selection: Selection, theme: ThemeName) -> str:
    """Return the tables that can be compared, as links under the names of their papers."""
    parts = [
        f'<p class="lv-note">{escape(t("All tables: cells within one standard deviation"))}</p>'
    ]
    tables = (paper_scene(selection.change(paper_table=name)) for name in TABLES_BY_NAME)
    shown = (scene for scene in tables if scene.compared)
    for paper, scenes in groupby(shown, lambda scene: scene.paper):
        parts.append(f"<h3>{escape(t(paper.title))}</h3>")
        parts += [_entry(selection, scene, theme) for scene in scenes]
    return f'<div class="lv-strips">{"".join(parts)}</div>'


def _entry(selection: Selection, scene: PaperScene, theme: ThemeName) -> str:
    """Return a table: title, dots, and how many of its cells are near and left out."""
    near = sum(abs(place.apart) <= 1.0 for place in scene.compared)
    counts = t("{n} of {rows}", n=number(near), rows=number(len(scene.compared)))
    out = t("{n} left out", n=number(sum(left_out(scene).values())))
    link = session.link(selection.change(paper_table=scene.name))
    here = ' aria-current="page"' if scene.name == selection.papers.paper_table else ""
    return (
        f'<a href="?{escape(link)}" target="_self"{here}>'
        f"<span>{escape(t(scene.table.title))}</span>"
        f'<img alt="" src="{strip_image(scene, theme)}">'
        f"<span><b>{escape(counts)}</b><small>{escape(out)}</small></span></a>"
    )


def strip_image(scene: PaperScene, theme: ThemeName) -> str:
    """Return the dots of a table as an image in a link; what is near is grey, the rest ink."""
    colours, unit = THEMES[theme], WIDTH / (2 * REACH)
    columns: dict[int, list[str]] = {}
    for place in sorted(scene.compared, key=lambda place: abs(place.apart)):
        x = min(max(place.apart, -REACH), REACH)
        hue = colours.grey7 if abs(place.apart) <= 1.0 else colours.ink
        columns.setdefault(round((x + REACH) / (2 * REACH) * STEPS), []).append(hue)
    up = min(DOT + 0.5, (HEIGHT - DOT) / max(map(len, columns.values())))
    dots = "".join(
        f'<circle cx="{column * WIDTH / STEPS:.1f}" cy="{HEIGHT - DOT / 2 - i * up:.1f}" '
        f'r="{DOT / 2}" fill="{hue}"/>'
        for column, hues in columns.items()
        for i, hue in enumerate(hues)
    )
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 0 {WIDTH + 6} {HEIGHT}">'
        f'<rect x="{WIDTH / 2 - unit:.1f}" width="{2 * unit:.1f}" height="{HEIGHT}" '
        f'fill="{colours.grey1}"/><path d="M{WIDTH / 2} 0V{HEIGHT}" stroke="{colours.ink}"/>'
        f"{dots}</svg>"
    )
    return f"data:image/svg+xml,{quote(drawing)}"
