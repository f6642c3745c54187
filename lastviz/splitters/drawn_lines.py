"""A line that was drawn over a plane of two features, as the split of a node."""

from __future__ import annotations

import numpy as np

from lastviz._sentences import Sentence

from .edits import ForcedSplit, Path
from .splits import ObliqueSplit, Split

DIGITS = 6  # significant ones: finer than a hand


def rounded(value: float) -> float:
    """Return a number with as many digits as a hand can mean."""
    return float(f"{value:.{DIGITS}g}")


def along(line: dict, axes: tuple[int, int], path: Path) -> ForcedSplit:
    """Return the edit that splits a node along a line of the plane of two features.

    Parallel to an axis it is a threshold.

    Parameters
    ----------
    line : dict
        Two places that it goes through: ``{"from": [x, y], "to": [x, y]}``.
    axes : (int, int)
        The features across and up; where both are one, only the place across counts.
    path : tuple of int
        Of the node.

    Raises
    ------
    ValueError
        If both places are one.
    """
    (x0, y0), (x1, y1) = line["from"], line["to"]
    across, up = axes
    if (x0, y0) == (x1, y1):
        raise ValueError(Sentence("A line needs two different points; these are the same."))
    if across == up or x0 == x1:
        return ForcedSplit(path, Split(across, rounded((x0 + x1) / 2), 0.0))
    if y0 == y1:
        return ForcedSplit(path, Split(up, rounded(y0), 0.0))
    normal = np.array([y1 - y0, x0 - x1])
    normal /= normal[np.argmax(np.abs(normal))]
    normal = np.array([rounded(weight) for weight in normal])
    weights = np.zeros(max(axes) + 1)
    weights[[across, up]] = normal
    threshold = float(normal @ [(x0 + x1) / 2, (y0 + y1) / 2])
    return ForcedSplit(path, ObliqueSplit(weights, rounded(threshold), 0.0))
