"""CART."""

from __future__ import annotations

from lastviz._params import Param
from lastviz.builders import Stop, ThresholdGrowth
from lastviz.criteria import CRITERIA
from lastviz.splitters.choice_kernels import Choice
from lastviz.tree import Tree

from .base import MAX_DEPTH, MIN_SAMPLES_SPLIT, ThresholdTreeClassifier

__all__ = ["CARTClassifier"]

# What scikit-learn calls the entropy criterion is judged by the information gain.
_COLUMN = {"gini": "gini", "entropy": "gain"}


class CARTClassifier(ThresholdTreeClassifier):
    """CART for numeric features: binary splits of largest impurity decrease.

    Parameters
    ----------
    criterion : {"gini", "entropy"}, default "gini"
        The impurity.
    max_leaf_nodes : int or None, default None
        With a limit the tree grows best first: the split that lowers the tree's impurity
        most comes next. None: depth first, until nothing is left to split.
    max_depth : int or None, default None
    min_samples_split : int, default 2
    min_samples_leaf : int, default 1
        Fewest rows of a branch.

    Notes
    -----
    A split that gains nothing is still made, since the next ones may gain (exclusive or).
    O(n_features n_samples log n_samples) to sort, O(n_features n_samples depth) to grow.

    References
    ----------
    Breiman, L., Friedman, J. H., Olshen, R. A. and Stone, C. J. (1984). Classification and
    Regression Trees. Chapter 4.
    """

    PARAMS = (
        Param(
            "criterion", str, "gini", choices=("gini", "entropy"), main=True,
            label="Impurity", help="Which impurity a split should lower most.",
        ),
        Param(
            "max_leaf_nodes", int, None, low=2, none=True, slider=(2, 200, 1), unit="leaves",
            main=True, label="Most leaves", help="Grow best first up to so many leaves.",
        ),
        MAX_DEPTH,
        MIN_SAMPLES_SPLIT,
        Param(
            "min_samples_leaf", int, 1, low=1, slider=(1, 50, 1), unit="rows", main=True,
            label="Smallest leaf", help="Fewest rows on each side of a split.",
        ),
    )  # fmt: skip

    def __init__(
        self,
        criterion="gini",
        max_leaf_nodes=None,
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
    ):
        self.criterion = criterion
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf

    @property
    def criterion_column(self) -> str:
        """The criterion by which features compete."""
        return _COLUMN[self.criterion]

    def _choice(self) -> Choice:
        return Choice(
            criterion=CRITERIA[self.criterion_column].code,
            scale=1.0,
            min_samples_leaf=self.min_samples_leaf,
            release_8=False,
            mdl_correction=False,
            average_gain=False,
            needs_gain=False,
            raw_scores_decide=True,
        )

    def _stop(self) -> Stop:
        depth = -1 if self.max_depth is None else self.max_depth
        return Stop(depth, self.min_samples_split, self.max_leaf_nodes or 0)

    def _tree(self, growth: ThresholdGrowth, feature_names: tuple[str, ...]) -> Tree:
        return growth.tree(feature_names, self.classes_, CRITERIA[self.criterion_column])
