"""Partition of the space of all combinations of categories by a nominal tree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import NominalTable, Partition
from lastviz.plots.visuals.marks import Points
from lastviz.plots.visuals.panel import Margin, Panel, compose
from lastviz.plots.visuals.theme import THEMES, Size, Theme, ThemeName
from lastviz.plots.visuals.words import (
    class_names_of,
    escape_names,
    fit_text,
    number,
    shorten_name,
    text_width,
)
from lastviz.tree import Tree

from .visuals import marks
from .visuals.drawing import Drawing

# Pixels of a level below, letters of a name, pixels beside, and between names.
_LINE, _LETTERS, _NAME, _GAP = 19, 11, 92, 8


def partition_plot(
    cells: Partition,
    tree: Tree,
    table: NominalTable,
    *,
    theme: ThemeName,
    class_names: Sequence[str] | None = None,
    height: int = 360,
) -> Drawing:
    """Draw each combination of categories as a cell tinted by its predicted class.

    Lines part the cells of different leaves; the rows of the table lie in their cells.

    Parameters
    ----------
    cells : Partition
    tree : Tree
    table : NominalTable
    class_names : sequence of str or None
        The tree's own classes if None.
    height : int
        Of the whole figure, in pixels.
    """
    colours, names = THEMES[theme], class_names_of(tree, class_names)
    n_y, n_x = cells.node.shape
    traces = _tints(cells, tree.prediction[cells.node], names, colours)
    traces += _lines(cells.node, colours)
    traces += _rows(cells, table, names, colours)
    fixed = {"visible": False, "fixedrange": True}
    panel = Panel(
        traces=traces,
        xaxis={"range": [0, n_x], **fixed},
        yaxis={"range": [n_y, 0], **fixed},
        annotations=[*_below(cells, table, colours), *_beside(cells, table, colours)],
    )
    left = 8 + _NAME * len(cells.y_features)
    bottom = 8 + _LINE * len(cells.x_features)
    margin = Margin(left=left, right=6, top=6 + _LINE, bottom=bottom)
    drawing = compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)
    least = margin.left + n_x * _cell(cells, table) + margin.right
    drawing.settings["meta"]["least"] = round(least)
    return drawing


def _cell(cells: Partition, table: NominalTable) -> float:
    """Cell width in pixels that all names below need."""
    return max(
        (text_width(table.categories[feature][code], Size.tick) + _GAP) / (end - start)
        for level, feature in enumerate(cells.x_features)
        for start, end, code in _runs(cells.x_codes[:, : level + 1])
    )


def _tints(
    cells: Partition, prediction: np.ndarray, names: Sequence[str], theme: Theme
) -> list[dict]:
    traces = []
    for index in np.unique(prediction):
        y, x = np.nonzero(prediction == index)
        corners = np.full((len(x), 6, 2), np.nan)
        corners[:, :5, 0] = x[:, None] + np.array([0, 1, 1, 0, 0])
        corners[:, :5, 1] = y[:, None] + np.array([0, 0, 1, 1, 0])
        colour, xy = theme.region(int(index)), corners.reshape(-1, 2)
        meta = {"class": int(index)}
        traces.append(marks.polygons(xy, colour, role="region", name=names[index], **meta))
    return traces


def _lines(node: np.ndarray, theme: Theme) -> list[dict]:
    """Hairlines between all cells, and ink between those that stop at different nodes."""
    n_y, n_x = node.shape
    grid = [[x, 0, x, n_y] for x in range(n_x + 1)] + [[0, y, n_x, y] for y in range(n_y + 1)]
    y, x = np.nonzero(node[:, 1:] != node[:, :-1])
    upright = np.column_stack([x + 1, y, x + 1, y + 1])
    order = np.lexsort((upright[:, 1], upright[:, 0]))
    v, u = np.nonzero(node[1:] != node[:-1])
    level = np.column_stack([u, v + 1, u + 1, v + 1])
    ends = np.vstack([upright[order], level]).astype(np.float64)
    hair = np.array(grid, dtype=np.float64)
    return [
        marks.segments(hair, theme.paper, 1.0, role="cell", name="cells"),
        marks.segments(ends, theme.ink, Size.outline, role="border", name="leaves"),
    ]


def _rows(cells: Partition, table: NominalTable, names: Sequence[str], theme: Theme) -> list[dict]:
    """The rows of one cell side by side, as many in a line as it takes."""
    n_x = cells.node.shape[1]
    key = cells.cell[:, 1] * n_x + cells.cell[:, 0]
    order = np.argsort(key, kind="stable")
    _, first, count = np.unique(key[order], return_index=True, return_counts=True)
    rank = np.empty(len(key), dtype=np.intp)
    rank[order] = np.arange(len(key)) - np.repeat(first, count)
    crowd = np.empty(len(key), dtype=np.intp)
    crowd[order] = np.repeat(count, count)
    side = np.ceil(np.sqrt(crowd))
    x = cells.cell[:, 0] + (rank % side + 0.5) / side
    y = cells.cell[:, 1] + (rank // side + 0.5) / np.ceil(crowd / side)
    nobody = np.zeros(len(key), dtype=bool)
    points = Points(x, y, table.labels, nobody, nobody, np.arange(1, len(key) + 1))
    traces = []
    for index in np.unique(table.labels):
        which = np.flatnonzero(table.labels == index)
        trace = marks.training_points(points, which, int(index), names[index], theme, len(key))
        trace["hovertemplate"] = f"%{{customdata}}<br>{names[index]}<extra></extra>"
        traces.append(trace)
    return traces


def _below(cells: Partition, table: NominalTable, theme: Theme) -> list[dict]:
    """Names of the categories along the horizontal axis.

    The fastest varying feature is nearest to the axis.
    """
    found = []
    n_levels = len(cells.x_features)
    for level, feature in enumerate(cells.x_features):
        down = -_LINE * (n_levels - 1 - level) - 3
        for start, end, code in _runs(cells.x_codes[:, : level + 1]):
            text = table.categories[feature][code]
            found.append(_label((start + end) / 2, text, down, "x", theme, end - start))
        name = {"xref": "domain", "x": 0, "xanchor": "right", "xshift": -6}
        text = f"<i>{escape_names([table.features[feature]])[0]}</i>"
        font = {"size": Size.tick, "color": theme.grey5}
        found.append(
            {**name, "yref": "domain", "y": 0, "yanchor": "top", "yshift": down,
             "name": "axis", "text": text, "showarrow": False, "font": font}
        )  # fmt: skip
    return found


def _beside(cells: Partition, table: NominalTable, theme: Theme) -> list[dict]:
    """Names of the categories along the vertical axis, with the feature's name above."""
    found = []
    n_levels = len(cells.y_features)
    for level, feature in enumerate(cells.y_features):
        aside = -_NAME * (n_levels - 1 - level) - 6
        for start, end, code in _runs(cells.y_codes[:, : level + 1]):
            text = table.categories[feature][code]
            found.append(_label((start + end) / 2, text, aside, "y", theme, end - start))
        font = {"size": Size.tick, "color": theme.grey5}
        text = f"<i>{escape_names([shorten_name(table.features[feature], _LETTERS)])[0]}</i>"
        found.append(
            {"xref": "domain", "x": 0, "xanchor": "right", "xshift": aside, "yref": "domain",
             "y": 1, "yanchor": "bottom", "name": "axis", "text": text, "showarrow": False,
             "font": font}
        )  # fmt: skip
    return found


