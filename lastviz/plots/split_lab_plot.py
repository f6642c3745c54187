"""The rows of a node in the corner of their own score curves.

Strips below the plane share its horizontal axis, strips beside it the vertical one: a line
runs through cloud and scores.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.marks import Bounds, Points, pad_bounds, point_traces
from lastviz.plots.visuals.panel import Margin, axis_names, frame, plane_axes, with_room
from lastviz.plots.visuals.score_strips import (
    CandidateCurves,
    Strip,
    curve_trace,
    dot_trace,
    strip_axis,
)
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import FigureWords, escape_names, text_width

from .visuals.drawing import Drawing

BELOW, BESIDE, GAP = 74, 74, 14  # pixels: a strip below, a strip beside, between panels
NARROW, LINE = 38, 17  # pixels of a strip on a phone, and of a line of names
MARGIN = Margin(left=86, right=28, top=48, bottom=50)
LABEL = 18  # pixels: a line's word, above which the vertical axis is named


def split_lab_plot(
    points: Points,
    inside: np.ndarray,
    candidates: CandidateCurves,
    strips: Sequence[Strip],
    *,
    theme: ThemeName,
    features: tuple[int, int],
    feature_names: Sequence[str],
    class_names: Sequence[str],
    units: tuple[str, str] = ("", ""),
    distances: Sequence[dict] = (),
    height: int = 660,
    width_hint: int = 620,
    view: Bounds | None = None,
    words: FigureWords | None = None,
    chosen_word: str = "chosen",
    picked_word: str = "picked",
    second: tuple[int, str] | None = None,
) -> Drawing:
    """Draw the plane of two features with the score curves of both around it.

    Parameters
    ----------
    points : Points
        All rows, in the plane of `features`.
    inside : ndarray of bool, shape (n_samples,)
        Which of them the node holds; the others are drawn as removed.
    candidates : Candidates
    strips : sequence of Strip
        At most four.
    features : (int, int)
        On the horizontal and the vertical axis; the same twice if there is only one.
    feature_names, class_names : sequence of str
        All of them.
    units : (str, str)
        Of `features`.
    distances : sequence of dict
        Traces of :func:`lastviz.plots.distance_traces`, drawn over the points.
    height, width_hint : int
        Of the whole figure, in pixels.
    view : (x_min, x_max, y_min, y_max) or None
    words : Words or None
    chosen_word, picked_word : str
        Written above the two lines.
    second : (int, str) or None
        A candidate that another tree takes, and what is written above its line.

    Notes
    -----
    ``layout.meta["features"]`` names the feature whose thresholds lie on an axis, by the axis
    id ("x", "y2", ...): a click there can be read as a threshold.
    """
    colours = THEMES[theme]
    across, up = features
    single = across == up
    names = (feature_names[across], "" if single else feature_names[up])
    x_axis, y_axis = plane_axes(view or pad_bounds(points.x, points.y), names, units)
    margin = with_room(MARGIN, y_axis)
    inner_height = height - margin.top - margin.bottom
    inner_width = width_hint - margin.left - margin.right
    right = 0.0 if single else len(strips) * (BESIDE + GAP) / inner_width
    below = len(strips) * (BELOW + GAP) / inner_height
    layout = frame(theme, inner_height, margin)
    layout["xaxis"] = x_axis | {"domain": [0.0, 1.0 - right], "anchor": "free", "position": 0.0}
    layout["yaxis"] = y_axis | {"domain": [below, 1.0], "anchor": "x"}
    layout["meta"] |= {"features": {"x": int(across)} | ({} if single else {"y": int(up)})}
    layout["annotations"] = axis_names(names, units, theme_grey=colours.grey7)
    for name in layout["annotations"]:
        _beside_the_axis(name)
    traces = [_outside(points, ~inside, colours)]
    traces += point_traces(
        points.part(inside), escape_names(class_names), names, colours, units=units, words=words
    )
    traces += distances
    is_crowded = any(text_width(strip.title, Size.tick) > NARROW for strip in strips)
    for i, strip in enumerate(strips):
        top = below - i * (BELOW + GAP) / inner_height - GAP / inner_height
        traces += _strip_below(layout, candidates, strip, across, i, top, inner_height, colours)
        if not single:
            left = 1.0 - right + (i * (BESIDE + GAP) + GAP) / inner_width
            traces += _strip_beside(
                layout, candidates, strip, up, i, left, inner_width, colours,
                raised=i % 2 == 1 and is_crowded,
            )  # fmt: skip
    marked = [("chosen", candidates.chosen, f"<b>{chosen_word}</b>")]
    marked += [("picked", candidates.picked, picked_word)]
    marked += [("second", *second)] if second is not None else []
    _lines(layout, candidates, features, len(strips), colours, marked)
    return Drawing(traces, layout)


def _outside(points: Points, which: np.ndarray, theme: Theme) -> dict:
    return {
        "type": "scattergl" if np.count_nonzero(which) > 1500 else "scatter",
        "mode": "markers",
        "name": "outside",
        "meta": {"role": "outside"},
        "x": points.x[which],
        "y": points.y[which],
        "customdata": points.row[which],
        "hoverinfo": "none",
        "marker": {"size": 4, "color": theme.grey2},
    }


def _beside_the_axis(name: dict) -> None:
    """Move the name of the horizontal axis to the foot of a figure of any height.

    Its ticks are there, too.
    """
    name |= {"xref": "x domain", "yref": "y domain"}
    if name["name"] == "x name":
        name["yref"] = "paper"
    else:  # over the words of lines, which reach over its end on a phone
        name["yshift"] = name.get("yshift", 0) + LABEL


def _strip_below(
    layout: dict,
    candidates: CandidateCurves,
    strip: Strip,
    feature: int,
    i: int,
    top: float,
    inner_height: float,
    theme: Theme,
) -> list[dict]:
    tail = str(2 + i)
    low = max(0.0, top - BELOW / inner_height)
    layout["yaxis" + tail] = strip_axis(strip) | {"domain": [low, top], "anchor": "x"}
    layout["annotations"].append(
        _note(strip.title, theme, xref="paper", x=0, xanchor="right", xshift=-10)
        | {"yref": f"y{tail} domain", "y": 0.5, "yanchor": "middle"}
    )
    layout["shapes"].append(_hairline(theme, ("x domain", 0, 1), (f"y{tail} domain", 0, 0)))
    return [
        {**trace, "xaxis": "x", "yaxis": "y" + tail}
        for trace in _strip_traces(candidates, strip, feature, theme, upright=False)
    ]


def _strip_beside(
    layout: dict,
    candidates: CandidateCurves,
    strip: Strip,
    feature: int,
    i: int,
    left: float,
    inner_width: float,
    theme: Theme,
    *,
    raised: bool,
) -> list[dict]:
    """Strip beside the plane; `raised`: its name stands a line above its neighbours'."""
    tail = str(2 + i)
    layout["xaxis" + tail] = strip_axis(strip) | {
        "domain": [left, min(1.0, left + BESIDE / inner_width)],
        "anchor": "y",
    }
    layout["annotations"].append(
        _note(strip.title, theme, xref=f"x{tail} domain", x=0, xanchor="left")
        | {"yref": "y domain", "y": 1, "yanchor": "bottom", "yshift": 4 + LINE * raised}
    )
    layout["shapes"].append(_hairline(theme, (f"x{tail} domain", 0, 0), ("y domain", 0, 1)))
    return [
        {**trace, "xaxis": "x" + tail, "yaxis": "y"}
        for trace in _strip_traces(candidates, strip, feature, theme, upright=True)
    ]


