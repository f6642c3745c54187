"""Rows of the reader's own in a file, as the first model reads them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
from sklearn.base import BaseEstimator

from lastviz.datasets import Dataset, NewRows, read_rows, scaled_like
from lastviz.datasets.labels import apply_labels
from lastviz.datasets.new_rows import AS_WRITTEN, BY_RECIPE, OTHERWISE
from lastviz.estimators import TreeClassifier
from lastviz.host.memory import remembered_by
from lastviz.inspection import is_ensemble
from lastviz.plots import rule_words
from lastviz.tree import Missing, Tree
from lastviz.ui.compute.data import handed_in
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.training import CATEGORIES, NUMBERS, Division, table_in
from lastviz.ui.compute.uploads import digest_of
from lastviz.ui.compute.work import Work
from lastviz.ui.text import CannotShow, plain, t, translate

Judge = BaseEstimator  # a tree or a forest that knows classes, or a tree of numbers


def add_predictions(
    given: pd.DataFrame, estimator: Judge, X: pd.DataFrame, dataset: Dataset
) -> pd.DataFrame:
    """Rows with a model's predictions; the columns they already have keep their names.

    Parameters
    ----------
    given : DataFrame of shape (n, any)
        The rows as people know them.
    estimator : Judge
        Fitted on class indices, or on numbers.
    X : DataFrame of shape (n, n_features)
        The same rows as it reads them.
    dataset : Dataset
        What it learnt from, with the names of the classes.
    """
    if dataset.is_regression:
        columns = _number(estimator, X)
    elif is_ensemble(estimator):
        columns = {t("prediction"): _labels(dataset)[np.asarray(estimator.predict(X))]}
    else:
        columns = _class(estimator, X, _labels(dataset))
    taken = set(given.columns)
    return given.assign(**{_free(name, taken): values for name, values in columns.items()})


def scored_held_out(dataset: Dataset, division: Division, estimator: Judge) -> pd.DataFrame:
    """Held-out rows with their number, their true target and a model's predictions."""
    rows = np.sort(division.held_out_rows)
    given = dataset.X.iloc[rows].reset_index(drop=True)
    taken, target = set(given.columns), str(dataset.y.name)
    truth = dataset.y if dataset.is_regression else dataset.y.astype(str)
    given.insert(0, _free(t("row"), taken), rows + 1)
    given[_free(target, taken)] = truth.iloc[rows].to_numpy()
    return add_predictions(given, estimator, division.X.iloc[rows], dataset)


def _free(column: str, taken: set[str]) -> str:
    """Name for a new column that the table does not have."""
    return column if column not in taken else _free(f"{column} (lastviz)", taken)


def _labels(dataset: Dataset) -> np.ndarray:
    return np.array([str(label) for label in dataset.class_order], dtype=object)


def _class(estimator: TreeClassifier, X: pd.DataFrame, labels: np.ndarray) -> dict[str, object]:
    tree, values = estimator.tree_, estimator.encode(X)
    predicted = tree.predict(values)
    share = tree.class_shares(values)[np.arange(len(values)), predicted]
    about = {t("prediction"): labels[predicted], t("confidence"): share.round(4)}
    return about | _leaves(tree, values)


def _number(estimator: Judge, X: pd.DataFrame) -> dict[str, object]:
    tree, values = estimator.tree_, estimator.encode(X)
    return {t("prediction"): tree.predict(values)} | _leaves(tree, values)


def _leaves(tree: Tree, values: np.ndarray) -> dict[str, object]:
    leaf = tree.apply(values)
    words = {n: _rule(tree, n) for n in np.unique(leaf).tolist()}
    return {t("leaf"): leaf, t("rule"): [words[n] for n in leaf.tolist()]}


def _rule(tree: Tree, node: int) -> str:
    words = rule_words(tree, node, joint=f" {t('and')} ", html=False, missing=t("or missing"))
    return words or t("all rows")


# ---------------------------------------------------------------- new table


MOST_SHOWN, MOST_NAMED = 200, 5  # differing cells, and columns in a sentence


@dataclass(frozen=True, eq=False)
class NewTable:
    """New rows and the model that is to judge them."""

    rows: NewRows
    estimator: Judge
    X: pd.DataFrame  # the rows as the model takes them


class ReadsOtherwise(CannotShow):
    """Refusal of a file that would be read differently from the model's data.

    The user is to choose the reading.
    """


def reading_of_rows(work: Work, content: bytes, name: str) -> None:
    """Draw the differences in the reading of new rows and the choice, if any.

    Raises
    ------
    CannotShow
        If the file, a column or a cell is wrong.
    """
    found = _rows(work, content, name, False).differences
    if not len(found):
        return
    columns = ", ".join(f"“{column}”" for column in found["column"].unique()[:MOST_NAMED])
    st.warning(
        plain(
            t(
                "{file} would be read otherwise than the training table in {columns}. Choose how "
                "to read it before anything is predicted.",
                file=name,
                columns=columns,
            )
        ),
        icon=":material/compare_arrows:",
    )
    words = (
        *(t("column"), t("row"), t("cell")),
        *(t("as the training table"), t("as this file suggests")),
    )
    titles = dict(zip(OTHERWISE, words, strict=True))
    shown = found.head(MOST_SHOWN).rename(columns=titles).astype({titles["cell"]: str})
    st.dataframe(
        shown.map(lambda value: "" if value is None else str(value)),
        hide_index=True,
        height=min(35 * len(shown) + 40, 250),
        alt=t("Cells that would be read otherwise"),
    )
    st.radio(
        t("Read the file"),
        [False, True],
        index=None,
        key=_choice(content),
        format_func=lambda as_written: titles[AS_WRITTEN if as_written else BY_RECIPE],
        horizontal=True,
    )


