"""Which feature the trees of a forest split by, and how deep."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, Size, ThemeName
from lastviz.plots.visuals.words import feature_html, shortened

from .visuals.drawing import Drawing

_ROW = 26  # pixels
_MOST = 20  # features


def forest_overview_plot(
    splits: np.ndarray, names: Sequence[str], *, theme: ThemeName, depth_word: str = "depth"
) -> Drawing:
    """Draw the share of the rows that each feature sends on at each depth, as greys.

    Parameters
    ----------
    splits : ndarray, shape (n_features, n_depths)
        See :class:`lastviz.inspection.ForestOverview`; the 20 most used features are drawn.
    names : sequence of str
        Of the features.
    depth_word : str
        Stands before the number of each column; the root has depth 0.
    """
    colours = THEMES[theme]
    order = np.argsort(-splits.sum(axis=1), kind="stable")[:_MOST]
    z = 100 * splits[order]
    text = [[f"{v:.0f}" if v >= 0.5 else "" for v in row] for row in z]
    trace = {
        "type": "heatmap",
        "name": "share of rows",
        "meta": {"role": "shares"},
        "z": z,
        "x": np.arange(z.shape[1]),
        "y": np.arange(len(order)),
        "zmin": 0.0,
        "zmax": 100.0,
        "colorscale": [[0.0, colours.paper], [1.0, colours.grey3]],
        "showscale": False,
        "xgap": 3,
        "ygap": 3,
        "text": text,
        "texttemplate": "%{text}",
        "textfont": {"size": Size.tick, "color": colours.ink},
        "hovertemplate": "%{z:.1f} %<extra></extra>",
    }
    ticks = [f"{depth_word} {d}" if d == 0 else str(d) for d in range(z.shape[1])]
    labels = [feature_html(shortened(names[f], 18)) for f in order]
    panel = Panel(
        traces=[trace],
        xaxis={"tickvals": list(range(len(ticks))), "ticktext": ticks, "fixedrange": True},
        yaxis={
            "tickvals": list(range(len(labels))),
            "ticktext": labels,
            "autorange": "reversed",
            "fixedrange": True,
        },
    )
    return compose([panel], [_ROW * max(len(order), 2)], theme=theme, margin=Margin(left=150))
