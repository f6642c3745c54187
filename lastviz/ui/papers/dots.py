"""The picture of a table: a row a data set, a dot a cell, by how far ours lies from the print."""

from __future__ import annotations

from collections import Counter
from math import isfinite

from lastviz.plots import THEMES, Drawing, ThemeName
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import Size, Theme
from lastviz.plots.visuals.words import escape_names, shorten_name
from lastviz.ui.text import as_html, number, t

from .scene import PaperScene, Place, Row
from .words import apart_words, column_title, left_out_list, why_left_out

REACH = 3.0  # standard deviations that the axis shows to either side
DOT, ROW = 9, 36  # pixels
NEAR = 0.14  # standard deviations: dots of one row that are nearer would cover each other
FIRST_ARROW, NEXT_ARROW = 0.25, 0.2  # standard deviations beyond the reach
LETTERS = 20  # of a label
FAR = 12  # pixels: letters of the farthest cell


def apart_figure(scene: PaperScene, theme: ThemeName) -> Drawing:
    """Draw ours minus the print, in standard deviations of a fold, for each cell.

    The field in the middle is one standard deviation to either side. What is uncertain or wrong in
    the print is hollow; what lies beyond the axis is an open arrowhead at its end. Below the name
    of a row stands the farthest of its cells that are judged, if it lies outside the field.

    Notes
    -----
    O(n_cells^2) at worst, in rows where all cells are nearly equal.
    """
    colours = THEMES[theme]
    drawn = [place for place in scene.places if isfinite(place.apart)]
    inside = [place for place in drawn if abs(place.apart) <= REACH]
    lanes = _lanes(scene, inside)
    most = 2 * max((abs(lane) for lane in lanes.values()), default=0) + 1
    height = max(ROW, round(most * (DOT + 0.5)) + 6)
    rows = {row: place for place, row in enumerate(scene.rows)}
    arrows = _arrows(drawn, rows)
    at = arrows | {
        place: (place.apart, rows[place.row] + lane * (DOT + 0.5) / height)
        for place, lane in lanes.items()
    }
    end = max([REACH + FIRST_ARROW, *(abs(x) + NEXT_ARROW for x, _ in arrows.values())])
    dot, hollow = {"symbol": "circle", "size": DOT}, {"color": colours.paper}
    edge, rim = ({"width": 1.5, "color": hue} for hue in (colours.paper, colours.grey7))
    arrow = {"size": DOT + 2, **hollow, "line": rim}
    kinds = (
        ("within", [p for p in inside if p.is_target and abs(p.apart) <= 1.0],
         {**dot, "color": colours.grey7, "line": edge}),
        ("outside", [p for p in inside if p.is_target and abs(p.apart) > 1.0],
         {**dot, "color": colours.ink, "line": edge}),
        ("uncertain", [p for p in inside if not p.is_target], {**dot, **hollow, "line": rim}),
        ("below", [p for p in arrows if p.apart <= 0], {"symbol": "triangle-left", **arrow}),
        ("above", [p for p in arrows if p.apart > 0], {"symbol": "triangle-right", **arrow}),
    )  # fmt: skip
    traces = [_marks(scene, role, found, at, marker) for role, found, marker in kinds]
    panel = Panel(
        traces=traces,
        xaxis={
            "range": [-end, end], "fixedrange": True, "tickvals": [-3, -2, -1, 0, 1, 2, 3],
            "ticktext": ["−3", "−2", "−1", "0", "+1", "+2", "+3"],
            "title": {"text": t("ours minus the paper's, in standard deviations of a fold"),
                      "standoff": 6},
        },
        yaxis={
            "range": [len(rows) - 0.5, -0.5], "fixedrange": True, "showgrid": False, "ticks": "",
            "tickvals": list(rows.values()), "ticktext": [_label(scene, each) for each in rows],
        },
        annotations=[*_empty(scene, rows, drawn, colours), *_directions(colours)],
        shapes=_field(colours),
    )  # fmt: skip
    margin = Margin(left=146, right=8, top=30, bottom=58)
    return compose([panel], [height * len(rows)], theme=theme, margin=margin)


def _lanes(scene: PaperScene, places: list[Place]) -> dict[Place, int]:
    """Lane of each dot above or below the middle of its row, the nearest free one."""
    lanes: dict[Place, int] = {}
    for row in scene.rows:
        last: dict[int, float] = {}
        own = [place for place in places if place.row == row]
        for place in sorted(own, key=lambda place: place.apart):
            lane = next(
                lane
                for lane in (sign * k for k in range(len(own) + 1) for sign in (1, -1))
                if place.apart - last.get(lane, -2 * REACH) >= NEAR
            )
            lanes[place], last[lane] = lane, place.apart
    return lanes


