"""Polygons and lines of a growth, packed for the browser: two bytes a coordinate."""

from __future__ import annotations

import base64

import numpy as np

from lastviz.inspection import Regions
from lastviz.plots.visuals.marks import parted

STEPS = 65535  # of the window's width and height: far below a pixel, even when zoomed


def packed(array: np.ndarray) -> dict[str, str]:
    """Return an array of at most 32 bits a number as text that the player reads."""
    array = np.ascontiguousarray(array)
    data = base64.b64encode(array).decode("ascii")
    return {"dtype": array.dtype.str[1:], "bdata": data}


class Pieces:
    """Polygons and lines in one window, each a sequence of points, named by its number."""

    def __init__(self, bounds: tuple[float, float, float, float]) -> None:
        self._bounds = bounds
        self._points: list[np.ndarray] = []
        self._lengths: list[np.ndarray] = []
        self._n = 0

    def add(self, points: np.ndarray, lengths: np.ndarray) -> int:
        """Add pieces that lie one after the other in `points` (n, 2); return the first's number."""
        first = self._n
        self._points.append(points)
        self._lengths.append(np.asarray(lengths, dtype=np.intp))
        self._n += len(lengths)
        return first

    def lines(self, ends: np.ndarray) -> list[int]:
        """Add segments (x0, y0, x1, y1), joined where they go on; return [first, end)."""
        return self.broken(parted(ends))

    def broken(self, xy: np.ndarray) -> list[int]:
        """Add the lines between rows of NaN in `xy` (n, 2); return [first, end)."""
        gap = np.isnan(xy[:, 0])
        lengths = np.diff(np.flatnonzero(np.r_[True, gap, True])) - 1
        first = self.add(xy[~gap], lengths[lengths > 0])
        return [first, self._n]

    def regions(self, found: Regions) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        """Add polygons and splits; return [first, end) of each by node."""
        order = np.argsort(found.node, kind="stable")
        lengths = np.diff(found.offset)[order]
        corners = [found.polygon(int(i)) for i in order]
        first = self.add(np.concatenate([np.empty((0, 2)), *corners]), lengths)
        nodes, starts, counts = np.unique(found.node[order], return_index=True, return_counts=True)
        areas = {
            int(n): [first + int(s), first + int(s + count)]
            for n, s, count in zip(nodes, starts, counts, strict=True)
        }
        lines = {}
        for row in np.flatnonzero(np.isfinite(found.segment).all(axis=1)):
            lines[int(found.node[row])] = self.lines(found.segment[row : row + 1])
        for row in np.unique(found.curve_row):
            lines[int(found.node[row])] = self.lines(found.curve[found.curve_row == row])
        return areas, lines

    def some(
        self, found: Regions, wanted: np.ndarray
    ) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """Add polygons and straight splits of the nodes `wanted`; nothing for those unseen."""
        areas, lines = ({str(int(n)): [0, 0] for n in wanted} for _ in range(2))
        for node in np.unique(found.node[np.isin(found.node, wanted)]).tolist():
            rows = np.flatnonzero(found.node == node)
            corners = [found.polygon(int(row)) for row in rows]
            first = self.add(np.concatenate(corners), [len(each) for each in corners])
            areas[str(node)] = [first, first + len(rows)]
            ends = [found.segment[rows], found.curve[np.isin(found.curve_row, rows)]]
            lines[str(node)] = self.lines(np.concatenate(ends))
        return areas, lines

    def packed(self) -> dict[str, object]:
        """Return all of them: window, first point of each piece, points in steps of the window."""
        xy = np.concatenate([np.empty((0, 2)), *self._points])
        x0, x1, y0, y1 = self._bounds
        share = (xy - [x0, y0]) / [x1 - x0, y1 - y0]
        steps = np.rint(np.clip(share, 0.0, 1.0) * STEPS).astype(np.uint16)
        lengths = np.concatenate([np.empty(0, dtype=np.intp), *self._lengths])
        offset = np.r_[0, np.cumsum(lengths)].astype(np.int32)
        return {"bounds": list(self._bounds), "offset": packed(offset), "xy": packed(steps)}
