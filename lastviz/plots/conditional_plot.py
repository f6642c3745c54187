"""The distribution of the classes in each cell of a partition."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import escaped, fitted, number, text_width

from .visuals.drawing import Drawing

# Pixels of a line of names, between two names, and of the widest.
_LINE, _GAP, _WIDEST = 20, 8, 150
_MOST_LINES = 4


def conditional_plot(
    counts: np.ndarray,
    cell_names: Sequence[Sequence[str]],
    *,
    theme: ThemeName,
    class_names: Sequence[str],
    height: int = 300,
) -> Drawing:
    """Draw P(Y = k | X = c) of the cells of a partition as bars stacked by class.

    Parameters
    ----------
    counts : ndarray, shape (n_cells, n_classes)
        Rows of each cell by class.
    cell_names : sequence of sequences of str
        What holds in each cell, a line a condition.
    class_names : sequence of str
    height : int
        Of the whole figure, in pixels.
    """
    colours, names = THEMES[theme], escaped(class_names)
    counts = np.asarray(counts, dtype=np.float64)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    place = np.arange(len(counts))
    traces = [_bars(place, shares[:, k], k, names[k], colours) for k in range(len(names))]
    n = len(counts)
    half = {"type": "line", "x0": -0.5, "x1": n - 0.5, "y0": 0.5, "y1": 0.5, "name": "half",
            "line": {"color": colours.ink, "width": Size.split, "dash": "dash"}}  # fmt: skip
    lines = [escaped(words[:_MOST_LINES]) for words in cell_names]
    wide = max((text_width(word, Size.tick) for words in lines for word in words), default=0.0)
    wide = min(wide, _WIDEST)
    lines = [[fitted(word, wide, Size.tick) for word in words] for words in lines]
    panel = Panel(
        traces=traces,
        xaxis={
            "range": [-0.5, n - 0.5], "fixedrange": True, "ticks": "", "tickmode": "array",
            "tickvals": place.tolist(), "ticktext": ["<br>".join(words) for words in lines],
        },
        yaxis={"range": [0, 1.1], "fixedrange": True, "tickvals": [0, 0.5, 1]},
        annotations=[
            {"x": i, "y": 1, "yanchor": "bottom", "name": "rows", "showarrow": False,
             "text": number(int(counts[i].sum())),
             "font": {"size": Size.tick, "color": colours.grey5}}
            for i in range(n)
        ],
        shapes=[half],
    )  # fmt: skip
    deep = max((len(words) for words in lines), default=1)
    margin = Margin(left=48, right=4, top=4, bottom=10 + _LINE * deep)
    drawing = compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)
    drawing.settings["meta"]["least"] = round(margin.left + n * (wide + _GAP) + margin.right)
    return drawing


def _bars(place: np.ndarray, share: np.ndarray, index: int, name: str, theme: Theme) -> dict:
    return {
        "type": "bar",
        "name": name,
        "meta": {"role": "share", "class": index},
        "x": place,
        "y": share,
        "width": min(0.62, 0.16 * len(place)),
        "text": [number(float(v)) if v > 0.08 else "" for v in share],
        "textposition": "inside",
        "textangle": 0,
        "insidetextanchor": "end",
        "constraintext": "none",
        "textfont": {"size": Size.axis, "color": theme.ink},
        "hovertemplate": f"P(Y = {name} | X = c) = %{{y:.4~r}}<extra></extra>",
        "marker": {"color": theme.ribbon(index), "line": {"width": 0}},
    }
