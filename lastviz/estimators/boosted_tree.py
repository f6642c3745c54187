"""One tree of monotone boosting: contributions of its leaves to the scores of a sample."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, logit

from lastviz._params import param, with_params
from lastviz._random import node_rng
from lastviz.builders import Growth, NodewiseGrowth, Stop
from lastviz.splitters import BoostedSplitter, Slopes, bin_cuts, bin_values, result_of, stored_split
from lastviz.tree import Tree
from lastviz.tree.forest_kernels import add_scores

from .base import (
    CLASS_ORDER,
    MIN_SAMPLES_LEAF,
    MONOTONIC_CST,
    Recipe,
    Tags,
    directions_of,
    seed,
    splitter_recipe,
)
from .forest import (
    ForestClassifier,
    ForestProgress,
    TreeGrown,
    borders_below,
    decided_by_scores,
    in_threads,
    node_table,
)
from .reading import TrainingData
from .remt import by_medians, no_hyperplane
from .tree_estimator import TreeClassifier

LEARNING_RATE = param(
    float, 0.15, low=0.0, low_open=True, high=1.0, slider=(0.01, 0.5, 0.01),
    main=True, label="Learning rate", help="The share of its step that each tree contributes.",
)  # fmt: skip
TREE_DEPTH = param(
    int, 6, low=1, high=30, slider=(1, 10, 1), main=True,
    label="Largest depth", help="Edges from the root to the deepest leaf of a tree.",
)  # fmt: skip
TREE_LEAF = replace(MIN_SAMPLES_LEAF, default=5)
L2_REGULARIZATION = param(
    float, 0.1, low=0.0, low_open=True, high=1e6, slider=(0.1, 10.0, 0.1),
    label="Penalty of large scores", help="Larger keeps the scores of small leaves small.",
    doc="It is added to the second derivatives of each leaf.",
)  # fmt: skip


@with_params
class BoostedTreeClassifier(TreeClassifier):
    """One tree of :class:`.MonotoneBoostingClassifier`.

    By itself it is the tree of a first round.

    Attributes
    ----------
    scores_ : ndarray of float64, shape (n_nodes, n_classes - 1)
        What each node of `tree_` adds to the scores of its rows, were it a leaf.

    Notes
    -----
    A node predicts the median class of its rows; for the sum of the trees their scores count.
    """

    learning_rate: float = LEARNING_RATE
    max_depth: int = TREE_DEPTH
    min_samples_leaf: int = TREE_LEAF
    l2_regularization: float = L2_REGULARIZATION
    monotonic_cst: object = MONOTONIC_CST
    class_order: object = CLASS_ORDER
    TAGS = Tags(ordered_classes=True)

    SCORED = "loss saved, per row"

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
        """Contribution of each node to the scores of its samples, were it a leaf."""
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
        """Class index of each row of checked data, a place in `classes_`."""
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
        read = self._data(X, X, codes, None)
        splitter = self._searching(read, scores, bins)
        growth = NodewiseGrowth(splitter, codes, len(classes), self._stop())
        result_of(self._finish(X, self.recipe(read), growth.run()))

    def recipe(self, data: TrainingData) -> Recipe:
        """Search by the slopes of the loss, and scores beside the classes of nodes."""
        n_classes, stop = len(data.classes), self._stop()

        def splitter() -> BoostedSplitter:
            scores = scores_of(data.X, *self._before)
            return self._searching(data, scores, bin_values(data.X, self._cuts))

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
        """Keys of the nodes, rising, and the contribution of each to its samples' scores."""
        contexts = [splitter.root()] * tree.n_nodes
        for node in np.flatnonzero(tree.n_children):
            first = tree.first_child[node]
            below = splitter.children(contexts[node], stored_split(tree, node))
            contexts[first : first + 2] = below
        scores = np.array([self.learning_rate * splitter.step(each) for each in contexts])
        order = np.argsort(tree.key)
        return tree.key[order], scores[order]

    def follow(self, start: np.ndarray, table: dict[str, np.ndarray], place: int) -> None:
        """Set the earlier trees for replay: the first `place` ones of a table of nodes."""
        ends = {name: table[name][:place] for name in ("root", "depth")}
        self._before = (start, table | ends)

    def _stop(self) -> Stop:
        return Stop(self.max_depth, 2 * self.min_samples_leaf, max_leaf_nodes=0)


