"""The rows of a node, feature by feature: how many of each class lie where, and the split."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.plots.visuals.drawing import ticks_of
from lastviz.plots.visuals.marks import polygons
from lastviz.plots.visuals.panel import (
    Margin,
    Panel,
    axis_names,
    compose,
    frame,
    plane_margin,
    title_above,
)
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import (
    FigureWords,
    escape_names,
    feature_html,
    number,
    shorten_name,
)
from lastviz.tree import decimals_of

from .visuals import marks
from .visuals.drawing import Drawing

MOST_BARS = 32


def histogram_plot(
    values: np.ndarray,
    label: np.ndarray,
    *,
    theme: ThemeName,
    name: str,
    class_names: Sequence[str],
    unit: str = "",
    height: int = 240,
    words: FigureWords | None = None,
) -> Drawing:
    """Draw a histogram of `values` in equal bins, stacked by class.

    `values` and the class indices `label` have the shape (n,).
    """
    words = words or FigureWords()
    colours = THEMES[theme]
    classes = escape_names(class_names)
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
    most_bins: int = MOST_BARS,
) -> list[dict]:
    """One trace of stacked boxes a class; all classes share the bins.

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
    values: np.ndarray, label: np.ndarray, n_classes: int, most_bins: int = MOST_BARS
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of each class in each bin, shape (n_classes, n_bins), and the edges."""
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
    words: FigureWords,
    most_bins: int = MOST_BARS,
    categories: Sequence[object] | None = None,
) -> list[dict]:
    """Invisible points in the middle of the boxes, with row counts as hover texts.

    `categories` names the values where they are codes.
    """
    counts, edges = stacked_counts(values, label, len(names), most_bins)
    index, place = np.nonzero(counts)
    middle = (np.cumsum(counts, axis=0) - counts / 2)[index, place]
    feature, decimals = feature_html(name), decimals_of(edges)

    def box(i: int) -> str:
        if categories is None:
            return f"{number(edges[i], decimals)} – {number(edges[i + 1], decimals)}"
        return escape_names([str(categories[round((edges[i] + edges[i + 1]) / 2)])])[0]

    about = [
        f"<b>{names[k]}</b>, {number(int(counts[k, i]))} {words.rows}<br>{feature} {box(i)}"
        for k, i in zip(index.tolist(), place.tolist(), strict=True)
    ]
    return [
        marks.invisible_points((edges[place] + edges[place + 1]) / 2, middle, about, role="count")
    ]


def bin_edges(values: np.ndarray, most_bins: int = MOST_BARS) -> np.ndarray:
    """Edges of equal bins: one a value for few whole numbers, else by spread."""
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


# ---------------------------------------------------------------- node histograms plot


PANEL, ABOVE, LINE, BELOW = 96, 22, 18, 26  # pixels: bars, space, a line of title, ticks
GAP = 0.035  # of the width, between columns
MOST_BINS = 24
MOST_TICKS = 6  # categories with a name
LONGEST_TITLE, LONGEST_TICK = 26, 9


@dataclass(frozen=True, eq=False)
class NodeFeature:
    """One feature of the rows of a node."""

    name: str
    values: np.ndarray  # (n,) float64, NaN where missing; codes of a nominal feature
    note: str = ""  # said below the name, as plotly html
    categories: tuple | None = None  # of a nominal feature
    # Where the node was split, if by this feature at a threshold: a line in ink.
    threshold: float | None = None
    best: float | None = None  # the best threshold of a feature that was not chosen: a grey line
    chosen: bool = False  # whether the node's split asks for this feature; its name is in ink


def node_histograms_plot(
    features: Sequence[NodeFeature],
    label: np.ndarray,
    rows: np.ndarray,
    *,
    theme: ThemeName,
    class_names: Sequence[str],
    words: FigureWords | None = None,
    standing: np.ndarray | None = None,
    across: int = 3,
) -> Drawing:
    """Draw a histogram of each feature in `features`, in their order.

    Parameters
    ----------
    features : sequence of NodeFeature
    label : ndarray of intp, shape (n,)
        Class index of each row.
    rows : ndarray of intp, shape (n,)
        The rows of the data, counted from zero.
    class_names : sequence of str
        By class index.
    words : Words or None
        English if None.
    standing : ndarray of intp or None
        Positions of the rows whose places are told for the brush; all if None.
    across : int
        Histograms beside each other.

    Notes
    -----
    ``layout.meta["stands"]`` says where those rows stand on each horizontal axis, for the brush.
    """
    colours, words = THEMES[theme], words or FigureWords()
    names = escape_names(class_names)
    n_rows = -(-len(features) // across)
    above = ABOVE + LINE * (1 + max(each.note.count("<br>") + bool(each.note) for each in features))
    inner = n_rows * (PANEL + above + BELOW)
    layout = frame(theme, inner, Margin(left=30, right=4, top=0, bottom=0))
    layout["meta"]["stands"] = {}
    brushable = np.arange(len(rows)) if standing is None else standing
    traces: list[dict] = []
    for i, feature in enumerate(features):
        tail = "" if i == 0 else str(i + 1)
        _axes(layout, feature, divmod(i, across), (n_rows, across), tail, above, colours)
        known = feature.categories
        bins = MOST_BINS if known is None else len(known) + 1  # one for each category
        bars = histogram_traces(feature.values, label, names, colours, most_bins=bins)
        bars += count_traces(feature.values, label, names, feature.name, words, bins, known)
        traces += [{**trace, "xaxis": "x" + tail, "yaxis": "y" + tail} for trace in bars]
        layout["annotations"].append(_title(feature, tail, colours))
        layout["shapes"] += _lines(feature, tail, colours)
        here = brushable[np.isfinite(feature.values[brushable])]
        stand = {"rows": rows[here].tolist(), "values": feature.values[here].tolist()}
        layout["meta"]["stands"]["x" + tail] = stand
    return Drawing(traces, layout)


def _axes(
    layout: dict,
    feature: NodeFeature,
    place: tuple[int, int],
    shape: tuple[int, int],
    tail: str,
    above: int,
    theme: Theme,
) -> None:
    (row, column), (n_rows, across) = place, shape
    width, height = 1.0 / across, 1.0 / n_rows
    gap = GAP if across > 1 else 0.0
    top = 1.0 - row * height - height * above / (PANEL + above + BELOW)
    layout["xaxis" + tail] = {
        "domain": [column * width + gap / 2, (column + 1) * width - gap / 2],
        "anchor": "y" + tail,
        "nticks": 5,
        "showline": True,
        "linecolor": theme.grey2,
    } | _ticks(feature)
    layout["yaxis" + tail] = {
        "domain": [top - height * PANEL / (PANEL + above + BELOW), top],
        "anchor": "x" + tail,
        "rangemode": "tozero",
        "fixedrange": True,
        "nticks": 3,
    }


def _ticks(feature: NodeFeature) -> dict[str, object]:
    """Names of the categories below a nominal feature, the first where they are many."""
    if feature.categories is None:
        return ticks_of(feature.values)
    shown = range(len(feature.categories))[:: max(1, -(-len(feature.categories) // MOST_TICKS))]
    names = [shorten_name(str(feature.categories[k]), LONGEST_TICK) for k in shown]
    span = [-0.5, len(feature.categories) - 0.5]
    return {
        "tickmode": "array",
        "tickvals": list(shown),
        "ticktext": escape_names(names),
        "range": span,
    }


def _title(feature: NodeFeature, tail: str, theme: Theme) -> dict:
    name = feature_html(shorten_name(feature.name, LONGEST_TITLE))
    name = f"<b>{name}</b>" if feature.chosen else name
    text = f"{name}<br><span style='color:{theme.grey5}'>{feature.note}</span>"
    font = {"size": Size.tick + 1, "color": theme.ink if feature.chosen else theme.grey7}
    return title_above(text, tail, theme, 6) | {"font": font, "align": "left"}


def _lines(feature: NodeFeature, tail: str, theme: Theme) -> list[dict]:
    """Split in ink on paper, else the best threshold in grey."""
    styles = []
    if feature.threshold is not None:
        styles.append((feature.threshold, "halo", {"color": theme.paper, "width": Size.halo}))
        styles.append((feature.threshold, "chosen", {"color": theme.ink, "width": Size.chosen}))
    elif feature.best is not None:
        grey = {"color": theme.grey5, "width": Size.split, "dash": "dot"}
        styles.append((feature.best, "survivor", grey))
    return [
        {
            "type": "line",
            "name": name,
            "line": line,
            "xref": "x" + tail,
            "x0": float(at),
            "x1": float(at),
            "yref": f"y{tail} domain",
            "y0": 0,
            "y1": 1,
        }
        for at, name, line in styles
    ]
