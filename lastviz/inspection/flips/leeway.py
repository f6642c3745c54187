"""What of a sample may change, within which bounds, and what a change costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

LARGEST = 1e150  # what may be squared
METRICS = ("l1", "l2", "l0")


@dataclass(frozen=True, eq=False)
class Leeway:
    """The changes of a sample that are allowed, and their price."""

    x: np.ndarray  # (n_features,) float64, the sample: numbers, and codes of categories
    # low, high: (n_features,) float64. What a feature may become, both ends included; x itself
    # always lies within. Both are x where a feature must stay.
    low: np.ndarray
    high: np.ndarray
    # (n_features,) float64, the price of one unit of a number, of another category.
    weights: np.ndarray
    metric: str  # {"l1", "l2", "l0"}
    # nominal, whole: (n_features,) bool, whether the feature holds codes of categories; whether it
    # takes whole numbers alone
    nominal: np.ndarray
    whole: np.ndarray

    @property
    def free(self) -> np.ndarray:
        """Which features may change."""
        return self.low < self.high

    def steps(self, points: np.ndarray) -> np.ndarray:
        """Return what each feature's change costs on its way to `points` (n, n_features)."""
        moved = np.abs(points - self.x)
        return self.weights * np.where(self.nominal, moved > 0, moved)

    def distances(self, points: np.ndarray) -> np.ndarray:
        """Return the distance of the sample to `points` (n, n_features)."""
        steps = self.steps(points)
        if self.metric == "l1":
            return steps.sum(axis=1)
        if self.metric == "l2":
            return np.sqrt((steps**2).sum(axis=1))
        return (points != self.x).sum(axis=1).astype(np.float64)

    def by_distance(self, points: np.ndarray) -> np.ndarray:
        """Return the places of `points` from near to far; equal counts (l0) go by l1."""
        return np.lexsort((self.steps(points).sum(axis=1), self.distances(points)))

    def closest(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the closest allowed point of boxes low < z <= high, and which boxes have one.

        Parameters
        ----------
        low, high : ndarray of float64, shape (n_boxes, n_features)

        Returns
        -------
        points, lowest, highest : ndarray of float64, shape (n_boxes, n_features)
            The points, and the smallest and largest values that the boxes allow.
        reached : ndarray of bool, shape (n_boxes,)
        """
        lowest = np.maximum(np.nextafter(low, np.inf), self.low)
        highest = np.minimum(high, self.high)
        stays = (lowest <= self.x) & (self.x <= highest)
        lowest = np.where(self.whole, np.ceil(lowest), lowest)
        highest = np.where(self.whole, np.floor(highest), highest)
        # a sample that is not whole itself may stay as it is
        lowest = np.where(stays, np.minimum(lowest, self.x), lowest)
        highest = np.where(stays, np.maximum(highest, self.x), highest)
        points = np.where(stays, self.x, np.clip(self.x, lowest, highest))
        return points, lowest, highest, (lowest <= highest).all(axis=1)


def leeway_of(
    x: np.ndarray,
    categories: Sequence[tuple | None],
    *,
    metric: str = "l1",
    weights: np.ndarray | None = None,
    fixed: Iterable[int] = (),
    ranges: np.ndarray | None = None,
    directions: np.ndarray | None = None,
    whole: Iterable[int] = (),
) -> Leeway:
    """Return the leeway of a sample, checked; parameters are those of :func:`.flip.nearest`.

    `categories` are those of each nominal feature, None for a numeric one.
    """
    n = len(x)
    if metric not in METRICS:
        raise ValueError(f"metric must be one of {', '.join(METRICS)}, got {metric!r}")
    nominal = np.array([known is not None for known in categories], dtype=bool)
    low, high = _ends(ranges, n)
    weights = _prices(weights, low, high, nominal)
    low[nominal], high[nominal] = -np.inf, np.inf
    sign = np.zeros(n, dtype=np.intp) if directions is None else np.asarray(directions)
    if sign.shape != (n,) or not np.isin(sign, (-1, 0, 1)).all():
        raise ValueError(f"directions must be 1, -1 or 0 for each of {n} features")
    low, high = np.minimum(low, x), np.maximum(high, x)
    low = np.where((sign > 0) & ~nominal, x, low)
    high = np.where((sign < 0) & ~nominal, x, high)
    stays = chosen("fixed", fixed, n)
    low[stays], high[stays] = x[stays], x[stays]
    return Leeway(x, low, high, weights, metric, nominal, chosen("whole", whole, n) & ~nominal)


def chosen(name: str, features: Iterable[int], n: int) -> np.ndarray:
    """Return features given by their places as a mask."""
    places = np.array(list(features), dtype=np.intp)
    if len(places) and not (places.min() >= 0 and places.max() < n):
        raise ValueError(f"{name} must hold places of features from 0 to {n - 1}, got {places}")
    mask = np.zeros(n, dtype=bool)
    mask[places] = True
    return mask


def _ends(ranges: np.ndarray | None, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of each feature, infinite without any."""
    if ranges is None:
        return np.full(n, -np.inf), np.full(n, np.inf)
    ranges = np.array(ranges, dtype=np.float64)
    if ranges.shape != (n, 2) or not (ranges[:, 0] <= ranges[:, 1]).all():
        raise ValueError(f"ranges must be a smallest and a largest value for each of {n} features")
    return ranges[:, 0].copy(), ranges[:, 1].copy()


def _prices(
    weights: np.ndarray | None, low: np.ndarray, high: np.ndarray, nominal: np.ndarray
) -> np.ndarray:
    """Return the price of a unit of each feature: by default the whole range costs 1."""
    if weights is None:
        width = high - low
        known = np.isfinite(width) & (width > 1.0 / LARGEST) & ~nominal
        return np.where(known, 1.0 / np.where(known, width, 1.0), 1.0)
    weights = np.array(weights, dtype=np.float64)
    if weights.shape != low.shape or not (np.isfinite(weights) & (weights > 0)).all():
        raise ValueError(f"weights must be a number > 0 for each of {len(low)} features")
    return weights
