"""The regions of a model in a plane, whatever form of the data either of them has."""

from __future__ import annotations

from dataclasses import replace

from lastviz.inspection import Regions
from lastviz.plots import surroundings

from . import cache
from .plane import Plane
from .plane_axes import PlaneAxis
from .selection import Selection

__all__ = ["around", "regions_in", "within"]

Bounds = tuple[float, float, float, float]


def around(plane: Plane) -> Bounds:
    """Return bounds that show more to a reader who zooms out; bands end where they end."""
    x0, x1, y0, y1 = surroundings(plane.view, equal=plane.equal)
    return (*_ends(plane.across, (x0, x1)), *_ends(plane.upward, (y0, y1)))


def within(plane: Plane) -> Bounds:
    """Return the bounds of what is shown at first."""
    return (
        *_ends(plane.across, plane.across.view),
        *_ends(plane.upward, plane.upward.view),
    )


def _ends(axis: PlaneAxis, wide: tuple[float, float]) -> tuple[float, float]:
    if not axis.numeric:
        return axis.view
    return wide if axis.low is None else (axis.low, wide[1])


def regions_in(
    selection: Selection, place: int, plane: Plane, *, wide: bool = True, depth: int | None = None
) -> Regions:
    """Return the regions of the model at `place`.

    `wide`: those around the view, too; `depth`: where the tree is cut for the picture.
    """
    form = cache.form_of(selection, place)
    bounds, at = around(plane) if wide else within(plane), plane.at_in(form)
    if not plane.is_banded:
        columns = plane.columns_in(form)
        found = cache.regions(selection, place, bounds, (columns[0], columns[-1]), at)
    else:
        bands = plane.bands_in(form)
        numeric = plane.numeric_in(form)
        found = cache.regions(selection, place, bounds, numeric, at, bands, depth)
    names = tuple(plane.names[f] for f in plane.features)
    return replace(found, features=plane.features, feature_names=names)
