"""The selection's steps from the whole data to those that are learnt from."""

from __future__ import annotations

from lastviz.datasets import Dataset

from .selection import Selection
from .text import t

__all__ = ["DIRECTIONS", "Step", "prepared"]

DIRECTIONS = {"r": 1, "f": -1, "n": 0}
"""What the letters of the selection's directions mean."""

Step = tuple[str, tuple, dict[str, object]]
"""A method of the data set with its arguments."""


def prepared(
    whole: Dataset, selection: Selection
) -> tuple[Dataset, tuple[Step, ...], tuple[str, ...]]:
    """Return the data after all steps, the steps taken, and a sentence for each other one."""
    dataset, taken, notes = whole, [], []
    for make in (_kinds, _classes, _directions, _one, _columns, _scaling):
        try:
            step = make(whole, selection)
            if step is not None:
                method, args, keywords = step
                dataset = getattr(dataset, method)(*args, **keywords)
                taken.append(step)
        except ValueError as error:
            notes.append(str(error))
    return dataset, tuple(taken), tuple(notes)


def _kinds(whole: Dataset, selection: Selection) -> Step | None:
    if not selection.kinds:
        return None
    positions, kinds = zip(*selection.kinds, strict=True)
    names = _named(whole.feature_names, positions, "kinds")
    return "with_kinds", (dict(zip(names, kinds, strict=True)),), {}


def _classes(whole: Dataset, selection: Selection) -> Step | None:
    if not selection.classes:
        said = selection.ordered and not whole.ordered
        return ("reorder_classes", (list(whole.class_order),), {}) if said else None
    return "reorder_classes", (_named(whole.class_order, selection.classes, "classes"),), {}


def _directions(whole: Dataset, selection: Selection) -> Step | None:
    if not selection.directions:
        return None
    if len(selection.directions) != whole.n_features:
        sentence = "The link names {n} directions, but these data have {m} features."
        n, m = len(selection.directions), whole.n_features
        raise ValueError(t(sentence, n=n, m=m))
    signs = map(DIRECTIONS.get, selection.directions)
    return "with_directions", (dict(zip(whole.feature_names, signs, strict=True)),), {}


def _one(whole: Dataset, selection: Selection) -> Step | None:
    if selection.one is None:
        return None
    return "one_against_rest", tuple(_named(whole.class_order, (selection.one,), "one")), {}


def _columns(whole: Dataset, selection: Selection) -> Step | None:
    if not selection.columns:
        return None
    return "select", (_named(whole.feature_names, selection.columns, "columns"),), {}


def _scaling(whole: Dataset, selection: Selection) -> Step | None:
    return None if selection.scaling == "none" else ("scale", (selection.scaling,), {})


def _named(names: tuple, positions: tuple[int, ...], key: str) -> list:
    if max(positions) >= len(names):
        sentence = "The link's “{key}” counts up to {largest}, but these data have only {n}."
        raise ValueError(t(sentence, key=key, largest=max(positions) + 1, n=len(names)))
    return [names[position] for position in positions]
