"""From the selection's choice of data to the data before any step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TypeVar

import numpy as np

from lastviz import datasets
from lastviz._recent import recently
from lastviz.datasets import (
    PAINTED,
    Dataset,
    FileTable,
    all_datasets,
    load_dataset,
    proposed_columns,
)
from lastviz.datasets.apart import done_apart
from lastviz.datasets.folder import MOST_ROWS_OF_FOLDER
from lastviz.datasets.labels import apply_labels, with_labels
from lastviz.datasets.openml import FROM_FOLDER
from lastviz.host.memory import remembered_by
from lastviz.host.turns import TURNS
from lastviz.plots import number
from lastviz.tables import AS_FOUND, Found, Limits, Reading, is_plain, look_into
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.edit_codes import unpack_labels
from lastviz.ui.state.link_texts import ALL_COLUMNS, BALANCED, held_parts
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Selection, is_table
from lastviz.ui.text import t, translate


def columns_in_use(full: Dataset, selection: Selection) -> tuple[int, ...]:
    """Features that the selection asks for, by position, or those proposed."""
    if selection.columns == ALL_COLUMNS:
        return tuple(range(full.n_features))
    return selection.columns or _proposed(full, selection)


def chosen_columns(full: Dataset, selection: Selection, used: tuple[int, ...]) -> tuple[int, ...]:
    """The features used, as a selection records them, by rising position."""
    if used == _proposed(full, selection):
        return ()
    return ALL_COLUMNS if len(used) == full.n_features else used


def _proposed(full: Dataset, selection: Selection) -> tuple[int, ...]:
    if is_table(selection.data):
        return proposed_columns(full)
    return tuple(range(full.n_features))


# ---- The steps between data as they come and data as they are learnt from, as the scene asks


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
    units: np.ndarray | None  # in which rows are held out; None for rows drawn at random
    notes: tuple[str, ...]  # a sentence for each step that these data do not allow


def apply_steps(full: Dataset, selection: Selection) -> Prepared:
    """Data after all steps.

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
            notes.append(translate(error))
    fitted, units = [], None
    try:
        if selection.held_by:
            units = full.held_units(*held_by(full, selection), selection.seed)
    except ValueError as error:
        notes.append(translate(error))
    train_rows, _ = dataset.split(selection.held, selection.seed, units=units)
    for method, args in fitted_steps(selection):
        try:
            dataset = getattr(dataset, method)(*args, rows=train_rows)
            fitted.append((method, args))
        except ValueError as error:
            notes.append(translate(error))
    parts = apply_labels(dataset), dataset, tuple(taken), tuple(fitted)
    return Prepared(*parts, units, tuple(notes))


def held_by(full: Dataset, selection: Selection) -> tuple[str, str | None]:
    """Way to hold out rows, and the column that it is by.

    Raises
    ------
    ValueError
        If there is no such column.
    """
    how, place = held_parts(selection.held_by)
    return how, None if place is None else _named(full.feature_names, (place,), "held_by")[0]


def fitted_steps(selection: Selection) -> tuple[FittedStep, ...]:
    """Steps that depend on which rows are learnt from."""
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


# ---------------------------------------------------------------- data


Answer = TypeVar("Answer")
MEGABYTES = 100  # of an upload
SHORT = 100_000  # bytes of plain text, which are read in little time whatever they say
KINDS = [
    *("csv", "tsv", "txt", "dat", "data", "xlsx", "xlsm", "xls", "parquet"),
    *("arff", "json", "jsonl", "ndjson", "gz", "zip"),
]
"""Endings of files that the fields for uploads take; what a file is, its content says."""


@dataclass(frozen=True, eq=False)
class Loaded:
    """Data as chosen."""

    full: Dataset  # as generated or read: all columns, unscaled, classes in their own order
    # dataset, plain: after the selection's steps: with labels in place of what they label, and
    # without
    dataset: Dataset
    plain: Dataset
    steps: tuple[Step, ...]  # those steps, see `Prepared`
    fitted_steps: tuple[FittedStep, ...]  # those steps, see `Prepared`
    units: np.ndarray | None  # see `Prepared`
    notes: tuple[str, ...]  # a sentence for each part of the selection that these data do not allow
    # Columns in each role as their names and contents say, of a table that somebody brought.
    guessed: Mapping[str, tuple[str, ...]]

    def columns_with(self, role: str, selection: Selection) -> tuple[str, ...]:
        """Columns in a role: as the selection says, else as guessed."""
        places, names = dict(selection.roles).get(role), self.full.feature_names
        if places is None:
            return self.guessed.get(role, ())
        return tuple(names[place] for place in places if place < len(names))


MOST_ROWS = 200_000  # that the app works with; the library has no such limit
MOST_VALUES = 10_000_000  # rows times features; a page takes some 120 bytes for each at its peak
MOST_READ = 10_200_000  # values of a file: 200,000 rows of 50 features and a class
LIMITS = Limits(MEGABYTES * 1_000_000, MOST_ROWS, 2000, MOST_READ)
ROWS = "n_samples"
MANY_ROWS = 20_000  # others may run while so many are made
FEW_ROWS = 50  # enough to see how many features a generator makes