def _runs(codes: np.ndarray) -> list[tuple[int, int, int]]:
    """Runs of equal rows as (start, end, last code)."""
    starts = np.flatnonzero(np.r_[True, (codes[1:] != codes[:-1]).any(axis=1)])
    ends = np.r_[starts[1:], len(codes)]
    return [(int(a), int(b), int(codes[a, -1])) for a, b in zip(starts, ends, strict=True)]


def _label(at: float, text: str, shift: int, axis: str, theme: Theme, cells_wide: int) -> dict:
    """The name of a category in the middle of its run of cells."""
    across = axis == "x"
    letters = max(4, 3 + 6 * cells_wide) if across else _LETTERS
    place = (
        {"x": at, "yref": "domain", "y": 0, "xanchor": "center", "yanchor": "top", "yshift": shift}
        if across
        else {"y": at, "xref": "domain", "x": 0, "xanchor": "right", "yanchor": "middle",
              "xshift": shift}
    )  # fmt: skip
    font = {"size": Size.tick, "color": theme.grey7}
    short = escape_names([shorten_name(text, letters)])[0]
    return {**place, "name": "category", "text": short, "showarrow": False, "font": font}


# ---- The distribution of the classes in each cell of a partition

# Pixels of a line of names, between two names, and of the widest.
_CELL_LINE, _CELL_GAP, _WIDEST = 20, 8, 150
_MOST_LINES = 4


