"""What BNM and CSN measure at a split, drawn into the plane of its rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import ClassMargin, ClassSpread, Dichotomy, SplitGeometry

from . import marks
from .theme import THEMES, Theme, ThemeName, symbol

LINE = 2.5
MEAN = 11


def distance_traces(
    geometry: SplitGeometry,
    measured: str,
    axes: tuple[int, int],
    places: np.ndarray,
    *,
    theme: ThemeName,
) -> list[dict]:
    """Return the traces of what a criterion measures.

    Parameters
    ----------
    geometry : SplitGeometry
    measured : {"bnm", "csn"}
        BNM: a line between the means of a class in both children, and small rings around the
        rows nearest to the cut that the penalty reads. CSN: a cross of one standard deviation
        around each class's mean in each child, and lines between the means of class groups.
    axes : (int, int)
        Features of the plane.
    places : ndarray, shape (n_samples, 2)
        All rows of the data in that plane.
    """
    colours = THEMES[theme]
    if measured == "bnm":
        traces = [_margin(margin, axes, colours) for margin in geometry.margins]
        near = {row for pair in geometry.nearest for row in (pair.own, pair.other)}
        return [*traces, _nearest(places[sorted(near)], colours)] if near else traces
    traces = [_between(pair, axes, colours) for pair in geometry.dichotomies]
    crosses = [_spread(spread, axes, colours) for spread in geometry.spreads]
    return traces + [_bed(cross, colours) for cross in crosses] + crosses


def _in_plane(points: Sequence[np.ndarray], axes: tuple[int, int]) -> np.ndarray:
    return np.array([[point[axes[0]], point[axes[1]]] for point in points], dtype=np.float64)


def _margin(margin: ClassMargin, axes: tuple[int, int], theme: Theme) -> dict:
    ends = _in_plane((margin.left_mean, margin.right_mean), axes)
    hue, sign = theme.hue(margin.cls), symbol(margin.cls)
    trace = marks.line(ends, hue, LINE, role="margin", name="margin", **{"class": margin.cls})
    edge = {"color": hue, "width": LINE}
    marker = {"symbol": sign, "size": MEAN, "color": theme.paper, "line": edge}
    return trace | {"mode": "lines+markers", "marker": marker}


def _nearest(places: np.ndarray, theme: Theme) -> dict:
    look = "circle-open", 15, theme.grey7, (1.5, theme.grey7)
    return marks.symbols(*places.T, *look, role="nearest", name="nearest rows")


def _between(pair: Dichotomy, axes: tuple[int, int], theme: Theme) -> dict:
    ends = _in_plane((pair.one_mean, pair.other_mean), axes)
    return marks.line(ends, theme.grey7, LINE, role="between", name="between", child=pair.child)


def _spread(spread: ClassSpread, axes: tuple[int, int], theme: Theme) -> dict:
    """A cross whose arms are one standard deviation long."""
    (x, y), (dx, dy) = _in_plane((spread.mean, spread.deviation), axes)
    gap = (np.nan, np.nan)
    arms = np.array([(x - dx, y), (x + dx, y), gap, (x, y - dy), (x, y + dy)])
    return marks.line(
        arms, theme.hue(spread.cls), LINE, role="spread", name="spread", child=spread.child
    )


def _bed(cross: dict, theme: Theme) -> dict:
    """Return what parts a cross from the points of its class, on which it lies."""
    line = {"color": theme.paper, "width": LINE + 4}
    return {**cross, "name": "halo", "meta": {"role": "halo"}, "line": line}
