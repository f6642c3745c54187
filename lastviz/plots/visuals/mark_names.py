"""Names beside marks where there is room for them, and at the ends of curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from . import marks
from .theme import Size, Theme
from .words import escape_names, fit_text, text_width

INDENT = 6  # pixels from a leader to its name
HALF = 9.5  # pixels from the middle of a mark to where nothing else may stand
LETTERS = Size.tick / 2  # half the height of a name
SIDES = {"middle right": 1, "middle left": -1}
PLACES = ((HALF + 2, 0.0), *((2.0, sign * (HALF + LETTERS + 1)) for sign in (1, -1)))
"""Where the name of a mark begins: pixels beside its middle, and above."""
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
    """Names of marks, where nothing else stands: beside them, or above or below there.

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
    placed: dict[str, list[tuple[float, float, str]]] = {side: [] for side in SIDES}
    for name, (x, y), (_, up) in zip(names, marked, places.tolist(), strict=True):
        long = text_width(name, Size.tick)
        for (beside, lift), (side, sign) in product(PLACES, SIDES.items()):
            near, far = x + sign * beside, x + sign * (beside + 2 + long)
            middle = y + lift
            box = (min(near, far), max(near, far), middle - LETTERS, middle + LETTERS)
            if box[0] < 0 or box[1] > width or any(_touch(box, other) for other in taken):
                continue
            taken.append(box)
            placed[side].append((10 ** (begin + near / x_unit), up + lift / y_unit, name))
            break
    return [
        marks.words(
            np.array([x for x, _, _ in found]),
            np.array([y for _, y, _ in found]),
            list(escape_names(name for _, _, name in found)),
            Size.tick,
            theme.grey7,
            side,
            role="other_name",
            name="names",
            bed=_bed(theme),
        )
        for side, found in placed.items()
        if found
    ]


def _touch(one: Box, other: Box) -> bool:
    across = one[0] < other[1] and other[0] < one[1]
    return across and one[2] < other[3] and other[2] < one[3]


@dataclass(frozen=True)
class NamedMark:
    """A position on the leaves axis and its name above the curves.

    It is marked by a diamond, or is that of the rule.
    """

    n_leaves: float
    error: float  # per cent
    name: str
    is_rule: bool


def _bed(theme: Theme) -> str:
    """Shadow in the colour of the paper, on which text may cross lines."""
    return ", ".join(f"{dx}px {dy}px 2px {theme.paper}" for dx in (-1, 1) for dy in (-1, 1))


def names_above(
    marked: Sequence[NamedMark],
    names: Sequence[str],
    heights: Sequence[float],
    theme: Theme,
    role: str = "other_name",
    colour: str | None = None,
) -> list[dict]:
    """Names to the right of their lines, that of the rule in ink."""
    if not marked:
        return []
    return [
        marks.words(
            np.array([mark.n_leaves for mark in marked]),
            np.array(heights),
            [
                f"\u00a0<b>{name}</b>" if mark.is_rule else f"\u00a0{name}"
                for mark, name in zip(marked, escape_names(names), strict=True)
            ],
            Size.axis,
            colour or [theme.ink if mark.is_rule else theme.grey7 for mark in marked],
            "middle right",
            role=role,
            name="names",
            bed=_bed(theme),
            cliponaxis=False,
        )
    ]


def leaders(marked: Sequence[NamedMark], heights: Sequence[float], theme: Theme) -> list[dict]:
    """Lines from names down to their diamonds, and the ink line of the rule."""
    ends = {
        is_rule: [
            [mark.n_leaves, mark.error if not is_rule else 0.0, mark.n_leaves, y]
            for mark, y in zip(marked, heights, strict=True)
            if mark.is_rule == is_rule
        ]
        for is_rule in (False, True)
    }
    looks = ((False, theme.grey3, 1.25, "leader"), (True, theme.ink, Size.chosen, "chosen"))
    return [
        marks.segments(np.array(ends[is_rule]), colour, width, role=role, name=role)
        for is_rule, colour, width, role in looks
        if ends[is_rule]
    ]


def names_in_lanes(marked: Sequence[NamedMark], at: Sequence[float], room: float) -> list[str]:
    """Names cut to the `room` in pixels from 0.

    Each has a line of its own above a picture, the first the highest, and a line leads down on
    its left: given from left to right they never meet, however narrow the picture is drawn.
    """
    return [
        fit_text(mark.name, room - INDENT - x, Size.axis)
        for mark, x in zip(marked, at, strict=True)
    ]


def names_of_ends(
    ends: Sequence[tuple[float, str, str]], *, lowest: float, highest: float, apart: float
) -> list[dict]:
    """Names of curves to the right of their ends, as annotations.

    Parameters
    ----------
    ends : sequence of (float, str, str)
        Height, name and colour of each.
    lowest, highest, apart : float
        Of the heights of names: the least and the largest one, and the least distance of two. If
        there is no room for all, the lowest is kept.
    """
    found, low = [], lowest - apart
    caps = highest - apart * np.arange(len(ends) - 1, -1, -1)
    for (y, name, colour), cap in zip(sorted(ends), caps.tolist(), strict=True):
        low = max(min(y, cap), low + apart)
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
