"""A model as a small drawing (SVG), for cards: no axes, no library, no waiting."""

from __future__ import annotations

from urllib.parse import urlencode

import numpy as np

from lastviz.inspection import Regions
from lastviz.plots import THEMES, Theme, ThemeName, padded, symbol

from . import cache, latent_cache
from .codec import encode
from .jobs import Working
from .latent_scene import split_pair
from .memory import remembered
from .plane import plane_of
from .plane_regions import regions_in
from .regression_thumbnail import number_thumbnail
from .regression_view import applies
from .scenes import Scene
from .selection import Selection
from .textbook_thumbnail import as_uri, textbook_thumbnails

__all__ = ["thumbnail", "thumbnails"]

LARGEST_NUMBER = 300  # points
# Outlines around (0, 0), drawn from where the pen stands.
SHAPES = {
    "circle": "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
    "square": "m-2.6-2.6h5.2v5.2h-5.2z",
    "diamond": "m-3.6 0l3.6-3.6 3.6 3.6-3.6 3.6z",
}


def thumbnails(scene: Scene, *, width: int, height: int, theme: ThemeName) -> list[str]:
    """Return the pictures of a card, side by side, as data URIs; size in pixels."""
    selection = scene.selection()
    if scene.page == "latent":
        key = f"{urlencode(encode(selection))}|latent|{width}|{height}|{theme}"
        return _two_spaces(key, selection, (width // 2, height), THEMES[theme])
    if scene.page == "textbook":
        return textbook_thumbnails((width // 2, height), THEMES[theme])
    if applies(selection):
        return [number_thumbnail(selection, (width, height), THEMES[theme])]
    n = len(selection.models)
    return [thumbnail(selection, i, width=width // n, height=height, theme=theme) for i in range(n)]


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
    regions = regions_in(selection, place, plane, wide=False)
    return _svg(selection, regions, size, theme)


def _svg(selection: Selection, regions: Regions | None, size: tuple[int, int], theme: Theme) -> str:
    plane = plane_of(selection)
    labels = cache.division(selection).y
    origin, scale = _frame(plane.view, size)
    places = (np.column_stack([plane.x, plane.y]) - origin) * scale
    rows = _some(len(labels))
    parts = _points(places[rows], labels[rows], theme)
    if regions is not None:
        parts = _regions(regions, (regions.vertices - origin) * scale, theme) + parts
    return as_uri(parts, size)


@remembered(8)
def _two_spaces(key: str, selection: Selection, size: tuple[int, int], theme: Theme) -> list[str]:
    """The best two features beside the root's two components with its split."""
    view = latent_cache.view(selection, 0, 0)
    divided = cache.division(selection)
    features = latent_cache.best_features(selection, 0, 0).components
    components = split_pair(view, latent_cache.best_components(selection, 0, 0))
    rows = _some(len(divided.y))
    pictures = []
    for values, pair, at in (
        (divided.values, features, None),
        (view.coordinates, components, view.threshold),
    ):
        places = values[:, list(pair)]
        origin, scale = _frame(padded(*places.T), size)
        parts = _points(((places - origin) * scale)[rows], divided.y[rows], theme)
        if at is not None and view.component == pair[0]:
            x = (at - origin[0]) * scale[0]
            path = f'<path d="M{x:.1f} 0V{size[1]}" stroke="{theme.ink}" stroke-width="3.5"/>'
            parts.insert(0, path)
        pictures.append(as_uri(parts, size))
    return pictures


def _some(n_rows: int) -> np.ndarray:
    return np.linspace(0, n_rows - 1, min(n_rows, LARGEST_NUMBER)).astype(np.intp)


def _frame(
    view: tuple[float, float, float, float], size: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return what to subtract and what to multiply by, to come from units to pixels."""
    x0, x1, y0, y1 = view
    return np.array([x0, y1]), np.array([size[0] / (x1 - x0), -size[1] / (y1 - y0)])


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
