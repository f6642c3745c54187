"""C4.5, release 8."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lastviz._params import Param
from lastviz.builders import Stop, ThresholdGrowth
from lastviz.criteria import CRITERIA
from lastviz.pruning import PRUNERS
from lastviz.splitters import Split
from lastviz.splitters.choice_kernels import Choice
from lastviz.tree import GrowthLog, Kind, Tree

from .base import MAX_DEPTH, MIN_SAMPLES_SPLIT, ThresholdTreeClassifier

__all__ = ["C45Classifier"]


class C45Classifier(ThresholdTreeClassifier):
    """Quinlan's C4.5 (release 8) for numeric features.

    Each feature offers its threshold of largest information gain, less the price of
    choosing it; of the features that gain at least the mean, the one with the largest gain
    ratio splits the node. The grown tree is cut back by error-based pruning.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default "gain_ratio"
        What decides between features.
    pruning : {"error_based", "error_based_normal", "none"}, default "error_based"
        Limit of the error rate: C4.5's binomial one, the normal one of SODT's eq (5), or no
        pruning.
    confidence : float, default 0.25
        Confidence of pruning, in (0, 0.5]; smaller prunes more.
    subtree_raising : bool, default True
        Whether a node may be replaced by its largest branch.
    mdl_correction : bool, default True
        Subtract log2(number of thresholds) / n from a feature's gain.
    average_gain : bool, default True
        Admit only features that gain at least the mean of all (less 0.001 bits).
    threshold : {"midpoint", "value"}, default "midpoint"
        Cut between two values, or at the largest training value not above that midpoint.
    max_depth : int or None, default None
    min_samples_split : int, default 2
    min_samples_leaf : int, default 2
        Fewest rows of a branch; at a node with n rows and K classes it is raised to
        min(25, max(min_samples_leaf, 0.1 n / K)).

    Notes
    -----
    O(n_features n_samples log n_samples) to sort, O(n_features n_samples depth) to grow,
    O(n_samples depth^2) to prune.

    Deviation: a split must gain more than 0 bits after the correction; C4.5 lets a feature
    through that loses up to 0.001. Deviation: values are told apart exactly; C4.5 takes those
    closer than 0.00001 as equal.

    References
    ----------
    Quinlan, J. R. (1993). C4.5: Programs for Machine Learning. Quinlan, J. R. (1996).
    Improved use of continuous attributes in C4.5. JAIR 4, 77-90.
    """

    PARAMS = (
        Param(
            "criterion", str, "gain_ratio", choices=("gain_ratio", "gain"),
            label="Criterion", help="What decides between the features' best thresholds.",
        ),
        Param(
            "pruning", str, "error_based", main=True, label="Pruning",
            choices=("error_based", "error_based_normal", "none"),
            help="How the grown tree is cut back.",
        ),
        Param(
            "confidence", float, 0.25, low=0.0, low_open=True, high=0.5, slider=(0.01, 0.5, 0.01),
            main=True, label="Confidence of pruning", help="Smaller prunes more.",
            needs=("pruning", ("error_based", "error_based_normal")),
        ),
        Param(
            "subtree_raising", bool, True, label="Subtree raising",
            help="A node may be replaced by its largest branch.",
            needs=("pruning", ("error_based", "error_based_normal")),
        ),
        Param(
            "mdl_correction", bool, True, label="Price of a threshold",
            help="Subtract log2(number of thresholds) / n from the gain.",
        ),
        Param(
            "average_gain", bool, True, label="Average-gain rule",
            help="Admit only features that gain at least the mean.",
            needs=("criterion", ("gain_ratio",)),
        ),
        Param(
            "threshold", str, "midpoint", choices=("midpoint", "value"), label="Threshold",
            help="Midway between two values, or the largest training value below that.",
        ),
        MAX_DEPTH,
        MIN_SAMPLES_SPLIT,
        Param(
            "min_samples_leaf", int, 2, low=1, slider=(1, 50, 1), unit="rows", main=True,
            label="Smallest branch", help="Fewest rows on each side of a split.",
        ),
    )  # fmt: skip

    def __init__(
        self,
        criterion="gain_ratio",
        pruning="error_based",
        confidence=0.25,
        subtree_raising=True,
        mdl_correction=True,
        average_gain=True,
        threshold="midpoint",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=2,
    ):
        self.criterion = criterion
        self.pruning = pruning
        self.confidence = confidence
        self.subtree_raising = subtree_raising
        self.mdl_correction = mdl_correction
        self.average_gain = average_gain
        self.threshold = threshold
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf

    def stored_form(self, split: Split | None, X: np.ndarray) -> Split | None:
        """Return what the tree stores of a split that the search chooses on training data `X`."""
        if split is None or self.threshold == "midpoint":
            return split
        values = np.asarray(X, dtype=np.float64)[:, split.feature]
        return replace(split, threshold=float(values[values <= split.threshold].max()))

    @property
    def criterion_column(self) -> str:
        """The criterion by which features compete."""
        return self.criterion

    def _choice(self) -> Choice:
        return Choice(
            criterion=CRITERIA[self.criterion].code,
            scale=1.0,
            min_samples_leaf=self.min_samples_leaf,
            release_8=True,
            mdl_correction=self.mdl_correction,
            average_gain=self.average_gain,
            needs_gain=True,
            raw_scores_decide=self.criterion == "gain" and not self.mdl_correction,
        )

    def _stop(self) -> Stop:
        depth = -1 if self.max_depth is None else self.max_depth
        return Stop(depth, self.min_samples_split, max_leaf_nodes=0)

    def _tree(self, growth: ThresholdGrowth, feature_names: tuple[str, ...]) -> Tree:
        tree = growth.tree(
            feature_names, self.classes_, CRITERIA[self.criterion], keep_parents_class=True
        )
        return tree if self.threshold == "midpoint" else _cut_at_values(tree, growth.columns)

    def _prune(
        self, growth: ThresholdGrowth, X: np.ndarray, y: np.ndarray
    ) -> tuple[Tree, GrowthLog] | None:
        if self.pruning == "none":
            return None
        return PRUNERS[self.pruning](
            self.grown_tree_,
            growth.columns,
            y,
            CRITERIA[self.criterion].impurity,
            confidence=self.confidence,
            subtree_raising=self.subtree_raising,
            normal=self.pruning == "error_based_normal",
        )


def _cut_at_values(tree: Tree, columns: np.ndarray) -> Tree:
    """Lower each threshold to the largest value of its column that is not above it."""
    threshold = tree.threshold.copy()
    for feature in np.unique(tree.feature[tree.kind == Kind.THRESHOLD]):
        here = np.flatnonzero(tree.feature == feature)
        values = np.unique(columns[feature])
        threshold[here] = values[np.searchsorted(values, threshold[here], side="right") - 1]
    return replace(tree, threshold=threshold)
