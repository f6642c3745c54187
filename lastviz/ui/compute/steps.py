"""The steps between data as they come and data as they are learnt from, as the scene asks."""

from __future__ import annotations

from dataclasses import dataclass

from lastviz.datasets import Dataset
from lastviz.datasets.labels import displayed
from lastviz.ui.state.link_texts import BALANCED
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t, translated

from .columns import columns_in_use

DIRECTIONS = {"r": 1, "f": -1, "n": 0}
"""What the letters of the selection's directions mean."""

Step = tuple[str, tuple, dict[str, object]]
"""A method of the data set with its arguments."""

FittedStep = tuple[str, tuple]
"""A method that takes the rows to learn from as ``rows``, too."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """Data after the steps that the selection asks for."""

    dataset: Dataset  # with labels in place of what they label
    plain: Dataset  # the same without
    # tuple of (str, tuple, dict), the steps taken, as methods of the data set with their arguments.
    steps: tuple[Step, ...]
    # tuple of (str, tuple), those taken last, which measure the rows to learn from and no others.
    fitted_steps: tuple[FittedStep, ...]
    notes: tuple[str, ...]  # a sentence for each step that these data do not allow


def prepared(full: Dataset, selection: Selection) -> Prepared:
    """Return the data after all steps.

    The rows are divided before anything is measured: a scale or an interval that knew the rows
    held out would tell the model about them.
    """
    dataset, taken, notes = full, [], []
    for make in (_kinds, _classes, _directions, _one, _rows_weight, _columns, _class_weight):
        try:
            step = make(full, selection)
            if step is not None:
                method, args, keywords = step
                dataset = getattr(dataset, method)(*args, **keywords)
                taken.append(step)
        except ValueError as error:
            notes.append(translated(error))
    fitted = []
    train_rows, _ = dataset.split(selection.held, selection.seed)
    for method, args in fitted_steps(selection):
        try:
            dataset = getattr(dataset, method)(*args, rows=train_rows)
            fitted.append((method, args))
        except ValueError as error:
            notes.append(translated(error))
    return Prepared(displayed(dataset), dataset, tuple(taken), tuple(fitted), tuple(notes))


def fitted_steps(selection: Selection) -> tuple[FittedStep, ...]:
    """Return the steps that depend on which rows are learnt from."""
    balance = (("weigh_classes", (BALANCED,)),) if selection.class_weight == BALANCED else ()
    bins = () if selection.bins is None else (("with_bins", (selection.bins,)),)
    scale = () if selection.scaling == "none" else (("scale", (selection.scaling,)),)
    return (*balance, *bins, *scale)


def _kinds(full: Dataset, selection: Selection) -> Step | None:
    if not selection.kinds and not selection.levels:
        return None
    names = full.feature_names
    kinds = {_named(names, (i,), "kinds")[0]: kind for i, kind in selection.kinds}
    orders = {}
    for i, order in selection.levels:
        (name,) = _named(names, (i,), "levels")
        values = full.with_kinds(kinds).orders.get(name, ())
        if len(values) != len(order):
            sentence = "The link orders {n} values of “{feature}”, which has {m}."
            raise ValueError(t(sentence, n=len(order), feature=name, m=len(values)))
        orders[name] = [values[place] for place in order]
    return "with_kinds", (kinds,), {"orders": orders} if orders else {}


def _classes(full: Dataset, selection: Selection) -> Step | None:
    if not selection.classes:
        is_ordered = selection.ordered and not full.ordered
        return ("reorder_classes", (list(full.class_order),), {}) if is_ordered else None
    return "reorder_classes", (_named(full.class_order, selection.classes, "classes"),), {}


def _directions(full: Dataset, selection: Selection) -> Step | None:
    if not selection.directions:
        return None
    if len(selection.directions) != full.n_features:
        sentence = "The link names {n} directions, but these data have {m} features."
        n, m = len(selection.directions), full.n_features
        raise ValueError(t(sentence, n=n, m=m))
    signs = map(DIRECTIONS.get, selection.directions)
    return "with_directions", (dict(zip(full.feature_names, signs, strict=True)),), {}


def _one(full: Dataset, selection: Selection) -> Step | None:
    if selection.one is None:
        return None
    return "one_against_rest", tuple(_named(full.class_order, (selection.one,), "one")), {}


def _rows_weight(full: Dataset, selection: Selection) -> Step | None:
    if selection.weight is None:
        return None
    return "weigh_rows", tuple(_named(full.feature_names, (selection.weight,), "weight")), {}


def _class_weight(full: Dataset, selection: Selection) -> Step | None:
    if selection.class_weight in ("", BALANCED):
        return None
    return "weigh_classes", (tuple(map(float, selection.class_weight.split("_"))),), {}


def _columns(full: Dataset, selection: Selection) -> Step | None:
    used = tuple(i for i in columns_in_use(full, selection) if i != selection.weight)
    if not used:
        sentence = "Only the weight column is selected; a tree needs at least one feature as well."
        raise ValueError(t(sentence))
    if selection.weight is not None and len(used) == full.n_features - 1:
        return None
    if len(used) == full.n_features and max(used) < full.n_features:
        return None
    return "select", (_named(full.feature_names, used, "columns"),), {}


def _named(names: tuple, positions: tuple[int, ...], key: str) -> list:
    if max(positions) >= len(names):
        sentence = "The link's “{key}” counts up to {largest}, but these data have only {n}."
        raise ValueError(t(sentence, key=key, largest=max(positions) + 1, n=len(names)))
    return [names[position] for position in positions]