def start_scores(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """Log odds of the classes above each border, shape (n_classes - 1,)."""
    counts = np.bincount(codes, minlength=n_classes)
    return logit(1.0 - np.cumsum(counts)[:-1] / len(codes))


def scores_of(X: np.ndarray, start: np.ndarray, table: dict[str, np.ndarray]) -> np.ndarray:
    """Scores of samples: those of the start plus the contributions of a table's trees."""
    total = np.tile(start, (len(X), 1))
    if table:
        add_scores(np.ascontiguousarray(X), **table, total=total)
    return total


# ---- Boosting whose predictions never contradict the directions of the features


@dataclass(frozen=True, eq=False)
class Round:
    """One round of boosting."""

    rows: np.ndarray  # intp, the rows that its tree learnt from, rising
    error: float  # share of all rows that the sum of the trees so far puts into a wrong class


@with_params
class MonotoneBoostingClassifier(ForestClassifier):
    """Gradient boosting of ordered classes that is monotone by construction.

    For each border between two neighbouring classes a score says whether a row lies above it; its
    class is as high as there are borders with a positive score. Each round grows one tree, whose
    leaves add to all scores a Newton step of the logistic losses. Where a split asks for a feature
    with a direction, no leaf on its lower side may add more to any score than a leaf on its upper
    side: so each tree is a monotone function, and with the trees their sum and the class.

    Attributes
    ----------
    estimators_ : list of BoostedTreeClassifier
    draws_ : list of Round
    start_ : ndarray of float64, shape (n_classes - 1,)
        The scores before the first round: the log odds of the classes above each border.
    n_samples_ : int
        Rows that it was fitted on.

    Notes
    -----
    O(max_iter n_samples n_features n_classes max_depth). Thresholds lie between at most 255 bins of
    each feature, by their quantiles.

    Deviation: Frank and Hall learn a model for each border; here the borders share the trees, and
    a split must be monotone for all of them. Deviation: a node whose rows have one class is not
    split, and no step exceeds 10.

    References
    ----------
    Friedman, J. H. (2002). Stochastic gradient boosting. Computational Statistics and Data
    Analysis 38(4), 367-378.
    Frank, E. and Hall, M. (2001). A simple approach to ordinal classification. ECML, 145-156.
    Chen, T. and Guestrin, C. (2016). XGBoost: a scalable tree boosting system. KDD, 785-794.
    """

    adds_scores = True
    # fmt: off
    max_iter: int = param(
        int, 100, low=1, high=10_000, slider=(1, 300, 1), unit="trees", main=True,
        label="Rounds", help="Each grows one tree.",
    )
    learning_rate: float = LEARNING_RATE
    max_depth: int = TREE_DEPTH
    min_samples_leaf: int = TREE_LEAF
    l2_regularization: float = L2_REGULARIZATION
    subsample: float = param(
        float, 0.8, low=0.0, low_open=True, high=1.0, slider=(0.1, 1.0, 0.05),
        label="Share of the rows", help="Drawn anew for each tree, without replacement.",
        doc="It is what a tree learns from.",
    )
    random_state: int | np.random.RandomState | None = seed("The same seed draws the same rows.")
    monotonic_cst: object = MONOTONIC_CST
    class_order: object = CLASS_ORDER
    # fmt: on

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Probability of each class, shape (n_samples, n_classes).

        The logistic function of each score is the probability of lying above that border; those
        of neighbouring borders are subtracted, put in order where they cross. A row gets the median
        class of this distribution: where another is more probable, just as much certainty in the
        median is mixed in as makes it the largest.

        References
        ----------
        Frank, E. and Hall, M. (2001). A simple approach to ordinal classification. ECML, 145-156:
        the probabilities of the borders and their differences.
        """
        return super().predict_proba(X)

    @property
    def n_iter_(self) -> int:
        """Rounds."""
        return len(self.estimators_)

    def weights_before(self, tree: int) -> np.ndarray:
        """Weight of each row when those of `tree` were drawn: all the same."""
        n = int(self.n_samples_)
        return np.full(n, 1.0 / n)

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Scores of rows of checked data, shape (n_samples, n_classes - 1)."""
        return scores_of(X, self.start_, self._table())

    def predict_codes(self, X: np.ndarray) -> np.ndarray:
        """Class index of each row of checked data, a place in `classes_`."""
        table = self._table()
        parts = in_threads(
            lambda part: borders_below(scores_of(X[part], self.start_, table)), len(X), self._jobs()
        )
        return np.concatenate(parts)

    def _grow(self, X: np.ndarray, codes: np.ndarray) -> Iterator[TreeGrown | ForestProgress]:
        n_classes, names = len(self.classes_), getattr(self, "feature_names_in_", None)
        self.start_ = start_scores(codes, n_classes)
        self.estimators_: list[BoostedTreeClassifier] = []
        self.draws_: list[Round] = []
        cuts = bin_cuts(X)
        self.n_samples_ = len(X)
        bins, scores = bin_values(X, cuts), np.tile(self.start_, (len(X), 1))
        size = int(np.ceil(self.subsample * len(X)))
        for t in range(self.max_iter if n_classes > 1 else 1):
            rows = np.sort(node_rng(self.seed_, t).choice(len(X), size, replace=False))
            tree = BoostedTreeClassifier(**self._tree_params())
            data = X[rows], np.ascontiguousarray(bins[:, rows]), codes[rows]
            tree.grow_codes(data, scores[rows], cuts, self.classes_, names)
            add_scores(X, **_table_of([tree]), total=scores)
            self.estimators_.append(tree)
            self.draws_.append(Round(rows, float(np.mean(borders_below(scores) != codes))))
            self.tree_weights_ = np.ones(len(self.estimators_))
            yield TreeGrown(t, self.max_iter)
        table = self._table()
        for t, tree in enumerate(self.estimators_):
            tree.follow(self.start_, table, t)

    def _tree_params(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in BoostedTreeClassifier().get_params()}

    def _table(self) -> dict[str, np.ndarray]:
        return _table_of(self.estimators_)

    def _decide(
        self, label: np.ndarray, leaf: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        return decided_by_scores(self.start_, [each.scores_ for each in self.estimators_], leaf)


def _table_of(trees: list[BoostedTreeClassifier]) -> dict[str, np.ndarray]:
    table = node_table([each.tree_ for each in trees])
    del table["label"]
    return {**table, "score": np.concatenate([each.scores_ for each in trees])}
