"""OC1 and CART-LC: hyperplanes searched node by node, pruning on held-out samples."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from functools import partial

import numpy as np

from lastviz._params import param, with_params
from lastviz._random import node_rng, seed_of
from lastviz.builders import Growth, NodewiseGrowth
from lastviz.criteria import Offered
from lastviz.pruning import (
    CostComplexityPath,
    best_step,
    cost_complexity_path,
    held_out_losses,
    prune_cost_complexity,
)
from lastviz.splitters import ObliqueMethod, ObliqueSearchSplitter

from .base import (
    MAX_DEPTH,
    MIN_SAMPLES_LEAF,
    MIN_SAMPLES_SPLIT,
    Pruned,
    Recipe,
    Tags,
    seed,
    splitter_recipe,
)
from .reading import TrainingData
from .tree_attributes import ENTROPY_IS_GAIN
from .tree_estimator import OTHER_X, TreeClassifier

CRITERION = param(
    str, "twoing", main=True, label="Criterion",
    choices=Offered("oblique"), aliases=ENTROPY_IS_GAIN,
    help="The score by which hyperplanes are compared.", doc='"entropy" says "gain", too.',
)  # fmt: skip
PRUNING_FRACTION = param(
    float, 0.1, low=0.0, high=0.5, slider=(0.0, 0.5, 0.05), main=True,
    label="Held out for pruning",
    help="Share of the rows that do not grow the tree and decide how far it is cut back.",
    doc="0: it is not.",
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
        """Method of the search for hyperplanes."""

    def held_out(self, y: np.ndarray) -> np.ndarray:
        """Mask of the samples held out for pruning, by training classes `y` (n_samples,)."""
        codes = np.unique(y, return_inverse=True)[1]
        seed = self.seed_ if hasattr(self, "seed_") else seed_of(self.random_state)
        return _stratified_part(codes, self.pruning_fraction, seed)

    def recipe(self, data: TrainingData) -> Recipe:
        """Search for hyperplanes on some rows, and pruning on those held out."""
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
        errors, _ = held_out_losses(self.grown_tree_, path, data.X[held_out], data.y[held_out])
        self.held_out_errors_ = errors
        step = best_step(errors, self.n_held_out_)
        return prune_cost_complexity(self.grown_tree_, path, step)


def _stratified_part(codes: np.ndarray, share: float, random_state: int) -> np.ndarray:
    """Mask of about `share` of the rows, spread evenly over the classes.

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


# ---------------------------------------------------------------- OC1


@with_params
class OC1Classifier(HyperplaneSearchClassifier):
    """OC1 of Murthy, Kasif and Salzberg: oblique splits by randomised hill climbing.

    At each node the best axis-parallel split and several random hyperplanes are improved, one
    weight after the other; where no weight helps any more, random directions are tried. The
    best hyperplane of all splits the node. The grown tree is cut back by cost-complexity
    pruning on rows held out.

    Notes
    -----
    With one weight (or the step along a direction) free, a row changes sides at one value of it,
    upwards or downwards by the sign of its coordinate; sorting these values makes the search
    exact: O(n log n + n n_classes) per move, of which a restart makes some ten per feature.
    A node whose best hyperplane gains nothing becomes a leaf. The order of the rows decides which
    are held out, and nothing else.
    Deviation: the published program sorts as if all coordinates were positive, which fails on
    data about the origin. Deviation: features are standardised at each node, since the moves
    pivot about the origin. Deviation: only moves that improve the criterion are made; the paper
    also makes neutral ones with falling probability. Deviation: a random hyperplane starts
    with its best threshold. Deviation: n_jumps bounds the directions tried per restart, those
    that help included. Deviation: the program holds out its tenth at random, here it is spread
    evenly over the classes.

    References
    ----------
    Murthy, S. K., Kasif, S. and Salzberg, S. (1994). A system for induction of oblique decision
    trees. JAIR 2, 1-32. Section 2.
    """

    # fmt: off
    criterion: str = CRITERION
    n_restarts: int = param(
        int, 20, low=1, high=10_000, slider=(1, 50, 1), unit="searches",
        main=True, label="Searches per node",
        help="One from the best axis-parallel split, the others from random hyperplanes.",
    )
    n_jumps: int = param(
        int, 5, low=0, high=1000, slider=(0, 20, 1), unit="directions",
        label="Random jumps", help="Random directions tried where no single weight helps.",
        doc="So many are tried per restart.",
    )
    pruning_fraction: float = PRUNING_FRACTION
    max_depth: int | None = MAX_DEPTH
    min_samples_split: int = MIN_SAMPLES_SPLIT
    min_samples_leaf: int = MIN_SAMPLES_LEAF
    random_state: int | np.random.RandomState | None = replace(
        RANDOM_STATE, doc="It draws hyperplanes and directions, and the rows held out."
    )
    # fmt: on

    def _method(self) -> ObliqueMethod:
        return ObliqueMethod(
            criterion=self._criterion,
            n_restarts=self.n_restarts,
            n_jumps=self.n_jumps,
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.seed_,
        )


# ---- CART-LC: CART with linear combinations of features


_PIVOTS = (-0.25, 0.0, 0.25)


@with_params
class CARTLCClassifier(HyperplaneSearchClassifier):
    """CART-LC of Breiman et al.: oblique splits by cyclic descent, backward deletion.

    At each node the best axis-parallel split is improved, one weight after the other, until a
    whole cycle helps no more. Features that the hyperplane can spare are then deleted. The
    grown tree is cut back by cost-complexity pruning on rows held out.

    Notes
    -----
    O(n_features n_samples log n_samples) a sweep over the weights of a node. The order of the rows
    can decide where hyperplanes tie: sums of products round otherwise, and the search goes on from
    another of them.

    Each weight is searched along z + pivot for the pivots -0.25, 0 and 0.25, z the
    standardised feature. The search is exact for either sign of z, see
    :class:`~lastviz.OC1Classifier`. A node whose best hyperplane gains nothing becomes a leaf.
    Deviation: features are standardised by mean and standard
    deviation; the book takes the median and the interquartile range, which is 0 for many
    discrete features. Deviation: cycles end when none improves the criterion, not when it
    improves by less than a small constant.

    References
    ----------
    Breiman, L., Friedman, J. H., Olshen, R. A. and Stone, C. J. (1984). Classification and
    Regression Trees. Section 5.2.2.
    """

    # fmt: off
    criterion: str = CRITERION
    backward_deletion: float = param(
        float, 0.1, low=0.0, high=1.0, slider=(0.0, 1.0, 0.05), main=True,
        label="Backward deletion",
        help="Delete a feature if it costs less than this share of the most costly deletion.",
        doc="0: none is deleted.",
    )
    pruning_fraction: float = PRUNING_FRACTION
    max_depth: int | None = MAX_DEPTH
    min_samples_split: int = MIN_SAMPLES_SPLIT
    min_samples_leaf: int = MIN_SAMPLES_LEAF
    random_state: int | np.random.RandomState | None = replace(
        RANDOM_STATE, doc="It draws the rows held out."
    )
    # fmt: on

    def _method(self) -> ObliqueMethod:
        return ObliqueMethod(
            criterion=self._criterion,
            pivots=_PIVOTS,
            backward_deletion=self.backward_deletion,
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.seed_,
        )
