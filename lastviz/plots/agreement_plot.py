"""Agreement of criteria: a triangle of numbers in greys."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import Margin, frame
from lastviz.plots.visuals.theme import THEMES, Size, ThemeName

from .visuals.drawing import Drawing

CELL, NARROW = 44, 41  # pixels up, and at least across: a number has to fit
MARGIN = Margin(left=130, right=110, top=4, bottom=4)


def agreement_plot(
    titles: Sequence[str], tau: np.ndarray, *, theme: ThemeName, name: str = "tau"
) -> Drawing:
    """Draw a symmetric matrix of rank correlations.

    The diagonal and the entries above it are left out.

    Parameters
    ----------
    titles : sequence of str
        Of the rows and columns, as plotly html.
    tau : ndarray, shape (n, n)
        From -1 to 1; NaN where it is not defined.
    name : str
        What a number is called in hover texts.
    """
    colours = THEMES[theme]
    n = len(titles)
    lower = np.where(np.tri(n, k=-1, dtype=bool), tau, np.nan)[1:, :-1]
    texts = np.where(np.isnan(lower), "", np.char.mod("%.2f", np.nan_to_num(lower)))
    layout = frame(theme, CELL * (n - 1), MARGIN)
    layout["meta"]["least"] = MARGIN.left + NARROW * (n - 1) + MARGIN.right
    layout["xaxis"] = {"visible": False, "fixedrange": True, "range": [-0.5, n - 1.5]}
    layout["yaxis"] = {
        "range": [n - 1.5, -0.5],
        "tickvals": list(range(n - 1)),
        "ticktext": list(titles[1:]),
        "ticks": "",
        "tickfont": {"size": Size.tick},
        "fixedrange": True,
    }
    # A column is named where its row would be, on the diagonal: nothing has to be turned.
    layout["annotations"] = [
        {
            "text": title, "showarrow": False, "x": j - 0.42, "y": j - 1, "xanchor": "left",
            "font": {"size": Size.tick, "color": colours.grey5},
        }
        for j, title in enumerate(titles[:-1]) if j > 0
    ]  # fmt: skip
    heat = {
        "type": "heatmap",
        "name": name,
        "meta": {"role": "agreement"},
        "z": lower,
        "text": texts,
        "texttemplate": "%{text}",
        "textfont": {"size": Size.axis},
        "zmin": -1,
        "zmax": 1,
        "colorscale": [[0, colours.paper], [0.5, colours.grey1],
                       [1, colours.grey3]],
        "showscale": False,
        "xgap": 3,
        "ygap": 3,
        "hoverongaps": False,
        "hoverinfo": "skip",  # the areas say it
    }  # fmt: skip
    layout["meta"]["hits"] = _cells(titles, lower, name)
    return Drawing([heat], layout)


def _cells(titles: Sequence[str], lower: np.ndarray, name: str) -> list[dict]:
    """Each number as an area, by which keys and tables find it."""
    return [
        {
            "node": n,
            "xy": [[j - 0.5, i - 0.5], [j + 0.5, i - 0.5], [j + 0.5, i + 0.5], [j - 0.5, i + 0.5]],
            "xaxis": "x",
            "yaxis": "y",
            "text": f"{titles[i + 1]}, {titles[j]}<br>{name} {lower[i, j]:.3f}",
        }
        for n, (i, j) in enumerate(np.argwhere(~np.isnan(lower)).tolist())
    ]
