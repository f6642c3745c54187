"""The plane through the data that a picture shows: two features, the others fixed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lastviz.datasets import Dataset
from lastviz.estimators import TreeClassifier, entry_of, is_imported
from lastviz.inspection import Band, slice_agreement, telling_slice
from lastviz.plots import AxisBands, padded
from lastviz.ui.compute import cache
from lastviz.ui.compute.division import CATEGORIES, COLUMNS, NUMBERS, Division
from lastviz.ui.compute.memory import remembered
from lastviz.ui.compute.suitability import obstacle
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.text import CannotShow, t

from .plane_axes import PlaneAxis, axis_of, light, spread_out, stands_on_axis, texts_of

__all__ = ["Plane", "plane_of"]

MOST_DRAWN = 5000  # rows; more would become one blot and slow the browser down
CLEARLY = 0.1  # by which a plane through a row must show the classes better than the usual one


@dataclass(frozen=True, eq=False)
class Plane:
    """What stands on the axes, and where the plane lies in the other features.

    Attributes
    ----------
    form : str
        How nominal columns stand in the plane, see :mod:`.compute.division`; models that read
        another form are asked by :meth:`columns_in`, :meth:`at_in` and :meth:`bands_in`.
    names : tuple of str
        All columns of that form.
    features : tuple of int
        Features on the horizontal and the vertical axis; the same twice if there is only one.
    at : ndarray, shape (n_features,)
        Values of the others: medians and most frequent categories, or those of `row`.
    row : int or None
        The row through which the plane goes, chosen or proposed; None: none.
    proposed : bool
        Whether the row and the axes are proposed, not chosen.
    across, upward : PlaneAxis
    equal : bool
        Whether one unit should be as long on both axes.
    tables : dict of str to (names, values)
        The rows in each form that a model reads.
    fitting : tuple of bool
        Which columns can stand on an axis.
    """

    form: str
    names: tuple[str, ...]
    features: tuple[int, int]
    at: np.ndarray
    row: int | None
    proposed: bool
    across: PlaneAxis
    upward: PlaneAxis
    equal: bool
    tables: dict[str, tuple[tuple[str, ...], np.ndarray]]
    fitting: tuple[bool, ...]

    @cached_property
    def x(self) -> np.ndarray:
        """Places of all rows on the horizontal axis."""
        return light(self.across.places)

    @cached_property
    def y(self) -> np.ndarray:
        """Places of all rows on the vertical axis."""
        return light(self.upward.places)

    @property
    def view(self) -> tuple[float, float, float, float]:
        """(x_min, x_max, y_min, y_max) with some room around the rows."""
        return (*self.across.view, *self.upward.view)

    @property
    def units(self) -> tuple[str, str]:
        """Of the features on the axes, "" without one."""
        return self.across.unit, self.upward.unit

    @property
    def drawn(self) -> np.ndarray:
        """The rows that are drawn: all, or of more than MOST_DRAWN as many evenly spaced ones."""
        n = len(self.across.places)
        return np.arange(n) if n <= MOST_DRAWN else np.arange(MOST_DRAWN) * n // MOST_DRAWN

    @property
    def is_slice(self) -> bool:
        """Whether other features had to be fixed."""
        return len(set(range(len(self.at))) - set(self.features)) > 0

    @property
    def is_banded(self) -> bool:
        """Whether an axis has bands."""
        return bool(self.across.ends or self.upward.ends)

    @property
    def bands(self) -> tuple[AxisBands | None, AxisBands | None]:
        """The bands of both axes as figures take them."""
        return self.across.bands, self.upward.bands

    def texts(self, rows: np.ndarray) -> tuple[list[str] | None, list[str] | None]:
        """Return what the pointer reads of rows in bands, for each axis that has any."""
        values = self.tables[self.form][1]
        return tuple(
            texts_of(axis, values[rows, axis.feature]) for axis in (self.across, self.upward)
        )

    def columns_in(self, form: str) -> list[int]:
        """Return which columns of a form lie on the axes."""
        return [c for f in dict.fromkeys(self.features) for c in self._columns(f, form)]

    def at_in(self, form: str) -> np.ndarray:
        """Return `at` in another form."""
        names, _ = self.tables[form]
        out = np.zeros(len(names))
        for f, value in enumerate(self.at):
            out[self._columns(f, form)] = self._values(f, float(value), form)
        return out

    def bands_in(self, form: str) -> tuple[list[Band], list[Band]]:
        """Return the bands of both axes as a model of a form reads them."""
        if self.features[0] == self.features[1]:
            low, high = self.upward.view
            return self._bands(self.across, form), [Band(low, high, (), ())]
        return self._bands(self.across, form), self._bands(self.upward, form)

    def numeric_in(self, form: str) -> tuple[int | None, int | None]:
        """Return the numeric columns on the axes as a model of a form names them."""
        axes = (self.across, self.upward if self.features[0] != self.features[1] else None)
        return tuple(
            None if axis is None or not axis.numeric else self._columns(axis.feature, form)[0]
            for axis in axes
        )

    def lines_in(self, form: str) -> tuple[int, int] | None:
        """Return the columns between which a line of the plane is a split; None if it is none.

        Of one feature alone the column twice: then a line is a threshold.
        """
        across, up = self.numeric_in(form)
        if self.features[0] == self.features[1]:
            up = across
        return None if across is None or up is None else (across, up)

    def _bands(self, axis: PlaneAxis, form: str) -> list[Band]:
        columns = tuple(self._columns(axis.feature, form))
        return [
            Band(low, high, columns, tuple(self._values(axis.feature, code, form)))
            for (low, high), code in zip(axis.ends, axis.codes, strict=True)
        ]

    def _columns(self, feature: int, form: str) -> list[int]:
        """Return the columns of a form that hold a feature of the plane."""
        if form == self.form:
            return [feature]
        names, own = self.tables[form][0], self.names[feature]
        if own in names:
            return [names.index(own)]
        return [i for i, name in enumerate(names) if name.startswith(f"{own} = ")]

    def _values(self, feature: int, value: float, form: str) -> list[float]:
        """Return a value of a feature as a form has it, read off a row that has it."""
        if form == self.form:
            return [value]
        own = self.tables[self.form][1][:, feature]
        rows = np.flatnonzero(own == value)
        columns = self._columns(feature, form)
        if len(rows):
            return self.tables[form][1][rows[0], columns].tolist()
        if len(columns) == 1:
            return [value]
        return [float(code == value) for code in range(len(columns))]


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
    names, values, known = tables[form][0], divided.values, divided.categories
    features, row = proposed or (_axes(selection, names, known, form), selection.view.at)
    levels = _levels(selection, dataset, names, known, n_models)
    axes = [
        axis_of(
            names[f], dataset.units.get(names[f], ""), f, values[:, f], known[f] or levels.get(f)
        )
        for f in features
    ]
    if features[0] == features[1]:
        heights = spread_out(len(values))
        view = padded(heights, heights)[2:]
        axes[1] = PlaneAxis(names[features[0]], axes[0].unit, features[1], heights, view)
    equal = not any(axis.ends for axis in axes) and _of_one_kind(dataset, axes)
    row = None if row is None or row >= len(values) else row
    at = _fixed(row, values, known)
    fitting = tuple(stands_on_axis(each) for each in known)
    return Plane(
        form, names, features, at, row, proposed is not None, *axes, equal, tables, fitting
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


def _fixed(row: int | None, values: np.ndarray, categories: tuple[tuple | None, ...]) -> np.ndarray:
    """Return where the features are fixed; what the chosen row lacks is as usual."""
    usual = np.zeros(values.shape[1])
    for f, known in enumerate(categories):
        present = values[~np.isnan(values[:, f]), f]
        if len(present):
            counts = None if known is None else np.bincount(present.astype(np.intp))
            usual[f] = np.median(present) if counts is None else counts.argmax()
    if row is None:
        return usual
    return np.where(np.isnan(values[row]), usual, values[row])


def _axes(
    selection: Selection, names: tuple[str, ...], categories: tuple[tuple | None, ...], form: str
) -> tuple[int, int]:
    fitting = [f for f, known in enumerate(categories) if stands_on_axis(known)]
    chosen = selection.view.axes
    if chosen is not None and set(chosen) <= {names[f] for f in fitting}:
        first, second = (names.index(name) for name in chosen)
        return first, second
    if not fitting:
        raise CannotShow(t("No column has few enough values to stand on an axis."))
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
        middle = _fixed(None, values, divided.categories)[None]
        least = max(chance, float(slice_agreement(tree, values, y, usual, middle)[0]))
    if least > (1.0 + chance) / 2:
        return None
    importances = np.where(numeric, estimator.feature_importances_, -1.0)
    found = telling_slice(tree, values, y, importances)
    if found is None or found.agreement < least + CLEARLY:
        return None
    return found.features, found.row


def _of_one_kind(dataset: Dataset, axes: list[PlaneAxis]) -> bool:
    width, height = (axis.view[1] - axis.view[0] for axis in axes)
    return dataset.n_features > 1 and axes[0].unit == axes[1].unit and 0.5 <= width / height <= 2.0
