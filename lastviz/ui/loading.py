"""From the selection's choice of data to a data set: generated, read, kept within the limits."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from lastviz.datasets import Dataset, all_datasets, load_dataset, read_table
from lastviz.plots import number

from .codec import SEED_NAME
from .memory import remembered
from .selection import DEFAULT, UPLOAD, Selection
from .text import t

__all__ = ["MOST_ROWS", "generator_params", "has_seed", "load", "read_file"]

MOST_ROWS = 200_000  # that the app works with; the library has no such limit
ROWS = "n_samples"


def read_file(content: bytes, name: str, target: str | None = None) -> Dataset:
    """Return the data in an uploaded file; raises ValueError with what is wrong with it."""
    return _read_file(f"{sha256(content).hexdigest()}|{name}|{target}", content, name, target)


def has_seed(key: str) -> bool:
    """Tell whether the data set `key` is made anew for each seed."""
    entry = all_datasets().get(key)
    return entry is not None and any(param.name == SEED_NAME for param in entry.PARAMS)


def generator_params(selection: Selection) -> dict[str, object]:
    """Return the generator's parameters as the app uses them: with at most MOST_ROWS rows."""
    params = dict(selection.params)
    if params.get(ROWS, 0) > MOST_ROWS:
        params[ROWS] = MOST_ROWS
    return params


def load(selection: Selection, content: bytes | None) -> tuple[Dataset, tuple[str, ...]]:
    """Return the data before any step, and a sentence for what could not be had as asked for.

    Classes without any row are left out: they cannot be learnt.
    """
    whole, notes = _whole(selection, content)
    asked = dict(selection.params).get(ROWS, 0)
    if asked > MOST_ROWS and not notes:
        sentence = "{asked} rows were asked for; the app works with at most {most}, drawn alike."
        notes.append(t(sentence, asked=number(asked), most=number(MOST_ROWS)))
    occurring = whole.only_occurring_classes()
    if whole.is_regression and selection.data == UPLOAD:
        sentence = "“{target}” holds {n} different numbers, so numbers are learnt, not classes."
        notes.append(t(sentence, target=whole.y.name, n=number(whole.y.nunique())))
    missing = [label for label in whole.class_order if label not in occurring.class_order]
    if missing:
        sentence = "No row has the class {missing}; it is left out."
        notes.append(t(sentence, missing=", ".join(map(str, missing))))
    return occurring, tuple(notes)


def _whole(selection: Selection, content: bytes | None) -> tuple[Dataset, list[str]]:
    """Return the data before any step; if they cannot be had, the nearest that can, and why."""
    notes: list[str] = []
    for attempt in (selection, replace(selection, params=(), target=None)):
        try:
            return _load(attempt, content), notes
        except ValueError as error:
            notes.append(str(error))
    return _load(DEFAULT, None), notes[-1:]


def _load(selection: Selection, content: bytes | None) -> Dataset:
    if selection.data == UPLOAD:
        return read_file(content, selection.upload.name, selection.target)
    seed = {SEED_NAME: selection.seed} if has_seed(selection.data) else {}
    return load_dataset(selection.data, **generator_params(selection), **seed)


@remembered(6)
def _read_file(key: str, content: bytes, name: str, target: str | None) -> Dataset:
    return read_table(content, name=name, target=target, task="auto")
