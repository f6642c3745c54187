"""Trees to which a grown tree can be pruned, and their quality, each computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from lastviz.criteria import class_entropy
from lastviz.estimators import TreeClassifier, is_imported
from lastviz.host.memory import remembered
from lastviz.inspection import (
    FAMILIES,
    CrossValidated,
    PrunedTrees,
    cross_validate_in_steps,
    pruned_trees,
)
from lastviz.pruning import PRUNERS, HeldOutRows, TrainingRows, folds
from lastviz.tree import GrowthLog, Missing, Tree
from lastviz.ui.text import CannotShow, t

from .outcome import outcome
from .selected import Key
from .work import Work

QUICK = 100.0  # milliseconds of all folds that are grown while the page waits


@dataclass(frozen=True, eq=False)
class Judged:
    """Family of pruned trees and their errors, as shares of the rows."""

    trees: PrunedTrees
    training: np.ndarray  # (n_trees,) float64, NaN without such rows
    held_out: np.ndarray  # (n_trees,) float64, NaN without such rows


@dataclass(frozen=True, eq=False)
class RaisedTree:
    """Tree left by C4.5's own pruning, and the events of that pruning."""

    tree: Tree
    log: GrowthLog


def to_prune(work: Work) -> TreeClassifier:
    """First model, whose grown tree is cut back.

    Raises
    ------
    CannotShow
        If it cannot learn from the data, or its tree cannot be cut back.
    Working
        If it is not trained yet.
    """
    if is_imported(work.first.chosen.key):  # its folds could not be grown
        raise CannotShow(t("Your own model was not grown here, so there is nothing to replay."))
    estimator = work.first.estimator
    tree = estimator.grown_tree_
    title = work.first.title
    if len(tree.kernel):
        raise CannotShow(
            t(
                "{title} splits off one class at each node. Removing a subtree would remove its "
                "classes, so it is not pruned. Choose an algorithm whose nodes all predict a "
                "class.",
                title=title,
            )
        )
    if tree.n_leaves == 1:
        raise CannotShow(
            t(
                "{title} has grown a single leaf here: there is nothing to cut back. Choose other "
                "data, or let the tree grow further.",
                title=title,
            )
        )
    return estimator


def rows_of(work: Work, rows: np.ndarray) -> HeldOutRows:
    """Rows of the data in the form that the first model reads."""
    division = work.first.division
    return HeldOutRows(division.values[rows], division.y[rows])


def families(work: Work) -> dict[str, Judged]:
    """Trees of each pruner with a parameter that is in use, by its key.

    Raises
    ------
    CannotShow, Working
        As :func:`to_prune`.
    """
    tree, division = to_prune(work).grown_tree_, work.first.division
    training, held_out = (
        rows_of(work, rows) for rows in (division.train_rows, division.held_out_rows)
    )
    name, view = _name(work), work.selection.pruning
    return {
        key: _judged((*name, key), tree, key, view.leaf_cost, training, held_out)
        for key in FAMILIES
        if key in (view.pruner, *view.beside)
    }


def cross_validated(work: Work) -> dict[str, CrossValidated]:
    """Cross-validation results of each family of trees, on the training rows.

    Raises
    ------
    CannotShow
        If there are more folds than rows.
    Working
        If it takes long or was cancelled.
    """
    found = families(work)
    division, n_folds = work.first.division, work.selection.pruning.folds
    if n_folds > len(division.train_rows):
        raise CannotShow(
            t("{k} folds need at least {k} rows to learn from; take fewer.", k=n_folds)
        )
    steps = partial(
        cross_validate_in_steps,
        to_prune(work),
        *division.learnt,
        [judged.trees for judged in found.values()],
        n_folds=n_folds,
        random_state=work.selection.seed,
        sample_weight=work.first.weights,
    )
    key = (*_name(work), n_folds, *found, "folds")
    quick = work.first.fitted.milliseconds * n_folds < QUICK
    folds_of = outcome(key, t("The cross-validation"), steps, at_once=quick)
    return dict(zip(found, folds_of, strict=True))


# None where there are too few.
def held_out_halves(work: Work) -> tuple[HeldOutRows, HeldOutRows] | None:
    """Half of the held-out rows that may choose a tree, and the half that reports it."""
    division = work.first.division
    rows = division.held_out_rows
    if len(rows) < 2:
        return None
    half = folds(division.y[rows], 2, work.selection.seed, stratify=True)
    return rows_of(work, rows[half == 0]), rows_of(work, rows[half == 1])


def raised_tree(work: Work) -> RaisedTree | None:
    """Tree left by C4.5's pruning with subtree raising, None if it cannot prune it."""
    tree = to_prune(work).grown_tree_
    if tree.missing == Missing.BRANCH:
        return None
    division = work.first.division
    rows = division.train_rows
    training = TrainingRows(division.values[rows].T, division.y[rows], class_entropy)
    return _raised(work.first.cache_key, tree, training)


def _name(work: Work) -> Key:
    return *work.first.cache_key, work.selection.pruning.leaf_cost


@remembered
def _judged(
    key: Key, tree: Tree, pruner: str, risk: str, training: HeldOutRows, held_out: HeldOutRows
) -> Judged:
    trees = pruned_trees(tree, pruner, risk=risk)
    return Judged(trees, trees.errors(training), trees.errors(held_out))


@remembered
def _raised(key: Key, tree: Tree, training: TrainingRows) -> RaisedTree:
    return RaisedTree(*PRUNERS["error_based"].prune(tree, training=training))
