"""Shared parts of the figures of all pages: the theme, their words, titles of columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache as once

import numpy as np
import pandas as pd
import pyarrow as pa

from lastviz.criteria import CRITERIA
from lastviz.datasets import Dataset
from lastviz.estimators import TreeClassifier, entry_of, is_imported
from lastviz.host.memory import remembered
from lastviz.inspection import Regions, slice_agreement, telling_slice
from lastviz.plots import (
    FigureWords,
    Plane,
    ThemeName,
    lay_plane,
    stands_on_axis,
    usual_values,
    with_hues,
)
from lastviz.plots.visuals.words import FIXED, column_places
from lastviz.tree import Tree
from lastviz.ui.compute.availability import obstacle
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.training import CATEGORIES, COLUMNS, NUMBERS, Division
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.sheet import st
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.text import CannotShow, language, number, paragraph, plural, t

MOST_FRAMED = 63  # nodes: more frames would hide their tree
# Columns of tables that are no criterion.
OTHER_COLUMNS = {"stage": "step 1"}


AS_IT_IS = st.column_config.NumberColumn(format="plain")  # of numbers that are rounded already
HUES = "hues"  # the session's key


def page_theme() -> str:
    """Theme of the reader's browser: "light" or "dark"."""
    return st.context.theme.type or "light"


# Those of `dataset`, from now on; if it is not given, those of the one that was given last.
def current_theme(dataset: Dataset | None = None) -> str:
    """Theme of figures about the data: that of the page, with the classes' hues."""
    if dataset is not None:
        st.session_state[HUES] = _hues(dataset)
    return with_hues(page_theme(), st.session_state.get(HUES, ()))


def theme_of(dataset: Dataset, name: str) -> ThemeName:
    """Theme, "light" or "dark", with the hues of the classes of a data set."""
    return with_hues(name, _hues(dataset))


def _hues(dataset: Dataset) -> Sequence[str | None]:
    own = dataset.class_colours
    return [own.get(str(label)) for label in dataset.class_order] if own else ()


def paper_theme() -> str:
    """Theme of figures that go on paper: light, with the classes' hues."""
    return with_hues("light", st.session_state.get(HUES, ()))


def as_table(key: str, rows: Callable[[], pd.DataFrame], *, title: str | None = None) -> None:
    """Offer the numbers of a figure as a table, worked out once it is opened.

    Parameters
    ----------
    key : str
        Of the figure.
    rows : callable
        Returns the table.
    title : str, optional
        Names the figures whose numbers it has.
    """
    box = st.expander(title or t("As a table"), key=f"{key}_as_table", on_change="rerun")
    if box.open:
        table = rows()
        box.dataframe(table, hide_index=True, column_config=column_formats(table))


# Streamlit by itself cuts them to four decimals.
def column_formats(table: pd.DataFrame) -> dict[str, object]:
    """Number formats of a table's columns, each with the digits it needs."""
    places = {
        name: column_places(column.to_numpy(np.float64, na_value=np.nan))
        for name, column in table.items()
        if pd.api.types.is_float_dtype(column.dtype)
    }
    return {
        name: st.column_config.NumberColumn(format=f"%.{n}f" if n <= FIXED else "scientific")
        for name, n in places.items()
    }


def arrow_table(columns: Mapping[str, object]) -> pa.Table:
    """Columns as a table that is sent unchanged.

    NaN and masked values stay empty.

    The way there over pandas takes ten times as long.
    """
    return pa.table({name: _arrow(column) for name, column in columns.items()})


def _arrow(column: object) -> pa.Array:
    if isinstance(column, np.ma.MaskedArray):
        return pa.array(column.data, mask=np.ma.getmaskarray(column))
    return pa.array(column, from_pandas=True)


def legible_depth(tree: Tree) -> int | None:
    """Depth to which a tree with framed nodes is drawn, None for the whole tree."""
    if tree.n_nodes <= MOST_FRAMED:
        return None
    below = np.cumsum(np.bincount(tree.depth))
    return max(int(np.searchsorted(below, MOST_FRAMED, side="right")) - 1, 1)


