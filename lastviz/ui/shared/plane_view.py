"""The regions of a model in a plane, however its data are encoded, and what bands mean."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lastviz.estimators import TreeClassifier
from lastviz.inspection import Regions
from lastviz.ui.compute import cache
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, plural, t

from .plane import Plane


def regions_in(
    selection: Selection,
    place: int,
    plane: Plane,
    *,
    wide: bool = True,
    depth: int | None = None,
    other: tuple[str, TreeClassifier] | None = None,
) -> Regions:
    """Return the regions of the model at `place`.

    `wide`: those around the view, too; `depth`: where the tree is cut for the picture; `other`:
    see :func:`lastviz.ui.compute.cache.regions`.
    """
    form = cache.form_of(selection, place)
    bounds, at = plane.around if wide else plane.within, plane.at_in(form)
    if not plane.is_banded:
        columns = plane.columns_in(form)
        ends = (columns[0], columns[-1])
        found = cache.regions(selection, place, bounds, ends, at, other=other)
    else:
        bands = plane.bands_in(form)
        numeric = plane.numeric_in(form)
        found = cache.regions(selection, place, bounds, numeric, at, bands, depth, other)
    names = tuple(plane.names[f] for f in plane.features)
    return replace(found, features=plane.features, feature_names=names)


def band_words(plane: Plane, *, late: bool = False) -> str:
    """Return what the places of rows in bands mean, and how many lack a value; "" without any.

    `late`: a strip of missing values has its colour only once its leaves stand.
    """
    axes = [plane.across, plane.upward]
    sentences = []
    if any(axis.ends for axis in axes):
        sentences.append(t("Across a band the position of a row is random and has no meaning."))
    if plane.rows_at_a_place is not None:
        sentences.append(apart_words(plane.rows_at_a_place))
    values = plane.tables[plane.form][1]
    lacking = []
    for axis in dict.fromkeys(axes):
        n = int(np.isnan(values[:, axis.feature]).sum()) if axis.ends else 0
        if n:
            one, many = "{n} row lacks {name}", "{n} rows lack {name}"
            lacking.append(plural(n, one, many, name=axis.name))
    if lacking:
        colour = t("which has the colour that the model gives them")
        if late:
            colour = t("which is coloured where leaves exist")
        rows = t(", ").join(lacking)
        sentences.append(t("{rows}: in the strip “missing”, {colour}.", rows=rows, colour=colour))
    return t(" ").join(sentences)


def apart_words(n: float | None) -> str:
    """Return how rows are drawn of which `n` share a place in the mean; "" where none do."""
    if n is None:
        return ""
    return t(
        "Each grid point holds {n} rows on average. They are drawn side by side, to the left of "
        "and below their values; point at one to read its values.",
        n=number(float(f"{n:.3g}")),
    )


def fixed_words(plane: Plane) -> str:
    """Return where the features lie that are not on an axis."""
    if plane.row is not None:
        return t("as in row {n}", n=plane.row + 1)
    if plane.form == "numbers":
        return t("at their medians")
    return t("at their medians and most frequent categories")
