"""How many rows each class has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import distinct_labels, escaped, number, text_width
from lastviz.tree import decimals_of

from .visuals import marks
from .visuals.drawing import Drawing

_LETTERS = 18
_FOOT = 0.11  # of the longest bar, for the symbols at the feet of the bars


def class_counts_plot(
    counts: np.ndarray, class_names: Sequence[str], *, theme: ThemeName, height: int | None = None
) -> Drawing:
    """Draw one bar a class, first class on top, with its count and share at its end.

    Parameters
    ----------
    counts : ndarray, shape (n_classes,)
        Rows of each class.
    height : int or None
        In pixels; a line of text for each class if None.
    """
    colours = THEMES[theme]
    counts = np.asarray(counts)
    n_classes = len(counts)
    names = escaped(distinct_labels(map(str, class_names), _LETTERS))
    row = np.arange(n_classes)
    ends = _ends(counts)
    left, right = (max(text_width(text, 15) for text in texts) for texts in (names, ends))
    most = float(counts.max() or 1)
    margin = Margin(left=round(left) + 8, right=round(right) + 12, top=2, bottom=2)
    x = np.full(len(row), -0.5 * _FOOT * most)
    signs = marks.class_symbols(x, row, row.tolist(), colours)
    panel = Panel(
        traces=[_bars(counts, ends, names, colours), signs],
        xaxis={"visible": False, "fixedrange": True, "range": [-_FOOT * most, most]},
        yaxis={
            "range": [n_classes - 0.5, -0.5],
            "fixedrange": True,
            "tickmode": "array",
            "tickvals": row.tolist(),
            "ticktext": names,
            "ticks": "",
            "ticklabelstandoff": 3,
            "tickfont": {"size": 15, "color": colours.ink},
        },
    )
    inner = height - 4 if height else n_classes * (30 if n_classes <= 12 else 22)
    return compose([panel], [inner], theme=theme, margin=margin)


def _ends(counts: np.ndarray) -> list[str]:
    total = float(counts.sum()) or 1.0
    return [f"{number(int(n))}  ({100 * n / total:.1f} %)" for n in counts.tolist()]


def _bars(counts: np.ndarray, ends: list[str], names: Sequence[str], theme: Theme) -> dict:
    row = np.arange(len(counts))
    return {
        "type": "bar",
        "orientation": "h",
        "name": "rows",
        "meta": {"role": "count"},
        "x": counts.astype(np.int32),
        "y": row,
        "text": ends,
        "textposition": "outside",
        "constraintext": "none",
        "textfont": {"size": 15, "color": theme.ink},
        "cliponaxis": False,
        "hovertemplate": "<b>%{customdata}</b><br>%{text}<extra></extra>",
        "customdata": list(names),
        "marker": {"color": [theme.table_bar(k) for k in row.tolist()], "line": {"width": 0}},
    }


# ---- How often which value was the best: a bar a value, side by side for several algorithms


WIDTH = 0.8  # of the place of a value that its bars fill
GAP = 8  # pixels between two values


def value_counts_plot(
    counts: np.ndarray,
    values: Sequence[float],
    names: Sequence[str],
    *,
    theme: ThemeName,
    axes: tuple[str, str],
    height: int = 260,
) -> Drawing:
    """Draw a group of bars for each value, in their order and equally far apart.

    Parameters
    ----------
    counts : ndarray of int, shape (n_algorithms, n_values)
    values : sequence of float
        Rising.
    names : sequence of str
        Of the algorithms; the last one is drawn in ink, those before it in greys.
    axes : (str, str)
        What the values are, and what is counted.
    height : int
        Of the whole figure, in pixels.

    Notes
    -----
    O(n_algorithms n_values).
    """
    colours = THEMES[theme]
    counts = np.asarray(counts)
    most = max(int(counts.max(initial=0)), 1)
    decimals = decimals_of(np.array(values))
    margin = Margin(left=72, right=8, top=36, bottom=50)
    ticks = [number(value, decimals) for value in values]
    panel = Panel(
        traces=[
            _value_bars(counts[i], i, len(names), values, name, axes, colours)
            for i, name in enumerate(escaped(names))
        ],
        xaxis={
            "range": [-0.6, len(values) - 0.4], "fixedrange": True,
            "tickvals": list(range(len(values))), "ticktext": ticks,
        },
        yaxis={"range": [0, 1.08 * most], "fixedrange": True, "nticks": min(most + 1, 6)},
        annotations=axis_names(axes, theme_grey=colours.grey7, lift=8),
    )  # fmt: skip
    drawing = compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)
    wide = max((text_width(tick, Size.tick) for tick in ticks), default=0.0) + GAP
    drawing.settings["meta"]["least"] = round(margin.left + wide * len(ticks) + margin.right)
    return drawing


def _value_bars(
    counts: np.ndarray,
    i: int,
    n: int,
    values: Sequence[float],
    name: str,
    axes: tuple[str, str],
    theme: Theme,
) -> dict:
    width = WIDTH / n
    shades = (theme.ink, theme.grey5, theme.grey3)
    texts = [
        f"<b>{name}</b><br>{axes[0]} {number(value)}: {number(int(count))}"
        for value, count in zip(values, counts, strict=True)
    ]
    return {
        "type": "bar",
        "name": name,
        "meta": {"role": "count"},
        "x": np.arange(len(values)) + (i - (n - 1) / 2) * width,
        "y": counts.astype(np.int32),
        "width": 0.92 * width,
        "text": texts,
        "textposition": "none",
        "hovertemplate": "%{text}<extra></extra>",
        "marker": {"color": shades[min(n - 1 - i, len(shades) - 1)]},
    }
