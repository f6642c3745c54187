"""Tests written beside the nodes of a flow tree, shortened where they would not fit.

Between two neighbouring leaves lies a strip that no bar enters to the right of the node that
parts them. That strip belongs to this node's test: it is where the test stands if there is no
better place, so a test is missing only where leaves lie closer than a line of text is high.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from . import marks
from .flow_layout import FlowLayout, smoothstep
from .theme import Size, Theme
from .words import fitted, text_width

LINE = 17.0
"""Pixels that a line of text needs."""
_SYMBOL = 22.0  # pixels that a leaf's symbol takes beside its bar
_APART = 4.0  # pixels from a bar to the text in a strip
_STEPS = 24  # places of the path from a bar to the next
_LEAST = 24.0  # pixels; no text is shortened below
_NO_BOXES = np.empty((0, 4))

Slot = tuple[tuple[float, float, float, float], str]
"""A box (left, low, right, high) and the text, shortened to it."""


def text_traces(
    layout: FlowLayout,
    texts: Mapping[int, str],
    full: np.ndarray,
    route: np.ndarray,
    theme: Theme,
    *,
    framed: int | None = None,
    blocked: np.ndarray = _NO_BOXES,
) -> list[dict]:
    """Return the tests in up to three traces: on the path, in full colour, faded.

    A text begins at its bar, above or below it, or in the strip that is its own; only where it
    finds no room there it ends at the bar, where it stands in the column before. The path comes
    first, then nodes with more rows. Texts cover neither each other nor bars, symbols, the path,
    the frame of the node at the place `framed` and what is `blocked` (left, low, right, high).
    """
    path = _along(layout, route)
    onward = dict(zip(route[:-1].tolist(), route[1:].tolist(), strict=True))
    wanted = [i for i, node in enumerate(layout.node.tolist()) if texts.get(node)]
    wanted.sort(key=lambda i: (i not in onward, -layout.height[i], i))
    taken = np.vstack([_marks(layout, framed), blocked, path])
    slots = _slots(layout, texts, wanted, framed, np.vstack([_marks(layout, None), blocked]))
    groups: dict[str, list[tuple[int, float, float, str]]] = {"path": [], "full": [], "faded": []}
    for i in wanted:
        text, slot = texts[int(layout.node[i])], slots.pop(i, None)
        climbs = i in onward and layout.y[onward[i]] > layout.y[i]
        wide = text_width(text, Size.tick)
        begin, end = _places(layout, taken[i], layout.x[i] + Size.bar / 2, wide, climbs)
        others = np.vstack([np.delete(taken, i, axis=0), *(box for box, _ in slots.values())])
        places = [(tuple(place), text) for place in begin]
        if slot is not None and slot[1] == text and not _covers(slot[0], path):
            places.append(slot)
        places += [(tuple(place), text) for place in end]
        free = (each for each in places if each is slot or not _covers(each[0], others))
        chosen = next(free, slot)
        if chosen is None:
            continue
        (left, low, *_), text = chosen
        state = "path" if i in onward else "full" if full[i] else "faded"
        groups[state].append((int(layout.node[i]), left, low + LINE / 2, text))
        taken = np.vstack([taken, chosen[0]])
    colour = {"path": theme.ink, "full": theme.ink, "faded": theme.grey7}
    return [
        _text_trace(rows, state, colour[state], theme.paper)
        for state, rows in groups.items()
        if rows
    ]


def answer_boxes(layout: FlowLayout, answers: Mapping[int, str]) -> dict[int, Slot]:
    """Return where the answer that leads to a node stands: on its ribbon, before its bar.

    Left out where it would cover a bar or another answer.
    """
    found: dict[int, Slot] = {}
    bars = _marks(layout, None)
    for i, node in enumerate(layout.node.tolist()):
        if node not in answers:
            continue
        right = layout.x[i] - Size.bar / 2 - _APART
        left, low = right - text_width(answers[node], Size.tick), layout.y[i] - LINE / 2
        box = (float(left), float(low), float(right), float(low + LINE))
        if not _covers(box, np.vstack([bars, *(other for other, _ in found.values())])):
            found[node] = box, answers[node]
    return found


def answer_trace(boxes: Mapping[int, Slot], theme: Theme) -> dict:
    """Return the answers as words."""
    return marks.words(
        np.array([box[2] for box, _ in boxes.values()]),
        np.array([box[1] + LINE / 2 for box, _ in boxes.values()]),
        [text for _, text in boxes.values()],
        Size.tick,
        theme.grey7,
        "middle left",
        role="answer",
        name="answer",
        bed=_halo(theme.paper),
        customdata=np.array(list(boxes)),
        cliponaxis=False,
    )


def _halo(paper: str) -> str:
    """Return a shadow by which a text can lie on ribbons."""
    return f"0 0 2px {paper}, 0 0 3px {paper}, 0 0 5px {paper}"


def _marks(layout: FlowLayout, framed: int | None) -> np.ndarray:
    """The boxes (left, low, right, high) of all bars, leaves with their symbols."""
    half = Size.bar / 2
    right = layout.x + half + np.where(layout.leaf, _SYMBOL, 0)
    low, high = layout.y - layout.bar / 2, layout.y + layout.bar / 2
    boxes = np.column_stack([layout.x - half, low, right, high])
    if framed is not None:
        boxes[framed] += Size.frame_gap * np.array([-1, -1, 1, 1])
    return boxes


def _along(layout: FlowLayout, route: np.ndarray) -> np.ndarray:
    """The boxes (left, low, right, high) through which the path runs."""
    if len(route) < 2:
        return _NO_BOXES
    x, y = layout.x[route], layout.y[route]
    along = np.linspace(x[:-1], x[1:], _STEPS, axis=1)
    up = smoothstep(y[:-1], y[1:], _STEPS)
    ends = (along[:, :-1], along[:, 1:]), (up[:, :-1], up[:, 1:])
    (left, right), (low, high) = ((np.minimum(*pair), np.maximum(*pair)) for pair in ends)
    wide = Size.path / 2
    return np.stack([left, low - wide, right, high + wide], axis=2).reshape(-1, 4)


def _slots(
    layout: FlowLayout,
    texts: Mapping[int, str],
    wanted: list[int],
    framed: int | None,
    taken: np.ndarray,
) -> dict[int, Slot]:
    """The strip of each node between two of its children, with as much text as it has room for."""
    strips = _strips(layout)
    slots = {}
    for i in wanted:
        for low, high in strips.get(i, ()):
            if high - low < LINE:
                break
            left, middle = taken[i, 2] + _APART, (low + high) / 2
            left += Size.frame_gap if i == framed else 0.0
            low, high = middle - LINE / 2, middle + LINE / 2
            ahead = (taken[:, 0] >= left) & (taken[:, 1] < high) & (taken[:, 3] > low)
            right = min([layout.width, *taken[ahead, 0].tolist()])
            if right - left < _LEAST:
                continue
            text = fitted(texts[int(layout.node[i])], right - left, Size.tick)
            slots[i] = (left, low, left + text_width(text, Size.tick), high), text
            break
    return slots


def _strips(layout: FlowLayout) -> dict[int, list[tuple[float, float]]]:
    """Between which heights no bar lies below each node, the widest first."""
    top, bottom = layout.y + layout.bar / 2, layout.y - layout.bar / 2
    found: dict[int, list[tuple[float, float]]] = {}
    last: dict[int, int] = {}
    for i in range(len(layout.node) - 1, 0, -1):  # children come after their parents
        above = int(layout.parent[i])
        if above in last:
            found.setdefault(above, []).append((float(top[last[above]]), float(bottom[i])))
        last[above] = i
        top[above] = max(top[above], top[i])
        bottom[above] = min(bottom[above], bottom[i])
    return {i: sorted(strips, key=lambda s: s[0] - s[1]) for i, strips in found.items()}


def _places(
    layout: FlowLayout, bar: np.ndarray, right: float, wide: float, climbs: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The boxes where the text of a node may begin at its `bar`, and end there; best first.

    Above it, unless the path climbs from there and would run through it.
    """
    heights = [bar[3], bar[1] - LINE][:: -1 if climbs else 1]
    found = []
    for x in (bar[0], right - wide):
        boxes = np.array([(x, y, x + wide, y + LINE) for y in heights])
        fits = (boxes[:, 0] >= 0) & (boxes[:, 2] <= layout.width)
        fits &= (boxes[:, 1] >= 0) & (boxes[:, 3] <= layout.total)
        found.append(boxes[fits])
    return found[0], found[1]


def _covers(box: np.ndarray, others: np.ndarray) -> bool:
    beside = (others[:, 2] <= box[0]) | (others[:, 0] >= box[2])
    clear = (others[:, 3] <= box[1]) | (others[:, 1] >= box[3])
    return bool((~beside & ~clear).any())


def _text_trace(
    rows: list[tuple[int, float, float, str]], state: str, colour: str, paper: str
) -> dict:
    node, x, y, text = zip(*rows, strict=True)
    return marks.words(
        np.array(x),
        np.array(y),
        list(text),
        Size.tick + (state == "path"),
        colour,
        "middle right",
        role="test",
        name="test",
        bed=_halo(paper),
        meta={"state": state},
        customdata=np.array(node),
        cliponaxis=False,
    )
