"""What errors cost over the decision threshold."""

from __future__ import annotations

import numpy as np

from lastviz.inspection import CostCurve
from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName

from .visuals import marks
from .visuals.drawing import Drawing

ROOM = 1.12  # of the highest cost: how far the panel reaches
ABOVE_AXIS_NAME = 22  # pixels


def cost_curve_plot(
    curves: dict[str, CostCurve],
    *,
    theme: ThemeName,
    chosen: float,
    cheapest: float,
    names: tuple[str, str],
    axes: tuple[str, str],
    height: int = 300,
) -> Drawing:
    """Draw the expected cost of a row over the threshold, in steps from leaf to leaf.

    Parameters
    ----------
    curves : dict of str to CostCurve
        By the name that stands at its right end; the first in ink, the second dotted.
    chosen : float
        The reader's threshold, a share.
    cheapest : float
        The threshold that follows from the costs.
    names : (str, str)
        What stands at the two thresholds.
    axes : (str, str)
        Names of the axes.
    height : int
        Of the whole figure, in pixels.
    """
    colours = THEMES[theme]
    top = ROOM * max(float(curve.cost.max()) for curve in curves.values()) or 1.0
    traces = [
        _steps(curve, name, colours, is_first=place == 0)
        for place, (name, curve) in enumerate(curves.items())
    ]
    for at, colour, dash, role in (
        (cheapest, colours.ink, "solid", "cheapest"),
        (chosen, colours.accent, "dash", "chosen"),
    ):
        stem = np.array([[100 * at, 0.0], [100 * at, top]])
        traces.append(marks.line(stem, colour, Size.curve, role=role, name=role, dash=dash))
    panel = Panel(
        traces=traces,
        xaxis={"range": [0, 100], "fixedrange": True, "ticksuffix": " %"},
        yaxis={"range": [0, top], "fixedrange": True, "nticks": 5},
        annotations=[
            *axis_names(axes, theme_grey=colours.grey7),
            *_names(names, (cheapest, chosen), (colours.ink, colours.accent)),
        ],
    )
    margin = Margin(left=56, right=24, top=66, bottom=48)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _steps(curve: CostCurve, name: str, theme: Theme, *, is_first: bool) -> dict:
    """Return a curve that stays at a cost up to the next threshold."""
    x, y = np.r_[curve.threshold, 1.0] * 100.0, np.r_[curve.cost, curve.cost[-1]]
    look = {"dash": "solid"} if is_first else {"dash": "dot"}
    xy, colour = np.column_stack([x, y]), theme.grey7 if is_first else theme.grey5
    trace = marks.line(xy, colour, Size.curve, role="cost", name=name, **look)
    trace["line"]["shape"] = "hv"
    trace["hoverinfo"] = "all"
    trace["hovertemplate"] = f"%{{x:.3~r}} %<br>{name} %{{y:.4~r}}<extra></extra>"
    return trace


def _names(names: tuple[str, str], at: tuple[float, float], colours: tuple[str, str]) -> list[dict]:
    """Name both thresholds above the panel, the reader's own above the other."""
    found = []
    for place, (name, share, colour) in enumerate(zip(names, at, colours, strict=True)):
        side = "left" if share < 0.25 else "right" if share > 0.75 else "center"
        found.append(
            {
                "x": 100 * share,
                "y": 1,
                "yref": "domain",
                "name": "threshold",
                "text": name,
                "showarrow": False,
                "xanchor": side,
                "yanchor": "bottom",
                "yshift": ABOVE_AXIS_NAME + 20 * place,
                "font": {"size": Size.tick, "color": colour},
            }
        )
    return found
