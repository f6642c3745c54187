"""Pruning by the tree alone: the parameters of ways that need no rows, and how they are called."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator

from lastviz._params import Param
from lastviz.pruning import PRUNERS
from lastviz.tree import GrowthLog, Tree

BY_TREE = ("replacement", "pessimistic", "minimum_error", "entropy_cost", "mdl")
"""Pruners that need nothing but a tree of classes."""
OWN_NAMES = {"alpha": "entropy_alpha", "m": "m_estimate"}
"""Parameters of pruners that estimators call otherwise."""

ENTROPY_ALPHA = Param(
    "entropy_alpha", float, 4.0, low=0.0, slider=(0.0, 20.0, 0.1), unit="bits",
    label="Price of a leaf in bits", help="What a leaf costs besides the entropy of its rows.",
    needs=("pruning", ("entropy_cost",)),
)  # fmt: skip
M_ESTIMATE = Param(
    "m_estimate", float, 2.0, low=0.0, slider=(0.0, 50.0, 0.5), unit="rows",
    label="Weight of all rows", needs=("pruning", ("minimum_error",)),
    help="How many rows of a leaf the class shares of all rows are worth.",
)  # fmt: skip


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
