"""The one sample of the page *rules*: a row of the data, or values that the reader typed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from lastviz._sentences import Refusal
from lastviz.estimators import TreeClassifier
from lastviz.inspection import Explanation, explain
from lastviz.inspection.rules.explanation import tested_features
from lastviz.tree import Tree
from lastviz.ui.compute.training import Division
from lastviz.ui.state.link_texts import read_typed, write_typed
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, t, translated


@dataclass(frozen=True, eq=False)
class Sample:
    """A sample and its path through the tree."""

    row: int | None  # its row of the data; None if the reader typed it
    label: int | None  # its class index, where known
    held_out: bool
    path: Explanation
    x: pd.DataFrame  # its values, a table of one row


def texts_of(selection: Selection, division: Division) -> list[str] | None:
    """Return the values of the chosen sample as texts, None without one."""
    X = division.X
    if selection.rules.typed:
        return read_typed(selection.rules.typed, X.shape[1])
    if selection.view.highlighted is None or selection.view.highlighted >= len(X):
        return None
    return [value_text(value) for value in X.iloc[selection.view.highlighted]]


def value_text(value: object) -> str:
    """Return a value as people type it; "" where it is missing."""
    if value is None or value != value:
        return ""
    return repr(float(value)).removesuffix(".0") if isinstance(value, float) else str(value)


def with_value(
    selection: Selection, division: Division, feature: int, text: str
) -> dict[str, object]:
    """Return what changes in the selection when the reader types a value of the sample."""
    texts = texts_of(selection, division) or [""] * division.X.shape[1]
    texts[feature] = text
    return {"typed": write_typed(texts), "highlighted": None}


def sample_of(selection: Selection, estimator: TreeClassifier, division: Division) -> Sample | None:
    """Return the chosen sample, None without one.

    Raises
    ------
    CannotShow
        If a typed value is none, or one is missing that the tree cannot do without.
    """
    texts = texts_of(selection, division)
    if texts is None:
        return None
    row = None if selection.rules.typed else selection.view.highlighted
    x = division.X.iloc[[row]] if row is not None else _frame(texts, division.X)
    try:
        path = explain(estimator, x)
    except Refusal as reason:
        raise CannotShow(translated(reason)) from reason
    held_out = row is not None and row in set(division.held_out_rows.tolist())
    return Sample(row, None if row is None else int(division.y[row]), held_out, path, x)


def _frame(texts: list[str], X: pd.DataFrame) -> pd.DataFrame:
    """Return typed values as a table of one row with the columns of `X`."""
    values = {}
    for (name, column), text in zip(X.items(), texts, strict=True):
        if isinstance(column.dtype, pd.CategoricalDtype):
            known = {str(label): label for label in column.dtype.categories.tolist()}
            values[name] = known.get(text, text) if text else None
            continue
        values[name] = _number(text, name)
    return pd.DataFrame({name: pd.Series([v], dtype=object if v is None or isinstance(v, str)
                                         else None) for name, v in values.items()})  # fmt: skip


def _number(text: str, name: str) -> float:
    """Return a typed number, NaN for nothing."""
    try:
        value = float(text.replace("\N{MINUS SIGN}", "-")) if text else np.nan
    except ValueError:
        value = np.inf
    if np.isinf(value):
        sentence = "“{text}” is no value of {name}: it takes a number, or nothing if unknown."
        raise CannotShow(t(sentence, text=text, name=name))
    return value


def used_features(tree: Tree) -> list[int]:
    """Return the features that any test of a tree looks at, the most asked first."""
    if len(tree.kernel):
        return list(range(tree.n_features))
    inner = np.flatnonzero(tree.n_children > 0)
    weight = np.zeros(tree.n_features)
    for node in inner:
        weight[tested_features(tree, int(node))] += tree.weighted_n_node_samples[node]
    order = np.argsort(-weight, kind="stable")
    return order[weight[order] > 0].tolist()
