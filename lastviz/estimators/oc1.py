"""OC1."""

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


class OC1Classifier(HyperplaneSearchClassifier):
    """OC1 of Murthy, Kasif and Salzberg: oblique splits by randomised hill climbing.

    At each node the best axis-parallel split and several random hyperplanes are improved, one
    weight after the other; where no weight helps any more, random directions are tried. The
    best hyperplane of all splits the node. The grown tree is cut back by cost-complexity
    pruning on rows held out.

    Parameters
    ----------
    criterion : {"gini", "gain", "twoing", "sum_minority", "max_minority"}, default "twoing"
        What hyperplanes are judged by; "entropy" says "gain", too.
    n_restarts : int, default 20
        Searches per node; the first starts from the best axis-parallel split.
    n_jumps : int, default 5
        Random directions tried per restart.
    pruning_fraction : float, default 0.1
        Share of the rows held out for pruning; 0: the tree is not pruned.
    max_depth : int or None, default None
    min_samples_split : int, default 2
    min_samples_leaf : int, default 1
        Fewest rows of a branch.
    random_state : int, RandomState or None, default 0
        Seed of the random hyperplanes and directions, and of the rows held out.

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

    PARAMS = (
        CRITERION,
        Param(
            "n_restarts", int, 20, low=1, high=10_000, slider=(1, 50, 1), unit="searches",
            main=True, label="Searches per node",
            help="One from the best axis-parallel split, the others from random hyperplanes.",
        ),
        Param(
            "n_jumps", int, 5, low=0, high=1000, slider=(0, 20, 1), unit="directions",
            label="Random jumps", help="Random directions tried where no single weight helps.",
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
        n_restarts: int = 20,
        n_jumps: int = 5,
        pruning_fraction: float = 0.1,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.criterion = criterion
        self.n_restarts = n_restarts
        self.n_jumps = n_jumps
        self.pruning_fraction = pruning_fraction
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.random_state = random_state

    def _method(self) -> ObliqueMethod:
        return ObliqueMethod(
            criterion=self._criterion,
            n_restarts=self.n_restarts,
            n_jumps=self.n_jumps,
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.seed_,
        )
