"""ID3, and the textbook's C4.5 of nominal features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lastviz._params import param, with_params
from lastviz.builders import Growth
from lastviz.criteria import Offered
from lastviz.pruning import PRUNERS
from lastviz.pruning.registry import LITERAL
from lastviz.splitters import MixedChoice
from lastviz.tree import Missing

from .base import MAX_DEPTH, MIN_SAMPLES_SPLIT, Pruned, Recipe, Tags, mixed_recipe
from .columns import n_features_of
from .reading import TrainingData
from .tree_attributes import ENTROPY_IS_GAIN
from .tree_estimator import TreeClassifier, WeightedTreeEstimator


@with_params
class ID3Classifier(WeightedTreeEstimator, TreeClassifier):
    """ID3: the feature of largest information gain parts a node into all its values.

    Every distinct value of a column is a category, numbers too. With ``criterion="gain_ratio"``
    it is the textbook's C4.5.

    Notes
    -----
    O(n_features n_samples) per level. A feature is asked once on a path. A branch is made
    for each value that the node's rows have, as algorithm 5.2 says, so no leaf is empty and
    none is paid for in vain; a row with another value stops at the node that asks for it. Where
    counts tie the lowest class is predicted.

    Deviation: a split that gains nothing is not made even with ``min_gain=0``, where the text
    would make it; on exclusive-or the tree is a single leaf.

    References
    ----------
    Quinlan, J. R. (1986). Induction of decision trees. Machine Learning 1, 81-106.
    Li, H. Statistical Learning Methods, algorithms 5.2 to 5.4.
    """

    TAGS = Tags(nominal=True, max_values=20)

    # fmt: off
    criterion: str = param(
        str, "gain", choices=Offered("id3"), aliases=ENTROPY_IS_GAIN,
        main=True, label="Criterion", help="What decides between features.",
        doc='Information gain ("entropy" says the same); the gain over the split information; or '
            "the gain over the entropy of the node, as (5.10) is printed in the book's first "
            "edition, which divides all features of a node by the same number and so chooses as "
            "the gain does.",
    )
    min_gain: float = param(
        float, 0.0, low=0.0, slider=(0.0, 1.0, 0.01), main=True,
        label="Least gain", help="A node whose best feature scores less is a leaf.",
        doc="The threshold epsilon.",
    )
    entropy_alpha: float | None = param(
        float, None, low=0.0, none=True, none_word="no pruning",
        slider=(0.0, 20.0, 0.1), unit="bits", main=True, label="Price of a leaf",
        help="Cut the tree back to where entropy and price together are lowest.",
        doc="The price is that of a leaf, in bits; None: the tree is not cut back.",
    )
    literal: bool = LITERAL
    max_depth: int | None = MAX_DEPTH
    min_samples_split: int = MIN_SAMPLES_SPLIT
    # fmt: on

    @property
    def criterion_column(self) -> str:
        """The criterion by which features compete."""
        return self._criterion

    def _nominal(self, X: object) -> np.ndarray:
        return np.ones(n_features_of(X), dtype=bool)

    def recipe(self, data: TrainingData) -> Recipe:
        """Branch for each category that occurs, and the price of a leaf if it has one."""
        choice = MixedChoice(self._criterion, least_score=self.min_gain, empty_branches=False)
        made = mixed_recipe(data, choice, self._stop(), self._criterion, Missing.REFUSE)
        return replace(
            made,
            tree=lambda growth: replace(
                made.tree(growth), missing=Missing.REFUSE, feature_categories=data.categories
            ),
            prune=None if self.entropy_alpha is None else self._pruned,
        )

    def _pruned(self, growth: Growth, kept: np.ndarray | None) -> Pruned:
        return PRUNERS["entropy_cost"].prune(
            self.grown_tree_, alpha=self.entropy_alpha, literal=self.literal, kept=kept
        )