def conditional_plot(
    counts: np.ndarray,
    cell_names: Sequence[Sequence[str]],
    *,
    theme: ThemeName,
    class_names: Sequence[str],
    height: int = 300,
) -> Drawing:
    """Draw P(Y = k | X = c) of the cells of a partition as bars stacked by class.

    Parameters
    ----------
    counts : ndarray, shape (n_cells, n_classes)
        Rows of each cell by class.
    cell_names : sequence of sequences of str
        What holds in each cell, a line a condition.
    class_names : sequence of str
    height : int
        Of the whole figure, in pixels.
    """
    colours, names = THEMES[theme], escape_names(class_names)
    counts = np.asarray(counts, dtype=np.float64)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    place = np.arange(len(counts))
    traces = [_bars(place, shares[:, k], k, names[k], colours) for k in range(len(names))]
    n = len(counts)
    half = {"type": "line", "x0": -0.5, "x1": n - 0.5, "y0": 0.5, "y1": 0.5, "name": "half",
            "line": {"color": colours.ink, "width": Size.split, "dash": "dash"}}  # fmt: skip
    lines = [escape_names(words[:_MOST_LINES]) for words in cell_names]
    wide = max((text_width(word, Size.tick) for words in lines for word in words), default=0.0)
    wide = min(wide, _WIDEST)
    lines = [[fit_text(word, wide, Size.tick) for word in words] for words in lines]
    panel = Panel(
        traces=traces,
        xaxis={
            "range": [-0.5, n - 0.5], "fixedrange": True, "ticks": "", "tickmode": "array",
            "tickvals": place.tolist(), "ticktext": ["<br>".join(words) for words in lines],
        },
        yaxis={"range": [0, 1.1], "fixedrange": True, "tickvals": [0, 0.5, 1]},
        annotations=[
            {"x": i, "y": 1, "yanchor": "bottom", "name": "rows", "showarrow": False,
             "text": number(int(counts[i].sum())),
             "font": {"size": Size.tick, "color": colours.grey5}}
            for i in range(n)
        ],
        shapes=[half],
    )  # fmt: skip
    deep = max((len(words) for words in lines), default=1)
    margin = Margin(left=48, right=4, top=4, bottom=10 + _CELL_LINE * deep)
    drawing = compose([panel], [height - margin.top - margin.bottom], theme=theme, margin=margin)
    drawing.settings["meta"]["least"] = round(margin.left + n * (wide + _CELL_GAP) + margin.right)
    return drawing


def _bars(place: np.ndarray, share: np.ndarray, index: int, name: str, theme: Theme) -> dict:
    return {
        "type": "bar",
        "name": name,
        "meta": {"role": "share", "class": index},
        "x": place,
        "y": share,
        "width": min(0.62, 0.16 * len(place)),
        "text": [number(float(v)) if v > 0.08 else "" for v in share],
        "textposition": "inside",
        "textangle": 0,
        "insidetextanchor": "end",
        "constraintext": "none",
        "textfont": {"size": Size.axis, "color": theme.ink},
        "hovertemplate": f"P(Y = {name} | X = c) = %{{y:.4~r}}<extra></extra>",
        "marker": {"color": theme.ribbon(index), "line": {"width": 0}},
    }
