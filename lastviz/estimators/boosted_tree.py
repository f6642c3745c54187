"""One tree of monotone boosting: what each of its leaves adds to the scores of a row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np
from scipy.special import expit, logit

from lastviz._params import Param
from lastviz._sentences import Sentence
from lastviz.builders import NodewiseGrowth, Stop
from lastviz.criteria import CRITERIA
from lastviz.splitters import (
    BoostedSplitter,
    ObliqueSplit,
    Presorted,
    Slopes,
    bin_cuts,
    binned,
    stored_split,
)
from lastviz.splitters.edits import Edit, ForcedSplit
from lastviz.tree import Tree
from lastviz.tree.forest_kernels import add_scores

from .base import Tags, TreeClassifier
from .ordered import directions_of, encode_ordered
from .remt import medians


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
            help="How much of its step each tree goes.",
        ),
        Param(
            "max_depth", int, 6, low=1, high=30, slider=(1, 10, 1), main=True,
            label="Largest depth", help="Edges from the root to the deepest leaf of a tree.",
        ),
        Param(
            "min_samples_leaf", int, 5, low=1, slider=(1, 50, 1), unit="rows",
            label="Smallest leaf", help="Fewest rows on each side of a split.",
        ),
        Param(
            "l2_regularization", float, 0.1, low=0.0, low_open=True, high=1e6,
            slider=(0.1, 10.0, 0.1), label="Penalty of large scores",
            help="Larger keeps the scores of small leaves small.",
        ),
    )  # fmt: skip
    OTHER_PARAMS: ClassVar[Mapping[str, object]] = {"monotonic_cst": None, "class_order": None}
    TAGS = Tags(ordered_classes=True)

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
        self._training, self._cuts = (X, codes), cuts
        splitter = self._splitter_on(X, codes, scores, bins)
        self._finish(NodewiseGrowth(splitter, codes, len(classes), self._stop()).run())

    def _encode(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return encode_ordered(y, self.class_order)

    def _growth(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> NodewiseGrowth:
        self._cuts, self._before = bin_cuts(X), (start_scores(y, len(self.classes_)), {})
        return super()._growth(X, y, presorted)

    def _splitter(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None
    ) -> BoostedSplitter:
        start, table = self._before
        return self._splitter_on(X, y, scores_of(X, start, table), binned(X, self._cuts))

    def _splitter_on(
        self, X: np.ndarray, y: np.ndarray, scores: np.ndarray, bins: np.ndarray
    ) -> BoostedSplitter:
        share = expit(scores)
        above = y[:, None] > np.arange(scores.shape[1])
        slopes = Slopes(
            np.hstack([share - above, share * (1.0 - share)]),
            self.l2_regularization,
            self.min_samples_leaf,
            self.directions_,
        )
        self._searching = BoostedSplitter(
            bins, self._cuts, np.ascontiguousarray(X.T), y, len(self.classes_), slopes
        )
        return self._searching

    def follow(self, start: np.ndarray, table: dict[str, np.ndarray], place: int) -> None:
        """Say which trees came before, for replay: the first `place` ones of a table of nodes."""
        ends = {name: table[name][:place] for name in ("root", "depth")}
        self._before = (start, table | ends)

    def _stop(self) -> Stop:
        return Stop(self.max_depth, 2 * self.min_samples_leaf, max_leaf_nodes=0)

    def _take_tree(self, growth: NodewiseGrowth) -> None:
        super()._take_tree(growth)
        splitter, tree = self.__dict__.pop("_searching"), self.grown_tree_
        contexts = [splitter.root()] * tree.n_nodes
        for node in np.flatnonzero(tree.n_children):
            first = tree.first_child[node]
            below = splitter.children(contexts[node], stored_split(tree, node))
            contexts[first : first + 2] = below
        scores = np.array([self.learning_rate * splitter.step(each) for each in contexts])
        order = np.argsort(tree.key)
        self._keys, self._scores = tree.key[order], scores[order]

    def _tree(self, growth: NodewiseGrowth, feature_names: tuple[str, ...]) -> Tree:
        tree = growth.tree(feature_names, self.classes_, CRITERIA[self.criterion_column])
        return replace(tree, prediction=medians(tree, self.directions_))

    def _refusal(self, edit: Edit) -> Sentence | None:
        if isinstance(edit, ForcedSplit) and isinstance(edit.split, ObliqueSplit):
            return Sentence(
                "a tree of ordered classes has a direction for each feature, not for a hyperplane"
            )
        return super()._refusal(edit)


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
