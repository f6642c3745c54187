"""The rows of a data set: places in a plane with what is known of each, drawn as marks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Points", "apart", "padded", "surroundings"]

Bounds = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class Points:
    """Rows in a plane, as parallel arrays of length n.

    Attributes
    ----------
    x, y : ndarray of float32 or float64
        Places. float32 halves what is sent; keep float64 where values are large and close.
    label : ndarray of intp
        Class index.
    held_out : ndarray of bool
        Whether the row was kept from training.
    wrong : ndarray of bool
        Whether the model misclassifies it.
    row : ndarray of intp
        Row of the data set.
    texts : (list of str or None, list of str or None)
        What the pointer reads of the rows' values on an axis whose places do not say them.
    most_wrong : int
        The most rows that a picture beside this one has wrong: rings are of one size in both.
    """

    x: np.ndarray
    y: np.ndarray
    label: np.ndarray
    held_out: np.ndarray
    wrong: np.ndarray
    row: np.ndarray
    texts: tuple[list[str] | None, list[str] | None] = (None, None)
    most_wrong: int = 0

    def __len__(self) -> int:
        return len(self.x)

    @classmethod
    def plain(
        cls, x: np.ndarray, y: np.ndarray, label: np.ndarray, row: np.ndarray | None = None
    ) -> Points:
        """Return points without a model: all in training, none wrong, `row` counted from 0."""
        no = np.zeros(len(x), dtype=bool)
        row = np.arange(len(x)) if row is None else row
        return cls(x, y, np.asarray(label, dtype=np.intp), no, no, row)


def apart(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return places at which rows of the same place lie side by side, each near its own.

    They form a spiral that stays nearer to their place than to the next value of either axis, so
    that none crosses a threshold between two values.
    """
    xy = np.column_stack([x, y]).astype(np.float64)
    _, group, size = np.unique(xy, axis=0, return_inverse=True, return_counts=True)
    group = group.ravel()
    order = np.argsort(group, kind="stable")
    nth = np.empty(len(xy))
    nth[order] = np.arange(len(xy)) - (np.cumsum(size) - size)[group[order]]
    share = np.sqrt(nth / np.maximum(size[group] - 1, 1))  # of the widest radius
    angle = nth * np.pi * (3.0 - np.sqrt(5.0))
    return tuple(
        column + _reach(column) * share * turn(angle)
        for column, turn in zip(xy.T, (np.cos, np.sin), strict=True)
    )


def _reach(values: np.ndarray) -> float:
    """Return how far from its place a row may be drawn."""
    known = np.unique(values[np.isfinite(values)])
    return 0.35 * float(np.diff(known).min()) if len(known) > 1 else 0.0


def padded(x: np.ndarray, y: np.ndarray, share: float = 0.06) -> Bounds:
    """Return (x_min, x_max, y_min, y_max) of the finite values with `share` of room around."""
    return (*_padded(x, share), *_padded(y, share))


def _padded(values: np.ndarray, share: float) -> tuple[float, float]:
    values = np.asarray(values, dtype=np.float64)
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = share * (high - low) or max(1.0, abs(low)) * 0.5
    return low - room, high + room


def surroundings(view: Bounds, *, equal: bool = False) -> Bounds:
    """Return bounds around `view` in which to compute regions.

    They hold what a reader sees who zooms out, and what plotly adds to one axis when both have
    equal units (`equal`) in a panel whose shape nobody knows before it is drawn.
    """
    x0, x1, y0, y1 = view
    width, height = x1 - x0, y1 - y0
    if equal:
        width = height = 1.5 * max(width, height)
    return x0 - width, x1 + width, y0 - height, y1 + height
