"""A tree of numbers over one feature as a small drawing, for its card."""

from __future__ import annotations

import numpy as np

from lastviz.inspection import response_steps
from lastviz.plots import Theme, padded

from .jobs import Working
from .regression_view import number_view
from .selection import Selection
from .textbook_thumbnail import as_uri

__all__ = ["number_thumbnail"]


def number_thumbnail(selection: Selection, size: tuple[int, int], theme: Theme) -> str:
    """Return the points and the steps as a data URI; no marks while the tree grows."""
    try:
        view = number_view(selection)
    except Working:
        return as_uri([], size)
    feature, y = view.features[0], view.division.y
    x = view.division.values[:, feature]
    x0, x1, y0, y1 = padded(x, y)
    origin = np.array([x0, y1])
    scale = np.array([size[0] / (x1 - x0), -size[1] / (y1 - y0)])
    steps = response_steps(view.tree, feature, x0, x1, view.at)
    ends = np.column_stack([np.c_[steps.start, steps.end].ravel(), np.repeat(steps.value, 2)])
    line = "L".join(f"{a:.1f} {b:.1f}" for a, b in (ends - origin) * scale)
    dots = [
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{theme.grey3}"/>'
        for a, b in (np.c_[x, y] - origin) * scale
    ]
    path = f'<path d="M{line}" fill="none" stroke="{theme.ink}" stroke-width="3"/>'
    return as_uri([*dots, path], size)
