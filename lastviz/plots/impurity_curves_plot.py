"""Impurities of two classes over the share of the first one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.inspection import ImpurityCurves
from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose
from lastviz.plots.visuals.score_strips import CandidateCurves, Strip, curve_trace, dot_trace
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import number

from .visuals import marks
from .visuals.drawing import Drawing

_DASHES = ("solid", "dash", "dot")
# Where a curve is named, by how far its place lies from the middle: the first above its top, as
# there is room at any width, the others below their lines, on the side without rows.
_NAMED_AT = (0.0, 0.18, 0.24)


@dataclass(frozen=True)
class Curve:
    """A column of :class:`~lastviz.inspection.ImpurityCurves`, its name, and a factor for it."""

    column: str
    name: str
    factor: float = 1.0

    def of(self, curves: ImpurityCurves) -> np.ndarray:
        """Return the values to be drawn."""
        return self.factor * getattr(curves, self.column)


def impurity_curves_plot(
    curves: ImpurityCurves,
    own: ImpurityCurves,
    shown: Sequence[Curve],
    *,
    theme: ThemeName,
    height: int = 300,
) -> Drawing:
    """Draw impurities of a Bernoulli variable over p, with the p of the rows at hand marked.

    Parameters
    ----------
    curves : ImpurityCurves
        On a fine grid from 0 to 1.
    own : ImpurityCurves
        At the p of the rows, arrays of length 1.
    shown : sequence of Curve
        Up to three, the highest first.
    height : int
        Of the whole figure, in pixels.
    """
    colours = THEMES[theme]
    p = float(own.p[0])
    top = max(float(curve.of(curves).max()) for curve in shown)
    stem = np.array([[p, 0.0, p, max(float(curve.of(own)[0]) for curve in shown)]])
    traces = [marks.segments(stem, colours.grey3, Size.split, role="stem", name="p")]
    traces += [
        _curve(curves, curve, dash, colours) for curve, dash in zip(shown, _DASHES, strict=False)
    ]
    dotted = np.array([[p, float(curve.of(own)[0])] for curve in shown])
    traces.append(marks.dots(dotted, colours, role="own", name="p of the rows"))
    names = axis_names(("p", ""), theme_grey=colours.grey7)
    panel = Panel(
        traces=traces,
        xaxis={"range": [0, 1], "fixedrange": True},
        yaxis={"range": [0, 1.08 * top], "fixedrange": True, "nticks": 4},
        annotations=[*names, *_names(curves, shown, p, colours), _own_name(p, colours)],
    )
    margin = Margin(left=48, right=24, top=10, bottom=34)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _curve(curves: ImpurityCurves, curve: Curve, dash: str, theme: Theme) -> dict:
    xy = np.column_stack([curves.p, curve.of(curves)])
    trace = marks.line(xy, theme.grey7, Size.curve, role="curve", name=curve.name, dash=dash)
    trace["hoverinfo"] = "all"
    trace["hovertemplate"] = f"p = %{{x:.3~r}}<br>{curve.name} %{{y:.4~r}}<extra></extra>"
    return trace


def _names(curves: ImpurityCurves, shown: Sequence[Curve], p: float, theme: Theme) -> list[dict]:
    """Each curve's name beside it, where the rows' own p is not."""
    side = -1 if p >= 0.5 else 1
    found = []
    for i, (curve, away) in enumerate(zip(shown, _NAMED_AT, strict=False)):
        x = 0.5 + side * away
        found.append(
            {
                "x": x,
                "y": float(np.interp(x, curves.p, curve.of(curves))),
                "name": "curve name",
                "text": curve.name,
                "showarrow": False,
                "xanchor": ("left" if side < 0 else "right") if i else "center",
                "yanchor": "top" if i else "bottom",
                "yshift": 0 if i else 4,
                "font": {"size": Size.axis, "color": theme.grey7},
            }
        )
    return found


def _own_name(p: float, theme: Theme) -> dict:
    """The value of p, at the foot of its stem."""
    return {
        "x": p,
        "y": 0,
        "name": "own p",
        "text": f"<b>p = {number(p)}</b>",
        "showarrow": False,
        "xanchor": "left" if p < 0.8 else "right",
        "xshift": 8 if p < 0.8 else -8,
        "yanchor": "bottom",
        "font": {"size": Size.axis, "color": theme.ink},
    }


# ---- Rank mutual information over the thresholds of each feature, with the chosen cut


ROOM = 0.12  # of the scale, above the highest curve


def rank_curves_plot(
    candidates: CandidateCurves,
    strip: Strip,
    features: Sequence[int],
    *,
    theme: ThemeName,
    floor: float | None = None,
    unit: str = "nats",
    chosen_word: str = "chosen",
    floor_word: str = "least",
    row_height: int = 130,
) -> Drawing:
    """Draw a row for each of `features`, all on one scale.

    Parameters
    ----------
    candidates : Candidates
        The chosen one is a dot on its curve and a line in ink.
    strip : Strip
        Their scores.
    features : sequence of int
        From top to bottom.
    floor : float, optional
        The score below which no cut is admitted; a dotted line.
    unit : str
        Of the scores; stands at the axis of the first row.

    Notes
    -----
    ``layout.meta["features"]`` names the feature of each horizontal axis by its id, as in
    :func:`lastviz.plots.split_lab_plot`.
    """
    colours = THEMES[theme]
    shown = strip.values[np.isfinite(strip.values)]
    low = min(float(shown.min(initial=0.0)), 0.0)
    high = max(float(shown.max(initial=0.0)), floor or 0.0, 1e-9)
    scale = [low - 0.04 * (high - low), high + ROOM * (high - low)]
    margin = Margin(left=58, right=12, top=26, bottom=46)
    panels = [
        _row(candidates, strip, feature, scale, floor, colours, chosen_word) for feature in features
    ]
    corner = {"xref": "domain", "x": 0, "xanchor": "left", "xshift": -56, "showarrow": False}
    unit_note = {"yref": "domain", "y": 1, "yanchor": "bottom", "yshift": 2, "text": unit}
    panels[0].annotations.append(corner | unit_note | {"font": _font(colours)})
    if floor:
        at_floor = {"yref": "data", "y": floor, "yanchor": "bottom", "text": floor_word}
        middle = {"xref": "domain", "x": 0.5, "xanchor": "center", "showarrow": False}
        panels[0].annotations.append(middle | at_floor | {"font": _font(colours)})
    heights = [row_height] * len(panels)
    made = compose(panels, heights, theme=theme, margin=margin, gap=46.0)
    made.areas["features"] = {
        "x" + ("" if i == 0 else str(i + 1)): int(feature) for i, feature in enumerate(features)
    }
    return made


def _row(
    candidates: CandidateCurves,
    strip: Strip,
    feature: int,
    scale: list[float],
    floor: float | None,
    theme: Theme,
    chosen_word: str,
) -> Panel:
    curve = curve_trace(candidates, strip, feature, theme, upright=False)
    curve["y"] = strip.values[_curve_rows(candidates, curve, feature)]
    traces, shapes, notes = [curve], [], [_name(candidates.names[feature], theme)]
    if floor:
        shapes.append(_line(("domain", 0, 1), ("data", floor, floor), theme.grey3, 1.25, "dot"))
    for role, i in candidates.marked(feature):
        if role != "chosen":
            continue
        at = float(candidates.threshold[i])
        dot = dot_trace(candidates, strip, role, [i], theme, upright=False)
        traces.append(dot | {"y": strip.values[[i]]})
        shapes.append(_line(("data", at, at), ("domain", 0, 1), theme.ink, Size.chosen))
        word = {"xref": "data", "x": at, "yref": "domain", "y": 1, "yanchor": "bottom"}
        font = {"size": Size.tick, "color": theme.ink}
        notes.append(word | {"text": f"<b>{chosen_word}</b>", "showarrow": False, "font": font})
    yaxis = {"range": scale, "nticks": 4, "fixedrange": True}
    return Panel(traces, {"nticks": 6}, yaxis, annotations=notes, shapes=shapes)


def _curve_rows(candidates: CandidateCurves, curve: dict, feature: int) -> np.ndarray:
    """Return the candidates that a drawn curve consists of, by their thresholds."""
    which = candidates.of(feature)
    return which[np.searchsorted(candidates.threshold[which], curve["x"])]


def _name(name: str, theme: Theme) -> dict:
    font = {"size": Size.axis, "color": theme.grey7}
    return {
        "text": name, "showarrow": False, "font": font, "xref": "domain", "x": 1,
        "xanchor": "right", "yref": "domain", "y": 0, "yanchor": "top", "yshift": -20,
    }  # fmt: skip


def _line(across: tuple, up: tuple, colour: str, width: float, dash: str = "solid") -> dict:
    return {
        "type": "line", "layer": "below", "xref": across[0], "x0": across[1], "x1": across[2],
        "yref": up[0], "y0": up[1], "y1": up[2],
        "line": {"color": colour, "width": width, "dash": dash},
    }  # fmt: skip


def _font(theme: Theme) -> dict:
    return {"size": Size.tick, "color": theme.grey7}
