"""Edits of a model's tree, in the form that an estimator takes, and their effects.

A link knows no widths, the data do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from lastviz.estimators import TreeEstimator
from lastviz.splitters.edits import (
    CategorySplit,
    ClassSplit,
    Edit,
    ForcedSplit,
    ObliqueSplit,
    Without,
)
from lastviz.ui.state.edit_codes import Edits, trim

from .training import Division


def has_place(edit: Edit, division: Division, n_classes: int) -> bool:
    """Whether the data have the features, categories or classes that an edit names."""
    known = division.categories
    if isinstance(edit, Without):
        return edit.features[-1] < len(known)
    if not isinstance(edit, ForcedSplit):
        says = getattr(edit, "says", None)
        return says is None or says < n_classes
    split = edit.split
    if isinstance(split, ClassSplit):
        return split.first[-1] < n_classes
    if isinstance(split, ObliqueSplit):
        return len(split.weights) <= len(known)
    if split.feature >= len(known):
        return False
    categories = known[split.feature]
    if isinstance(split, CategorySplit):
        return categories is not None and len(split.branch) <= len(categories)
    return categories is None


# The others are at a node that the tree has not, or have no meaning there.
def void_in(
    edits: Iterable[Edit], estimator: TreeEstimator, division: Division, n_classes: int
) -> dict[Edit, bool]:
    """Edits without effect, each with whether the data lack the things it names."""
    ended = {trim(edit) for edit in estimator.void_edits_}
    return {
        edit: edit not in ended
        for edit in edits
        if edit in ended or not has_place(edit, division, n_classes)
    }


# Each must have its place in the data, see :func:`has_place`.
def full(edits: Iterable[Edit], division: Division) -> Edits:
    """Edits with a weight for every feature and a branch for every category."""
    return tuple(_full(edit, division) for edit in edits)


def _full(edit: Edit, division: Division) -> Edit:
    split = edit.split if isinstance(edit, ForcedSplit) else None
    if isinstance(split, ObliqueSplit):
        more = len(division.categories) - len(split.weights)
        return replace(edit, split=replace(split, weights=np.pad(split.weights, (0, more))))
    if isinstance(split, CategorySplit):
        more = len(division.categories[split.feature]) - len(split.branch)
        branch = np.pad(split.branch, (0, more), constant_values=1)
        return replace(edit, split=replace(split, branch=branch))
    return edit