def _strip_traces(
    candidates: CandidateCurves, strip: Strip, feature: int, theme: Theme, *, upright: bool
) -> list[dict]:
    traces = [curve_trace(candidates, strip, feature, theme, upright=upright)]
    marked = candidates.marked(feature)
    for role in ("survivor", "chosen", "picked"):
        indices = [i for name, i in marked if name == role]
        if indices:
            traces.append(dot_trace(candidates, strip, role, indices, theme, upright=upright))
    return traces


def _note(text: str, theme: Theme, **place) -> dict:
    font = {"size": Size.tick, "color": theme.grey7}
    return {"text": text, "showarrow": False, "font": font, **place}


def _hairline(theme: Theme, across: tuple, up: tuple) -> dict:
    return {
        "type": "line",
        "layer": "below",
        "xref": across[0],
        "x0": across[1],
        "x1": across[2],
        "yref": up[0],
        "y0": up[1],
        "y1": up[2],
        "line": {"color": theme.grey1, "width": 1.5},
    }


def _lines(
    layout: dict,
    candidates: CandidateCurves,
    features: tuple[int, int],
    n_strips: int,
    theme: Theme,
    named: list[tuple[str, int | None, str]],
) -> None:
    """Draw the marked candidates through the plane and the strips of their feature.

    `named` are roles and what is written above them.
    """
    survivors = [i for i in candidates.survivors.tolist() if i != candidates.chosen][:50]
    styles = {
        "survivor": {"color": theme.grey3, "width": 1.75},
        "chosen": {"color": theme.ink, "width": Size.chosen},
        "picked": {"color": theme.accent, "width": 2.5, "dash": "dash"},
        "second": {"color": theme.grey7, "width": 2.5, "dash": "dot"},
    }
    labels = []
    for role, i, word in [*(("survivor", i, "") for i in survivors), *named]:
        if i is None or candidates.feature[i] not in features:
            continue
        upright = candidates.feature[i] == features[0]
        at = float(candidates.threshold[i])
        panels = [""] + [str(2 + j) for j in range(n_strips)]
        if role == "chosen":
            halo = {"color": theme.paper, "width": Size.halo}
            layout["shapes"].append(_line(at, "", halo, upright=upright, role="halo"))
        for tail in panels:
            layout["shapes"].append(_line(at, tail, styles[role], upright=upright, role=role))
        if role != "survivor":
            labels.append(_label(at, word, styles[role]["color"], upright=upright))
    layout["annotations"] += _apart(labels, layout["xaxis"]["range"])


