"""Fitting under edits: what every estimator of one tree does when it is changed by hand."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterable, Iterator
from copy import copy
from time import perf_counter
from typing import Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from lastviz._sentences import Sentence
from lastviz.builders import EditedGrowth, Family, Grown, Growth, GrowthEvent, SearchProgress
from lastviz.pruning import cut_by_hand, kept_by_hand, void_of_pruning
from lastviz.splitters import Presorted, result_of
from lastviz.splitters.edits import (
    ClassSplit,
    Edit,
    ForcedSplit,
    checked_edits,
    growth_edits,
)
from lastviz.tree import GrowthLog, Missing, Tree

PAUSE = 0.05  # seconds between two signs of life
OTHER_X = "X must be the data that the estimator was fitted on"


class Editable:
    """Base of the estimators whose tree can be changed by hand.

    Attributes
    ----------
    edits_ : tuple of Edit
        What the fitted tree was changed by; empty unless it was.
    void_edits_ : tuple of Edit
        Those of them that found no node to apply to.
    """

    grown_tree_: Tree
    tree_: Tree
    growth_log_: GrowthLog
    edits_: tuple[Edit, ...]
    void_edits_: tuple[Edit, ...]

    def edited_in_steps(
        self, X: np.ndarray, y: np.ndarray, edits: Iterable[Edit], presorted: Presorted | None
    ) -> Generator[float, None, Self]:
        """Change a copy and return it; see :func:`lastviz.estimators.what_if_in_steps`."""
        check_is_fitted(self)
        changed, shown = copy(self), perf_counter()
        for event in changed._edit(X, y, edits, presorted):
            if isinstance(event, SearchProgress) and perf_counter() - shown > PAUSE:
                yield event.share
                shown = perf_counter()
        return changed

    def _edit(
        self, X: np.ndarray, y: np.ndarray, edits: Iterable[Edit], presorted: Presorted | None
    ) -> Iterator[GrowthEvent | SearchProgress]:
        """Grow and prune again under edits, event by event; what they do not touch stays."""
        edits = checked_edits(edits)
        before = Grown(self.grown_tree_, self.growth_log_)
        X, y, presorted = self._read_again(X, y, presorted)
        _check_trained_on(self.grown_tree_, X, y)
        if not edits and not self.edits_:
            return
        family = self._family(X, y, presorted)
        untouched = not growth_edits(self.edits_)
        growth = EditedGrowth(family, edits, before if untouched else None)
        yield from growth
        self._take_tree(growth)
        grown = self.grown_tree_
        kept = kept_by_hand(grown, (e for e in edits if e not in growth.void))
        self._take_pruned((yield from self._pruning(growth, X, y, kept)))
        self._take_pruned(cut_by_hand(grown, self.tree_, edits))
        self.edits_ = edits
        void = {*growth.void, *void_of_pruning(grown, edits)}
        self.void_edits_ = tuple(edit for edit in edits if edit in void)

    def _edit_at_once(
        self, X: np.ndarray, y: np.ndarray, edits: Iterable[Edit], presorted: Presorted | None
    ) -> None:
        """Change the tree that has just been fitted, if there is anything to change."""
        edits = tuple(edits)
        for _ in self._edit(X, y, edits, presorted) if edits else ():
            pass

    def _events(
        self,
        growth: Growth,
        X: np.ndarray,
        y: np.ndarray,
        edits: Iterable[Edit],
        presorted: Presorted | None,
    ) -> Iterator[GrowthEvent | SearchProgress]:
        """Fit by a growth and yield its events, or under edits those of the changed tree."""
        edits = tuple(edits)
        for event in growth:
            if not edits or isinstance(event, SearchProgress):
                yield event
        yield from self._finishing(growth)
        if edits:
            yield from self._edit(X, y, edits, presorted)

    def _refusal(self, edit: Edit) -> Sentence | None:
        """Return why the algorithm does not serve an edit, None if it does."""
        if getattr(self, "max_leaf_nodes", None) is not None and edit.slot != "prune":
            return Sentence(
                "with max_leaf_nodes the leaves compete over the entire tree, so no part of it "
                "grows on its own; remove that limit first"
            )
        if isinstance(edit, ForcedSplit) and isinstance(edit.split, ClassSplit):
            return Sentence("only an SVM tree parts classes; choose a feature and a threshold")
        return None

    @abstractmethod
    def _read_again(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None
    ) -> tuple[np.ndarray, np.ndarray, Presorted | None]:
        """Return the training data as the tree reads them; `y` holds class indices or numbers."""

    @abstractmethod
    def _family(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> Family:
        """Return how the fitted estimator's trees grow from any node."""

    def _finish(self, growth: Growth) -> None:
        """Take the tree of a finished growth and prune it."""
        result_of(self._finishing(growth))

    @abstractmethod
    def _finishing(self, growth: Growth) -> Iterator[SearchProgress]:
        """Do what :meth:`_finish` does, with signs of life where it may take long."""

    def _pruning(
        self, growth: Growth, X: np.ndarray, y: np.ndarray, kept: np.ndarray | None = None
    ) -> Generator[SearchProgress, None, tuple[Tree, GrowthLog] | None]:
        """Prune as :meth:`_prune` does, with signs of life where it may take long."""
        yield from ()
        return self._prune(growth, X, y, kept)

    def _take_pruned(self, pruned: tuple[Tree, GrowthLog] | None) -> None:
        """Set the tree that pruning leaves, if it changed anything."""
        if pruned is not None:
            self.tree_, events = pruned
            self.growth_log_ = self.growth_log_ + events

    @abstractmethod
    def _take_tree(self, growth: Growth) -> None:
        """Set the grown tree and the log of a finished growth, nothing pruned yet."""

    @abstractmethod
    def _prune(
        self, growth: Growth, X: np.ndarray, y: np.ndarray, kept: np.ndarray | None = None
    ) -> tuple[Tree, GrowthLog] | None:
        """Return the pruned tree and its events, None where nothing is pruned.

        Nodes `kept` (n_nodes,) of the grown tree and their ancestors stay as they are.
        """


def _check_trained_on(grown: Tree, X: np.ndarray, y: np.ndarray) -> None:
    """Refuse other data than those that a tree was grown on, as far as its leaves tell."""
    rows, weights = grown.samples, grown.sample_weight
    if not len(rows) or rows.max() >= len(X):
        raise ValueError(OTHER_X)
    if grown.missing != Missing.FRACTIONS and not len(grown.kernel):
        leaf, place = grown.apply(X[rows]), np.arange(len(rows))
        if not ((grown.start[leaf] <= place) & (place < grown.end[leaf])).all():
            raise ValueError(OTHER_X)
    if grown.is_regression:
        same = np.isclose(np.average(y[rows], weights=weights), grown.value[0, 0])
    else:
        counts = np.bincount(y[rows], weights, grown.value.shape[1])
        same = np.allclose(counts, grown.value[0])
    if not same:
        raise ValueError("y must be what the estimator was fitted on")
