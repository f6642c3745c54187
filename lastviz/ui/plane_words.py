"""What a plane with bands means, in words."""

from __future__ import annotations

import numpy as np

from .plane import Plane
from .text import plural, t

__all__ = ["band_words", "fixed_words"]


def band_words(plane: Plane, *, late: bool = False) -> str:
    """Return what the places of rows in bands mean, and how many lack a value; "" without any.

    `late`: a strip of missing values has its colour only once its leaves stand.
    """
    axes = [plane.across, plane.upward]
    said = []
    if any(axis.ends for axis in axes):
        said.append(
            t(
                "Inside a band rows are spread at random, always alike: there their place means "
                "nothing."
            )
        )
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
            colour = t("which is coloured as far as leaves stand")
        rows = ", ".join(lacking)
        said.append(t("{rows}: in the strip “missing”, {colour}.", rows=rows, colour=colour))
    return " ".join(said)


def fixed_words(plane: Plane, row: int | None) -> str:
    """Return where the features lie that are not on an axis."""
    if row is not None:
        return t("as in row {n}", n=row + 1)
    if plane.form == "numbers":
        return t("at their medians")
    return t("at their medians and most frequent categories")
