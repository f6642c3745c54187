"""What OC1 and CART-LC share: hyperplanes searched node by node, pruning on rows held out."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from functools import partial

import numpy as np

from lastviz._params import Param
from lastviz._random import node_rng, seed_of
from lastviz.builders import Growth, NodewiseGrowth
from lastviz.criteria import Offered
from lastviz.pruning import (
    CostComplexityPath,
    best_step,
    cost_complexity_path,
    held_out_errors,
    prune_cost_complexity,
)
from lastviz.splitters import ObliqueMethod, ObliqueSearchSplitter

from .base import Tags, seed
from .reading import TrainingData
from .recipe import Pruned, Recipe, splitter_recipe
from .tree_attributes import ENTROPY_IS_GAIN
from .tree_estimator import OTHER_X, TreeClassifier

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
RANDOM_STATE = seed("The same seed gives the same tree.")

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
        seed = self.seed_ if hasattr(self, "seed_") else seed_of(self.random_state)
        return _stratified_part(codes, self.pruning_fraction, seed)

    def recipe(self, data: TrainingData) -> Recipe:
        """Return a search for hyperplanes on some rows, and pruning on those held out."""
        n_classes, stop = len(data.classes), self._stop()

        def on(rows: np.ndarray) -> ObliqueSearchSplitter:
            return ObliqueSearchSplitter(data.X, data.y, n_classes, rows, self._method())

        def growth() -> NodewiseGrowth:
            rows = np.flatnonzero(~self.held_out(data.y))
            return NodewiseGrowth(on(rows), data.y, n_classes, stop)

        def splitter() -> ObliqueSearchSplitter:
            rows, _ = self.grown_tree_.node_samples(0)
            if rows[-1] >= len(data.X):
                raise ValueError(OTHER_X)
            return on(rows)

        made = splitter_recipe(data, splitter, stop, self._criterion, growth=growth)
        return replace(made, prune=partial(self._pruned, data))

    def _pruned(self, data: TrainingData, growth: Growth, kept: np.ndarray | None) -> Pruned:
        held_out = self.held_out(data.y)
        self.n_held_out_ = int(held_out.sum())
        self.cost_complexity_path_ = path = cost_complexity_path(self.grown_tree_, kept=kept)
        self.held_out_errors_ = None
        if self.n_held_out_ == 0:
            return None
        errors = held_out_errors(self.grown_tree_, path, data.X[held_out], data.y[held_out])
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
