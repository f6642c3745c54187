"""The same fitted estimator with other names for its columns and their categories."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TypeVar

import numpy as np
from sklearn.base import BaseEstimator

from lastviz.tree import Tree

Estimator = TypeVar("Estimator", bound=BaseEstimator)
Categories = tuple[tuple | None, ...]


def called_otherwise(
    estimator: Estimator, names: tuple[str, ...], categories: Categories
) -> Estimator:
    """Return a fitted estimator that calls columns and categories otherwise; itself if it does.

    Nothing is fitted again: structure, thresholds, keys and rows of its trees are the same.
    O(n_features), the arrays are shared.

    Parameters
    ----------
    estimator : TreeClassifier, ForestClassifier or CARTRegressor
        Fitted on a table with names.
    names : tuple of str
        Of the columns, in their order.
    categories : tuple of (tuple or None)
        Of each nominal column, in the order of their codes; None for a numeric one.
    """
    known = getattr(estimator, "categories_", None)
    if tuple(estimator.feature_names_in_) == names and known in (None, categories):
        return estimator
    made = copy(estimator)
    made.feature_names_in_ = np.array(names, dtype=object)
    if known is not None:
        made.categories_ = tuple(
            None if before is None else now for before, now in zip(known, categories, strict=True)
        )
    if hasattr(made, "estimators_"):
        made.estimators_ = [called_otherwise(each, names, categories) for each in made.estimators_]
    if hasattr(made, "grown_tree_"):
        made.grown_tree_ = renamed_tree(estimator.grown_tree_, names, categories)
        unpruned = estimator.tree_ is estimator.grown_tree_
        made.tree_ = made.grown_tree_
        if not unpruned:
            made.tree_ = renamed_tree(estimator.tree_, names, categories)
    return made


def renamed_tree(tree: Tree, names: tuple[str, ...], categories: Categories) -> Tree:
    """Return a tree with other names for its columns and their categories."""
    known = tuple(
        None if before is None else now
        for before, now in zip(tree.feature_categories, categories, strict=True)
    )
    return replace(tree, feature_names=names, feature_categories=known)
