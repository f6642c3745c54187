"""CART-LC: CART with linear combinations of features."""

from __future__ import annotations

import numpy as np

from lastviz._params import Param
from lastviz.splitters import ObliqueMethod

from .base import MAX_DEPTH, MIN_SAMPLES_LEAF, MIN_SAMPLES_SPLIT
from .hyperplane_search import (
    CRITERION,
    PRUNING_FRACTION,
    RANDOM_STATE,
    HyperplaneSearchClassifier,
)

_PIVOTS = (-0.25, 0.0, 0.25)


class CARTLCClassifier(HyperplaneSearchClassifier):
    """CART-LC of Breiman et al.: oblique splits by cyclic descent and backward deletion.

    At each node the best axis-parallel split is improved, one weight after the other, until a
    whole cycle helps no more. Features that the hyperplane can spare are then deleted. The
    grown tree is cut back by cost-complexity pruning on rows held out.

    Parameters
    ----------
    criterion : {"gini", "gain", "twoing", "sum_minority", "max_minority"}, default "twoing"
        What hyperplanes are judged by; "entropy" says "gain", too.
    backward_deletion : float, default 0.1
        A feature is deleted while that costs less than this share of the most costly deletion;
        0: none is.
    pruning_fraction : float, default 0.1
        Share of the rows held out for pruning; 0: the tree is not pruned.
    max_depth : int or None, default None
    min_samples_split : int, default 2
    min_samples_leaf : int, default 1
        Fewest rows of a branch.
    random_state : int, RandomState or None, default 0
        Seed of the rows held out.

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

    PARAMS = (
        CRITERION,
        Param(
            "backward_deletion", float, 0.1, low=0.0, high=1.0, slider=(0.0, 1.0, 0.05), main=True,
            label="Backward deletion",
            help="Delete a feature if it costs less than this share of the most costly deletion.",
        ),
        PRUNING_FRACTION,
        MAX_DEPTH,
        MIN_SAMPLES_SPLIT,
        MIN_SAMPLES_LEAF,
        RANDOM_STATE,
    )  # fmt: skip

    def __init__(
        self,
        criterion: str = "twoing",
        backward_deletion: float = 0.1,
        pruning_fraction: float = 0.1,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.criterion = criterion
        self.backward_deletion = backward_deletion
        self.pruning_fraction = pruning_fraction
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.random_state = random_state

    def _method(self) -> ObliqueMethod:
        return ObliqueMethod(
            criterion=self._criterion,
            pivots=_PIVOTS,
            backward_deletion=self.backward_deletion,
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.seed_,
        )
