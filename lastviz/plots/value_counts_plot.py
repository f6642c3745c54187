"""How often which value was the best: a bar a value, side by side for several algorithms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import escaped, number, text_width
from lastviz.tree import decimals_of

from .visuals.drawing import Drawing

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
            _bars(counts[i], i, len(names), values, name, axes, colours)
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


def _bars(
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
