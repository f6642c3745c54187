"""Layout of a flow tree's nodes and ribbons: pure geometry, in pixels, y upwards.

Depth runs from left to right, the first child is on top. A node is as high as its rows are
many; leaves are stacked without overlap, an inner node stands in the middle of its children.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lastviz.tree import Tree

from .theme import Size

MAX_LEAVES = 200

_ROOT_SHARE = 0.58  # of the height, for the bar of all rows; the rest parts the leaves
_LEFT, _RIGHT, _PAD = 18.0, 34.0, 12.0
_APART = 18.0  # between bars that are rows of a table: a line of text


@dataclass(frozen=True, eq=False)
class FlowLayout:
    """The drawn nodes, in rising node number; n of them."""

    node: np.ndarray  # (n,) intp, their numbers in the tree
    # (n,) intp, position (not number) of the parent among the drawn nodes, -1 at the root.
    parent: np.ndarray
    # (n,) bool, whether the node is drawn as a leaf: it is one, or the tree is cut there.
    leaf: np.ndarray
    x: np.ndarray  # (n,) float64, middle of the node's bar
    y: np.ndarray  # (n,) float64, middle of the node's bar
    # (n,) float64. Its rows: `scale` times their weight. Ribbons have exactly these heights.
    height: np.ndarray
    bar: np.ndarray  # (n,) float64, height of its bar: `height`, but never too little to be seen
    # (n,) float64, distance to the nearest other leaf in the same column (inf if there is none).
    room: np.ndarray
    scale: float  # pixels per unit of weight
    width: float  # size of the whole drawing
    total: float  # size of the whole drawing
    # Leaves of the tree below nodes that are drawn as leaves because of their low support.
    hidden_leaves: int
    # Nodes with fewer rows (weight) were not opened, except on the way to those that had to be
    # drawn; 0 if nothing is hidden.
    least_rows: float

    @property
    def n_leaves(self) -> int:
        """Number of nodes drawn as leaves."""
        return int(np.count_nonzero(self.leaf))


def flow_layout(
    tree: Tree,
    *,
    width: float = 520.0,
    height: float = 150.0,
    depth: int | None = None,
    keep: Iterable[int] = (),
    max_leaves: int = MAX_LEAVES,
    note: float = 0.0,
    least: float = 0.0,
    pitch: float | None = None,
) -> FlowLayout:
    """Lay out `tree` in `width` x `height` pixels.

    Parameters
    ----------
    width, height : float
        With `pitch`, `height` is that of the bar of all rows; the drawing is as high as its
        leaves need.
    depth : int or None
        Nodes at this depth are drawn as leaves.
    keep : iterable of int
        Nodes that must be drawn whatever their support (selected, on a path).
    max_leaves : int
        With more leaves, only the nodes with most rows are opened.
    note : float
        Pixels to leave free at the foot if leaves are hidden.
    least : float
        Nodes with fewer rows (weight) are not opened.
    pitch : float or None
        Least distance between leaves, which then are rows of a table.
    """
    opened, least_rows, hidden = _opened(tree, depth, tuple(keep), max_leaves, least)
    shown = opened[tree.parent]
    shown[0] = True
    node = np.flatnonzero(shown)
    parent = np.where(node > 0, np.cumsum(shown)[tree.parent[node]] - 1, -1)
    leaf = ~opened[node]
    weight = tree.weighted_n_node_samples[node]
    level = tree.depth[node]

    order = _leaf_order(parent, level, leaf)
    foot = note if hidden else 0.0
    if pitch is None:
        scale, least_bar, gap = _scale(weight[order], height - foot - 2 * _PAD)
        bar = np.maximum(scale * weight, least_bar)
        slots = bar[order] + gap
    else:
        scale = height / (weight[0] or 1.0)
        bar = np.maximum(scale * weight, min(Size.least_bar, pitch / 2))
        slots = np.maximum(bar[order] + min(_APART, 2 * pitch / 3), pitch)
        height = slots.sum() + foot
    y = _middles(parent, level, order, bar, slots, (height + foot) / 2)
    columns = max(int(level.max()), 1)
    return FlowLayout(
        node=node,
        parent=parent,
        leaf=leaf,
        x=_LEFT + level * (width - _LEFT - _RIGHT) / columns,
        y=y,
        height=scale * weight,
        bar=bar,
        room=_room(level, leaf, y),
        scale=scale,
        width=float(width),
        total=float(height),
        hidden_leaves=hidden,
        least_rows=least_rows,
    )


def _opened(
    tree: Tree, depth: int | None, keep: tuple[int, ...], max_leaves: int, least: float
) -> tuple[np.ndarray, float, int]:
    """Mask of the nodes that show their children.

    Also the weight below which nodes do not, and the number of leaves thus hidden.
    """
    candidate = tree.n_children > 0
    if depth is not None:
        candidate &= tree.depth < depth
    extra = np.where(candidate, tree.n_children - 1, 0)
    weight = tree.weighted_n_node_samples
    by_weight = np.flatnonzero(candidate & (weight >= least))
    if 1 + extra[by_weight].sum() > max_leaves:
        by_weight = by_weight[np.argsort(-weight[by_weight], kind="stable")]
        first_left_out = np.searchsorted(1 + np.cumsum(extra[by_weight]), max_leaves, side="right")
        least = np.nextafter(weight[by_weight[first_left_out]], np.inf)
    elif len(by_weight) == np.count_nonzero(candidate):
        return candidate, 0.0, 0
    opened = candidate & (weight >= least)
    opened[0] = True
    opened &= candidate
    smallest = float(weight[opened].min())
    for node in keep:
        opened[tree.path(node)[:-1]] = True
    opened &= candidate
    return opened, smallest, int(extra.sum() - extra[opened].sum())


def _levels(level: np.ndarray) -> list[np.ndarray]:
    """Positions of the nodes of each depth, the root's first."""
    order = np.argsort(level, kind="stable")
    return np.split(order, np.cumsum(np.bincount(level))[:-1])


