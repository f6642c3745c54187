"""TAO: the splits of a tree improved one after the other."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from lastviz._params import Param
from lastviz.builders import Alternation, Growth, Stop
from lastviz.criteria import CRITERIA
from lastviz.criteria.scan_kernels import GINI
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.tree import GrowthLog, Reason, Tree

from .base import MIN_SAMPLES_SPLIT, Tags
from .threshold_tree import ThresholdTreeClassifier

__all__ = ["TAOClassifier"]


class TAOClassifier(ThresholdTreeClassifier):
    """Tree alternating optimization: a tree is grown, then its splits are improved one by one.

    Each split is fitted anew for the rows whose class depends on it, the rest of the tree as it
    is. It is taken if that lowers the training error, so that this never rises.

    Parameters
    ----------
    oblique : bool, default True
        Whether a split may become a hyperplane; if not, all splits are thresholds.
    max_depth : int, default 4
        Of the tree that it starts from, from 1 to 12.
    max_iter : int, default 20
        Most sweeps over all splits. It ends before where a sweep improves nothing.
    min_samples_split : int, default 2
        Of the tree that it starts from.

    Attributes
    ----------
    grown_tree_ : Tree
        Where it starts: CART with Gini, or what edits made of it.
    n_iter_ : int
        Sweeps that were made.
    n_errors_ : int
        Training errors of `tree_`.

    Notes
    -----
    The care rows of a split are those that exactly one of its children predicts right. The best
    threshold of all features is tried, and the hyperplane of a logistic fit with a ridge of 1,
    where there are more care rows than weights; the one that sends the fewest care rows the wrong
    way stands, if these are fewer than before. O(n_features n_samples log n_samples depth) a sweep
    for thresholds, and O(n_features^2 n_samples depth) for hyperplanes.

    A split that somebody forced is where it starts, and may be moved; one that somebody kept stays.

    Deviation: the leaves below a split that moved are labelled anew at once, not in the next sweep.
    Deviation: a hyperplane is fitted with a ridge, not an L1 penalty, takes the threshold that
    errs least along its direction, and stands beside the best threshold of one feature.
    Deviation: values below a threshold belong to the first child, children do not change places.

    References
    ----------
    Carreira-Perpinan, M. A. and Tavallali, P. (2018). Alternating optimization of decision trees,
    with application to learning sparse oblique trees. NeurIPS 31.
    """

    TAGS = Tags(indicators=True)
    PARAMS = (
        Param(
            "oblique", bool, True, main=True, label="Oblique splits",
            help="Whether a split may become a hyperplane; if not, all splits are thresholds.",
        ),
        Param(
            "max_depth", int, 4, low=1, high=12, slider=(1, 12, 1), main=True,
            label="Largest depth", help="Edges from the root to the deepest leaf.",
        ),
        Param(
            "max_iter", int, 20, low=1, slider=(1, 50, 1), unit="sweeps",
            label="Most sweeps", help="A sweep tries to improve every split once.",
        ),
        MIN_SAMPLES_SPLIT,
    )  # fmt: skip

    def __init__(
        self,
        oblique: bool = True,
        max_depth: int = 4,
        max_iter: int = 20,
        min_samples_split: int = 2,
    ) -> None:
        self.oblique = oblique
        self.max_depth = max_depth
        self.max_iter = max_iter
        self.min_samples_split = min_samples_split

    @property
    def criterion_column(self) -> str:
        """The criterion by which the tree grows that it starts from."""
        return "gini"

    @property
    def max_depth_cuts(self) -> bool:
        """False: from a smaller tree it ends elsewhere."""
        return False

    @property
    def n_errors_(self) -> int:
        """Training errors of `tree_`."""
        check_is_fitted(self)
        tree = self.tree_
        right = tree.value[tree.n_children == 0].max(axis=1).sum()
        return int(tree.n_node_samples[0] - right)

    def _choice(self) -> Choice:
        return Choice(
            criterion=GINI,
            scale=1.0,
            min_samples_leaf=1,
            release_8=False,
            mdl_correction=False,
            average_gain=False,
            needs_gain=False,
            raw_scores_decide=True,
        )

    def _stop(self) -> Stop:
        return Stop(self.max_depth, self.min_samples_split, max_leaf_nodes=0)

    def _tree(self, growth: Growth, feature_names: tuple[str, ...]) -> Tree:
        return growth.tree(feature_names, self.classes_, CRITERIA[self.criterion_column])

    def _prune(
        self, growth: Growth, X: np.ndarray, y: np.ndarray, kept: np.ndarray | None = None
    ) -> tuple[Tree, GrowthLog] | None:
        if kept is not None:
            log = self.growth_log_
            kept = kept.copy()
            kept[log.node[log.reason == Reason.CHOSEN_BY_HAND]] = False
        work = Alternation(self.grown_tree_, X, y, oblique=self.oblique, kept=kept)
        work.run(self.max_iter)
        self.n_iter_ = work.n_sweeps
        return work.tree(CRITERIA[self.criterion_column]), work.log()
