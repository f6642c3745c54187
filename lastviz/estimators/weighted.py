"""What the classifiers of weighted rows share whose weights go to the root with the rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import _check_sample_weight

from lastviz.builders import Growth, GrowthEvent, SearchProgress
from lastviz.splitters import Presorted
from lastviz.splitters.edits import Edit

from .base import TreeClassifier


class WeightedTreeClassifier(TreeClassifier):
    """Base of the classifiers that take weights.

    Attributes
    ----------
    sample_weight_ : ndarray or None, shape (n_samples,)
        The weights given to `fit`, for replay.
    """

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
            Numbers, and categories where the algorithm takes them.
        y : array-like, shape (n_samples,)
            Classes.
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
        self._finish(self._start_weighted(X, y, presorted, sample_weight).run())
        self._edit_at_once(X, y, edits, presorted)
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
        growth = self._start_weighted(X, y, presorted, sample_weight)
        yield from self._events(growth, X, y, edits, presorted)

    def _start_weighted(
        self,
        X: np.ndarray,
        y: np.ndarray,
        presorted: Presorted | None,
        sample_weight: np.ndarray | None,
    ) -> Growth:
        self._given_weight = sample_weight
        try:
            return self._start(X, y, presorted)
        finally:
            del self._given_weight

    def _weight_of(self, X: np.ndarray) -> np.ndarray | None:
        """Return the checked weights that `fit` was given, None if it was given none."""
        if self._given_weight is None:
            return None
        return _check_sample_weight(
            self._given_weight, X, dtype=np.float64, ensure_non_negative=True
        )