def _line(at: float, tail: str, line: dict, *, upright: bool, role: str) -> dict:
    shape = {"type": "line", "layer": "below", "line": line, "name": role}
    if upright:
        return shape | {
            "xref": "x", "x0": at, "x1": at, "yref": f"y{tail} domain", "y0": 0, "y1": 1,
        }  # fmt: skip
    return shape | {
        "yref": "y", "y0": at, "y1": at, "xref": f"x{tail} domain", "x0": 0, "x1": 1,
    }  # fmt: skip


def _apart(labels: list[dict], view: Sequence[float]) -> list[dict]:
    """Labels placed on the inner sides of their lines.

    Two labels of one axis are on opposite sides.
    """
    for label in labels:
        if label["xref"] == "x":  # outside of the plane the names of strips stand
            label["xanchor"] = "right" if 2 * label["x"] > sum(view) else "left"
    if len(labels) == 2 and labels[0]["xref"] == labels[1]["xref"]:
        if labels[0]["xref"] == "x":
            labels[1] |= {"y": 0, "yanchor": "top", "yshift": 2}  # between the plane and a strip
        else:
            min(labels, key=lambda label: label["y"]).update(yanchor="top", yshift=-2)
    return labels


def _label(at: float, word: str, colour: str, *, upright: bool) -> dict:
    font = {"size": Size.tick, "color": colour}
    label = {"text": word, "showarrow": False, "font": font}
    if upright:
        return label | {
            "xref": "x", "x": at, "yref": "y domain", "y": 1, "yanchor": "bottom", "yshift": 4,
        }  # fmt: skip
    return label | {
        "yref": "y", "y": at, "xref": "x domain", "x": 1, "xanchor": "right",
        "yanchor": "bottom", "yshift": 2,
    }  # fmt: skip
