"""A regression tree on one feature: the loss of every first cut, the steps, the nodes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import CutSums, Steps
from lastviz.plots.visuals.panel import Margin, Panel, axis_names, compose, step_traces
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import hover_format, number, text_width
from lastviz.tree import decimals_of

from .visuals.drawing import Drawing

_ROW = 30  # pixels of a level of nodes
_PLANE = 300


def cut_losses_plot(
    cuts: CutSums,
    *,
    theme: ThemeName,
    name: str = "x",
    height: int = 190,
    width_hint: int = 600,
    loss_word: str = "loss",
) -> Drawing:
    """Draw the loss of every cut as a bar at its threshold, the smallest in ink.

    Parameters
    ----------
    cuts : CutSums
    name : str
        Of the feature.
    height, width_hint : int
        Of the whole figure, in pixels; bars that are too close for numbers have none.
    loss_word : str
        For hover texts.
    """
    colours = THEMES[theme]
    place, loss, best = np.arange(len(cuts.s)), cuts.loss, cuts.best
    texts = [f"<b>{number(v)}</b>" if i == best else number(v) for i, v in enumerate(loss)]
    decimals = decimals_of(cuts.s)
    at = [number(float(s), decimals) for s in cuts.s]
    room = width_hint / max(len(place), 1)
    if max((text_width(text, 15) for text in texts), default=0) > room:
        texts = [text if i == best else "" for i, text in enumerate(texts)]
    about = f"{loss_word} %{{y:{hover_format(loss)}}}"
    bars = {
        "type": "bar",
        "name": loss_word,
        "meta": {"role": "loss"},
        "x": place,
        "y": loss,
        "width": min(0.62, 0.14 * len(place)),
        "text": texts,
        "textposition": "outside",
        "textangle": 0,
        "constraintext": "none",
        "cliponaxis": False,
        "textfont": {"size": 15, "color": colours.ink},
        "customdata": [f"s = {each}" for each in at],
        "hovertemplate": f"%{{customdata}}<br>{about}<extra></extra>",
        "marker": {
            "color": [colours.ink if i == best else colours.grey3 for i in place.tolist()],
            "line": {"width": 0},
        },
    }
    shown = [i for i in place.tolist() if i % (1 + len(place) // 16) == 0 or i == best]
    panel = Panel(
        traces=[bars],
        xaxis={
            "range": [-0.6, len(place) - 0.4], "fixedrange": True, "ticks": "",
            "tickmode": "array", "tickvals": shown,
            "ticktext": [at[i] for i in shown],
        },
        yaxis={
            "range": [0, 1.2 * float(loss.max(initial=0.0)) or 1.0], "visible": False,
            "fixedrange": True,
        },
        annotations=axis_names(("s", ""), theme_grey=colours.grey7),
    )  # fmt: skip
    margin = Margin(left=12, right=24, top=4, bottom=30)
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def regression_steps_plot(
    x: np.ndarray,
    y: np.ndarray,
    steps: Steps,
    *,
    theme: ThemeName,
    names: tuple[str, str] = ("x", "y"),
    width_hint: int = 600,
    words: Sequence[str] = ("rows", "mean", "loss"),
) -> Drawing:
    """Draw the points with the steps of a tree, and its nodes below, level by level.

    Parameters
    ----------
    x, y : ndarray, shape (n,)
    steps : Steps
    names : (str, str)
        Of the axes.
    width_hint : int
        Width that the figure will have, about, in pixels.
    words : (str, str, str)
        For hover texts: rows, mean, loss.
    """
    colours = THEMES[theme]
    pad = 0.06 * (float(np.ptp(x)) or 1.0)
    view = float(x.min()) - pad, float(x.max()) + pad
    low, high = np.maximum(steps.low, view[0]), np.minimum(steps.high, view[1])
    levels = int(steps.depth.max()) + 1
    deep = _ROW * levels
    plane = _plane(x, y, steps, (low, high), view, names, colours)
    nodes = _nodes(steps, (low, high), view, width_hint, words, colours)
    margin = Margin(left=48, right=28, top=26, bottom=4)
    return compose([plane, nodes], [_PLANE, deep], theme=theme, margin=margin, gap=34)


def _plane(
    x: np.ndarray,
    y: np.ndarray,
    steps: Steps,
    ends: tuple[np.ndarray, np.ndarray],
    view: tuple[float, float],
    names: tuple[str, str],
    theme: Theme,
) -> Panel:
    leaf = np.flatnonzero(steps.leaf)
    leaf = leaf[np.argsort(steps.low[leaf], kind="stable")]
    mean = steps.mean[leaf]
    points = {
        "type": "scatter",
        "name": "points",
        "meta": {"role": "point"},
        "x": np.asarray(x, dtype=np.float64),
        "y": np.asarray(y, dtype=np.float64),
        "mode": "markers",
        "hovertemplate": f"{names[0]} %{{x}}<br>{names[1]} %{{y}}<extra></extra>",
        "marker": {
            "size": 8.5,
            "color": theme.grey5,
            "line": {"width": 1, "color": theme.paper},
        },
    }
    room = 0.1 * (float(np.ptp(y)) or 1.0)
    return Panel(
        traces=[
            *step_traces(ends[0][leaf], ends[1][leaf], mean, theme),
            points,
        ],
        xaxis={"range": list(view), "fixedrange": True},
        yaxis={
            "range": [float(y.min()) - room, float(y.max()) + room],
            "fixedrange": True,
            "nticks": 6,
        },
        annotations=axis_names(names, theme_grey=theme.grey7),
    )


def _nodes(
    steps: Steps,
    ends: tuple[np.ndarray, np.ndarray],
    view: tuple[float, float],
    width: int,
    words: Sequence[str],
    theme: Theme,
) -> Panel:
    """The nodes as bars over their intervals, the root on top; leaves in ink."""
    low, high = ends
    gap = 2.0 / width * (view[1] - view[0])
    line = {"width": 0}
    texts = []
    for i, mean in enumerate(steps.mean.tolist()):
        wide = (high[i] - low[i]) / (view[1] - view[0]) * width
        text = number(float(f"{mean:.4g}"))
        texts.append(text if text_width(text) + 6 < wide else "")
    hovers = [
        f"{number(int(n))} {words[0]}<br>{words[1]} {number(float(m))}<br>{words[2]} {number(loss)}"
        for n, m, loss in zip(
            steps.n_samples.tolist(), steps.mean.tolist(), steps.loss.tolist(), strict=True
        )
    ]
    bars = {
        "type": "bar",
        "orientation": "h",
        "name": "nodes",
        "meta": {"role": "node"},
        "y": steps.depth.astype(np.int32),
        "base": low + gap,
        "x": np.maximum(high - low - 2 * gap, gap),
        "width": 0.8,
        "text": texts,
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "constraintext": "none",
        "textfont": {"size": Size.tick,
                     "color": [theme.paper if leaf else theme.ink for leaf in steps.leaf]},
        "customdata": hovers,
        "hovertemplate": "%{customdata}<extra></extra>",
        "marker": {
            "color": [theme.ink if leaf else theme.grey2 for leaf in steps.leaf.tolist()],
            "line": line,
        },
    }  # fmt: skip
    levels = int(steps.depth.max()) + 1
    return Panel(
        traces=[bars],
        xaxis={"range": list(view), "fixedrange": True, "visible": False},
        yaxis={"range": [levels - 0.5, -0.5], "fixedrange": True, "visible": False},
    )
