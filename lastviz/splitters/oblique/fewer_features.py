"""Searching for hyperplanes among some of the features; the others weigh nothing."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from lastviz.splitters.search import NodeContext, Splitter, result_of
from lastviz.splitters.splits import ObliqueSplit, Split
from lastviz.tree import Reason

from .trajectory import ObliqueSearch


class SomeFeatures:
    """A search in some of the columns, with results in all of them.

    Parameters
    ----------
    full : ObliqueSearchSplitter
        Of all columns; makes the contexts.
    part : ObliqueSearchSplitter
        Of the columns `features` alone.
    features : ndarray of intp
    n_features : int
        Number of all columns.
    """

    def __init__(
        self, full: Splitter, part: Splitter, features: np.ndarray, n_features: int
    ) -> None:
        self._full, self._part = full, part
        self._features = features
        self._n_features = n_features

    def root(self) -> NodeContext:
        """Return the context of the root."""
        return self._full.root()

    def child(self, context: NodeContext, split: Split | ObliqueSplit, branch: int) -> NodeContext:
        """Return the context of the first (0) or second (1) child of a split node."""
        return self._full.child(context, split, branch)

    def best(self, context: NodeContext) -> Split | ObliqueSplit | Reason:
        """Return the chosen split, or why the node has none."""
        return result_of(self.best_in_steps(context))

    def best_in_steps(
        self, context: NodeContext
    ) -> Generator[float, None, Split | ObliqueSplit | Reason]:
        """Search as :meth:`best` does, and yield several times a second what share is done."""
        found = yield from self._part.best_in_steps(context)
        return found if isinstance(found, Reason) else self._in_all(found)

    def search(self, context: NodeContext) -> ObliqueSearch:
        """Return every hyperplane that the search goes through, and the chosen split."""
        return result_of(self.search_in_steps(context))

    def search_in_steps(self, context: NodeContext) -> Generator[float, None, ObliqueSearch]:
        """Search as :meth:`search` does, and yield several times a second what share is done."""
        found = yield from self._part.search_in_steps(context)
        split = None if found.split is None else self._in_all(found.split)
        return replace(found, weights=self._weights(found.weights), split=split)

    def _in_all(self, split: Split | ObliqueSplit) -> Split | ObliqueSplit:
        if isinstance(split, Split):
            return replace(split, feature=int(self._features[split.feature]))
        return replace(split, weights=self._weights(split.weights))

    def _weights(self, weights: np.ndarray) -> np.ndarray:
        out = np.zeros((*weights.shape[:-1], self._n_features))
        out[..., self._features] = weights
        return out
