"""How far to cut a tree back, judged by trees grown on parts of its rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lastviz._random import node_rng
from lastviz._sentences import Refusal
from lastviz.tree import Tree

from .cost_complexity import CostComplexityPath, cost_complexity_path, held_out_losses

# No node has this key with more than negligible probability.
_FOLDS_KEY = 1


@dataclass(frozen=True, eq=False)
class CrossValidatedPath:
    """What each tree of a cost-complexity path is expected to lose on new rows."""

    # (n_steps,) float64, the price at which the folds' trees were cut: the geometric mean of the
    # prices between which the tree is optimal, infinite for the last one.
    alpha: np.ndarray
    # (n_steps,) float64, weighted mean over the rows, each judged by the tree that it did not grow:
    # a wrong class loses 1, a number its squared error.
    loss: np.ndarray
    standard_error: np.ndarray  # (n_steps,) float64
    step: int  # the chosen tree


def folds(y: np.ndarray, n_folds: int, random_state: int, *, stratify: bool) -> np.ndarray:
    """Return the fold 0, 1, ... of each row, at random; classes `y` are spread evenly.

    Raises
    ------
    ValueError
        If there are more folds than rows.
    """
    if n_folds > len(y):
        raise Refusal(
            "ccp_cv must be at most the number of rows, {n}, got {n_folds}",
            n=len(y),
            n_folds=n_folds,
        )
    rows = node_rng(random_state, _FOLDS_KEY).permutation(len(y))
    if stratify:
        rows = rows[np.argsort(y[rows], kind="stable")]
    fold = np.empty(len(y), dtype=np.intp)
    fold[rows] = np.arange(len(y)) % n_folds
    return fold


def cross_validate_path(
    path: CostComplexityPath,
    grow: Callable[[np.ndarray], Tree],
    X: np.ndarray,
    y: np.ndarray,
    fold: np.ndarray,
    *,
    weight: np.ndarray | None = None,
    risk: str = "misclassification",
    rule: str = "min",
) -> CrossValidatedPath:
    """Judge each tree of a path by trees that are grown without a fold and cut at its price.

    Parameters
    ----------
    path : CostComplexityPath
        Of the tree grown on all rows.
    grow : callable
        Rows -> the tree grown on them.
    X : ndarray of float64, shape (n_samples, n_features)
        As the trees read it.
    y : ndarray, shape (n_samples,)
        Class indices, or numbers.
    fold : ndarray of intp, shape (n_samples,)
        See :func:`folds`.
    weight : ndarray of float64, shape (n_samples,), optional
        Weights of the rows; default: all 1.
    risk : str, default "misclassification"
        See :func:`~lastviz.pruning.cost_complexity_path`.
    rule : {"min", "1se"}, default "min"
        The smallest tree of least loss, or within one standard error of it.

    Notes
    -----
    Breiman et al. (1984), sections 3.4.2, 3.4.3 and 8.5: the standard error is the standard
    deviation of a row's loss by the square root of the number of rows. As many growths as folds.
    """
    weight = np.ones(len(y)) if weight is None else weight
    root = np.sqrt(path.alpha)
    alpha = np.r_[root[:-1] * root[1:], np.inf]
    losses, squares = np.zeros((2, path.n_steps))
    for k in range(int(fold.max()) + 1):
        out = fold == k
        tree = grow(np.flatnonzero(~out))
        own = cost_complexity_path(tree, risk)
        steps = np.searchsorted(own.alpha, alpha, side="right") - 1
        loss, square = held_out_losses(tree, own, X[out], y[out], weight[out])
        losses += loss[steps]
        squares += square[steps]
    total, n = float(weight.sum()), len(y)
    mean = losses / total
    error = np.sqrt(np.maximum(squares / total - np.square(mean), 0.0) / n)
    least = int(np.argmin(mean))
    limit = mean[least] + (error[least] if rule == "1se" else 0.0)
    good = np.flatnonzero(mean <= limit + 1e-9 * mean.max())
    return CrossValidatedPath(alpha, mean, error, int(good[-1]))
