"""The data sets of the papers, as their algorithms read them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import pandas as pd

from lastviz._sentences import Refusal
from lastviz.datasets import Dataset, all_datasets, load_dataset

from .published import PrintedSet, printed_set

ORDERED = {"mcdf"}  # papers whose classes have an order
MISSING = "?"  # a missing category is a category, too


@dataclass(frozen=True)
class Drawn:
    """Rows of a paper's set that a generator draws: kept by their seed, however many they are."""

    paper: str  # as they are printed
    name: str  # as they are printed
    draw: int  # seed of the generator
    digest: str  # of the rows that were drawn
    n_samples: int
    n_features: int


def drawn_again(known: Drawn) -> Dataset:
    """Return the rows that were drawn.

    Raises
    ------
    ValueError
        If the set is not here any more, or its generator draws others today.
    """
    data = printed_data(known.paper, known.name, known.draw)
    if data.digest != known.digest:
        sentence = (
            "{name} is generated differently than when the study was started: start it again."
        )
        raise Refusal(sentence, name=known.name)
    return data


def printed_data(paper: str, name: str, draw: int = 0) -> Dataset:
    """Return a data set of a paper, as the paper's algorithms read it.

    Parameters
    ----------
    paper, name : str
        As they are printed.
    draw : int, default 0
        Seed of a generator; other sets are always the same.

    Raises
    ------
    ValueError
        If it is not here; see :func:`why_not_run`.
    """
    return as_printed(paper, printed_set(paper, name), draw)


def as_printed(paper: str, known: PrintedSet, draw: int = 0) -> Dataset:
    """Return a data set as the algorithms of a paper read it; see :func:`printed_data`."""
    key = known.key or f"folder.{known.file}"
    if key not in all_datasets():
        raise ValueError(f"there is no data set {known.name!r} here")
    seed = {"random_state": draw} if is_drawn(known) else {}
    data = load_dataset(key, **known.params, **seed)
    if known.one_class is not None:
        data = data.one_against_rest(data.class_order[known.one_class])
    if paper in ORDERED:
        return _as_they_come(data, known.symbolic)
    return _all_numbers(data) if paper == "bnm_csn" else data


def is_drawn(known: PrintedSet) -> bool:
    """Tell whether a generator draws the set, so that each seed gives another one."""
    entry = all_datasets().get(known.key)
    return entry is not None and any(param.name == "random_state" for param in entry.PARAMS)


def _as_they_come(data: Dataset, symbolic: Collection[str]) -> Dataset:
    """Return the data as the paper about MCDF reads them: every class rises with every column.

    Categories count as their places, whatever they mean, and no column is turned round; symbolic
    ones become ordered levels.
    """
    levels = [c for c, kind in data.kinds.items() if kind == "nominal" or c in symbolic]
    lacking = [c for c in levels if data.X[c].isna().any()]
    X = data.X.assign(**{c: data.X[c].astype(object).fillna(MISSING) for c in lacking})
    orders = {c: order for c, order in data.orders.items() if c not in levels}
    return replace(
        data, X=X, kinds={**data.kinds, **dict.fromkeys(levels, "ordinal")}, orders=orders,
        directions=dict.fromkeys(data.X, 1), ordered=True, value_labels={},
    )  # fmt: skip


def _all_numbers(data: Dataset) -> Dataset:
    """Return the data with columns of numbers alone: a missing category is a category, too."""
    if all(kind != "nominal" for kind in data.kinds.values()) and not data.has_missing:
        return data
    columns = {}
    for name, kind in data.kinds.items():
        column = data.X[name]
        if kind != "nominal":
            columns[name] = data.numeric_X[name]
        elif pd.api.types.is_numeric_dtype(column.cat.categories.dtype):
            columns[name] = column.astype(float)
        else:
            levels = pd.get_dummies(column.astype(object).fillna(MISSING), dtype=float)
            columns |= {f"{name} = {level}": levels[level] for level in levels}
    return replace(
        data, X=pd.DataFrame(columns), kinds={}, orders={}, directions={}, units={}, labels={},
        value_labels={},
    )  # fmt: skip
