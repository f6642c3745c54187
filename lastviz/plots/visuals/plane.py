"""A plane through the data: two features, the others fixed, and where the rows lie in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lastviz.inspection import Band
from lastviz.tree import Tree

from .marks import Bounds, pad_bounds, surroundings
from .plane_axes import (
    AxisBands,
    PlaneAxis,
    axis_of,
    light,
    side_by_side,
    spread_out,
    stands_on_axis,
    texts_of,
)

MOST_DRAWN = 5000  # rows; more would become one blot and slow the browser down

Categories = tuple[tuple | None, ...]


@dataclass(frozen=True, eq=False)
class Plane:
    """The axes of a plane, and its position in the other features."""

    # How nominal columns stand in the plane; models that read another form are asked by
    # `columns_in`, `at_in` and `bands_in`.
    form: str
    names: tuple[str, ...]  # all columns of that form
    # Features on the horizontal and the vertical axis; the same twice if there is only one.
    features: tuple[int, int]
    # (n_features,), values of the others: medians and most frequent categories, or those of `row`.
    at: np.ndarray
    row: int | None  # the row through which the plane goes, chosen or proposed; None: none
    proposed: bool  # whether the row and the axes are proposed, not chosen
    across: PlaneAxis
    upward: PlaneAxis
    equal: bool  # whether one unit should be as long on both axes
    # dict of str to (names, values), the rows in each form that a model reads.
    tables: dict[str, tuple[tuple[str, ...], np.ndarray]]
    fitting: tuple[bool, ...]  # which columns can stand on an axis

    @cached_property
    def x(self) -> np.ndarray:
        """Places of all rows on the horizontal axis."""
        return light(self.across.places)

    @cached_property
    def y(self) -> np.ndarray:
        """Places of all rows on the vertical axis."""
        return light(self.upward.places)

    @property
    def view(self) -> tuple[float, float, float, float]:
        """(x_min, x_max, y_min, y_max) with some room around the rows."""
        return (*self.across.view, *self.upward.view)

    @property
    def around(self) -> Bounds:
        """Bounds that show more to a reader who zooms out; bands end where they end."""
        x0, x1, y0, y1 = surroundings(self.view, equal=self.equal)
        return (*_ends(self.across, (x0, x1)), *_ends(self.upward, (y0, y1)))

    @property
    def within(self) -> Bounds:
        """Bounds of the initial view."""
        return (*_ends(self.across, self.across.view), *_ends(self.upward, self.upward.view))

    @property
    def titles(self) -> tuple[str, str]:
        """Names of the features on the axes; "" for the second one if both are the same."""
        first, second = self.features
        return self.names[first], "" if first == second else self.names[second]

    @property
    def units(self) -> tuple[str, str]:
        """Of the features on the axes, "" without one."""
        return self.across.unit, self.upward.unit

    @property
    def drawn(self) -> np.ndarray:
        """Rows that are drawn: all, or MOST_DRAWN evenly spaced ones if there are more."""
        n = len(self.across.places)
        return np.arange(n) if n <= MOST_DRAWN else np.arange(MOST_DRAWN) * n // MOST_DRAWN

    @property
    def is_slice(self) -> bool:
        """Whether any other features are fixed."""
        return len(set(range(len(self.at))) - set(self.features)) > 0

    @property
    def is_banded(self) -> bool:
        """Whether an axis has bands."""
        return bool(self.across.ends or self.upward.ends)

    @property
    def rows_at_a_place(self) -> float | None:
        """Mean number of rows per position if they are drawn side by side, else None."""
        if not (self.across.apart or self.upward.apart):
            return None
        places = np.unique(self.tables[self.form][1][:, self.features], axis=0)
        return len(self.across.places) / len(places)

    @property
    def bands(self) -> tuple[AxisBands | None, AxisBands | None]:
        """The bands of both axes as figures take them."""
        return self.across.bands, self.upward.bands

    def texts(self, rows: np.ndarray) -> tuple[list[str] | None, list[str] | None]:
        """Hover texts of rows in bands, per axis; None for an axis without any."""
        values = self.tables[self.form][1]
        return tuple(
            texts_of(axis, values[rows, axis.feature]) for axis in (self.across, self.upward)
        )

    def columns_in(self, form: str) -> list[int]:
        """Columns of a form that lie on the axes."""
        return [c for f in dict.fromkeys(self.features) for c in self._columns(f, form)]

    def at_in(self, form: str) -> np.ndarray:
        """`at` in another form."""
        names, _ = self.tables[form]
        out = np.zeros(len(names))
        for f, value in enumerate(self.at):
            out[self._columns(f, form)] = self._values(f, float(value), form)
        return out

    def bands_in(self, form: str) -> tuple[list[Band], list[Band]]:
        """Bands of both axes as a model of a form reads them."""
        if self.features[0] == self.features[1]:
            low, high = self.upward.view
            return self._bands(self.across, form), [Band(low, high, (), ())]
        return self._bands(self.across, form), self._bands(self.upward, form)

    def numeric_in(self, form: str) -> tuple[int | None, int | None]:
        """Numeric columns on the axes as a model of a form names them."""
        axes = (self.across, self.upward if self.features[0] != self.features[1] else None)
        return tuple(
            None if axis is None or not axis.numeric else self._columns(axis.feature, form)[0]
            for axis in axes
        )

    def lines_in(self, form: str) -> tuple[int, int] | None:
        """Columns between which a line of the plane is a split; None if it is none.

        Of one feature alone the column twice: then a line is a threshold.
        """
        across, up = self.numeric_in(form)
        if self.features[0] == self.features[1]:
            up = across
        return None if across is None or up is None else (across, up)

    def _bands(self, axis: PlaneAxis, form: str) -> list[Band]:
        columns = tuple(self._columns(axis.feature, form))
        return [
            Band(low, high, columns, tuple(self._values(axis.feature, code, form)))
            for (low, high), code in zip(axis.ends, axis.codes, strict=True)
        ]

    def _columns(self, feature: int, form: str) -> list[int]:
        """Columns of a form that hold a feature of the plane."""
        if form == self.form:
            return [feature]
        names, own = self.tables[form][0], self.names[feature]
        if own in names:
            return [names.index(own)]
        return [i for i, name in enumerate(names) if name.startswith(f"{own} = ")]

    def _values(self, feature: int, value: float, form: str) -> list[float]:
        """Value of a feature as a form has it, read off a row that has it."""
        if form == self.form:
            return [value]
        own = self.tables[self.form][1][:, feature]
        rows = np.flatnonzero(own == value)
        columns = self._columns(feature, form)
        if len(rows):
            return self.tables[form][1][rows[0], columns].tolist()
        if len(columns) == 1:
            return [value]
        return [float(code == value) for code in range(len(columns))]


def lay_plane(
    form: str,
    tables: dict[str, tuple[tuple[str, ...], np.ndarray]],
    categories: Categories,
    features: tuple[int, int],
    *,
    row: int | None = None,
    proposed: bool = False,
    units: Mapping[str, str] | None = None,
    levels: Mapping[int, tuple[str, ...]] | None = None,
    comparable: bool = True,
    missing_word: str = "missing",
) -> Plane:
    """Plane of two features; O(n_samples n_features).

    Parameters
    ----------
    form : str
        Which of `tables` its axes belong to.
    tables : dict of str to (names, values)
        The rows in each form that a model reads: codes of categories, NaN where missing.
    categories : tuple of (tuple or None)
        Of each nominal column of the form, None for a numeric one.
    features : (int, int)
        The same twice if there is only one.
    row : int, optional
        Through which the plane goes; default, or if there is no such row: the usual values.
    proposed : bool, default False
        Whether row and axes are proposed, not chosen.
    units : mapping from column to unit, optional
    levels : mapping from feature to words, optional
        Of columns of numbers 0, 1, ... that stand for words, which become bands.
    comparable : bool, default True
        Whether both axes may have equal units if their ranges are alike.
    missing_word : str, default "missing"
    """
    (names, values), units, levels = tables[form], units or {}, levels or {}
    axes = [
        axis_of(
            names[f],
            units.get(names[f], ""),
            f,
            values[:, f],
            categories[f] or levels.get(f),
            missing_word,
        )
        for f in features
    ]
    if features[0] == features[1]:
        heights = spread_out(len(values))
        view = pad_bounds(heights, heights)[2:]
        axes[1] = PlaneAxis(names[features[0]], axes[0].unit, features[1], heights, view)
    elif not any(axis.ends for axis in axes):
        axes = _with_distinct_labels(axes)
    equal = comparable and not any(axis.ends for axis in axes) and _of_one_kind(axes)
    row = None if row is None or row >= len(values) else row
    at = usual_values(values, categories, row)
    fitting = tuple(stands_on_axis(each) for each in categories)
    return Plane(form, names, features, at, row, proposed, *axes, equal, tables, fitting)


def _with_distinct_labels(axes: list[PlaneAxis]) -> list[PlaneAxis]:
    moved = side_by_side(*(axis.places for axis in axes))
    return [
        axis
        if places is None
        else replace(axis, places=places, view=pad_bounds(places, places)[:2], apart=True)
        for axis, places in zip(axes, moved, strict=True)
    ]


def usual_values(values: np.ndarray, categories: Categories, row: int | None = None) -> np.ndarray:
    """Medians and most frequent categories, or the known values of `row`."""
    usual = np.zeros(values.shape[1])
    for f, known in enumerate(categories):
        present = values[~np.isnan(values[:, f]), f]
        if len(present):
            counts = None if known is None else np.bincount(present.astype(np.intp))
            usual[f] = np.median(present) if counts is None else counts.argmax()
    if row is None:
        return usual
    return np.where(np.isnan(values[row]), usual, values[row])


def _of_one_kind(axes: list[PlaneAxis]) -> bool:
    width, height = (axis.view[1] - axis.view[0] for axis in axes)
    return axes[0].unit == axes[1].unit and 0.5 <= width / height <= 2.0


def _ends(axis: PlaneAxis, wide: tuple[float, float]) -> tuple[float, float]:
    if not axis.numeric:
        return axis.view
    return wide if axis.low is None else (axis.low, wide[1])


# ---- The selected node in a tree that is cut at a depth: what lies inside it, what leads to it


@dataclass(frozen=True, eq=False)
class NodeSelection:
    """A selected node, its path from the root and its subtree."""

    node: int | None  # the selected node; its ancestor at `depth` if it lies deeper
    depth: int | None  # where the tree is cut
    path: tuple[int, ...]  # nodes from the root to it; empty without a selection
    inside: np.ndarray  # (n_nodes,) bool, nodes of its subtree; all without a selection


def select(tree: Tree, node: int | None, depth: int | None) -> NodeSelection:
    """Selection of `node` in `tree` cut at `depth`.

    Raises
    ------
    ValueError
        If the tree has no such node or `depth` is negative.
    """
    if depth is not None and depth < 0:
        raise ValueError(f"depth must be >= 0 or None, got {depth}")
    if node is None:
        return NodeSelection(None, depth, (), np.ones(tree.n_nodes, dtype=bool))
    path = tree.path(check_node(tree, node))
    if depth is not None:
        path = path[: depth + 1]
    return NodeSelection(path[-1], depth, tuple(path), below(tree, path[-1:]))


def check_node(tree: Tree, node: int) -> int:
    """`node` as an int; ValueError if the tree has no such node."""
    if not 0 <= node < tree.n_nodes:
        raise ValueError(f"selected must be a node from 0 to {tree.n_nodes - 1}, got {node}")
    return int(node)


def below(tree: Tree, nodes: Iterable[int]) -> np.ndarray:
    """Mask of `nodes` and all nodes below them, shape (n_nodes,).

    Ancestors are reached in steps that double, so this takes log2(depth) passes.
    """
    inside = np.zeros(tree.n_nodes, dtype=bool)
    inside[list(nodes)] = True
    ancestor = np.maximum(tree.parent, 0)
    for _ in range(int(tree.max_depth).bit_length()):
        inside |= inside[ancestor]
        ancestor = ancestor[ancestor]
    return inside
