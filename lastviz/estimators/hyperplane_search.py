"""What OC1 and CART-LC share: hyperplanes searched node by node, pruning on rows held out."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from lastviz._params import Param
from lastviz._random import node_rng
from lastviz.builders import NodewiseGrowth
from lastviz.criteria import Offered
from lastviz.pruning import (
    CostComplexityPath,
    best_step,
    cost_complexity_path,
    held_out_errors,
    prune_cost_complexity,
)
from lastviz.splitters import ObliqueMethod, ObliqueSearchSplitter, Presorted
from lastviz.tree import GrowthLog, Tree

from .base import Tags, TreeClassifier
from .tree_attributes import ENTROPY_IS_GAIN

CRITERION = Param(
    "criterion", str, "twoing", main=True, label="Criterion",
    choices=Offered("oblique"), aliases=ENTROPY_IS_GAIN,
    help="The score by which hyperplanes are compared.",
)  # fmt: skip
PRUNING_FRACTION = Param(
    "pruning_fraction", float, 0.1, low=0.0, high=0.5, slider=(0.0, 0.5, 0.05), main=True,
    label="Held out for pruning",
    help="Share of the rows that do not grow the tree and decide how far it is cut back.",
)  # fmt: skip
MIN_SAMPLES_LEAF = Param(
    "min_samples_leaf", int, 1, low=1, slider=(1, 50, 1), unit="rows",
    label="Smallest leaf", help="Fewest rows on each side of a split.",
)  # fmt: skip
RANDOM_STATE = Param(
    "random_state", int, 0, low=0, slider=(0, 99, 1),
    label="Seed of the algorithm", help="The same seed gives the same tree.",
)  # fmt: skip

# No node has this key with more than negligible probability.
_HELD_OUT_KEY = 0


class HyperplaneSearchClassifier(TreeClassifier):
    """Base of the classifiers that search each node for a hyperplane.

    Attributes
    ----------
    cost_complexity_path_ : CostComplexityPath
        The nested trees that pruning chose from.
    held_out_errors_ : ndarray of float64, shape (n_steps,) or None
        Errors of each of them on the rows held out; None if there are none.
    n_held_out_ : int
        How many rows were held out.
    """

    TAGS = Tags(indicators=True, hyperplanes=True)

    cost_complexity_path_: CostComplexityPath

    @property
    def criterion_column(self) -> str:
        """The criterion by which hyperplanes are judged."""
        return self._criterion

    @abstractmethod
    def _method(self) -> ObliqueMethod:
        """Return how hyperplanes are searched for."""

    def held_out(self, y: np.ndarray) -> np.ndarray:
        """Return which rows of the training classes `y` (n_samples,) decide about pruning."""
        codes = np.unique(y, return_inverse=True)[1]
        return _stratified_part(codes, self.pruning_fraction, self.random_state)

    def _growth(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> NodewiseGrowth:
        splitter = self._splitter_of(X, y, np.flatnonzero(~self.held_out(y)))
        return NodewiseGrowth(splitter, y, len(self.classes_), self._stop())

    def _splitter(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None
    ) -> ObliqueSearchSplitter:
        rows, _ = self.grown_tree_.node_samples(0)
        if rows[-1] >= len(X):
            raise ValueError("X must be the data that the estimator was fitted on")
        return self._splitter_of(X, y, rows)

    def _splitter_of(self, X: np.ndarray, y: np.ndarray, rows: np.ndarray) -> ObliqueSearchSplitter:
        return ObliqueSearchSplitter(X, y, len(self.classes_), rows, self._method())

    def _prune(
        self,
        growth: NodewiseGrowth,
        X: np.ndarray,
        y: np.ndarray,
        kept: np.ndarray | None = None,
    ) -> tuple[Tree, GrowthLog] | None:
        held_out = self.held_out(y)
        self.n_held_out_ = int(held_out.sum())
        self.cost_complexity_path_ = path = cost_complexity_path(self.grown_tree_, kept=kept)
        self.held_out_errors_ = None
        if self.n_held_out_ == 0:
            return None
        errors = held_out_errors(self.grown_tree_, path, X[held_out], y[held_out])
        self.held_out_errors_ = errors
        step = best_step(errors, self.n_held_out_)
        return prune_cost_complexity(self.grown_tree_, path, step)


def _stratified_part(codes: np.ndarray, share: float, random_state: int) -> np.ndarray:
    """Return a mask of about `share` of the rows, spread evenly over the classes.

    One row of each class is never chosen.
    """
    rows = node_rng(random_state, _HELD_OUT_KEY).permutation(len(codes))
    rows = rows[np.argsort(codes[rows], kind="stable")]
    count = np.floor(np.arange(len(rows) + 1) * share)
    chosen = count[1:] > count[:-1]
    by_class = codes[rows]
    chosen[np.r_[True, by_class[1:] != by_class[:-1]]] = False
    mask = np.zeros(len(codes), dtype=bool)
    mask[rows[chosen]] = True
    return mask
