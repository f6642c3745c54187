"""Rows in the order of the share of trees that say a class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, ThemeName, symbol

from .visuals import marks
from .visuals.drawing import Drawing

SETTLED = 0.9  # share of the trees that agree on a row whose class does not depend on the tree
SIZE = 7


def row_shares_plot(
    share: np.ndarray,
    y: np.ndarray,
    names: Sequence[str],
    *,
    theme: ThemeName,
    height: int = 260,
) -> Drawing:
    """Draw rows from left to right by a share, each as the symbol of its class.

    The field is grey where fewer than nine in ten trees agree.

    Parameters
    ----------
    share : ndarray, shape (n_rows,)
        Share of trees that say one class, rising.
    y : ndarray of intp, shape (n_rows,)
        Classes of the rows.
    names : sequence of str
        Hover texts of the rows, as plotly html.
    height : int
        In pixels.
    """
    colours, place = THEMES[theme], np.arange(len(share))
    signs = marks.symbols(
        place, 100 * share, [symbol(k) for k in y], SIZE, [colours.hue(k) for k in y],
        role="row", name="rows", texts=names,
    )  # fmt: skip
    open_rows = np.flatnonzero((share < SETTLED) & (share > 1 - SETTLED))
    field = [] if not len(open_rows) else [{
        "type": "rect", "layer": "below", "xref": "x", "yref": "y", "y0": -4, "y1": 104,
        "x0": open_rows[0] - 0.5, "x1": open_rows[-1] + 0.5, "line": {"width": 0},
        "fillcolor": colours.grey1,
    }]  # fmt: skip
    panel = Panel(
        traces=[signs],
        xaxis={"visible": False, "fixedrange": True, "range": [-1, len(share)]},
        yaxis={"range": [-4, 104], "fixedrange": True, "tickvals": [0, 50, 100], "ticksuffix": "%"},
        shapes=field,
    )
    margin = Margin(left=48, right=8, top=4, bottom=4)
    return compose([panel], [height - 8], theme=theme, margin=margin)