def _choice(content: bytes) -> str:
    return f"reading of {digest_of(content)}"


def _key(work: Work, content: bytes, name: str, as_written: bool) -> Key:
    return *work.data_key, digest_of(content), name, as_written


@remembered_by(_key)
def _rows(work: Work, content: bytes, name: str, as_written: bool) -> NewRows:
    known = work.data.plain
    try:
        return handed_in(read_rows, content, known, name=name, as_written=as_written)
    except ValueError as error:  # what is wrong with the file, in a sentence
        raise CannotShow(translate(error)) from error


def new_table(work: Work, content: bytes, name: str) -> NewTable:
    """Rows in a file as the first model reads them.

    Raises
    ------
    CannotShow
        If the file, a column or a cell is wrong, or the model cannot learn or cannot do without
        a value; the message says where.
    ReadsOtherwise
        If the file would be read otherwise than the training table, and nobody has chosen how.
    Working
        If the model is not trained yet.
    """
    loaded = work.data
    as_written = st.session_state.get(_choice(content))
    rows = _rows(work, content, name, bool(as_written))
    if len(rows.differences) and as_written is None:
        raise ReadsOtherwise(
            t(
                "{file} would be read otherwise than the training table: choose how to read it.",
                file=name,
            )
        )
    estimator, form = work.first.fitted_any.estimator, work.first.form
    _check(rows, estimator, form, name)
    dataset = rows.dataset
    if work.selection.scaling != "none":
        learnt = loaded.full.X.iloc[work.division_in(form).train_rows]
        dataset = scaled_like(dataset, learnt, work.selection.scaling)
    X = _with_unseen(table_in(form, apply_labels(dataset)), rows, form)
    return NewTable(rows, estimator, X)


def classes_in(work: Work, rows: NewRows, name: str) -> np.ndarray:
    """Class index of each new row, from the column that the classes were learnt from.

    Raises
    ------
    CannotShow
        If the file lacks that column, or a cell of it holds no class that the model knows.
    """
    dataset = work.data.plain
    target = str(dataset.y.name)
    if target not in rows.given:
        sentence = (
            "{file} has no column “{column}” with the classes, so predictions cannot be checked."
        )
        raise CannotShow(t(sentence, file=name, column=target))
    index = {str(label): k for k, label in enumerate(dataset.class_order)}
    codes = rows.given[target].map(index)
    if codes.isna().any():
        place = int(np.flatnonzero(codes.isna())[0])
        found = rows.given[target].iloc[place]
        raise CannotShow(
            t(
                "{file}: column “{column}” holds “{value}” in row {row}, which is no class here; "
                "the classes are {names}.",
                file=name,
                column=target,
                value="" if pd.isna(found) else found,
                row=int(rows.lines[place]),
                names=t(", ").join(index),
            )
        )
    return codes.to_numpy(dtype=np.intp)


def _check(rows: NewRows, estimator: object, form: str, name: str) -> None:
    """Refuse rows without values that the model needs."""
    title = type(estimator).__name__.removesuffix("Classifier").removesuffix("Regressor")
    if form == NUMBERS and rows.unseen:
        column, values = next(iter(rows.unseen.items()))
        place = next(i for i, value in enumerate(values) if value is not None)
        raise CannotShow(
            t(
                "{file}: column “{column}” holds “{value}” in row {row}, which {title} has never "
                "seen. Correct the cell, or choose one that reads nominal columns as such.",
                file=name, column=column, value=values[place], row=int(rows.lines[place]),
                title=title,
            )
        )  # fmt: skip
    tree = getattr(estimator, "tree_", None)
    if tree is not None and tree.missing != Missing.REFUSE:
        return
    for column in rows.dataset.X:
        strange = rows.unseen.get(column)
        lacks = rows.dataset.X[column].isna().to_numpy().copy()
        if strange is not None:
            lacks &= np.array([value is None for value in strange])
        if lacks.any():
            raise CannotShow(
                t(
                    "{file}: column “{column}” lacks a value in row {row}, and {title} has not "
                    "learnt what to do then. Fill it in, or choose an algorithm that sends such a "
                    "row down every branch in parts.",
                    file=name, column=column, row=int(rows.lines[np.flatnonzero(lacks)[0]]),
                    title=title,
                )
            )  # fmt: skip


def _with_unseen(X: pd.DataFrame, rows: NewRows, form: str) -> pd.DataFrame:
    """Table with the categories that were never seen as they are."""
    if form == NUMBERS:
        return X
    columns = {}
    for stored, c in zip(rows.dataset.X, X, strict=True):
        strange = rows.unseen.get(stored)
        if strange is None and not (form == CATEGORIES and hasattr(X[c], "cat")):
            continue
        plain = X[c].astype(object)
        seen = np.ones(len(X), dtype=bool) if strange is None else pd.isna(strange)
        columns[c] = plain.where(seen, strange)
    return X.assign(**columns)
