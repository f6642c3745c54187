"""Colours as eyes see them: contrast, and how far apart two are, without some cones, too."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

_TO_LMS = np.array(
    [[0.31399, 0.63951, 0.04650], [0.15537, 0.75789, 0.08670], [0.01775, 0.10945, 0.87257]]
)
_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE = np.array([0.95047, 1.0, 1.08883])
# What eyes without red or green cones make of light (Vienot, Brettel and Mollon 1999).
_EYES = np.array(
    (
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((0, 1.05118, -0.05117), (0, 1, 0), (0, 0, 1)),
        ((1, 0, 0), (0.95131, 0, 0.04866), (0, 0, 1)),
    )
)
CLOSE = 14.0  # in Lab; the closest two of ours are 14.6 apart, in the dark


def _linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    """Return the relative luminance of "#RRGGBB" after WCAG, from 0 to 1."""
    return float(_TO_XYZ[1] @ _linear(colour))


def contrast(colour: str, other: str) -> float:
    """Return the contrast of two colours after WCAG, from 1 to 21."""
    low, high = sorted((luminance(colour), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _lab(colour: str) -> np.ndarray:
    """Return a colour in CIE Lab as each kind of eye sees it, shape (3, 3)."""
    seen = np.linalg.solve(_TO_LMS, (_EYES @ (_TO_LMS @ _linear(colour))).T).T.clip(0, 1)
    xyz = seen @ _TO_XYZ.T / _WHITE
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), xyz * 841 / 108 + 4 / 29)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], 1)


def distance(colour: str, other: str) -> float:
    """Return how far apart two colours are in Lab for the eye that tells them apart least.

    Eyes with all cones, and without those for long or for middle waves.
    """
    return float(np.linalg.norm(_lab(colour) - _lab(other), axis=1).min())


def close_pairs(colours: Sequence[str], least: float = CLOSE) -> list[tuple[int, int]]:
    """Return the pairs of colours, by position, that some eyes can hardly tell apart."""
    pairs = combinations(range(len(colours)), 2)
    return [(i, j) for i, j in pairs if distance(colours[i], colours[j]) < least]
