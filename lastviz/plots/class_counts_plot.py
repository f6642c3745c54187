"""Number of samples of each class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, Theme, ThemeName
from lastviz.plots.visuals.words import HUNDRED, distinct_labels, escape_names, number, text_width

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
    names = escape_names(distinct_labels(map(str, class_names), _LETTERS))
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
    return [f"{number(int(n))}  ({HUNDRED * n / total:.1f} %)" for n in counts.tolist()]


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
