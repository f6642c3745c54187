"""Rows painted by hand: places on a fine grid and a class or a height each, as one short text."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal, Statement

from .dataset import Dataset

PAINTED = "painted"
CELLS = 512  # places on each axis: one in some pixels of a large canvas
MOST_PAINTED = 5000
MARGIN = 0.06  # of the data, around them
MOST_CLASSES = 8
TOP = 100  # the largest height
PLACE_BITS = 9
VALUE_BITS = {"c": 3, "h": 7}  # of a class, of a height
WINDOW = (0.0, 10.0, 0.0, 7.5)
_TEXT = re.compile(r"([ch])((?:-?[0-9]{1,9}(?:\.[0-9]{1,6})?~){3}-?[0-9]{1,9}(?:\.[0-9]{1,6})?)~")
_LETTERS = re.compile(r"[A-Za-z0-9_-]*")


@dataclass(frozen=True, eq=False)
class Painting:
    """Painted rows, with their places on a grid and their classes or heights."""

    # x, y: (n,) int, cells of the grid, 0 to 511 from left to right and from the bottom to the top
    x: np.ndarray
    y: np.ndarray
    value: np.ndarray  # (n,) int, the class of each row, 0 to 7, or its height, 0 to 100
    # (left, right, bottom, top): what the grid covers.
    window: tuple[float, float, float, float] = WINDOW
    heights: bool = False  # whether rows have heights, to learn numbers, instead of classes

    @classmethod
    def parse(cls, text: str) -> Painting:
        """Painting from a text written by :meth:`__str__`.

        Raises
        ------
        ValueError
            If it says none, or more than 5,000 rows.
        """
        head = _TEXT.match(text)
        if head is None:
            raise ValueError("a painting begins with c or h and the ends of its axes")
        left, right, bottom, top = map(float, head[2].split("~"))
        bits = 2 * PLACE_BITS + VALUE_BITS[head[1]]
        letters = text[head.end() :]
        if not (left < right and bottom < top):
            raise ValueError("the axes of a painting must end beyond where they begin")
        if len(letters) > (MOST_PAINTED * bits + 5) // 6 + 4:
            raise ValueError(f"a painting has at most {MOST_PAINTED:,} rows")
        numbers = _numbers(letters, bits)
        place, value = (1 << PLACE_BITS) - 1, (1 << VALUE_BITS[head[1]]) - 1
        painting = cls(
            numbers >> (bits - PLACE_BITS),
            numbers >> VALUE_BITS[head[1]] & place,
            numbers & value,
            (left, right, bottom, top),
            head[1] == "h",
        )
        if painting.heights and len(numbers) and painting.value.max() > TOP:
            raise ValueError(f"a height is at most {TOP}")
        return painting

    def __str__(self) -> str:
        """Text for links: 21 bits a row (25 with heights), 6 in a letter."""
        kind = "h" if self.heights else "c"
        bits = 2 * PLACE_BITS + VALUE_BITS[kind]
        x, y, value = (np.asarray(part, dtype=np.int64) for part in (self.x, self.y, self.value))
        numbers = (x << PLACE_BITS | y) << VALUE_BITS[kind] | value
        each = (numbers[:, None] >> np.arange(bits - 1, -1, -1)) & 1
        packed = np.packbits(each.astype(np.uint8).ravel()).tobytes()
        letters = base64.urlsafe_b64encode(packed).decode().rstrip("=")
        return kind + "~".join(f"{end:.10g}" for end in self.window) + "~" + letters

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.x)

    def values(self) -> np.ndarray:
        """x1 and x2 of each row in the units of the window, shape (n, 2)."""
        left, right, bottom, top = self.window
        across = left + (right - left) * self.x / (CELLS - 1)
        upward = bottom + (top - bottom) * self.y / (CELLS - 1)
        return np.column_stack([across, upward]).round(6)

    @property
    def obstacle(self) -> str | None:
        """Sentence on the step still needed before training, or None."""
        if self.heights:
            return None if len(self) > 1 else Statement("Paint at least two rows.")
        if len(np.unique(self.value)) > 1:
            return None
        return Statement("Paint rows of a second class." if len(self) else "Paint some rows.")


EMPTY_PAINTING = Painting(*np.zeros((3, 0), dtype=np.int64))


def painting_of(X: np.ndarray, value: np.ndarray) -> Painting:
    """Painting of samples of two features, in a window with some room around them.

    Parameters
    ----------
    X : ndarray, shape (n, 2)
        Without missing values; at most 5,000 rows are taken, evenly spaced.
    value : ndarray of int, shape (n,)
        Class indices below 8.
    """
    sampled = np.linspace(0, len(X) - 1, min(len(X), MOST_PAINTED)).astype(np.intp)
    X, value = np.asarray(X, dtype=float)[sampled], np.asarray(value)[sampled]
    low, high = X.min(axis=0), X.max(axis=0)
    room = np.where(high > low, MARGIN * (high - low), 1.0)
    low, high = _rounded(low - room, room), _rounded(high + room, room)
    cells = np.rint((X - low) / (high - low) * (CELLS - 1)).astype(np.int64).clip(0, CELLS - 1)
    window = (float(low[0]), float(high[0]), float(low[1]), float(high[1]))
    return Painting(cells[:, 0], cells[:, 1], value.astype(np.int64), window)


def painted_dataset(points: str) -> Dataset:
    """Data set of the painted rows.

    Parameters
    ----------
    points : str
        A :class:`Painting` as text.

    Raises
    ------
    ValueError
        If the text says no painting, or one from which nothing can be learnt: with rows of fewer
        than two classes, or fewer than two rows with heights.
    """
    painting = Painting.parse(points)
    if painting.obstacle is not None:
        raise Refusal(
            "no model can be trained on this painting yet. {obstacle}", obstacle=painting.obstacle
        )
    X = pd.DataFrame(painting.values(), columns=["x1", "x2"])
    y = pd.Series(painting.value, name="height" if painting.heights else "class")
    return Dataset(
        X,
        y.astype(float) if painting.heights else y,
        task="regression" if painting.heights else "classification",
        name="Painted by hand",
        description="Rows painted by hand.",
        source="painted by hand",
    )


def _numbers(letters: str, bits: int) -> np.ndarray:
    if not _LETTERS.fullmatch(letters):
        raise ValueError("the rows of a painting are letters, digits, - and _")
    try:
        packed = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    except binascii.Error:
        raise ValueError("the rows of a painting are cut off") from None
    each = np.unpackbits(np.frombuffer(packed, dtype=np.uint8))
    n = len(each) // bits
    if len(each) - n * bits > 7:
        raise ValueError("the rows of a painting are cut off")
    weights = 1 << np.arange(bits - 1, -1, -1, dtype=np.int64)
    return each[: n * bits].reshape(n, bits).astype(np.int64) @ weights


def _rounded(ends: np.ndarray, room: np.ndarray) -> np.ndarray:
    """Ends of axes as short numbers, moved by less than half of the room."""
    digits = np.clip(np.ceil(-np.log10(room)).astype(int) + 1, -6, 6)
    return np.array([round(float(end), int(d)) for end, d in zip(ends, digits, strict=True)])
