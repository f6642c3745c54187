"""The rows of a node, feature by feature: how many of each class lie where, and the split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.plots.visuals.panel import Margin, frame, title_above
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.ticks import ticks_of
from lastviz.plots.visuals.words import Words, escaped, feature_html, shortened

from .histogram_plot import count_traces, histogram_traces
from .visuals.drawing import Drawing

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
    words: Words | None = None,
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
    colours, words = THEMES[theme], words or Words()
    names = escaped(class_names)
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
    """Return the names of the categories below a nominal feature, the first where they are many."""
    if feature.categories is None:
        return ticks_of(feature.values)
    shown = range(len(feature.categories))[:: max(1, -(-len(feature.categories) // MOST_TICKS))]
    names = [shortened(str(feature.categories[k]), LONGEST_TICK) for k in shown]
    span = [-0.5, len(feature.categories) - 0.5]
    return {"tickmode": "array", "tickvals": list(shown), "ticktext": escaped(names), "range": span}


def _title(feature: NodeFeature, tail: str, theme: Theme) -> dict:
    name = feature_html(shortened(feature.name, LONGEST_TITLE))
    name = f"<b>{name}</b>" if feature.chosen else name
    text = f"{name}<br><span style='color:{theme.grey5}'>{feature.note}</span>"
    font = {"size": Size.tick + 1, "color": theme.ink if feature.chosen else theme.grey7}
    return title_above(text, tail, theme, 6) | {"font": font, "align": "left"}


def _lines(feature: NodeFeature, tail: str, theme: Theme) -> list[dict]:
    """Return the split in ink on paper, else the best threshold in grey."""
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
