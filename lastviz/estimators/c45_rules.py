"""How C4.5 chooses, stops and prunes, in any space."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lastviz._params import Param
from lastviz.builders import Growth
from lastviz.criteria import CRITERIA, Offered
from lastviz.pruning import PRUNERS, TrainingRows
from lastviz.pruning.registry import CONFIDENCE, SUBTREE_RAISING
from lastviz.splitters import AnySplit, RuleChoice, Split, rule_of_c45
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.tree import Kind, Tree

from .base import MAX_DEPTH, MIN_SAMPLES_LEAF, MIN_SAMPLES_SPLIT
from .reading import TrainingData
from .recipe import Pruned
from .tree_attributes import ENTROPY_IS_GAIN
from .tree_estimator import TreeClassifier
from .tree_pruning import BY_TREE, prune_by_tree


class C45Rules(TreeClassifier):
    """Base of the classifiers that grow as C4.5 does and cut back by expected errors."""

    PARAMS = (
        Param(
            "criterion", str, "gain_ratio", choices=Offered("sodt"), aliases=ENTROPY_IS_GAIN,
            label="Criterion", help="What decides between the features' best thresholds.",
        ),
        Param(
            "pruning", str, "error_based", main=True, label="Pruning",
            choices=("error_based", "error_based_normal", "none"),
            help="How the grown tree is cut back.",
        ),
        replace(CONFIDENCE, main=True, needs=("pruning", ("error_based", "error_based_normal"))),
        replace(SUBTREE_RAISING, needs=("pruning", ("error_based", "error_based_normal"))),
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
        replace(MIN_SAMPLES_LEAF, default=2, main=True, label="Smallest branch"),
    )  # fmt: skip

    def as_stored(self, split: AnySplit | None, X: np.ndarray) -> AnySplit | None:
        """Return what the tree stores of a split that the search chooses on training data `X`."""
        if not isinstance(split, Split) or not self._cuts_at_values:
            return split
        values = self.encode(X)[:, split.feature]
        return replace(split, threshold=float(values[values <= split.threshold].max()))

    @property
    def criterion_column(self) -> str:
        """The criterion by which features compete."""
        return self._criterion

    def _choice(self) -> Choice | RuleChoice:
        if CRITERIA[self._criterion].code is None:
            rule = rule_of_c45(self._criterion)
            return RuleChoice(rule, self.min_samples_leaf, release_8=True)
        return Choice(
            criterion=CRITERIA[self._criterion].code,
            scale=1.0,
            min_samples_leaf=self.min_samples_leaf,
            release_8=True,
            mdl_correction=self.mdl_correction,
            average_gain=self.average_gain,
            needs_gain=True,
            raw_scores_decide=self._criterion == "gain" and not self.mdl_correction,
        )

    @property
    def _cuts_at_values(self) -> bool:
        return getattr(self, "threshold", "midpoint") == "value"

    def _grown(self, data: TrainingData, growth: Growth) -> Tree:
        """Return the grown tree; a leaf that ties keeps the class of the node above."""
        criterion = CRITERIA[self._criterion]
        tree = growth.tree(data.names, data.classes, criterion, keep_parents_class=True)
        return _cut_at_values(tree, growth.columns) if self._cuts_at_values else tree

    def _pruned(self, data: TrainingData, growth: Growth, kept: np.ndarray | None) -> Pruned:
        if self.pruning == "none":
            return None
        if self.pruning in BY_TREE:
            return prune_by_tree(self, self.pruning, kept)
        pruner = PRUNERS[self.pruning]
        impurity = CRITERIA[self._criterion].impurity
        return pruner.prune(
            self.grown_tree_,
            training=TrainingRows(growth.columns, data.y, impurity),
            kept=kept,
            **{param.name: getattr(self, param.name) for param in pruner.params},
        )


def _cut_at_values(tree: Tree, columns: np.ndarray) -> Tree:
    """Lower each threshold to the largest value of its column that is not above it."""
    threshold = tree.threshold.copy()
    for feature in np.unique(tree.feature[tree.kind == Kind.THRESHOLD]):
        here = np.flatnonzero(tree.feature == feature)
        values = np.unique(columns[feature])
        threshold[here] = values[np.searchsorted(values, threshold[here], side="right") - 1]
    return replace(tree, threshold=threshold)
