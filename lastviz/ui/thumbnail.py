"""A model's regions as a small drawing (SVG), for cards: no axes, no library, no waiting."""

from __future__ import annotations

import base64
from urllib.parse import urlencode

import numpy as np

from lastviz.inspection import Regions
from lastviz.plots import THEMES, Theme, ThemeName, symbol

from . import cache
from .codec import encode
from .jobs import Working
from .memory import remembered
from .plane import plane_of
from .selection import Selection

__all__ = ["thumbnail"]

LARGEST_NUMBER = 300  # points
# Outlines around (0, 0), drawn from where the pen stands.
SHAPES = {
    "circle": "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
    "square": "m-2.6-2.6h5.2v5.2h-5.2z",
    "diamond": "m-3.6 0l3.6-3.6 3.6 3.6-3.6 3.6z",
}


def thumbnail(
    selection: Selection, place: int, *, width: int, height: int, theme: ThemeName
) -> str:
    """Return the picture of the model at `place` as a data URI; size in pixels.

    While the model is being trained it shows the rows alone.
    """
    key = f"{urlencode(encode(selection))}|{place}|{width}|{height}|{theme}"
    try:
        return _drawn(key, selection, place, (width, height), THEMES[theme])
    except Working:
        return _svg(selection, None, (width, height), THEMES[theme])


@remembered(32)
def _drawn(key: str, selection: Selection, place: int, size: tuple[int, int], theme: Theme) -> str:
    plane = plane_of(selection)
    regions = cache.regions(selection, place, plane.view, plane.features, plane.at)
    return _svg(selection, regions, size, theme)


def _svg(selection: Selection, regions: Regions | None, size: tuple[int, int], theme: Theme) -> str:
    width, height = size
    plane = plane_of(selection)
    labels = cache.division(selection).y
    x0, x1, y0, y1 = plane.view
    scale = np.array([width / (x1 - x0), -height / (y1 - y0)])
    origin = np.array([x0, y1])
    places = (np.column_stack([plane.x, plane.y]) - origin) * scale
    rows = np.linspace(0, len(labels) - 1, min(len(labels), LARGEST_NUMBER)).astype(np.intp)
    parts = _points(places[rows], labels[rows], theme)
    if regions is not None:
        parts = _regions(regions, (regions.vertices - origin) * scale, theme) + parts
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">{"".join(parts)}</svg>'
    )
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _regions(regions: Regions, corners: np.ndarray, theme: Theme) -> list[str]:
    leaves = regions.visible()
    outlines = np.array([_outline(regions, corners, i) for i in leaves], dtype=object)
    labels = regions.prediction[leaves]
    tints = [
        f'<path d="{"".join(outlines[labels == label])}" fill="{theme.region(int(label))}"/>'
        for label in np.unique(labels)
    ]
    return [*tints, f'<path d="{"".join(outlines)}" fill="none" stroke="{theme.grey3}"/>']


def _outline(regions: Regions, corners: np.ndarray, i: int) -> str:
    polygon = corners[regions.offset[i] : regions.offset[i + 1]]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in polygon) + "z"


def _points(places: np.ndarray, labels: np.ndarray, theme: Theme) -> list[str]:
    paths = []
    for label in np.unique(labels):
        shape = SHAPES.get(symbol(int(label)), SHAPES["circle"])
        marks = "".join(f"M{x:.1f} {y:.1f}{shape}" for x, y in places[labels == label])
        hue, edge = theme.hue(int(label)), theme.point_edge(int(label))
        paths.append(f'<path d="{marks}" fill="{hue}" stroke="{edge}" stroke-width=".7"/>')
    return paths
