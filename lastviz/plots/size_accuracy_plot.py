"""How large algorithms' trees are against how well they do: in ink what nothing beats in both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.mark_names import names_beside
from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose
from lastviz.plots.visuals.theme import THEMES, Theme, ThemeName
from lastviz.plots.visuals.words import escaped, number

from .visuals import marks
from .visuals.drawing import Drawing

ROOM = 0.12  # of the span, beyond the outermost marks


def unbeaten(size: np.ndarray, value: np.ndarray, *, larger_is_better: bool = True) -> np.ndarray:
    """Return who is not beaten: none is as small and as good, and better in one of both.

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
    best = unbeaten(size, value, larger_is_better=larger_is_better)
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
    """Return 1, 2, 5, 10, 20 ... within the axis, at most six."""
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
        for i, name in zip(which.tolist(), escaped(names[i] for i in which), strict=True)
    ]
    look = "circle", 9.5, theme.ink if own else theme.grey5, (1.5, theme.paper)
    role = "unbeaten" if own else "beaten"
    return marks.symbols(size[which], value[which], *look, role=role, name=role, texts=texts)