# Raises ValueError with the fault of the file.
def read_file(
    content: bytes, name: str, reading: Reading = AS_FOUND, target: str | None = None
) -> Dataset:
    """Data of an uploaded file."""
    return _table_of(content, name, reading, target).dataset


# Raises ValueError with the fault of the file.
def found_in(
    content: bytes, name: str, reading: Reading = AS_FOUND, target: str | None = None
) -> Found:
    """The way an uploaded file was read."""
    return _table_of(content, name, reading, target).found


# ValueError if there are none.
def looked_into(content: bytes, name: str, reading: Reading) -> Found:
    """Findings in an uploaded file that holds no data."""
    return handed_in(look_into, content, name=name, reading=reading, limits=LIMITS)


def _key(content: bytes, *about: object) -> str:
    return "|".join((sha256(content).hexdigest(), *map(str, about)))


@remembered_by(_key)
def _table_of(content: bytes, name: str, reading: Reading, target: str | None) -> FileTable:
    return handed_in(
        datasets.read_file,
        content,
        name=name,
        reading=reading,
        target=target,
        task="auto",
        limits=LIMITS,
    )


def has_seed(key: str) -> bool:
    """Whether the data set `key` is made anew for each seed."""
    entry = all_datasets().get(key)
    return entry is not None and any(param.name == SEED_NAME for param in entry.PARAMS)


def generator_params(selection: Selection) -> dict[str, object]:
    """Generator's parameters as the app uses them: no more rows than it works with."""
    params = dict(selection.params)
    if params.get(ROWS, 0) > FEW_ROWS:
        params[ROWS] = min(params[ROWS], most_rows(selection))
    return params


def most_rows(selection: Selection) -> int:
    """Largest number of rows in the app, given the features of the generated data."""
    others = tuple((name, value) for name, value in selection.params if name != ROWS)
    entry = all_datasets().get(selection.data)
    if entry is not None and entry.group == FROM_FOLDER and entry.n_features:
        return min(MOST_ROWS_OF_FOLDER, MOST_VALUES // entry.n_features)
    try:
        return min(MOST_ROWS, MOST_VALUES // _features_made(selection.data, others))
    except ValueError:
        return MOST_ROWS  # there are no such data, as loading them says


@recently(256)
def _features_made(key: str, params: tuple[tuple[str, object], ...]) -> int:
    return load_dataset(key, **{ROWS: FEW_ROWS}, **dict(params)).n_features


# Classes without any row are left out: they cannot be learnt.
def load(selection: Selection, content: bytes | None) -> tuple[Dataset, tuple[str, ...]]:
    """Data before any step, and sentences on requests that could not be met."""
    full, notes = _load_or_fall_back(selection, content)
    wanted, made = dict(selection.params).get(ROWS, 0), generator_params(selection).get(ROWS, 0)
    if wanted > made and not notes:
        notes.append(_fewer_rows(wanted, made, full.n_features))
    occurring = with_labels(full.only_occurring_classes(), unpack_labels(selection.labels))
    if full.is_regression and selection.data == UPLOAD:
        sentence = (
            "“{target}” holds {n} different numbers, so it is predicted as a number, not "
            "as a class."
        )
        notes.append(t(sentence, target=full.y.name, n=number(full.y.nunique())))
    missing = [label for label in full.class_order if label not in occurring.class_order]
    if missing:
        sentence = "No row has the class {missing}; it is left out."
        notes.append(t(sentence, missing=t(", ").join(map(str, missing))))
    return occurring, tuple(notes)


def _fewer_rows(wanted: int, made: int, n_features: int) -> str:
    if made == MOST_ROWS:
        sentence = "{asked} rows were requested; the app generates at most {most}."
        return t(sentence, asked=number(wanted), most=number(made))
    return t(
        "{asked} rows were requested; the app generates at most {most} with these {n} features. "
        "For more rows choose fewer features.",
        asked=number(wanted),
        most=number(made),
        n=number(n_features),
    )


def _load_or_fall_back(selection: Selection, content: bytes | None) -> tuple[Dataset, list[str]]:
    """Data before any step; if they cannot be had, the nearest that can, and why."""
    notes: list[str] = []
    for attempt in (selection, replace(selection, params=(), target=None, reading=AS_FOUND)):
        try:
            return _load(attempt, content), notes
        except ValueError as error:
            notes.append(translate(error))
    return _load(DEFAULT, None), notes[-1:]


def _load(selection: Selection, content: bytes | None) -> Dataset:
    if selection.data == UPLOAD:
        return read_file(content, selection.upload.name, selection.reading, selection.target)
    if selection.data == PAINTED:
        return load_dataset(PAINTED, points=selection.painted)
    seed = {SEED_NAME: selection.seed} if has_seed(selection.data) else {}
    params = generator_params(selection)
    if params.get(ROWS, 0) < MANY_ROWS:
        return load_dataset(selection.data, **params, **seed)
    with TURNS.away():
        return load_dataset(selection.data, **params, **seed)


# It runs apart from this process, unless the file is short text.
def handed_in(
    reader: Callable[..., Answer], content: bytes, /, *args: object, name: str, **more: object
) -> Answer:
    """Result of a reader for a file."""
    more["name"] = name
    if len(content) <= SHORT and is_plain(content):
        return reader(content, *args, **more)
    with TURNS.away():
        return done_apart(name, reader, content, *args, **more)
