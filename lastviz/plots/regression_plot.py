"""Numbers learnt from one feature: the points and the steps of the tree."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lastviz.inspection import ResponseSteps
from lastviz.plots.visuals.marks import plain_points
from lastviz.plots.visuals.panel import Panel, axis_names, compose, hit, plane_margin
from lastviz.plots.visuals.steps import step_traces
from lastviz.plots.visuals.theme import THEMES, ThemeName
from lastviz.plots.visuals.ticks import with_ticks
from lastviz.plots.visuals.words import feature_html, number
from lastviz.tree import Tree, threshold_decimals

from .flow_tree_plot import number_tree_panel
from .visuals.drawing import Drawing

_ROOM = 0.06  # of the range, around the points and steps


def regression_plot(
    steps: ResponseSteps,
    x: np.ndarray,
    y: np.ndarray,
    *,
    theme: ThemeName,
    names: tuple[str, str],
    units: tuple[str, str] = ("", ""),
    selected: int = -1,
    held_out: np.ndarray | None = None,
    height: int = 360,
    tree: Tree | None = None,
    tree_height: int = 150,
    width_hint: int = 640,
) -> Drawing:
    """Draw the points (x, y), each (n,), under the steps of a tree.

    Parameters
    ----------
    steps : ResponseSteps
    x, y : ndarray, shape (n_samples,)
    theme : {"light", "dark"}
    names, units : tuple of (str, str)
        Of the feature and of what is predicted.
    selected : int, default -1
        The node whose steps are drawn thick; -1: none.
    held_out : ndarray of bool, shape (n_samples,), or None
        Rows kept from training, drawn open; None: none.
    height : int, default 360
        Pixels.
    tree, tree_height, width_hint
        As for :func:`regression_plane_plot`.
    """
    colours = THEMES[theme]
    is_held_out = np.zeros(len(x), dtype=bool) if held_out is None else held_out
    rows = np.column_stack([x, y])
    traces = [
        plain_points(rows[~is_held_out], colours, role="sample", name="samples"),
        plain_points(rows[is_held_out], colours, role="held_out", name="held out", is_open=True),
        *step_traces(steps.start, steps.end, steps.value, colours, steps.node == selected),
    ]
    both = np.r_[y, steps.value]
    bottom, top = both.min(), both.max()
    room = _ROOM * (top - bottom) if top > bottom else 1.0
    low, high = float(bottom - room), float(top + room)
    panel = Panel(
        traces=traces,
        xaxis=with_ticks({"range": [float(steps.start[0]), float(steps.end[-1])]}, units[0]),
        yaxis={"range": [low, high], "nticks": 6} | with_ticks({"range": [low, high]}, units[1]),
        annotations=axis_names(names, units, theme_grey=colours.grey7),
        hits=[
            hit(node, [[a, low], [b, low], [b, high], [a, high]], _hover_text(*texts, names))
            for a, b, texts, node in zip(
                steps.start.tolist(), steps.end.tolist(), _in_words(steps),
                steps.node.tolist(), strict=True,
            )
        ],
    )  # fmt: skip
    margin = plane_margin(names, units, panel.yaxis)
    inner = height - margin.top - margin.bottom
    if tree is None:
        return compose([panel], [inner], theme=theme, margin=margin)
    size = (width_hint - margin.left - margin.right, tree_height)
    predicted = tree.prediction[tree.n_children == 0]
    ends = float(predicted.min()), float(predicted.max())
    flow = number_tree_panel(tree, ends, theme=theme, size=size)
    return compose(
        [panel, flow], [inner, tree_height], theme=theme, margin=margin.over(), gap=margin.bottom
    )


def _in_words(steps: ResponseSteps) -> Iterable[tuple[str, str, str]]:
    """Return where each step starts and ends and how high it is, so that they differ as read."""
    ends = np.append(steps.start, steps.end)
    decimals, of_value = threshold_decimals(ends), threshold_decimals(steps.value)
    for start, end, value in zip(steps.start, steps.end, steps.value, strict=True):
        yield number(start, decimals), number(end, decimals), number(value, of_value)


def _hover_text(start: str, end: str, value: str, names: tuple[str, str]) -> str:
    x, y = feature_html(names[0]), feature_html(names[1])
    return f"{start} &lt; {x} ≤ {end}<br>{y} = {value}"