def _arrows(places: list[Place], rows: dict[Row, int]) -> dict[Place, tuple[float, float]]:
    """Positions of the arrowheads for values beyond the axis, side by side."""
    found: dict[Place, tuple[float, float]] = {}
    counted: Counter[tuple[Row, bool]] = Counter()
    for place in places:
        if abs(place.apart) > REACH:
            side = (place.row, place.apart > 0)
            x = REACH + FIRST_ARROW + NEXT_ARROW * counted[side]
            counted[side] += 1
            found[place] = (x if place.apart > 0 else -x, float(rows[place.row]))
    return found


def _marks(
    scene: PaperScene,
    role: str,
    places: list[Place],
    at: dict[Place, tuple[float, float]],
    marker: dict,
) -> dict:
    return {
        "type": "scatter", "name": role, "meta": {"role": role}, "mode": "markers",
        "x": [at[place][0] for place in places], "y": [at[place][1] for place in places],
        "text": [_hover(scene, place) for place in places],
        "hovertemplate": "%{text}<extra></extra>", "marker": marker,
    }  # fmt: skip


def _hover(scene: PaperScene, place: Place) -> str:
    cell = place.cell
    title, column = escape_names([scene.title_of(*place.row), column_title(scene, place.column)])
    printed, ours = (f"{mean:.{cell.digits}f}" for mean in (cell.mean, place.ours.mean))
    apart = t("{n} standard deviations", n=apart_words(place.apart))
    return (
        f"<b>{title}{t(', ')}{column}</b><br>{t('paper')} {printed}{t(', ')}{t('ours')} {ours}"
        f"<br>{apart}"
    )


def _label(scene: PaperScene, row: Row) -> str:
    """Name of a row, and below it the farthest of its cells outside the field."""
    far = [p for p in scene.compared if p.row == row and abs(p.apart) > 1.0]
    name = escape_names([shorten_name(scene.title_of(*row), LETTERS)])[0]
    if not far:
        return name
    place = max(far, key=lambda place: abs(place.apart))
    apart = apart_words(place.apart)
    column = escape_names([shorten_name(column_title(scene, place.column), LETTERS - len(apart))])[
        0
    ]
    farthest = f"<b>{column} {apart}</b>"
    return f"{name}<br><span style='font-size:{FAR}px'>{farthest}</span>"


def _empty(scene: PaperScene, rows: dict[Row, int], drawn: list[Place], theme: Theme) -> list[dict]:
    """Notes in rows without a mark: why there is none."""
    full = {place.row for place in drawn}
    notes = []
    for row, y in rows.items():
        if row not in full:
            own = [place for place in scene.places if place.row == row]
            found = Counter(why_left_out(scene, place) for place in own)
            words = as_html(left_out_list(dict(found.most_common())))
            notes.append({"x": 0, "y": y, "text": words, "xanchor": "center",
                          "name": "empty", "showarrow": False, "bgcolor": theme.grey1,
                          "font": {"size": Size.tick, "color": theme.grey5}})  # fmt: skip
    return notes


def _directions(theme: Theme) -> list[dict]:
    """Both ends of the axis in words, above the rows."""
    ends = ((0.0, "left", f"← {t('ours is lower')}"), (1.0, "right", f"{t('ours is higher')} →"))
    return [
        {"xref": "domain", "yref": "domain", "x": x, "y": 1, "yanchor": "bottom", "text": text,
         "xanchor": side, "yshift": 4, "name": "way", "showarrow": False,
         "font": {"size": Size.tick, "color": theme.grey7}}
        for x, side, text in ends
    ]  # fmt: skip


def _field(theme: Theme) -> list[dict]:
    below = {"yref": "domain", "y0": 0, "y1": 1, "layer": "below"}
    return [
        {"type": "rect", "name": "field", "x0": -1, "x1": 1, **below,
         "fillcolor": theme.grey1, "line": {"width": 0}},
        {"type": "line", "name": "print", "x0": 0, "x1": 0, **below,
         "line": {"width": Size.split, "color": theme.ink}},
    ]  # fmt: skip


def apart_alt(scene: PaperScene) -> str:
    """Text of the picture for those who hear it."""
    return t("Differences from the print: {n} cells, row by row", n=number(len(scene.compared)))