def _starts(parent: np.ndarray) -> np.ndarray:
    """Starts of the runs of siblings in nodes sorted by number."""
    return np.flatnonzero(np.r_[True, parent[1:] != parent[:-1]])


def _before(values: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Sum of `values` over each node's earlier siblings (nodes sorted by number)."""
    before = np.cumsum(values, axis=0) - values
    starts = _starts(parent)
    return before - np.repeat(before[starts], np.diff(np.r_[starts, len(parent)]), axis=0)


def _leaf_order(parent: np.ndarray, level: np.ndarray, leaf: np.ndarray) -> np.ndarray:
    """Positions of the leaves from top to bottom."""
    levels = _levels(level)
    count = leaf.astype(np.intp)
    for here in levels[:0:-1]:
        np.add.at(count, parent[here], count[here])
    first = np.zeros(len(parent), dtype=np.intp)
    for here in levels[1:]:
        first[here] = first[parent[here]] + _before(count[here], parent[here])
    leaves = np.flatnonzero(leaf)
    return leaves[np.argsort(first[leaves])]


def _scale(weight: np.ndarray, height: float) -> tuple[float, float, float]:
    """Pixels per weight, least bar and gap, so that the leaves fill `height`."""
    n = len(weight)
    room = _ROOT_SHARE * height
    gap = (1 - _ROOT_SHARE) * height / max(n - 1, 1)
    least = min(Size.least_bar, 0.3 * room / n)
    high = room / (weight.sum() or 1.0)
    if np.maximum(high * weight, least).sum() <= room * (1 + 1e-9):
        return high, least, gap
    low = 0.0
    for _ in range(50):
        scale = (low + high) / 2
        low, high = (
            (scale, high) if np.maximum(scale * weight, least).sum() <= room else (low, scale)
        )
    return low, least, gap


def _middles(
    parent: np.ndarray,
    level: np.ndarray,
    order: np.ndarray,
    bar: np.ndarray,
    slots: np.ndarray,
    middle: float,
) -> np.ndarray:
    """Middles of the bars.

    Leaves, in `order`, are in their slots, other nodes between their children.
    """
    y = np.empty(len(parent))
    y[order] = slots / 2 - np.cumsum(slots)
    for here in _levels(level)[:0:-1]:
        above = parent[here]
        first = _starts(above)
        last = np.r_[first[1:], len(here)] - 1
        top = y[here[first]] + bar[here[first]] / 2
        bottom = y[here[last]] - bar[here[last]] / 2
        y[above[first]] = (top + bottom) / 2
    return y + (middle + slots.sum() / 2)


def _room(level: np.ndarray, leaf: np.ndarray, y: np.ndarray) -> np.ndarray:
    order = np.lexsort((y, level))
    order = order[leaf[order]]
    room = np.full(len(y), np.inf)
    gaps = np.where(np.diff(level[order]) == 0, np.diff(y[order]), np.inf)
    room[order] = np.minimum(np.r_[np.inf, gaps], np.r_[gaps, np.inf])
    return room


@dataclass(frozen=True, eq=False)
class Strips:
    """The strips of all ribbons: one for each edge and class with rows on it."""

    child: np.ndarray  # (s,) intp, position of the child among the drawn nodes
    label: np.ndarray  # (s,) intp, class index
    top_start: np.ndarray  # (s,) float64, upper edge at the parent and at the child
    top_end: np.ndarray  # (s,) float64, upper edge at the parent and at the child
    height: np.ndarray  # (s,) float64, the same at both ends


def strips(layout: FlowLayout, tree: Tree, *, least: float = 0.0) -> Strips:
    """Strips: they leave and enter bars in class order, within a class by child.

    Strips lower than `least` are left out, except the highest of each edge.
    """
    height = tree.value[layout.node] * layout.scale
    top = (layout.y + layout.height / 2)[:, None] - (np.cumsum(height, axis=1) - height)
    child = np.arange(1, len(layout.node))
    parent = layout.parent[1:]
    start = top[parent] - _before(height[1:], parent) if len(child) else top[:0]
    drawn = height[1:] >= max(least, np.finfo(float).tiny)
    drawn |= (height[1:] > 0) & (height[1:] == height[1:].max(axis=1, keepdims=True, initial=0))
    edge, label = np.nonzero(drawn)
    return Strips(
        child=child[edge],
        label=label,
        top_start=start[edge, label],
        top_end=top[1:][edge, label],
        height=height[1:][edge, label],
    )


def smoothstep(start: np.ndarray, end: np.ndarray, n_points: int) -> np.ndarray:
    """Curves from `start` to `end` (s,) that leave and arrive level.

    Shape (s, n_points).
    """
    t = np.linspace(0.0, 1.0, n_points)
    return start[:, None] + (end - start)[:, None] * (t * t * (3 - 2 * t))


def points_per_curve(n_edges: int) -> int:
    """Number of points per ribbon edge: 24, fewer where ribbons are short."""
    return 24 if n_edges <= 120 else max(10, math.ceil(24 * 120 / n_edges))
