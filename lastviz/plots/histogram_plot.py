"""One feature: how many rows of each class lie where."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from lastviz.plots.visuals.marks import polygons
from lastviz.plots.visuals.panel import Panel, axis_names, compose, plane_margin
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.ticks import ticks_of
from lastviz.plots.visuals.words import Words, escaped, feature_html, number
from lastviz.tree import decimals_of

from .visuals import marks
from .visuals.drawing import Drawing

MOST_BINS = 32


def histogram_plot(
    values: np.ndarray,
    label: np.ndarray,
    *,
    theme: ThemeName,
    name: str,
    class_names: Sequence[str],
    unit: str = "",
    height: int = 240,
    words: Words | None = None,
) -> Drawing:
    """Draw the counts of `values` (n,) in equal bins, stacked by class index `label` (n,)."""
    words = words or Words()
    colours = THEMES[theme]
    classes = escaped(class_names)
    axes = (name, words.rows)
    traces = histogram_traces(values, label, classes, colours)
    panel = Panel(
        traces=traces + count_traces(values, label, classes, name, words),
        xaxis=ticks_of(values, unit),
        yaxis={"fixedrange": True, "rangemode": "tozero", "nticks": 4},
        annotations=axis_names(axes, (unit, ""), theme_grey=colours.grey7),
    )
    margin = plane_margin(axes, (unit, ""))
    return compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)


def histogram_traces(
    values: np.ndarray,
    label: np.ndarray,
    names: Sequence[str],
    theme: Theme,
    most_bins: int = MOST_BINS,
) -> list[dict]:
    """Return one trace of stacked boxes a class; all classes share the bins.

    Boxes are polygons: plotly would put the ticks of a bar chart in the middle of its bars.
    """
    counts, edges = stacked_counts(values, label, len(names), most_bins)
    top = np.cumsum(counts, axis=0)
    traces = []
    for index in np.flatnonzero(counts.any(axis=1)):
        held = np.flatnonzero(counts[index])
        left, right = edges[held], edges[held + 1]
        high, low = top[index, held], top[index, held] - counts[index, held]
        nothing = np.full(len(held), np.nan)
        x = np.column_stack([left, left, right, right, left, nothing]).ravel()
        y = np.column_stack([low, high, high, low, low, nothing]).ravel()
        colour = theme.table_bar(int(index))
        boxes = np.column_stack([x, y])
        meta = {"class": int(index)}
        trace = polygons(boxes, colour, role="histogram", name=names[index], **meta)
        trace["line"] = {"width": Size.histogram_gap, "color": theme.paper, "simplify": False}
        traces.append(trace)
    return traces


def stacked_counts(
    values: np.ndarray, label: np.ndarray, n_classes: int, most_bins: int = MOST_BINS
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of each class in each bin, shape (n_classes, n_bins), and the edges."""
    values = np.asarray(values, dtype=np.float64)
    finite = np.isfinite(values)
    values, label = values[finite], np.asarray(label)[finite]
    edges = bin_edges(values, most_bins)
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    counts = np.zeros((n_classes, len(edges) - 1), dtype=np.intp)
    np.add.at(counts, (label, place), 1)
    return counts, edges


def count_traces(
    values: np.ndarray,
    label: np.ndarray,
    names: Sequence[str],
    name: str,
    words: Words,
    most_bins: int = MOST_BINS,
    categories: Sequence[object] | None = None,
) -> list[dict]:
    """Return unseen points in the middle of the boxes that say how many rows they hold.

    `categories` names the values where they are codes.
    """
    counts, edges = stacked_counts(values, label, len(names), most_bins)
    index, place = np.nonzero(counts)
    middle = (np.cumsum(counts, axis=0) - counts / 2)[index, place]
    feature, decimals = feature_html(name), decimals_of(edges)

    def box(i: int) -> str:
        if categories is None:
            return f"{number(edges[i], decimals)} – {number(edges[i + 1], decimals)}"
        return escaped([str(categories[round((edges[i] + edges[i + 1]) / 2)])])[0]

    about = [
        f"<b>{names[k]}</b>, {number(int(counts[k, i]))} {words.rows}<br>{feature} {box(i)}"
        for k, i in zip(index.tolist(), place.tolist(), strict=True)
    ]
    return [marks.unseen((edges[place] + edges[place + 1]) / 2, middle, about, role="count")]


def bin_edges(values: np.ndarray, most_bins: int = MOST_BINS) -> np.ndarray:
    """Return the edges of equal bins: one a value for few whole numbers, else by spread."""
    if len(values) == 0:
        return np.array([0.0, 1.0])
    low, high = values.min(), values.max()
    if low == high:
        room = max(1.0, abs(low)) * 0.5
        return np.array([low - room, low + room])
    is_discrete = high - low < most_bins and bool((values == np.round(values)).all())
    if is_discrete:
        return np.arange(low, high + 2) - 0.5
    spread = np.subtract(*np.quantile(values, [0.75, 0.25])) or (high - low)
    wanted = (high - low) / (2 * spread / np.cbrt(len(values)))  # Freedman and Diaconis (1981)
    return np.linspace(low, high, min(most_bins, max(8, math.ceil(wanted))) + 1)