def words() -> FigureWords:
    """Words of figures in the language of the session, made once for each."""
    return _words(language())


@once
def _words(code: str) -> FigureWords:
    return FigureWords(
        row=t("row"),
        rows=t("rows"),
        training=t("training"),
        held_out=t("held out"),
        wrong=t("misclassified"),
        hidden=t("{leaves} more leaves below nodes with fewer than {rows} rows"),
        true_class=t("true class"),
        predicted_class=t("predicted class"),
        sampled=t("{shown} of {rows} rows"),
        others=t("other classes"),
    )


def column_title(name: str) -> str:
    """Short title of a column, for the head of a table or beside a curve."""
    return t(CRITERIA[name].short if name in CRITERIA else OTHER_COLUMNS[name])


# ---- The plane through the data that a picture shows: two features, the others fixed


CLEARLY = 0.1  # by which a plane through a row must show the classes better than the usual one


def plane_of(work: Work, *, alone: bool = False) -> Plane:
    """Plane of the selection: its axes, or the two most telling features.

    Nominal columns stand on an axis as bands if a model reads them so; `alone`: if the first
    model does.
    """
    n_models = 1 if alone else len(work.selection.models)
    models = tuple((model.key, model.params) for model in work.selection.models[:n_models])
    proposed = _proposed(work, n_models)
    looked_at = (models, work.selection.view.axes, work.selection.view.at, proposed)
    return _plane((*work.data_key, *looked_at), work, n_models, proposed)


@remembered
def _plane(
    key: Key,
    work: Work,
    n_models: int,
    proposed: tuple[tuple[int, int], int | None] | None,
) -> Plane:
    dataset = work.dataset
    forms = {work.models[place].form for place in range(n_models)}
    form = _form(work, dataset, n_models)
    tables = {}
    for each in {*forms, form}:
        divided = work.division_in(each)
        tables[each] = (tuple(divided.X.columns), divided.values)
    divided = work.division_in(form)
    names, known = tables[form][0], divided.categories
    features, row = proposed or (_axes(work, names, known, form), work.selection.view.at)
    levels = _levels(work.selection, dataset, names, known, n_models)
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


def _form(work: Work, dataset: Dataset, n_models: int) -> str:
    """Form with the most bands of the models that can learn from the data."""
    forms = set()
    for place, model in enumerate(work.selection.models[:n_models]):
        if obstacle(entry_of(model.key), dataset, model.params, allow_ensembles=True) is None:
            forms.add(work.models[place].form)
    return next((form for form in (CATEGORIES, COLUMNS) if form in forms), NUMBERS)


# They have bands, too, unless a model can only be drawn over numbers.
def _levels(
    selection: Selection,
    dataset: Dataset,
    names: tuple[str, ...],
    categories: tuple[tuple | None, ...],
    n_models: int,
) -> dict[int, tuple[str, ...]]:
    """Words of ordinal columns that models read as the numbers 0, 1, ..."""
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
    work: Work, names: tuple[str, ...], categories: tuple[tuple | None, ...], form: str
) -> tuple[int, int]:
    fitting = [f for f, known in enumerate(categories) if stands_on_axis(known)]
    chosen = work.selection.view.axes
    if chosen is not None and set(chosen) <= {names[f] for f in fitting}:
        first, second = (names.index(name) for name in chosen)
        return first, second
    if not fitting:
        raise CannotShow(t("No column has few enough values for an axis."))
    if len(fitting) <= 2:
        return fitting[0], fitting[-1]
    gains = work.gains(form)[fitting]
    first, second = sorted(np.argsort(-gains, kind="stable")[:2].tolist())
    return fitting[first], fitting[second]


