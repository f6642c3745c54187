"""Pruning by the tree alone: the parameters of ways that need no rows, and how they are called."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.base import BaseEstimator

from lastviz.pruning import PRUNERS
from lastviz.pruning.registry import ALPHA, M
from lastviz.tree import GrowthLog, Tree

BY_TREE = ("replacement", "pessimistic", "minimum_error", "entropy_cost", "mdl")
"""Pruners that need nothing but a tree of classes."""
OWN_NAMES = {"alpha": "entropy_alpha", "m": "m_estimate"}
"""Parameters of pruners that estimators call otherwise."""

ENTROPY_ALPHA = replace(
    ALPHA,
    name="entropy_alpha",
    default=4.0,
    label="Price of a leaf in bits",
    needs=("pruning", ("entropy_cost",)),
)
M_ESTIMATE = replace(M, name="m_estimate", needs=("pruning", ("minimum_error",)))


def prune_by_tree(
    estimator: BaseEstimator, key: str, kept: np.ndarray | None
) -> tuple[Tree, GrowthLog]:
    """Cut the grown tree of an estimator back as one of :data:`BY_TREE` does.

    `kept` are nodes that stay, see :func:`lastviz.pruning.prune_table`.
    """
    known = set(estimator.get_params(deep=False))
    params = {}
    for param in PRUNERS[key].params:
        name = OWN_NAMES.get(param.name, param.name)
        if name in known:
            params[param.name] = getattr(estimator, name)
    return PRUNERS[key].prune(estimator.grown_tree_, kept=kept, **params)
