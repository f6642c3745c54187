"""Mean ranks on a line, with the critical difference and what cannot be parted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import distinct_labels, escaped, text_width

from .visuals import marks
from .visuals.drawing import Drawing

BRACKET, NUMBERS, AXIS = 30, 52, 68  # pixels from above
GROUP, FIRST_GROUP, ROW = 9, 16, 28  # pixels: bars below the axis, then a row for each name
CAP, TICK = 5, 4
LETTERS = 18
BAR, LEAD = 5, 1.5


def critical_difference_plot(
    names: Sequence[str],
    mean_ranks: np.ndarray,
    groups: Sequence[Sequence[int]],
    *,
    theme: ThemeName,
    difference: float | None = None,
    difference_words: str = "critical difference",
) -> Drawing:
    """Draw where algorithms stand in the mean, the best at the left, after Demsar (2006).

    Parameters
    ----------
    names : sequence of str
    mean_ranks : ndarray of float64, shape (n,)
        1 is best.
    groups : sequence of sequence of int
        Those that cannot be parted, by position in `names`: a bar below each group.
    difference : float, optional
        From which on mean ranks are parted: the bracket above.
    difference_words : str
        What it is called.
    """
    colours = THEMES[theme]
    ranks = np.asarray(mean_ranks, dtype=np.float64)
    n, order = len(ranks), np.argsort(ranks, kind="stable")
    short = distinct_labels(names, LETTERS)
    left, right = order[: (n + 1) // 2], order[(n + 1) // 2 :][::-1]
    first_row = AXIS + FIRST_GROUP + GROUP * max(len(groups), 1) + 14
    height = first_row + ROW * (len(left) - 1) + 16
    end = max(float(n), 1.0 + (difference or 0.0))
    rows = {int(a): first_row + ROW * i for side in (left, right) for i, a in enumerate(side)}
    ends = {int(a): 1.0 for a in left} | {int(a): end for a in right}
    traces = [
        *_axis(n, colours),
        *_leads(ranks, rows, ends, int(order[0]), colours),
        _bars(ranks, groups, (end - 1.0) / 200, colours),
        *_dots(ranks, names, order, colours),
    ]
    notes = [_name(short, ranks, a, ends[a], y, colours, order) for a, y in rows.items()]
    if difference is not None:
        traces.append(_bracket(1.0 + difference, colours))
        notes.append(_note(1.0, 10, f"{difference_words} {difference:.2f}", "left", colours.ink, 0))
    hidden = {"visible": False, "fixedrange": True}
    panel = Panel(
        traces=traces,
        xaxis={"range": [1.0, end], **hidden},
        yaxis={"range": [height, 0], **hidden},
        annotations=notes,
    )
    room = [
        max((1.1 * text_width(short[a]) + 46 for a in side), default=20) for side in (left, right)
    ]
    margin = Margin(left=round(room[0]), right=round(room[1]), top=0, bottom=0)
    return compose([panel], [height], theme=theme, margin=margin)


def _axis(n: int, theme: Theme) -> list[dict]:
    every = max(1, -(-n // 6))
    ranks = np.arange(1.0, n + 0.5, every)
    ends = np.column_stack([ranks, np.full(len(ranks), AXIS - TICK), ranks, ranks * 0 + AXIS])
    ends = np.vstack([[[1.0, AXIS, n, AXIS]], ends])
    texts, font = [f"{rank:.0f}" for rank in ranks], (Size.tick, theme.grey5)
    y, named = np.full(len(ranks), float(NUMBERS)), {"role": "number", "name": "rank"}
    numbers = marks.words(ranks, y, texts, *font, **named, cliponaxis=False)
    line = marks.segments(ends, theme.grey3, Size.split, role="axis", name="axis")
    return [{**line, "cliponaxis": False}, numbers]


def _leads(
    ranks: np.ndarray, rows: dict[int, float], ends: dict[int, float], best: int, theme: Theme
) -> list[dict]:
    """Return a line from each rank down to its row and out to its name."""
    down = [
        (ranks[a], AXIS, ranks[a], y, ranks[a], y, ends[a], y) for a, y in rows.items()
    ]  # fmt: skip
    segments = np.array(down, dtype=np.float64).reshape(-1, 2, 4)
    places = list(rows)
    others = np.vstack(
        [segments[i] for i, a in enumerate(places) if a != best] or [np.empty((0, 4))]
    )
    own = segments[places.index(best)]
    return [
        {**marks.segments(each, colour, width, role=role, name=role), "cliponaxis": False}
        for each, colour, width, role in (
            (others, theme.grey7, LEAD, "lead"), (own, theme.ink, 2.25, "best lead"),
        )
    ]  # fmt: skip


def _bars(ranks: np.ndarray, groups: Sequence[Sequence[int]], over: float, theme: Theme) -> dict:
    """Return a bar below each group, one below the other, a little longer than the group."""
    ends = np.array([
        (ranks[list(group)].min() - over, AXIS + FIRST_GROUP + GROUP * i,
         ranks[list(group)].max() + over, AXIS + FIRST_GROUP + GROUP * i)
        for i, group in enumerate(groups)
    ]).reshape(-1, 4)  # fmt: skip
    bars = marks.segments(ends, theme.grey5, BAR, role="group", name="cannot be parted")
    return {**bars, "cliponaxis": False}


def _dots(ranks: np.ndarray, names: Sequence[str], order: np.ndarray, theme: Theme) -> list[dict]:
    traces = []
    for which, colour, role in ((order[1:], theme.grey7, "rank"), (order[:1], theme.ink, "best")):
        texts = [f"<b>{name}</b><br>{ranks[a]:.2f}" for a, name in _named(which, names)]
        y, look = np.full(len(which), float(AXIS)), ("circle", 9.5, colour, (1.5, theme.paper))
        about = {"role": role, "name": role, "texts": texts, "cliponaxis": False}
        traces.append(marks.symbols(ranks[which], y, *look, **about))
    return traces


def _named(which: np.ndarray, names: Sequence[str]) -> list[tuple[int, str]]:
    return list(zip(which.tolist(), escaped(names[a] for a in which.tolist()), strict=True))


def _bracket(end: float, theme: Theme) -> dict:
    ends = [(1.0, BRACKET, end, BRACKET)]
    ends += [(x, BRACKET - CAP, x, BRACKET + CAP) for x in (1.0, end)]
    bracket = marks.segments(np.array(ends), theme.ink, 2, role="difference", name="difference")
    return {**bracket, "cliponaxis": False}


def _name(
    short: Sequence[str],
    ranks: np.ndarray,
    place: int,
    end: float,
    y: float,
    theme: Theme,
    order: np.ndarray,
) -> dict:
    """Return a name and its mean rank, at the left end of its line or at the right one."""
    name, rank = escaped([short[place]])[0], f"{ranks[place]:.2f}"
    at_left = end == 1.0
    if place == order[0]:
        name = f"<b>{name}</b>"
    text = f"{name} {rank}" if at_left else f"{rank} {name}"
    colour = theme.ink if place == order[0] else theme.grey7
    return _note(end, y, text, "right" if at_left else "left", colour, -6 if at_left else 6)


def _note(x: float, y: float, text: str, side: str, colour: str, shift: float) -> dict:
    return {
        "x": x, "y": y, "text": text, "name": "name", "xanchor": side, "yanchor": "middle",
        "xshift": shift, "showarrow": False, "font": {"size": Size.tick, "color": colour},
    }  # fmt: skip
