"""What a model says of rows, as columns beside them: prediction, confidence, leaf and rule."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from lastviz.datasets import Dataset
from lastviz.estimators import TreeClassifier
from lastviz.inspection import is_ensemble
from lastviz.plots import rule_words
from lastviz.tree import Tree
from lastviz.ui.compute.division import Division
from lastviz.ui.text import t

Judge = BaseEstimator  # a tree or a forest that knows classes, or a tree of numbers


def judged(
    given: pd.DataFrame, estimator: Judge, X: pd.DataFrame, dataset: Dataset
) -> pd.DataFrame:
    """Return rows with what a model says of them; columns that they have keep their names.

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
    """Return the held-out rows with their number, what is true of them, and what a model says."""
    rows = np.sort(division.held_out_rows)
    given = dataset.X.iloc[rows].reset_index(drop=True)
    taken, target = set(given.columns), str(dataset.y.name)
    truth = dataset.y if dataset.is_regression else dataset.y.astype(str)
    given.insert(0, _free(t("row"), taken), rows + 1)
    given[_free(target, taken)] = truth.iloc[rows].to_numpy()
    return judged(given, estimator, division.X.iloc[rows], dataset)


def _free(column: str, taken: set[str]) -> str:
    """Return a name for a new column that the table does not have."""
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
