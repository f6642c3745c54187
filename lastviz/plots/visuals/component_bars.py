"""What the bars of components and of their loadings have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .theme import Size, Theme

TEXT = 15  # pixels of the letters at the ends of bars
_EVERY = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_ALL_UP_TO, _MOST_TICKS = 12, 5
_WIDTH, _FEW = 0.72, 0.1  # of the pitch; few bars are narrower than their share of the panel


def bar_trace(
    place: np.ndarray,
    values: np.ndarray,
    colours: Sequence[str],
    texts: Sequence[str],
    *,
    role: str,
    name: str,
    theme: Theme,
) -> dict:
    """Return upright bars with texts at their ends; the hover text is ``customdata``."""
    return {
        "type": "bar",
        "name": name,
        "meta": {"role": role},
        "x": place,
        "y": values,
        "text": list(texts),
        "textposition": "outside",
        "textangle": 0,
        "constraintext": "none",
        "width": min(_WIDTH, _FEW * len(place)),
        "textfont": {"size": TEXT, "color": theme.ink},
        "cliponaxis": False,
        "hovertemplate": "%{customdata}<extra></extra>",
        "marker": {"color": list(colours), "line": {"width": 0}},
    }


def short_ticks(count: int, *marked: object) -> list[int]:
    """Return the bars that are named: the first, every n-th, the last, and the marked ones."""
    step = next((s for s in _EVERY if count / s <= _MOST_TICKS), 1000)
    step = 1 if count <= _ALL_UP_TO else step
    usual = range(step - 1, count, step)
    wanted: list[int] = []
    for mark in marked:
        wanted += [mark] if isinstance(mark, int) else list(mark)
    wanted = [i for i in dict.fromkeys(wanted) if 0 <= i < count]
    room = math.ceil(count * Size.axis * 1.6 / 480)
    ticks = list(wanted)
    for i in [0, count - 1, *sorted(usual)]:
        if i >= 0 and all(abs(i - other) >= room for other in ticks):
            ticks.append(i)
    return sorted(set(ticks))
