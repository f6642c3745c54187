"""Names beside marks where there is room for them, and at the ends of curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .theme import Size, Theme
from .words import escaped, text_width

__all__ = ["names_beside", "names_of_ends"]

HALF = 9.5  # pixels from the middle of a mark to where nothing else may stand
Box = tuple[float, float, float, float]
"""Left, right, low and high, in pixels."""


def names_beside(
    names: Sequence[str],
    places: np.ndarray,
    *,
    begin: float,
    pixels: tuple[float, float],
    width: float,
    theme: Theme,
) -> list[dict]:
    """Return the names of marks, to the right or the left of them where nothing else stands.

    Whoever finds no place has no name: the pointer says it.

    Parameters
    ----------
    names : sequence of str
    places : ndarray of float64, shape (n, 2)
        Decades on a logarithmic axis, and what the other axis shows.
    begin : float
        Decade at which the first axis begins.
    pixels : (float, float)
        Of a decade, and of one on the other axis, about.
    width : float
        Of the first axis, in pixels.
    """
    x_unit, y_unit = pixels
    marked = [((x - begin) * x_unit, y * y_unit) for x, y in places.tolist()]
    taken = [(x - HALF, x + HALF, y - HALF, y + HALF) for x, y in marked]
    placed: dict[str, list[tuple[float, float, str]]] = {"middle right": [], "middle left": []}
    for name, (x, y), (_, up) in zip(names, marked, places.tolist(), strict=True):
        long = text_width(name, Size.tick)
        for side, sign in (("middle right", 1), ("middle left", -1)):
            near, far = x + sign * (HALF + 2), x + sign * (HALF + 4 + long)
            box = (min(near, far), max(near, far), y - Size.tick / 2, y + Size.tick / 2)
            if box[0] < 0 or box[1] > width or any(_touch(box, other) for other in taken):
                continue
            taken.append(box)
            placed[side].append((10 ** (begin + near / x_unit), up, name))
            break
    bed = ", ".join(f"{dx}px {dy}px 2px {theme.paper}" for dx in (-1, 1) for dy in (-1, 1))
    return [
        {
            "type": "scatter",
            "name": "names",
            "meta": {"role": "other_name"},
            "mode": "text",
            "hoverinfo": "skip",
            "x": np.array([x for x, _, _ in found]),
            "y": np.array([y for _, y, _ in found]),
            "text": list(escaped(name for _, _, name in found)),
            "textposition": side,
            "textfont": {"size": Size.tick, "color": theme.grey7, "shadow": bed},
        }
        for side, found in placed.items()
        if found
    ]


def _touch(one: Box, other: Box) -> bool:
    across = one[0] < other[1] and other[0] < one[1]
    return across and one[2] < other[3] and other[2] < one[3]


def names_of_ends(
    ends: Sequence[tuple[float, str, str]], *, lowest: float, apart: float
) -> list[dict]:
    """Return the names of curves to the right of their ends, as annotations.

    Parameters
    ----------
    ends : sequence of (float, str, str)
        Height, name and colour of each.
    lowest, apart : float
        Of the heights of names: the least one, and the least distance of two.
    """
    found, low = [], lowest - apart
    for y, name, colour in sorted(ends, key=lambda end: end[0]):
        low = max(y, low + apart)
        found.append(
            {
                "xref": "domain",
                "x": 1,
                "xanchor": "left",
                "xshift": 4,
                "y": low,
                "name": "curve name",
                "text": name,
                "showarrow": False,
                "font": {"size": Size.axis, "color": colour},
            }
        )
    return found
