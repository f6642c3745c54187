"""Tests written above the nodes of a flow tree, as far as they find room."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .flow_layout import FlowLayout
from .theme import Size, Theme
from .words import text_width

__all__ = ["text_traces"]

_LINE = 17.0
_SYMBOL = 22.0  # pixels that a leaf's symbol takes beside its bar


def text_traces(
    layout: FlowLayout,
    texts: Mapping[int, str],
    full: np.ndarray,
    route: np.ndarray,
    theme: Theme,
) -> list[dict]:
    """Return the tests in up to three traces: on the path, in full colour, faded.

    A text has the first free place of a few around its bar, or none: the path first, then
    nodes with more rows. Texts cover neither each other nor bars and symbols.
    """
    onward = dict(zip(route[:-1].tolist(), route[1:].tolist(), strict=True))
    wanted = [i for i, node in enumerate(layout.node.tolist()) if texts.get(node)]
    wanted.sort(key=lambda i: (i not in onward, -layout.height[i], i))
    taken = _marks(layout)
    groups: dict[str, list[tuple[int, float, float, str]]] = {"path": [], "full": [], "faded": []}
    for i in wanted:
        text = texts[int(layout.node[i])]
        climbs = i in onward and layout.y[onward[i]] > layout.y[i]
        places = _places(layout, i, text_width(text, Size.tick), climbs)
        others = np.delete(taken, i, axis=0)
        free = [place for place in places if not _covers(place, others)]
        if free:
            left, low = free[0][:2]
            state = "path" if i in onward else "full" if full[i] else "faded"
            groups[state].append((int(layout.node[i]), left, low + _LINE / 2, text))
            taken = np.vstack([taken, free[0]])
    colour = {"path": theme.ink, "full": theme.ink, "faded": theme.grey7}
    return [_text_trace(rows, state, colour[state]) for state, rows in groups.items() if rows]


def _marks(layout: FlowLayout) -> np.ndarray:
    """The boxes (left, low, right, high) of all bars, leaves with their symbols."""
    half = Size.bar / 2
    right = layout.x + half + np.where(layout.leaf, _SYMBOL, 0)
    low, high = layout.y - layout.bar / 2, layout.y + layout.bar / 2
    return np.column_stack([layout.x - half, low, right, high])


def _places(layout: FlowLayout, i: int, wide: float, climbs: bool) -> np.ndarray:
    """The boxes where the text of node i may stand, best first.

    Above the bar, unless the path climbs from there and would run through it.
    """
    left, right = layout.x[i] - Size.bar / 2, layout.x[i] + Size.bar / 2
    above, under = layout.y[i] + layout.bar[i] / 2, layout.y[i] - layout.bar[i] / 2 - _LINE
    corners = [(left, above), (right - wide, above)]
    if climbs:
        corners = [(right - wide, under), (left, under), *corners]
    boxes = np.array([(x, y, x + wide, y + _LINE) for x, y in corners])
    fits = (boxes[:, 0] >= 0) & (boxes[:, 2] <= layout.width)
    fits &= (boxes[:, 1] >= 0) & (boxes[:, 3] <= layout.total)
    return boxes[fits]


def _covers(box: np.ndarray, others: np.ndarray) -> bool:
    beside = (others[:, 2] <= box[0]) | (others[:, 0] >= box[2])
    clear = (others[:, 3] <= box[1]) | (others[:, 1] >= box[3])
    return bool((~beside & ~clear).any())


def _text_trace(rows: list[tuple[int, float, float, str]], state: str, colour: str) -> dict:
    node, x, y, text = zip(*rows, strict=True)
    return {
        "type": "scatter",
        "name": "test",
        "meta": {"role": "test", "state": state},
        "x": np.array(x),
        "y": np.array(y),
        "text": list(text),
        "mode": "text",
        "textposition": "middle right",
        "textfont": {"size": Size.tick + (state == "path"), "color": colour},
        "hoverinfo": "skip",
        "customdata": np.array(node),
        "cliponaxis": False,
    }
