"""Algorithms on data sets: a dot and an interval each, the best of a data set in ink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import (
    distinct_labels,
    escape_names,
    number,
    shorten_name,
    text_width,
)

from .visuals import marks
from .visuals.drawing import Drawing

PITCH = 15.6  # pixels a row
BETWEEN, HEAD = 1.0, 1.35  # rows between two data sets, and for the name of one above its rows
LETTERS, SET_LETTERS = 20, 19
BEST, UNTOLD, BEHIND = "best", "untold", "behind"


@dataclass(frozen=True, eq=False)
class Intervals:
    """Mean and interval of each algorithm on each data set, in the unit of the axis."""

    # mean, low, high: (n_algorithms, n_datasets) float64, NaN where there is no result; no interval
    # where its ends are NaN
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray
    best: np.ndarray  # (n_datasets,) intp, the best one, -1 for none
    behind: np.ndarray  # (n_algorithms, n_datasets) bool, who is significantly behind it
    finished: np.ndarray  # (n_algorithms, n_datasets) bool, open dots where not


def intervals_plot(
    algorithms: Sequence[str],
    datasets: Sequence[str],
    found: Intervals,
    *,
    theme: ThemeName,
    axis: str = "accuracy, %",
    notes: Sequence[str] = (),
    absent: Sequence[Sequence[str]] = (),
    narrow: bool = False,
) -> Drawing:
    """Draw a block of rows for each data set, algorithms in one order in every block.

    Parameters
    ----------
    algorithms, datasets : sequence of str
    found : Intervals
    axis : str
        What is measured, with its unit; not written if empty.
    notes : sequence of str
        A grey line below the name of each data set; none if empty.
    absent : sequence of sequence of str
        What stands in a row without a result, ``absent[algorithm][data set]``.
    narrow : bool
        Whether names of data sets stand above their rows instead of beside them, for phones.
    """
    colours = THEMES[theme]
    n_rows, head = len(algorithms), HEAD if narrow else 0.0
    block = n_rows + head + BETWEEN
    y = head + np.arange(len(datasets)) * block + np.arange(n_rows)[:, None]
    state = np.full(found.mean.shape, UNTOLD, dtype=object)
    state[found.behind] = BEHIND
    known = np.flatnonzero(found.best >= 0)
    state[found.best[known], known] = BEST
    low, high = _reach(found)
    traces = [_lines(found, y, state == which, which, colours) for which in (BEHIND, UNTOLD, BEST)]
    for which in (BEHIND, UNTOLD, BEST):
        for done in (True, False):
            where = (state == which) & (found.finished == done) & np.isfinite(found.mean)
            traces.append(_dots(found, y, where, which, done, (algorithms, datasets), colours))
    if len(absent):
        traces.append(_absent(found, y, absent, low, colours))
    rows = len(datasets) * block - BETWEEN
    short = distinct_labels(algorithms, LETTERS)
    left = round(_column(short) + (0 if narrow else _sides(datasets, notes)))
    panel = Panel(
        traces=traces,
        xaxis={"range": [low, high], "fixedrange": True, "nticks": 5},
        yaxis={
            "range": [rows - 0.3, -0.7], "fixedrange": True, "ticks": "",
            "tickvals": y.T.ravel().tolist(),
            "ticktext": [
                _row_name(escape_names([name])[0], state[a, d] == BEST, colours)
                for d in range(len(datasets)) for a, name in enumerate(short)
            ],
        },
        annotations=[
            *axis_names((axis, ""), theme_grey=colours.grey7),
            *_heads(datasets, notes, block, n_rows, narrow, left, colours),
        ],
        shapes=_rules(len(datasets), block, colours),
    )  # fmt: skip
    margin = Margin(left=left, right=12, top=4, bottom=50 if axis else 30)
    return compose([panel], [PITCH * (rows + 0.4)], theme=theme, margin=margin)


def _column(short: Sequence[str]) -> float:
    """Pixels that the names of algorithms take."""
    return max((text_width(name) for name in short), default=0) * 1.08 + 14


def _sides(datasets: Sequence[str], notes: Sequence[str]) -> float:
    """Pixels that the names of data sets take beside their rows, with the notes."""
    names = [text_width(shorten_name(name, SET_LETTERS), 15) for name in datasets]
    return max([*names, *map(text_width, notes)], default=0) + 12


def _row_name(name: str, is_best: bool, theme: Theme) -> str:
    if is_best:
        return f'<b><span style="color:{theme.ink}">{name}</span></b>'
    return f'<span style="color:{theme.grey5}">{name}</span>'


def _reach(found: Intervals) -> tuple[float, float]:
    """Ends of the axis, a little beyond everything."""
    parts = np.concatenate([found.mean, found.low, found.high], axis=None)
    parts = parts[np.isfinite(parts)]
    if not len(parts):
        return 0.0, 1.0
    low, high = float(parts.min()), float(parts.max())
    room = 0.04 * (high - low) or 0.5
    return low - room, high + room


def _look(which: str, theme: Theme) -> tuple[str, float, float]:
    """Colour, the width of the line and the size of the dot."""
    if which == BEST:
        return theme.ink, 3.0, 9.5
    return theme.grey7 if which == UNTOLD else theme.grey3, 1.75, 8.0


def _lines(found: Intervals, y: np.ndarray, where: np.ndarray, which: str, theme: Theme) -> dict:
    colour, width, _ = _look(which, theme)
    ends = np.column_stack([found.low[where], y[where], found.high[where], y[where]])
    return marks.segments(ends, colour, width, role="interval", name=which)


def _dots(
    found: Intervals,
    y: np.ndarray,
    where: np.ndarray,
    which: str,
    done: bool,
    names: tuple[Sequence[str], Sequence[str]],
    theme: Theme,
) -> dict:
    colour, _, size = _look(which, theme)
    rows, sets = np.nonzero(where)
    algorithms, datasets = escape_names(names[0]), escape_names(names[1])
    texts = []
    for a, d in zip(rows.tolist(), sets.tolist(), strict=True):
        ends = ""
        if np.isfinite(found.low[a, d]):
            ends = f" ({number(found.low[a, d])} – {number(found.high[a, d])})"
        value = f"{number(found.mean[a, d])}{ends}"
        texts.append(f"<b>{algorithms[a]}</b>, {datasets[d]}<br>{value}")
    edge = (1.5, theme.paper) if done else (1.75, colour)
    return marks.symbols(
        found.mean[where],
        y[where],
        "circle",
        size,
        colour if done else theme.paper,
        edge,
        role="mean" if done else "mean so far",
        name=which,
        texts=texts,
        meta={"state": which},
        customdata=(rows * len(datasets) + sets).tolist(),
    )


def _absent(
    found: Intervals, y: np.ndarray, words: Sequence[Sequence[str]], low: float, theme: Theme
) -> dict:
    rows, sets = np.nonzero(~np.isfinite(found.mean))
    texts = [f"  {words[a][d]}" for a, d in zip(rows.tolist(), sets.tolist(), strict=True)]
    x, look = np.full(len(rows), low), (Size.tick, theme.grey5, "middle right")
    texts = list(escape_names(texts))
    return marks.words(x, y[rows, sets], texts, *look, role="absent", name="absent")


def _heads(
    datasets: Sequence[str],
    notes: Sequence[str],
    block: float,
    n_rows: int,
    narrow: bool,
    left: int,
    theme: Theme,
) -> list[dict]:
    """Names of the data sets, with their notes."""
    found = []
    for i, name in enumerate(escape_names(shorten_name(name, SET_LETTERS) for name in datasets)):
        note = escape_names([notes[i]])[0] if notes else ""
        place = {"xref": "domain", "x": 0, "name": "data set", "showarrow": False}
        place |= {"xanchor": "left", "xshift": 4 - left}
        if narrow:
            text = f"<b>{name}</b>" + (f"  {note}" if note else "")
            place |= {"y": i * block + 0.05, "yanchor": "middle"}
            font = {"size": Size.tick, "color": theme.grey7}
            found.append({**place, "text": text, "font": font})
            continue
        middle = i * block + (n_rows - 1) / 2
        font = {"size": 15, "color": theme.ink}
        up = 0.55 if note and n_rows > 1 else 0.0
        found.append({**place, "y": middle - up, "yanchor": "middle", "text": name, "font": font})
        if note:
            font = {"size": Size.tick, "color": theme.grey5}
            found.append({**place, "y": middle + up, "yanchor": "middle", "text": note,
                          "font": font})  # fmt: skip
    return found


def _rules(n_sets: int, block: float, theme: Theme) -> list[dict]:
    """Hairline between two data sets."""
    return [
        {
            "type": "line", "xref": "domain", "x0": 0, "x1": 1, "y0": i * block - BETWEEN / 2 - 0.5,
            "y1": i * block - BETWEEN / 2 - 0.5, "line": {"width": 1, "color": theme.grey1},
        }
        for i in range(1, n_sets)
    ]  # fmt: skip


# ---- Mean ranks on a line, with the critical difference and what cannot be parted


BRACKET, NUMBERS, AXIS = 30, 52, 68  # pixels from above
GROUP, FIRST_GROUP, ROW = 9, 16, 28  # pixels: bars below the axis, then a row for each name
CAP, TICK = 5, 4
RANK_LETTERS = 18
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
    """Draw the mean ranks of algorithms, the best at the left, after Demsar (2006).

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
    short = distinct_labels(names, RANK_LETTERS)
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
        *_rank_dots(ranks, names, order, colours),
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
    """Line from each rank down to its row and out to its name."""
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
    """Bar below each group, one below the other, a little longer than the group."""
    ends = np.array([
        (ranks[list(group)].min() - over, AXIS + FIRST_GROUP + GROUP * i,
         ranks[list(group)].max() + over, AXIS + FIRST_GROUP + GROUP * i)
        for i, group in enumerate(groups)
    ]).reshape(-1, 4)  # fmt: skip
    bars = marks.segments(ends, theme.grey5, BAR, role="group", name="cannot be parted")
    return {**bars, "cliponaxis": False}


def _rank_dots(
    ranks: np.ndarray, names: Sequence[str], order: np.ndarray, theme: Theme
) -> list[dict]:
    traces = []
    for which, colour, role in ((order[1:], theme.grey7, "rank"), (order[:1], theme.ink, "best")):
        texts = [f"<b>{name}</b><br>{ranks[a]:.2f}" for a, name in _named(which, names)]
        y, look = np.full(len(which), float(AXIS)), ("circle", 9.5, colour, (1.5, theme.paper))
        about = {"role": role, "name": role, "texts": texts, "cliponaxis": False}
        traces.append(marks.symbols(ranks[which], y, *look, **about))
    return traces


def _named(which: np.ndarray, names: Sequence[str]) -> list[tuple[int, str]]:
    return list(zip(which.tolist(), escape_names(names[a] for a in which.tolist()), strict=True))


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
    """Name and its mean rank, at the left end of its line or at the right one."""
    name, rank = escape_names([short[place]])[0], f"{ranks[place]:.2f}"
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
