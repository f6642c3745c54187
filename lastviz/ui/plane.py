"""The plane through the data that a picture shows: two features, the others fixed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.datasets import Dataset
from lastviz.plots import padded

from . import cache
from .selection import Selection

__all__ = ["Plane", "plane_of"]


MOST_DRAWN = 5000  # rows; more would become one blot and slow the browser down


@dataclass(frozen=True, eq=False)
class Plane:
    """What stands on the axes, and where the plane lies in the other features.

    Attributes
    ----------
    features : tuple of int
        Features on the horizontal and the vertical axis; the same twice if there is only one.
    at : ndarray, shape (n_features,)
        Values of the others: medians, or those of a chosen row.
    x, y : ndarray, shape (n_samples,)
        Places of all rows.
    view : tuple of float
        (x_min, x_max, y_min, y_max) with some room around the rows.
    units : tuple of str
    equal : bool
        Whether one unit should be as long on both axes.
    """

    features: tuple[int, int]
    at: np.ndarray
    x: np.ndarray
    y: np.ndarray
    view: tuple[float, float, float, float]
    units: tuple[str, str]
    equal: bool

    @property
    def drawn(self) -> np.ndarray:
        """The rows that are drawn: all, or of more than MOST_DRAWN as many evenly spaced ones."""
        n = len(self.x)
        return np.arange(n) if n <= MOST_DRAWN else np.arange(MOST_DRAWN) * n // MOST_DRAWN

    @property
    def is_slice(self) -> bool:
        """Whether other features had to be fixed."""
        return len(set(range(len(self.at))) - set(self.features)) > 0


def plane_of(selection: Selection) -> Plane:
    """Return the plane of the selection: its axes, or the two most telling features."""
    dataset = cache.data(selection).dataset
    X = cache.division(selection).X
    features = _axes(selection, tuple(X.columns))
    values = X.to_numpy()
    x = values[:, features[0]]
    y = values[:, features[1]] if features[0] != features[1] else _spread_out(len(x))
    view = padded(x, y)
    units = tuple(dataset.units.get(X.columns[f], "") for f in features)
    row = selection.at
    inside = row is not None and row < len(values)
    at = values[row] if inside else np.median(values, axis=0)
    equal = _of_one_kind(dataset, units, view)
    return Plane(features, at, _light(x), _light(y), view, units, equal)


def _axes(selection: Selection, names: tuple[str, ...]) -> tuple[int, int]:
    if selection.axes is not None and set(selection.axes) <= set(names):
        first, second = (names.index(name) for name in selection.axes)
        return first, second
    if len(names) <= 2:
        return 0, len(names) - 1
    first, second = sorted(np.argsort(-cache.gains(selection), kind="stable")[:2].tolist())
    return first, second


def _light(values: np.ndarray) -> np.ndarray:
    """Return the values in 32 bits, half as much to send, unless that would move points."""
    largest = np.abs(values).max(initial=0.0)
    fine = np.isfinite(np.float32(largest)) and np.ptp(values) > 1e-3 * largest
    return values.astype(np.float32) if fine else values


def _spread_out(n: int) -> np.ndarray:
    """Return heights in (0, 1) that keep points of a single feature from hiding each other."""
    golden = (np.sqrt(5.0) - 1.0) / 2.0
    return (0.5 + golden * np.arange(n)) % 1.0


def _of_one_kind(
    dataset: Dataset, units: tuple[str, str], view: tuple[float, float, float, float]
) -> bool:
    width, height = view[1] - view[0], view[3] - view[2]
    return dataset.n_features > 1 and units[0] == units[1] and 0.5 <= width / height <= 2.0
