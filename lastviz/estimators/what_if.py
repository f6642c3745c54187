"""The tree that would grow if a node were split differently."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from copy import copy
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from lastviz.splitters import Presorted, result_of
from lastviz.splitters.edits import Edit

from .forest import ForestClassifier
from .tree_estimator import TreeEstimator

Estimator = TypeVar("Estimator", bound=TreeEstimator | ForestClassifier)


def what_if(
    estimator: Estimator,
    X: ArrayLike,
    y: ArrayLike,
    edits: Iterable[Edit],
    *,
    presorted: Presorted | None = None,
    tree: int = 0,
) -> Estimator:
    """Estimator as it would be if its tree were changed by hand; it stays as it is.

    A node is split as you say, becomes a leaf, does without some features, is cut or kept by
    pruning; what hangs below it grows anew, by the algorithm's own rules, and everything else
    stays as it was.

    Parameters
    ----------
    estimator : TreeClassifier, CARTRegressor or ForestClassifier
        Fitted. Of a forest one tree is changed; which rows each tree drew, how its vote weighs
        and all other trees stay as they were.
    X, y : array-like
        The very data that it was fitted on; its weights it knows.
    edits : iterable of Edit
        At most 48 of ``lastviz.splitters.edits``: ``ForcedSplit``, ``MadeLeaf``, ``Without``,
        ``Cut`` and ``Kept``, each with the path of its node, ``()`` for the root. They are all
        there is: those that made the estimator, if it was made by some, do not stay.
    presorted : Presorted, optional
        The sorted columns of `X`, to be reused, for single trees.
    tree : int, default 0
        Which tree of a forest; its paths are meant.

    Returns
    -------
    estimator
        A fitted one. ``edits_`` are its edits, ``void_edits_`` those of them that found no
        node: another one above it made it go. Of a forest its tree has them.

    Raises
    ------
    ValueError
        If an edit cannot be made: a split leaves a child without rows, a column is gone, the
        algorithm does not serve it, two decide the same; or the data are not those of the fit.
    TypeError
        If something is no edit.

    Notes
    -----
    A split by hand is made whatever the search says and whatever would end growth there. With
    its ancestors it is not pruned, unless by ``Cut``; the price of a leaf that cross-validation
    chose is that of the tree that grew by itself.
    The time is that of growing the subtrees below the topmost edits, see
    :class:`lastviz.builders.EditedGrowth`.

    Examples
    --------
    >>> from lastviz import CARTClassifier, what_if
    >>> from lastviz.datasets import load_dataset
    >>> from lastviz.splitters.edits import ForcedSplit, Split
    >>> xor = load_dataset("xor", n_samples=200, noise=0.14, random_state=2)
    >>> cart = CARTClassifier().fit(xor.X, xor.y)
    >>> forced = what_if(cart, xor.X, xor.y, [ForcedSplit((), Split(0, 0.5))])
    >>> cart.get_n_leaves(), forced.get_n_leaves()
    (9, 4)
    """
    return result_of(what_if_in_steps(estimator, X, y, edits, presorted=presorted, tree=tree))


def what_if_in_steps(
    estimator: Estimator,
    X: np.ndarray,
    y: np.ndarray,
    edits: Iterable[Edit],
    *,
    presorted: Presorted | None = None,
    tree: int = 0,
) -> Generator[float, None, Estimator]:
    """Do as :func:`what_if` does, yielding the share done several times a second."""
    if isinstance(estimator, ForestClassifier):
        return (yield from _in_forest(estimator, X, y, edits, tree))
    if not hasattr(estimator, "edited_in_steps"):
        raise ValueError(f"a {type(estimator).__name__} was not grown here and cannot be changed")
    return (yield from estimator.edited_in_steps(X, y, edits, presorted))


def _in_forest(
    forest: ForestClassifier, X: np.ndarray, y: np.ndarray, edits: Iterable[Edit], tree: int
) -> Generator[float, None, ForestClassifier]:
    check_is_fitted(forest)
    trees = list(forest.estimators_)
    if not getattr(forest, "draws_", None):
        raise ValueError(f"a {type(forest).__name__} was not grown here and cannot be changed")
    if not 0 <= tree < len(trees):
        raise ValueError(f"tree must be from 0 to {len(trees) - 1}, got {tree}")
    drawn = forest.draws_[tree].rows
    X = X.iloc[drawn] if hasattr(X, "iloc") else np.asarray(X)[drawn]  # names stay
    trees[tree] = yield from trees[tree].edited_in_steps(X, np.asarray(y)[drawn], edits, None)
    changed = copy(forest)
    changed.estimators_ = trees
    return changed
