"""A node's rows in a plane with several lines that would part them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lastviz.plots.visuals import marks
from lastviz.plots.visuals.theme import THEMES, ThemeName

from .cut_plane_plot import cut_plane_plot
from .visuals.drawing import Drawing
from .visuals.points import Points

BEST, PICKED = 2.25, 2.5  # pixels


def plane_lines_plot(
    points: Points,
    inside: np.ndarray,
    lines: Mapping[str, np.ndarray],
    *,
    theme: ThemeName,
    **options: object,
) -> Drawing:
    """Draw the rows of a node and the lines that were compared.

    Parameters
    ----------
    points, inside
        As :func:`cut_plane_plot` takes them.
    lines : mapping of {"best", "chosen", "picked"} to ndarray, shape (k, 2)
        The ends of each line; empty where it does not show in this plane.
    **options
        Those of :func:`cut_plane_plot`.
    """
    colours = THEMES[theme]
    chosen = lines.get("chosen", np.empty((0, 2)))
    drawing = cut_plane_plot(points, inside, chosen, theme=theme, **options)
    looks = {
        "best": (colours.grey5, BEST, "solid"),
        "picked": (colours.accent, PICKED, "12px,8px"),
    }
    for role, (colour, width, dash) in looks.items():
        ends = lines.get(role, np.empty((0, 2)))
        if len(ends):
            drawing.traces.append(marks.line(ends, colour, width, role=role, name=role, dash=dash))
    return drawing
