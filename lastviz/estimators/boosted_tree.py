"""One tree of monotone boosting: what each of its leaves adds to the scores of a row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np
from scipy.special import expit, logit

from lastviz._params import Param
from lastviz.builders import Growth, NodewiseGrowth, Stop
from lastviz.splitters import BoostedSplitter, Slopes, bin_cuts, binned, result_of, stored_split
from lastviz.tree import Tree
from lastviz.tree.forest_kernels import add_scores

from .base import MIN_SAMPLES_LEAF, Tags
from .ordered import directions_of
from .reading import TrainingData
from .recipe import Recipe, splitter_recipe
from .remt import by_medians, no_hyperplane
from .tree_estimator import TreeClassifier


class BoostedTreeClassifier(TreeClassifier):
    """One tree of :class:`.MonotoneBoostingClassifier`; alone it is that of a first round.

    Parameters are those of the same name there.

    Attributes
    ----------
    scores_ : ndarray of float64, shape (n_nodes, n_classes - 1)
        What each node of `tree_` adds to the scores of its rows, were it a leaf.

    Notes
    -----
    A node predicts the median class of its rows; for the sum of the trees their scores count.
    """

    PARAMS = (
        Param(
            "learning_rate", float, 0.15, low=0.0, low_open=True, high=1.0,
            slider=(0.01, 0.5, 0.01), main=True, label="Learning rate",
            help="The share of its step that each tree contributes.",
        ),
        Param(
            "max_depth", int, 6, low=1, high=30, slider=(1, 10, 1), main=True,
            label="Largest depth", help="Edges from the root to the deepest leaf of a tree.",
        ),
        replace(MIN_SAMPLES_LEAF, default=5),
        Param(
            "l2_regularization", float, 0.1, low=0.0, low_open=True, high=1e6,
            slider=(0.1, 10.0, 0.1), label="Penalty of large scores",
            help="Larger keeps the scores of small leaves small.",
        ),
    )  # fmt: skip
    OTHER_PARAMS: ClassVar[Mapping[str, object]] = {"monotonic_cst": None, "class_order": None}
    TAGS = Tags(ordered_classes=True)

    SCORED = "loss saved, per row"

    def __init__(
        self,
        learning_rate: float = 0.15,
        max_depth: int = 6,
        min_samples_leaf: int = 5,
        l2_regularization: float = 0.1,
        monotonic_cst: object = None,
        class_order: object = None,
    ) -> None:
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.monotonic_cst = monotonic_cst
        self.class_order = class_order

    @property
    def criterion_column(self) -> str:
        """The criterion whose impurity the nodes carry; it chooses nothing here."""
        return "rmi"

    @property
    def directions_(self) -> np.ndarray:
        """The direction of each feature, 1, -1 or 0, shape (n_features,)."""
        return directions_of(self.monotonic_cst, self.n_features_in_)

    @property
    def scores_(self) -> np.ndarray:
        """What each node adds to the scores of its rows, were it a leaf."""
        return self._scores[np.searchsorted(self._keys, self.tree_.key)]

    @property
    def feature_importances_(self) -> np.ndarray:
        """By how much the splits of each feature lower the loss, as shares of the sum."""
        tree = self.tree_
        inner = tree.n_children > 0
        gain = np.nan_to_num(tree.score[inner]) * tree.n_node_samples[inner]
        total = np.bincount(tree.feature[inner], gain, tree.n_features)
        return total / (total.sum() or 1.0)

    @property
    def predict_proba(self) -> None:
        """Not offered: a leaf's class is not the most frequent one of its rows."""
        raise AttributeError("BoostedTreeClassifier has no predict_proba: its leaves hold medians")

    def predict_codes(self, X: np.ndarray) -> np.ndarray:
        """Return the class index of each row of checked data, a place in `classes_`."""
        return self.tree_.predict(X)

    def grow_codes(
        self,
        data: tuple[np.ndarray, np.ndarray, np.ndarray],
        scores: np.ndarray,
        cuts: list[np.ndarray],
        classes: np.ndarray,
        names: np.ndarray | None,
    ) -> None:
        """Fit on rows that the boosting has checked: their values, bins and class indices.

        `scores` (n_samples, n_classes - 1) are those that the trees before give them.
        """
        X, bins, codes = data
        self.classes_, self.n_features_in_ = classes, X.shape[1]
        if names is not None:
            self.feature_names_in_ = names
        self._cuts = cuts
        read = self._of_numbers(X, codes, None)
        splitter = self._searching(read, scores, bins)
        growth = NodewiseGrowth(splitter, codes, len(classes), self._stop())
        result_of(self._finish(X, self.recipe(read), growth.run()))

    def recipe(self, data: TrainingData) -> Recipe:
        """Return a search by the slopes of the loss, and scores beside the classes of nodes."""
        n_classes, stop = len(data.classes), self._stop()

        def splitter() -> BoostedSplitter:
            scores = scores_of(data.X, *self._before)
            return self._searching(data, scores, binned(data.X, self._cuts))

        def growth() -> NodewiseGrowth:
            self._cuts, self._before = bin_cuts(data.X), (start_scores(data.y, n_classes), {})
            return NodewiseGrowth(splitter(), data.y, n_classes, stop)

        def tree(growth: Growth) -> Tree:
            grown = by_medians(made.tree(growth), self.directions_)
            searched = growth.splitter if isinstance(growth, NodewiseGrowth) else splitter()
            self._keys, self._scores = self._scored(grown, searched)
            return grown

        made = splitter_recipe(
            data, splitter, stop, self.criterion_column, growth=growth, refusal=no_hyperplane
        )
        return replace(made, tree=tree)

    def _searching(
        self, data: TrainingData, scores: np.ndarray, bins: np.ndarray
    ) -> BoostedSplitter:
        share = expit(scores)
        above = data.y[:, None] > np.arange(scores.shape[1])
        slopes = Slopes(
            np.hstack([share - above, share * (1.0 - share)]),
            self.l2_regularization,
            self.min_samples_leaf,
            self.directions_,
        )
        columns = np.ascontiguousarray(data.X.T)
        return BoostedSplitter(bins, self._cuts, columns, data.y, len(data.classes), slopes)

    def _scored(self, tree: Tree, splitter: BoostedSplitter) -> tuple[np.ndarray, np.ndarray]:
        """Return the keys of the nodes, rising, and what each adds to the scores of its rows."""
        contexts = [splitter.root()] * tree.n_nodes
        for node in np.flatnonzero(tree.n_children):
            first = tree.first_child[node]
            below = splitter.children(contexts[node], stored_split(tree, node))
            contexts[first : first + 2] = below
        scores = np.array([self.learning_rate * splitter.step(each) for each in contexts])
        order = np.argsort(tree.key)
        return tree.key[order], scores[order]

    def follow(self, start: np.ndarray, table: dict[str, np.ndarray], place: int) -> None:
        """Say which trees came before, for replay: the first `place` ones of a table of nodes."""
        ends = {name: table[name][:place] for name in ("root", "depth")}
        self._before = (start, table | ends)

    def _stop(self) -> Stop:
        return Stop(self.max_depth, 2 * self.min_samples_leaf, max_leaf_nodes=0)


def start_scores(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """Return the log odds of the classes above each border, shape (n_classes - 1,)."""
    counts = np.bincount(codes, minlength=n_classes)
    return logit(1.0 - np.cumsum(counts)[:-1] / len(codes))


def scores_of(X: np.ndarray, start: np.ndarray, table: dict[str, np.ndarray]) -> np.ndarray:
    """Return the scores of rows: those of the start, and what each tree of a table adds."""
    total = np.tile(start, (len(X), 1))
    if table:
        add_scores(np.ascontiguousarray(X), **table, total=total)
    return total
