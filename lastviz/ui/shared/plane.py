"""The plane through the data that a picture shows: two features, the others fixed."""

from __future__ import annotations

import numpy as np

from lastviz.datasets import Dataset
from lastviz.estimators import TreeClassifier, entry_of, is_imported
from lastviz.host.memory import remembered
from lastviz.inspection import slice_agreement, telling_slice
from lastviz.plots import Plane, lay_plane, stands_on_axis, usual_values
from lastviz.ui.compute import cache
from lastviz.ui.compute.division import CATEGORIES, COLUMNS, NUMBERS, Division
from lastviz.ui.compute.suitability import obstacle
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.text import CannotShow, t

CLEARLY = 0.1  # by which a plane through a row must show the classes better than the usual one


def plane_of(selection: Selection, *, alone: bool = False) -> Plane:
    """Return the plane of the selection: its axes, or the two most telling features.

    Nominal columns stand on an axis as bands if a model reads them so; `alone`: if the first
    model does.
    """
    n_models = 1 if alone else len(selection.models)
    models = [(model.key, model.params) for model in selection.models[:n_models]]
    proposed = _proposed(selection, n_models)
    looked_at = (models, selection.view.axes, selection.view.at, proposed)
    return _plane(f"{cache.data_key(selection)}|{looked_at}", selection, n_models, proposed)


@remembered
def _plane(
    key: str,
    selection: Selection,
    n_models: int,
    proposed: tuple[tuple[int, int], int | None] | None,
) -> Plane:
    dataset = cache.data(selection).dataset
    forms = {cache.form_of(selection, place) for place in range(n_models)}
    form = _form(selection, dataset, n_models)
    tables = {}
    for each in {*forms, form}:
        divided = cache.division_in(selection, each)
        tables[each] = (tuple(divided.X.columns), divided.values)
    divided = cache.division_in(selection, form)
    names, known = tables[form][0], divided.categories
    features, row = proposed or (_axes(selection, names, known, form), selection.view.at)
    levels = _levels(selection, dataset, names, known, n_models)
    return lay_plane(
        form,
        tables,
        known,
        features,
        row=row,
        proposed=proposed is not None,
        units=dataset.units,
        levels=levels,
        comparable=dataset.n_features > 1,
        missing_word=t("missing"),
    )


def _form(selection: Selection, dataset: Dataset, n_models: int) -> str:
    """Return the form with the most bands of the models that can learn from the data."""
    forms = set()
    for place, model in enumerate(selection.models[:n_models]):
        if obstacle(entry_of(model.key), dataset, model.params, allow_ensembles=True) is None:
            forms.add(cache.form_of(selection, place))
    return next((form for form in (CATEGORIES, COLUMNS) if form in forms), NUMBERS)


def _levels(
    selection: Selection,
    dataset: Dataset,
    names: tuple[str, ...],
    categories: tuple[tuple | None, ...],
    n_models: int,
) -> dict[int, tuple[str, ...]]:
    """Return the words of ordinal columns that models read as the numbers 0, 1, ...

    They have bands, too, unless a model can only be drawn over numbers.
    """
    tags = [entry_of(model.key).cls.TAGS for model in selection.models[:n_models]]
    if not all(each.nominal or each.indicators for each in tags):
        return {}
    found = {}
    for f, (name, known) in enumerate(zip(names, categories, strict=True)):
        order = dataset.orders.get(name, ())
        words = dataset.kinds.get(name) == "ordinal" and isinstance(order[0], str)
        if known is None and words and stands_on_axis(order):
            found[f] = tuple(f"{level} ({place})" for place, level in enumerate(order))
    return found


def _axes(
    selection: Selection, names: tuple[str, ...], categories: tuple[tuple | None, ...], form: str
) -> tuple[int, int]:
    fitting = [f for f, known in enumerate(categories) if stands_on_axis(known)]
    chosen = selection.view.axes
    if chosen is not None and set(chosen) <= {names[f] for f in fitting}:
        first, second = (names.index(name) for name in chosen)
        return first, second
    if not fitting:
        raise CannotShow(t("No column has few enough values for an axis."))
    if len(fitting) <= 2:
        return fitting[0], fitting[-1]
    gains = cache.gains(selection, form)[fitting]
    first, second = sorted(np.argsort(-gains, kind="stable")[:2].tolist())
    return fitting[first], fitting[second]


def _proposed(selection: Selection, n_models: int) -> tuple[tuple[int, int], int | None] | None:
    """Return the axes and the row of a plane that shows where the first model parts the classes.

    None where it is not for us to say, or the usual plane does as well. Asked is the algorithm as
    it is by default, on the same rows: so the picture stays while its parameters move.
    """
    dataset, view = cache.data(selection).dataset, selection.view
    first = selection.models[0].key
    if view.axes is not None or view.at is not None or dataset.n_features < 3:
        return None
    tags = entry_of(first).cls.TAGS
    if dataset.is_regression or is_imported(first) or not (tags.nominal or tags.ordered_classes):
        return None  # hyperplanes show in any plane; where the others lie is not asked of numbers
    form = _form(selection, dataset, n_models)
    if form == CATEGORIES or form != cache.form_of(selection, 0):
        return None
    plain = selection.having(models=(Model(first),))
    estimator = cache.trained(plain, 0)
    if estimator is None:
        return None
    divided = cache.division(plain, 0)
    usual = _axes(selection, tuple(divided.X.columns), divided.categories, form)
    return _telling(f"{cache.model_key(plain, 0)}|{usual}", estimator, divided, usual)


@remembered
def _telling(
    key: str, estimator: TreeClassifier, divided: Division, usual: tuple[int, int]
) -> tuple[tuple[int, int], int | None] | None:
    values, y, tree = divided.values, divided.y, estimator.tree_
    numeric = [known is None for known in divided.categories]
    least = chance = 1.0 / len(np.unique(y))
    if numeric[usual[0]] and numeric[usual[1]]:
        middle = usual_values(values, divided.categories)[None]
        least = max(chance, float(slice_agreement(tree, values, y, usual, middle)[0]))
    if least > (1.0 + chance) / 2:
        return None
    importances = np.where(numeric, estimator.feature_importances_, -1.0)
    found = telling_slice(tree, values, y, importances)
    if found is None or found.agreement < least + CLEARLY:
        return None
    return found.features, found.row