def _proposed(work: Work, n_models: int) -> tuple[tuple[int, int], int | None] | None:
    """Axes and the row of a plane that shows where the models part the classes.

    None where it is not for us to say, or the usual plane does as well. Asked are the algorithms
    as they are by default, on the same rows: so the picture stays while parameters move. One that
    reads the data otherwise, or takes long, is not asked.
    """
    dataset, view = work.dataset, work.selection.view
    first = work.first.chosen.key
    if view.axes is not None or view.at is not None or dataset.n_features < 3:
        return None
    tags = entry_of(first).cls.TAGS
    if dataset.is_regression or is_imported(first) or not (tags.nominal or tags.ordered_classes):
        return None  # hyperplanes show in any plane; where the others lie is not asked of numbers
    form = _form(work, dataset, n_models)
    if form != work.first.form:
        return None
    asked = {}
    for model in work.models[:n_models]:
        key = model.chosen.key
        if model.form == form and not (is_imported(key) or entry_of(key).cls.TAGS.forest):
            plain = work.having(models=(Model(key),)).first
            if (estimator := plain.trained()) is not None:
                asked[plain] = estimator
    if first not in [plain.chosen.key for plain in asked]:
        return None
    divided = work.first.division
    usual = _axes(work, tuple(divided.X.columns), divided.categories, form)
    keys = tuple(plain.cache_key for plain in asked)
    return _telling((*keys, usual), tuple(asked.values()), divided, usual)


@remembered
def _telling(
    key: Key, estimators: Sequence[TreeClassifier], divided: Division, usual: tuple[int, int]
) -> tuple[tuple[int, int], int | None] | None:
    values, y, trees = divided.values, divided.y, [each.tree_ for each in estimators]
    numeric = [known is None for known in divided.categories]
    least = chance = 1.0 / len(np.unique(y))
    if numeric[usual[0]] and numeric[usual[1]]:
        middle = usual_values(values, divided.categories)[None]
        least = max(chance, float(slice_agreement(trees, values, y, usual, middle)[0]))
    if least > (1.0 + chance) / 2:
        return None
    weighing = [each for each in estimators if hasattr(each, "feature_importances_")]
    matters = np.sum([each.feature_importances_ for each in weighing], axis=0)
    fitting = [stands_on_axis(known) for known in divided.categories]
    found = telling_slice(trees, values, y, np.where(fitting, matters, -1.0))
    if found is None or found.agreement < least + CLEARLY:
        return None
    return found.features, found.row


# ---- The regions of a model in a plane, however its data are encoded, and what bands mean


def regions_in(
    model: ModelWork,
    plane: Plane,
    *,
    wide: bool = True,
    depth: int | None = None,
    other: tuple[str, TreeClassifier] | None = None,
) -> Regions:
    """Regions of the model at `place`.

    `wide`: those around the view, too; `depth`: where the tree is cut for the picture; `other`:
    see :meth:`.ModelWork.regions`.
    """
    form = model.form
    bounds, at = plane.around if wide else plane.within, plane.at_in(form)
    if not plane.is_banded:
        columns = plane.columns_in(form)
        ends = (columns[0], columns[-1])
        found = model.regions(bounds, ends, at, other=other)
    else:
        bands = plane.bands_in(form)
        numeric = plane.numeric_in(form)
        found = model.regions(bounds, numeric, at, bands, depth, other)
    names = tuple(plane.names[f] for f in plane.features)
    return replace(found, features=plane.features, feature_names=names)


def band_words(plane: Plane, *, late: bool = False) -> str:
    """Notes on the meaning of rows' places in bands and on missing values, or "".

    They state the number of rows that lack a value.

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
            lacking.append(
                plural(n, "{n} row lacks {name}", "{n} rows lack {name}", name=axis.name)
            )
    if lacking:
        colour = t("which has the colour that the model gives them")
        if late:
            colour = t("which is coloured where leaves exist")
        rows = t(", ").join(lacking)
        sentences.append(t("{rows}: in the strip “missing”, {colour}.", rows=rows, colour=colour))
    return paragraph(sentences)


def apart_words(n: float | None) -> str:
    """Description of rows that share a place, `n` on average, "" if none do."""
    if n is None:
        return ""
    return t(
        "Each grid point holds {n} rows on average. They are drawn side by side, to the left of "
        "and below their values; point at one to read its values.",
        n=number(float(f"{n:.3g}")),
    )


def fixed_words(plane: Plane) -> str:
    """Values of the features that are not on an axis."""
    if plane.row is not None:
        return t("as in row {n}", n=plane.row + 1)
    if plane.form == "numbers":
        return t("at their medians")
    return t("at their medians and most frequent categories")
