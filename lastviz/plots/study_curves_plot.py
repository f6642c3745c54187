"""Algorithms over the number of samples: their scores and their times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lastviz.plots.visuals.mark_names import names_beside, names_of_ends
from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import distinct_labels, escape_names, number, text_width

from .visuals import marks
from .visuals.drawing import Drawing

SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star", "x", "triangle-down")
DASHES = ("solid", "dash", "dot", "dashdot")
LETTERS = 14
NAME = 18  # pixels from one name to the next


@dataclass(frozen=True, eq=False)
class StudyCurve:
    """One algorithm over the number of rows."""

    name: str
    n_samples: np.ndarray  # (n,) float64, rows that it learnt from, rising
    value: np.ndarray  # (n,) float64, NaN where it failed
    low: np.ndarray | None = None  # (n,) float64, an interval of each value
    high: np.ndarray | None = None  # (n,) float64, an interval of each value


def learning_curve_plot(
    curves: Sequence[StudyCurve],
    *,
    theme: ThemeName,
    chosen: str = "",
    axes: tuple[str, str] = ("training rows", "accuracy, %"),
    height: int = 290,
) -> Drawing:
    """Draw the scores of algorithms over the number of training rows.

    Parameters
    ----------
    curves : sequence of StudyCurve
        Told apart by symbol, grey and dash, and named at their ends.
    chosen : str
        The one in ink, with the band of its interval.
    axes : (str, str)
        Names of the axes.
    height : int
        Of the whole figure, in pixels.
    """
    return _drawn(curves, THEMES[theme], theme, chosen, axes, height, log=False)


def time_plot(
    curves: Sequence[StudyCurve],
    *,
    theme: ThemeName,
    chosen: str = "",
    axes: tuple[str, str] = ("rows", "seconds"),
    height: int = 290,
) -> Drawing:
    """Draw the times of algorithms over the number of rows.

    Both axes are logarithmic: a slope is a power.

    Parameters as of :func:`learning_curve_plot`; values that are not above 0 are left out.
    """
    return _drawn(curves, THEMES[theme], theme, chosen, axes, height, log=True)


def _drawn(
    curves: Sequence[StudyCurve],
    colours: Theme,
    theme: ThemeName,
    chosen: str,
    axes: tuple[str, str],
    height: int,
    *,
    log: bool,
) -> Drawing:
    if log:  # a logarithmic axis has no place for what took no time at all
        curves = [
            replace(each, value=np.where(each.value > 0, each.value, np.nan)) for each in curves
        ]
    looks = [_look(i, curve.name == chosen, colours) for i, curve in enumerate(curves)]
    order = sorted(range(len(curves)), key=lambda i: curves[i].name == chosen)
    traces = [_band(curve, colours) for curve in curves if curve.name == chosen]
    for i in order:
        traces += _curve(curves[i], looks[i], axes, colours)
    short = distinct_labels((curve.name for curve in curves), LETTERS)
    bottom, top = _reach(curves, chosen, log)
    left, right = _rows_reach(curves)
    longest = max((text_width(name, Size.axis) for name in short), default=0)
    margin = Margin(left=52, right=round(1.08 * longest) + 14, top=36, bottom=50)
    inner = height - margin.top - margin.bottom
    ends = [
        (_scaled(curve.value[np.isfinite(curve.value)][-1], log), name, looks[i][0])
        for i, (curve, name) in enumerate(zip(curves, escape_names(short), strict=True))
        if np.isfinite(curve.value).any()
    ]
    ends = [(y, f"<b>{name}</b>" if c == colours.ink else name, _text(c, colours))
            for y, name, c in ends]  # fmt: skip
    apart = NAME * (top - bottom) / inner
    lowest = min(bottom, top - apart * len(ends))
    panel = Panel(
        traces=traces,
        xaxis={"type": "log", "range": [left, right], "fixedrange": True, **_decades(left, right)},
        yaxis={
            "range": [bottom, top], "fixedrange": True,
            **({"type": "log", **_decades(bottom, top)} if log else {"nticks": 5}),
        },
        annotations=[
            *axis_names(axes, theme_grey=colours.grey7, lift=8),
            *names_of_ends(ends, lowest=lowest, highest=top, apart=apart),
        ],
    )  # fmt: skip
    return compose([panel], [inner], theme=theme, margin=margin)


def _text(colour: str, theme: Theme) -> str:
    """Colour for a name: the palest grey may not be text."""
    return theme.grey5 if colour == theme.grey3 else colour


def _look(place: int, is_chosen: bool, theme: Theme) -> tuple[str, float, str, str]:
    """Colour, width, dash and symbol of a curve."""
    symbol, dash = SYMBOLS[place % len(SYMBOLS)], DASHES[place // 3 % len(DASHES)]
    if is_chosen:
        return theme.ink, 2.5, "solid", symbol
    return (theme.grey7, theme.grey5, theme.grey3)[place % 3], Size.curve, dash, symbol


def _scaled(value: float, log: bool) -> float:
    return float(np.log10(value)) if log else float(value)


def _reach(curves: Sequence[StudyCurve], chosen: str, log: bool) -> tuple[float, float]:
    parts = [curve.value for curve in curves]
    for curve in curves:
        if curve.name == chosen and curve.low is not None:
            parts += [curve.low, curve.high]
    values = np.concatenate([*parts, np.empty(0)])
    values = values[np.isfinite(values) & ((values > 0) | (not log))]
    values = np.log10(values) if log else values
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = 0.06 * (high - low) or 0.5
    return low - room, high + room


def _rows_reach(curves: Sequence[StudyCurve]) -> tuple[float, float]:
    rows = np.log10(np.concatenate([curve.n_samples for curve in curves] or [np.ones(1)]))
    room = 0.03 * float(np.ptp(rows)) or 0.2
    return float(rows.min()) - room, float(rows.max()) + room


def _decades(low: float, high: float) -> dict:
    """Ticks at 1, 2, 5, 10, ..., fewer over more decades."""
    leads = (1, 2, 5) if high - low < 1.2 else (1, 3) if high - low < 2.4 else (1,)
    powers = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    ticks = [lead * 10.0**power for power in powers for lead in leads]
    ticks = [tick for tick in ticks if low <= np.log10(tick) <= high]
    return {"tickvals": ticks, "ticktext": [number(_tick_value(tick)) for tick in ticks]}


def _tick_value(tick: float) -> float | int:
    return round(tick) if tick >= 1 else tick


def _band(curve: StudyCurve, theme: Theme) -> dict:
    """Interval around a curve as an area."""
    if curve.low is None or curve.high is None:
        xy = np.empty((0, 2))
    else:
        known = np.isfinite(curve.low) & np.isfinite(curve.high)
        n = curve.n_samples[known]
        xy = np.column_stack([np.r_[n, n[::-1]], np.r_[curve.low[known], curve.high[known][::-1]]])
    return marks.polygons(xy, theme.grey1, role="band", name="interval")


def _curve(
    curve: StudyCurve, look: tuple[str, float, str, str], axes: tuple[str, str], theme: Theme
) -> list[dict]:
    colour, width, dash, symbol = look
    xy = np.column_stack([curve.n_samples, curve.value]).astype(np.float64)
    name = escape_names([curve.name])[0]
    line = marks.line(xy, colour, width, role="curve", name=name, dash=dash)
    known = np.isfinite(curve.value)
    texts = [
        f"<b>{name}</b><br>{axes[0]} {number(_tick_value(n))}<br>{axes[1]} {number(value)}"
        for n, value in xy[known].tolist()
    ]
    sign = symbol, 8, colour, (1, theme.paper)
    return [line, marks.symbols(*xy[known].T, *sign, role="value", name=name, texts=texts)]


# ---- How large algorithms' trees are against how well they do: in ink what nothing beats in both


ROOM = 0.12  # of the span, beyond the outermost marks


def pareto_mask(
    size: np.ndarray, value: np.ndarray, *, larger_is_better: bool = True
) -> np.ndarray:
    """Mask of the points beaten by no other point.

    One beats another if it is as small and as good, and better in one of both.

    Shape (n,), bool; those without a size or a value are beaten. O(n^2).
    """
    size, value = np.asarray(size, dtype=np.float64), np.asarray(value, dtype=np.float64)
    worth = value if larger_is_better else -value
    known = np.isfinite(size) & np.isfinite(worth)
    as_good = (size[:, None] <= size) & (worth[:, None] >= worth)
    better = (size[:, None] < size) | (worth[:, None] > worth)
    return known & ~(as_good & better & known[:, None]).any(axis=0)


def size_accuracy_plot(
    names: Sequence[str],
    size: np.ndarray,
    value: np.ndarray,
    *,
    theme: ThemeName,
    larger_is_better: bool = True,
    axes: tuple[str, str] = ("leaves, geometric mean", "accuracy, %"),
    height: int = 260,
    width_hint: int = 400,
) -> Drawing:
    """Draw a dot for each algorithm, sizes on a logarithmic axis.

    Parameters
    ----------
    names : sequence of str
    size, value : ndarray of float64, shape (n,)
        Sizes above 0; who has no size (NaN) is not drawn.
    larger_is_better : bool
        Of the values.
    axes : (str, str)
        Names of the axes.
    height : int
        Of the whole figure, in pixels.
    width_hint : int
        About how many pixels the panel is wide: names are placed by it.
    """
    colours = THEMES[theme]
    size, value = np.asarray(size, dtype=np.float64), np.asarray(value, dtype=np.float64)
    best = pareto_mask(size, value, larger_is_better=larger_is_better)
    known = np.flatnonzero(np.isfinite(size) & np.isfinite(value) & (size > 0))
    decades = np.log10(size[known]) if len(known) else np.zeros(1)
    low, high = _padded(decades, 0.15)
    bottom, top = _padded(value[known] if len(known) else np.zeros(1), 0.5)
    margin = Margin(left=48, right=12, top=36, bottom=50)
    inner = height - margin.top - margin.bottom
    across = width_hint - margin.left - margin.right
    traces = [
        _dots(names, size, value, known[best[known] == own], own, axes, colours)
        for own in (False, True)
    ]
    traces += names_beside(
        [names[i] for i in known],
        np.column_stack([decades, value[known]]) if len(known) else np.empty((0, 2)),
        begin=low,
        pixels=(across / (high - low), inner / (top - bottom)),
        width=across,
        theme=colours,
    )
    ticks = _ticks(low, high)
    panel = Panel(
        traces=traces,
        xaxis={
            "type": "log", "range": [low, high], "fixedrange": True, "tickvals": ticks,
            "ticktext": [number(tick) for tick in ticks],
        },
        yaxis={"range": [bottom, top], "fixedrange": True, "nticks": 5},
        annotations=axis_names(axes, theme_grey=colours.grey7, lift=8),
    )  # fmt: skip
    return compose([panel], [inner], theme=theme, margin=margin)


def _padded(values: np.ndarray, least: float) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = max(ROOM * (high - low), least)
    return low - room, high + room


def _ticks(low: float, high: float) -> list[int]:
    """Ticks 1, 2, 5, 10, 20, ... within the axis, at most six."""
    ticks = [
        lead * 10**power for power in range(0, 10) for lead in (1, 2, 5)
        if low <= np.log10(lead * 10**power) <= high
    ]  # fmt: skip
    return ticks if len(ticks) <= 6 else [tick for tick in ticks if str(tick)[0] == "1"]


def _dots(
    names: Sequence[str],
    size: np.ndarray,
    value: np.ndarray,
    which: np.ndarray,
    own: bool,
    axes: tuple[str, str],
    theme: Theme,
) -> dict:
    texts = [
        f"<b>{name}</b><br>{axes[0]} {number(size[i])}<br>{axes[1]} {number(value[i])}"
        for i, name in zip(which.tolist(), escape_names(names[i] for i in which), strict=True)
    ]
    look = "circle", 9.5, theme.ink if own else theme.grey5, (1.5, theme.paper)
    role = "unbeaten" if own else "beaten"
    return marks.symbols(size[which], value[which], *look, role=role, name=role, texts=texts)
