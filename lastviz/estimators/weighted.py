"""Estimators of weighted rows: the weights go to the root with the rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from lastviz.builders import GrowthEvent, SearchProgress
from lastviz.splitters import Presorted, result_of
from lastviz.splitters.edits import Edit

from .tree_estimator import TreeEstimator


class WeightedTreeEstimator(TreeEstimator):
    """Base of the estimators whose `fit` takes the weights of rows."""

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        presorted: Presorted | None = None,
        edits: Iterable[Edit] = (),
    ) -> Self:
        """Grow and prune a tree.

        Parameters
        ----------
        X : array-like or DataFrame, shape (n_samples, n_features)
            Numbers, and categories and missing values where the algorithm takes them.
        y : array-like, shape (n_samples,)
            Classes, or numbers for a regressor.
        sample_weight : array-like, shape (n_samples,), optional
            Weights >= 0, for an optimal tree whole numbers; a row of weight 2 counts as two, one
            of weight 0 takes no part.
        presorted : Presorted, optional
            The sorted columns of `X`, to be reused; see :func:`lastviz.splitters.presort`.
        edits : iterable of Edit, default ()
            What the tree is changed by, see :func:`lastviz.what_if`.

        Raises
        ------
        ValueError
            If a parameter is out of range, `X` holds infinite values (or missing ones where
            the algorithm does not treat them), a nominal column has too many categories, weights
            do not fit, `presorted` belongs to other data, or an edit cannot be made.
        """
        result_of(self._steps(X, y, presorted, edits, at_once=True, sample_weight=sample_weight))
        return self

    def grow(
        self,
        X: np.ndarray,
        y: np.ndarray,
        sample_weight: np.ndarray | None = None,
        *,
        presorted: Presorted | None = None,
        edits: Iterable[Edit] = (),
    ) -> Iterator[GrowthEvent | SearchProgress]:
        """Fit event by event; once the last event is taken, the estimator is fitted.

        Under edits the events are those of the changed tree. Parameters and errors are those
        of :meth:`fit`.
        """
        yield from self._steps(X, y, presorted, edits, sample_weight=sample_weight)
