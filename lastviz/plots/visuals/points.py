"""The rows of a data set: places in a plane with what is known of each, drawn as marks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Bounds = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class Points:
    """Rows in a plane, as parallel arrays of length n."""

    # x, y: ndarray of float32 or float64. Places. float32 halves what is sent; keep float64 where
    # values are large and close.
    x: np.ndarray
    y: np.ndarray
    label: np.ndarray  # intp, class index
    held_out: np.ndarray  # bool, whether the row was kept from training
    wrong: np.ndarray  # bool, whether the model misclassifies it
    row: np.ndarray  # intp, row of the data set
    # What the pointer reads of the rows' values on an axis whose places do not say them.
    texts: tuple[list[str] | None, list[str] | None] = (None, None)
    # The most rows that a picture beside this one has wrong: rings are of one size in both.
    most_wrong: int = 0

    def __len__(self) -> int:
        return len(self.x)

    def part(self, which: np.ndarray) -> Points:
        """Return those of them that a mask names."""
        rows = np.flatnonzero(which).tolist()
        arrays = (self.x, self.y, self.label, self.held_out, self.wrong, self.row)
        texts = [None if words is None else [words[i] for i in rows] for words in self.texts]
        return Points(*(each[which] for each in arrays), tuple(texts), self.most_wrong)

    @classmethod
    def plain(
        cls, x: np.ndarray, y: np.ndarray, label: np.ndarray, row: np.ndarray | None = None
    ) -> Points:
        """Return points without a model: all in training, none wrong, `row` counted from 0."""
        no = np.zeros(len(x), dtype=bool)
        row = np.arange(len(x)) if row is None else row
        return cls(x, y, np.asarray(label, dtype=np.intp), no, no, row)


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
