"""The best test of each feature at a node, one bar a feature."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, ThemeName
from lastviz.plots.visuals.words import number, shortened, text_width

from .visuals.drawing import Drawing

_LETTERS = 34
_ROW = 32


def best_tests_plot(
    tests: Sequence[str],
    scores: np.ndarray,
    *,
    theme: ThemeName,
    chosen: int | None = None,
    picked: int | None = None,
    kept: Sequence[int] = (),
    refused: str = "not admitted",
) -> Drawing:
    """Draw the tests of a node from top to bottom, their scores as bars.

    Parameters
    ----------
    tests : sequence of str
        As plotly html.
    scores : ndarray, shape (n_tests,)
        Not finite where a test is not admitted: such a row has no bar.
    chosen, picked : int or None
        The test that the algorithm took, in ink, and the one that the reader points at.
    kept : sequence of int
        Tests that passed all stages but the last, in a stronger grey.
    refused : str
        What stands instead of a bar.

    Notes
    -----
    ``customdata`` holds the place of a bar's test.
    """
    colours = THEMES[theme]
    scores = np.asarray(scores, dtype=np.float64)
    fine = np.isfinite(scores)
    length = np.where(fine, scores, 0.0)
    fill = np.full(len(scores), colours.grey2, dtype=object)
    fill[list(kept)] = colours.grey3
    edge = np.full(len(scores), 0.0)
    if picked is not None:
        edge[picked] = 2.5
    if chosen is not None:
        fill[chosen] = colours.ink
    ends = [number(s) if ok else refused for s, ok in zip(scores.tolist(), fine, strict=True)]
    names = [_short(test) for test in tests]
    least, most = min(float(length.min(initial=0.0)), 0.0), float(length.max(initial=0.0)) or 1.0
    row = np.arange(len(scores))
    bar = {
        "type": "bar",
        "orientation": "h",
        "name": "test",
        "meta": {"role": "test"},
        "x": length,
        "y": row,
        "text": ends,
        "textposition": "outside",
        "constraintext": "none",
        "textfont": {"size": 15, "color": colours.ink},
        "cliponaxis": False,
        "customdata": row,
        "hovertext": list(tests),
        "hovertemplate": "<b>%{hovertext}</b><br>%{text}<extra></extra>",
        "marker": {
            "color": fill.tolist(),
            "line": {"width": edge.tolist(), "color": colours.accent},
        },
    }
    left = max((text_width(name, 15) for name in names), default=0.0)
    right = max((text_width(end, 15) for end in ends), default=0.0)
    below = [text_width(end, 15) for end, value in zip(ends, length, strict=True) if value < 0]
    standoff = round(max(below, default=-6.0)) + 12  # the score of such a bar stands at its left
    panel = Panel(
        traces=[bar],
        xaxis={
            "visible": False,
            "fixedrange": True,
            "range": [least, most],
        },
        yaxis={
            "range": [len(scores) - 0.5, -0.5],
            "fixedrange": True,
            "tickmode": "array",
            "tickvals": row.tolist(),
            "ticktext": names,
            "ticks": "",
            "ticklabelstandoff": standoff,
            "tickfont": {"size": 15, "color": colours.ink},
        },
    )
    margin = Margin(left=round(left) + standoff + 6, right=round(right) + 16, top=2, bottom=2)
    return compose([panel], [_ROW * max(len(scores), 1)], theme=theme, margin=margin)


def _short(test: str) -> str:
    """Return a test cut to a line; one with marks in it is left whole."""
    return test if "<" in test or "&" in test else shortened(test, _LETTERS)
