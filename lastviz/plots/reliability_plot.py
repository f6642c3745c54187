"""Whether the shares of the leaves hold for rows that the tree has not seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import Reliability
from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName

from .visuals import marks
from .visuals.drawing import Drawing

LEAST, MOST = 5.0, 26.0  # pixels across: a leaf of few rows, that of the most


def reliability_plot(
    found: Reliability,
    *,
    theme: ThemeName,
    axes: tuple[str, str],
    hover: Sequence[str],
    height: int = 300,
) -> Drawing:
    """Draw each leaf where its share meets the one found, its area by the rows that tell.

    A leaf on the diagonal keeps its word. The line through a leaf is one standard error of the
    share found.

    Parameters
    ----------
    axes : (str, str)
        Names of the axes, in per cent.
    hover : sequence of str
        What the pointer reads over each leaf, as html.
    height : int
        Of the whole figure, in pixels.
    """
    colours = THEMES[theme]
    diagonal = np.array([[0.0, 0.0], [100.0, 100.0]])
    traces = [
        marks.line(diagonal, colours.grey3, Size.split, role="diagonal", name="as predicted"),
        marks.segments(_errors(found), colours.grey3, Size.split, role="error", name="error"),
        _leaves(found, hover, colours),
    ]
    ticks = {"range": [-5, 105], "fixedrange": True, "tickvals": [0, 25, 50, 75, 100]}
    panel = Panel(
        traces=traces,
        xaxis=ticks,
        yaxis=dict(ticks),
        annotations=axis_names(axes, theme_grey=colours.grey7),
    )
    margin = Margin(left=48, right=24, top=30, bottom=48)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def _errors(found: Reliability) -> np.ndarray:
    """Return one standard error above and below each leaf, as upright segments (n, 4)."""
    spread = np.sqrt(found.found * (1.0 - found.found) / found.n_rows)
    x, low = 100 * found.predicted, 100 * np.maximum(found.found - spread, 0.0)
    return np.column_stack([x, low, x, 100 * np.minimum(found.found + spread, 1.0)])


def _leaves(found: Reliability, hover: Sequence[str], theme: Theme) -> dict:
    most = found.n_rows.max(initial=1.0)
    size = np.maximum(MOST * np.sqrt(found.n_rows / most), LEAST)
    x, y, look = 100 * found.predicted, 100 * found.found, ("circle", size, theme.grey5)
    edge = (Size.split, theme.paper)
    return marks.symbols(x, y, *look, edge, role="leaf", name="leaf", texts=list(hover))
