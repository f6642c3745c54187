"""The score curves of many features: a row each, a column for each criterion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.drawing import ticks_of
from lastviz.plots.visuals.panel import Margin, Panel, compose, frame, title_above
from lastviz.plots.visuals.score_strips import (
    CandidateCurves,
    Strip,
    curve_trace,
    dot_trace,
    strip_axis,
)
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import number, shorten_name, text_width

from .visuals.drawing import Drawing

ROW, GAP = 62, 34  # pixels: a curve, and the room below it for its ticks
LONGEST_NAME = 14
MOST_DRAWN = 300  # points of a curve that is two hundred pixels wide


def feature_strips_plot(
    candidates: CandidateCurves,
    strips: Sequence[Strip],
    features: Sequence[int],
    *,
    theme: ThemeName,
    rows: tuple[np.ndarray, np.ndarray] | None = None,
) -> Drawing:
    """Draw one row of strips for each of `features`, in that order.

    All strips of a criterion share one scale, those of a feature its thresholds.

    Parameters
    ----------
    rows : (ndarray of intp, shape (n,), ndarray, shape (n, n_features)) or None
        Rows of the data, counted from zero, and where they stand on all features: so that those
        that the reader brushes can be shown below the curves.

    Notes
    -----
    ``layout.meta["features"]`` names the feature of each horizontal axis by its id, as in
    :func:`lastviz.plots.split_lab_plot`; ``layout.meta["stands"]`` has `rows` by that of the
    first axis of each feature.
    """
    colours = THEMES[theme]
    inner = len(features) * (ROW + GAP)
    layout = frame(theme, inner, Margin(left=110, right=12, top=28, bottom=4))
    layout["meta"]["features"] = {}
    traces: list[dict] = []
    for row, feature in enumerate(features):
        for column, strip in enumerate(strips):
            number = row * len(strips) + column + 1
            tail = "" if number == 1 else str(number)
            _axes(layout, strip, (row, column), (len(features), len(strips)), tail, colours)
            layout["meta"]["features"]["x" + tail] = int(feature)
            if rows is not None and column == 0:
                stand = {"rows": rows[0].tolist(), "values": rows[1][:, feature].tolist()}
                layout["meta"].setdefault("stands", {})["x" + tail] = stand
            across = candidates.threshold[candidates.of(feature)]
            ticks = ticks_of(across) if len(across) > 1 else {"tickvals": across.tolist()}
            layout["xaxis" + tail] |= ticks
            _shared_thresholds(layout, tail, row * len(strips) + 1, first=column == 0)
            axes = {"xaxis": "x" + tail, "yaxis": "y" + tail}
            traces += [{**trace, **axes} for trace in _traces(candidates, strip, feature, colours)]
            if column == 0:
                layout["annotations"].append(_row_name(candidates.names[feature], tail, colours))
            if row == 0:
                layout["annotations"].append(title_above(strip.title, tail, colours, 6))
            layout["shapes"] += _marks(candidates, feature, tail, colours)
    return Drawing(traces, layout)


def _axes(
    layout: dict,
    strip: Strip,
    place: tuple[int, int],
    shape: tuple[int, int],
    tail: str,
    theme: Theme,
) -> None:
    (row, column), (n_rows, n_columns) = place, shape
    height, width = 1.0 / n_rows, 1.0 / n_columns
    top = 1.0 - row * height
    layout["xaxis" + tail] = {
        "domain": [column * width + 0.012, (column + 1) * width - 0.012],
        "anchor": "y" + tail,
        "nticks": 4,
        "showline": True,
        "linecolor": theme.grey1,
    }
    layout["yaxis" + tail] = strip_axis(strip) | {
        "domain": [top - height * ROW / (ROW + GAP), top],
        "anchor": "x" + tail,
    }


def _shared_thresholds(layout: dict, tail: str, first_number: int, *, first: bool) -> None:
    """Let the strips of a row zoom together."""
    if not first:
        layout["xaxis" + tail]["matches"] = "x" + ("" if first_number == 1 else str(first_number))


def _traces(candidates: CandidateCurves, strip: Strip, feature: int, theme: Theme) -> list[dict]:
    curve = curve_trace(candidates, strip, feature, theme, upright=False, most=MOST_DRAWN)
    traces = [curve]
    for role, i in candidates.marked(feature):
        traces.append(dot_trace(candidates, strip, role, [i], theme, upright=False))
    return traces


def _marks(candidates: CandidateCurves, feature: int, tail: str, theme: Theme) -> list[dict]:
    styles = {
        "survivor": {"color": theme.grey3, "width": 1.25},
        "chosen": {"color": theme.ink, "width": 2.5},
        "picked": {"color": theme.accent, "width": 2, "dash": "dash"},
    }
    return [
        {
            "type": "line", "layer": "below", "name": role, "line": styles[role],
            "xref": "x" + tail, "yref": f"y{tail} domain", "y0": 0, "y1": 1,
            "x0": float(candidates.threshold[i]), "x1": float(candidates.threshold[i]),
        }
        for role, i in candidates.marked(feature)
    ]  # fmt: skip


def _row_name(name: str, tail: str, theme: Theme) -> dict:
    return {
        "text": shorten_name(name, LONGEST_NAME) if "<" not in name else name,
        "showarrow": False, "font": {"size": Size.axis, "color": theme.grey7},
        "xref": "paper", "x": 0, "xanchor": "right", "xshift": -12,
        "yref": f"y{tail} domain", "y": 0.5, "yanchor": "middle",
    }  # fmt: skip


# ---- The best test of each feature at a node, one bar a feature


_LETTERS = 34
_ROW = 32


def best_tests_plot(
    tests: Sequence[str],
    scores: np.ndarray,
    *,
    theme: ThemeName,
    chosen: int | None = None,
    picked: int | None = None,
    kept: Sequence[int] = (),
    refused: str = "not admitted",
) -> Drawing:
    """Draw the tests of a node from top to bottom, their scores as bars.

    Parameters
    ----------
    tests : sequence of str
        As plotly html.
    scores : ndarray, shape (n_tests,)
        Not finite where a test is not admitted: such a row has no bar.
    chosen, picked : int or None
        The test that the algorithm took, in ink, and the one that the reader points at.
    kept : sequence of int
        Tests that passed all stages but the last, in a stronger grey.
    refused : str
        What stands instead of a bar.

    Notes
    -----
    ``customdata`` holds the place of a bar's test.
    """
    colours = THEMES[theme]
    scores = np.asarray(scores, dtype=np.float64)
    fine = np.isfinite(scores)
    length = np.where(fine, scores, 0.0)
    fill = np.full(len(scores), colours.grey2, dtype=object)
    fill[list(kept)] = colours.grey3
    edge = np.full(len(scores), 0.0)
    if picked is not None:
        edge[picked] = 2.5
    if chosen is not None:
        fill[chosen] = colours.ink
    ends = [number(s) if ok else refused for s, ok in zip(scores.tolist(), fine, strict=True)]
    names = [_short(test) for test in tests]
    least, most = min(float(length.min(initial=0.0)), 0.0), float(length.max(initial=0.0)) or 1.0
    row = np.arange(len(scores))
    bar = {
        "type": "bar",
        "orientation": "h",
        "name": "test",
        "meta": {"role": "test"},
        "x": length,
        "y": row,
        "text": ends,
        "textposition": "outside",
        "constraintext": "none",
        "textfont": {"size": 15, "color": colours.ink},
        "cliponaxis": False,
        "customdata": row,
        "hovertext": list(tests),
        "hovertemplate": "<b>%{hovertext}</b><br>%{text}<extra></extra>",
        "marker": {
            "color": fill.tolist(),
            "line": {"width": edge.tolist(), "color": colours.accent},
        },
    }
    left = max((text_width(name, 15) for name in names), default=0.0)
    right = max((text_width(end, 15) for end in ends), default=0.0)
    below = [text_width(end, 15) for end, value in zip(ends, length, strict=True) if value < 0]
    standoff = round(max(below, default=-6.0)) + 12  # the score of such a bar stands at its left
    panel = Panel(
        traces=[bar],
        xaxis={
            "visible": False,
            "fixedrange": True,
            "range": [least, most],
        },
        yaxis={
            "range": [len(scores) - 0.5, -0.5],
            "fixedrange": True,
            "tickmode": "array",
            "tickvals": row.tolist(),
            "ticktext": names,
            "ticks": "",
            "ticklabelstandoff": standoff,
            "tickfont": {"size": 15, "color": colours.ink},
        },
    )
    margin = Margin(left=round(left) + standoff + 6, right=round(right) + 16, top=2, bottom=2)
    return compose([panel], [_ROW * max(len(scores), 1)], theme=theme, margin=margin)


def _short(test: str) -> str:
    """Test cut to a line; one with marks in it is left whole."""
    return test if "<" in test or "&" in test else shorten_name(test, _LETTERS)
