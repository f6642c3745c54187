"""Impurities of two classes over the share of the first one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.inspection import ImpurityCurves
from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose
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
    """A column of :class:`~lastviz.inspection.ImpurityCurves`, its name and a factor."""

    column: str
    name: str
    factor: float = 1.0

    def of(self, curves: ImpurityCurves) -> np.ndarray:
        """Values to be drawn."""
        return self.factor * getattr(curves, self.column)


def impurity_curves_plot(
    curves: ImpurityCurves,
    own: ImpurityCurves,
    shown: Sequence[Curve],
    *,
    theme: ThemeName,
    height: int = 300,
) -> Drawing:
    """Draw impurities of a Bernoulli variable over p, with the rows' own p marked.

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
