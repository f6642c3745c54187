"""From the selection's choice of data to the data before any step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TypeVar

from lastviz import datasets
from lastviz._recent import recently
from lastviz.datasets import PAINTED, Dataset, FileTable, all_datasets, load_dataset
from lastviz.datasets.apart import done_apart
from lastviz.datasets.entry import FROM_FOLDER
from lastviz.datasets.folder import MOST_ROWS_OF_FOLDER
from lastviz.datasets.labels import with_labels
from lastviz.host.memory import remembered_by
from lastviz.host.turns import TURNS
from lastviz.plots import number
from lastviz.tables import AS_FOUND, Found, Limits, Reading, is_plain, look_into
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.link_labels import unpacked
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Selection
from lastviz.ui.text import t, translated

from .steps import FittedStep, Step

Answer = TypeVar("Answer")
MEGABYTES = 100  # of an upload
SHORT = 100_000  # bytes of plain text, which are read in little time whatever they say
KINDS = [
    *("csv", "tsv", "txt", "dat", "data", "xlsx", "xlsm", "xls", "parquet", "feather", "arrow"),
    *("arff", "json", "jsonl", "ndjson", "gz", "bz2", "xz", "zip"),
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
    notes: tuple[str, ...]  # a sentence for each part of the selection that these data do not allow


MOST_ROWS = 200_000  # that the app works with; the library has no such limit
MOST_VALUES = 10_000_000  # rows times features; a page takes some 120 bytes for each at its peak
MOST_READ = 10_200_000  # values of a file: 200,000 rows of 50 features and a class
LIMITS = Limits(MEGABYTES * 1_000_000, MOST_ROWS, 2000, MOST_READ)
ROWS = "n_samples"
MANY_ROWS = 20_000  # others may run while so many are made
FEW_ROWS = 50  # enough to see how many features a generator makes


def read_file(
    content: bytes, name: str, reading: Reading = AS_FOUND, target: str | None = None
) -> Dataset:
    """Return the data in an uploaded file; raises ValueError with what is wrong with it."""
    return _table_of(content, name, reading, target).dataset


def found_in(
    content: bytes, name: str, reading: Reading = AS_FOUND, target: str | None = None
) -> Found:
    """Return how an uploaded file was read; raises ValueError with what is wrong with it."""
    return _table_of(content, name, reading, target).found


def looked_into(content: bytes, name: str, reading: Reading) -> Found:
    """Return what was found in an uploaded file that gives no data; ValueError if nothing was."""
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
    """Tell whether the data set `key` is made anew for each seed."""
    entry = all_datasets().get(key)
    return entry is not None and any(param.name == SEED_NAME for param in entry.PARAMS)


def generator_params(selection: Selection) -> dict[str, object]:
    """Return the generator's parameters as the app uses them: no more rows than it works with."""
    params = dict(selection.params)
    if params.get(ROWS, 0) > FEW_ROWS:
        params[ROWS] = min(params[ROWS], most_rows(selection))
    return params


def most_rows(selection: Selection) -> int:
    """Return how many rows the app works with, given the features of the generated data."""
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


def load(selection: Selection, content: bytes | None) -> tuple[Dataset, tuple[str, ...]]:
    """Return the data before any step, and a sentence for what could not be had as asked for.

    Classes without any row are left out: they cannot be learnt.
    """
    full, notes = _load_or_fall_back(selection, content)
    wanted, made = dict(selection.params).get(ROWS, 0), generator_params(selection).get(ROWS, 0)
    if wanted > made and not notes:
        notes.append(_fewer_rows(wanted, made, full.n_features))
    occurring = with_labels(full.only_occurring_classes(), unpacked(selection.labels))
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
    """Return the data before any step; if they cannot be had, the nearest that can, and why."""
    notes: list[str] = []
    for attempt in (selection, replace(selection, params=(), target=None, reading=AS_FOUND)):
        try:
            return _load(attempt, content), notes
        except ValueError as error:
            notes.append(translated(error))
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


def handed_in(
    reader: Callable[..., Answer], content: bytes, /, *args: object, name: str, **more: object
) -> Answer:
    """Return what a reader makes of a file: apart from this process, unless it is short text."""
    more["name"] = name
    if len(content) <= SHORT and is_plain(content):
        return reader(content, *args, **more)
    with TURNS.away():
        return done_apart(name, reader, content, *args, **more)
