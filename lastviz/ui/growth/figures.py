"""The pictures of a growth: the player's canvas, its colours, the tree beside it."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from lastviz.datasets import Dataset
from lastviz.estimators import TreeClassifier, is_imported
from lastviz.inspection import Regions, level_by_level
from lastviz.plots import (
    THEMES,
    Drawing,
    Points,
    ThemeName,
    flow_layout,
    growth_plot,
    growth_values_plot,
    split_words,
)
from lastviz.plots.visuals.marks import join_segments
from lastviz.plots.visuals.theme import mix, symbol
from lastviz.tree import Tree
from lastviz.ui.compute.nodes import edited_in_growth
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.figures import Plane, words
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.text import t

MOST_POINTS = 1500
WINDOW = 0.2  # of the view, around it, where regions are read off a grid


@dataclass(frozen=True, eq=False)
class GrowthScene:
    """A trained tree with the rows that grew it."""

    work: Work
    plane: Plane
    picture: str  # {"plane", "values"}
    dataset: Dataset
    names: tuple[str, ...]  # of the classes
    theme: ThemeName  # str
    model: TreeClassifier
    tree: Tree  # as it was grown, before any pruning
    curved: bool  # whether its splits are curves
    division: Division  # all rows, encoded as the model reads them
    rows: np.ndarray  # intp, the training rows
    frame: pd.DataFrame
    X: np.ndarray  # (n_rows, n_features) float64
    y: np.ndarray  # (n_rows,) intp
    drawn: np.ndarray  # intp, which of `rows` are drawn
    # Where regions are worked out: x from and to, y from and to.
    bounds: tuple[float, float, float, float]


def growth_scene(work: Work, plane: Plane, picture: str, theme: ThemeName) -> GrowthScene:
    """Scene of the growth of the first model; `picture` is "plane" or "values"."""
    dataset = work.dataset
    model = work.first.estimator
    if is_imported(work.first.chosen.key):
        model = level_by_level(model)
    tree = model.grown_tree_
    curved = len(tree.kernel) > 0
    divided = work.first.division
    rows = divided.train_rows
    return GrowthScene(
        work=work,
        plane=plane,
        picture=picture,
        dataset=dataset,
        names=class_names_of(dataset),
        theme=theme,
        model=model,
        tree=tree,
        curved=curved,
        division=divided,
        rows=rows,
        frame=divided.X.iloc[rows],
        X=divided.values[rows],
        y=divided.y[rows],
        drawn=_drawn(len(rows), tree.kernel.rows),
        bounds=_bounds(plane, curved),
    )


def _bounds(plane: Plane, curved: bool) -> tuple[float, float, float, float]:
    if not curved:
        return plane.around
    x0, x1, y0, y1 = plane.view
    across, up = WINDOW * (x1 - x0), WINDOW * (y1 - y0)
    return x0 - across, x1 + across, y0 - up, y1 + up


def _drawn(n: int, support: np.ndarray) -> np.ndarray:
    """Rows that are drawn: all, or evenly many of them, support vectors first."""
    if n <= MOST_POINTS:
        return np.arange(n)
    some = support[:: max(1, -(-len(support) // MOST_POINTS))]
    others = np.setdiff1d(np.arange(n), some)
    left = MOST_POINTS - len(some)
    sampled = (
        others[np.linspace(0, len(others) - 1, left).astype(np.intp)] if left > 0 else others[:0]
    )
    return np.sort(np.concatenate([some, sampled]))


# ---- Polygons and lines of a growth, packed for the browser: two bytes a coordinate


STEPS = 65535  # of the window's width and height: far below a pixel, even when zoomed


def pack_array(array: np.ndarray) -> dict[str, str]:
    """Array of at most 32 bits a number as text that the player reads."""
    array = np.ascontiguousarray(array)
    data = base64.b64encode(array).decode("ascii")
    return {"dtype": array.dtype.str[1:], "bdata": data}


class Pieces:
    """Polygons and lines in one window, each a sequence of points named by its number."""

    def __init__(self, bounds: tuple[float, float, float, float]) -> None:
        self._bounds = bounds
        self._points: list[np.ndarray] = []
        self._lengths: list[np.ndarray] = []
        self._n = 0

    def add(self, points: np.ndarray, lengths: np.ndarray) -> int:
        """Add pieces stored in sequence in `points`, and return the number of the first.

        `points` has shape (n, 2).
        """
        first = self._n
        self._points.append(points)
        self._lengths.append(np.asarray(lengths, dtype=np.intp))
        self._n += len(lengths)
        return first

    def lines(self, ends: np.ndarray) -> list[int]:
        """Add segments (x0, y0, x1, y1), joined where they go on; return [first, end)."""
        return self.broken(join_segments(ends))

    def broken(self, xy: np.ndarray) -> list[int]:
        """Add the lines between rows of NaN in `xy` (n, 2); return [first, end)."""
        gap = np.isnan(xy[:, 0])
        lengths = np.diff(np.flatnonzero(np.r_[True, gap, True])) - 1
        first = self.add(xy[~gap], lengths[lengths > 0])
        return [first, self._n]

    def regions(self, found: Regions) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        """Add polygons and splits; return [first, end) of each by node."""
        order = np.argsort(found.node, kind="stable")
        lengths = np.diff(found.offset)[order]
        corners = [found.polygon(int(i)) for i in order]
        first = self.add(np.concatenate([np.empty((0, 2)), *corners]), lengths)
        nodes, starts, counts = np.unique(found.node[order], return_index=True, return_counts=True)
        areas = {
            int(n): [first + int(s), first + int(s + count)]
            for n, s, count in zip(nodes, starts, counts, strict=True)
        }
        lines = {}
        for row in np.flatnonzero(np.isfinite(found.segment).all(axis=1)):
            lines[int(found.node[row])] = self.lines(found.segment[row : row + 1])
        for row in np.unique(found.curve_row):
            lines[int(found.node[row])] = self.lines(found.curve[found.curve_row == row])
        return areas, lines

    def some(
        self, found: Regions, wanted: np.ndarray
    ) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """Add polygons and straight splits of the nodes `wanted`, if they are visible."""
        areas, lines = ({str(int(n)): [0, 0] for n in wanted} for _ in range(2))
        for node in np.unique(found.node[np.isin(found.node, wanted)]).tolist():
            rows = np.flatnonzero(found.node == node)
            corners = [found.polygon(int(row)) for row in rows]
            first = self.add(np.concatenate(corners), [len(each) for each in corners])
            areas[str(node)] = [first, first + len(rows)]
            ends = [found.segment[rows], found.curve[np.isin(found.curve_row, rows)]]
            lines[str(node)] = self.lines(np.concatenate(ends))
        return areas, lines

    def packed(self) -> dict[str, object]:
        """All of them: window, first point of each piece, points in steps of the window."""
        xy = np.concatenate([np.empty((0, 2)), *self._points])
        x0, x1, y0, y1 = self._bounds
        share = (xy - [x0, y0]) / [x1 - x0, y1 - y0]
        steps = np.rint(np.clip(share, 0.0, 1.0) * STEPS).astype(np.uint16)
        lengths = np.concatenate([np.empty(0, dtype=np.intp), *self._lengths])
        offset = np.r_[0, np.cumsum(lengths)].astype(np.int32)
        return {"bounds": list(self._bounds), "offset": pack_array(offset), "xy": pack_array(steps)}


# ---------------------------------------------------------------- figures


MOST_NAMED = 12  # leaves with the name of their class beside them
HEIGHT, TREE_WIDTH = 560, 430


def colours_of(scene: GrowthScene) -> dict[str, object]:
    """Colours and marks that the player paints with."""
    theme, k = THEMES[scene.theme], range(scene.tree.value.shape[1])
    plain = ("ink", "paper", "grey1", "grey2", "grey3", "grey5", "grey7", "accent")
    return {name: getattr(theme, name) for name in plain} | {
        "hue": [theme.hue(c) for c in k],
        "ribbon": [theme.ribbon(c) for c in k],
        "free": [mix(theme.hue(c), theme.paper, 0.75) for c in k],
        "symbol": [symbol(c) for c in k],
    }


def figure_of(scene: GrowthScene) -> Drawing:
    """Picture that the player paints into: a plane, or the values of f."""
    if scene.picture == "values":
        word = t("f")
        return growth_values_plot(scene.names, theme=scene.theme, word=word, least=HEIGHT - 200)
    plane, rows = scene.plane, scene.rows[scene.drawn]
    points = Points.plain(plane.x[rows], plane.y[rows], scene.y[scene.drawn], rows + 1)
    return growth_plot(
        replace(points, texts=plane.texts(rows)),
        theme=scene.theme,
        features=plane.titles,
        class_names=scene.names,
        curved=scene.curved,
        equal=plane.equal,
        view=plane.view,
        units=plane.units,
        height=HEIGHT,
        words=words(),
        bands=plane.bands,
    )


def tree_parts(scene: GrowthScene) -> dict[str, object]:
    """Tree as the player draws it: its table of nodes and where they lie."""
    tree = scene.tree
    height = 150 if tree.n_leaves <= 8 else 240 if tree.n_leaves <= 40 else 320
    return {
        "first": pack_array(tree.first_child.astype(np.int32)),
        "count": pack_array(tree.n_children.astype(np.int32)),
        "prediction": pack_array(tree.prediction.astype(np.int32)),
        "value": pack_array(tree.value.astype(np.float32)),
        "named": scene.curved and tree.n_leaves <= MOST_NAMED,
        "edited": edited_in_growth(scene.work.first, tree),
    } | node_positions(tree, TREE_WIDTH, height)


def node_positions(tree: Tree, width: int, height: int) -> dict[str, object]:
    """Positions of the nodes of a tree in a drawing of this size, and their tests."""
    layout = flow_layout(tree, width=width, height=height)
    return {
        "node": layout.node.tolist(),
        "x": layout.x.round(1).tolist(),
        "y": layout.y.round(1).tolist(),
        "bar": layout.bar.round(2).tolist(),
        "scale": layout.scale,
        "width": width,
        "height": height,
        "text": [split_words(tree, int(n)) for n in layout.node],
        "hidden": layout.hidden_leaves,
    }
