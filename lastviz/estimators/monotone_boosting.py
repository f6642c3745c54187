"""Boosting whose predictions never contradict the directions of the features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lastviz._params import Param
from lastviz._random import node_rng
from lastviz.splitters import bin_cuts, binned
from lastviz.tree.forest_kernels import add_scores

from .base import seed
from .boosted_tree import BoostedTreeClassifier, scores_of, start_scores
from .forest import (
    ForestClassifier,
    ForestProgress,
    TreeGrown,
    borders_below,
    decided_by_scores,
    in_threads,
    node_table,
)


@dataclass(frozen=True, eq=False)
class Round:
    """One round of boosting."""

    rows: np.ndarray  # intp, the rows that its tree learnt from, rising
    error: float  # share of all rows that the sum of the trees so far puts into a wrong class


class MonotoneBoostingClassifier(ForestClassifier):
    """Gradient boosting of ordered classes that is monotone by construction.

    For each border between two neighbouring classes a score says whether a row lies above it; its
    class is as high as there are borders with a positive score. Each round grows one tree, whose
    leaves add to all scores a Newton step of the logistic losses. Where a split asks for a feature
    with a direction, no leaf on its lower side may add more to any score than a leaf on its upper
    side: so each tree is a monotone function, and with the trees their sum and the class.

    Parameters
    ----------
    max_iter : int, default 100
        Rounds, each of which grows one tree.
    learning_rate : float, default 0.15
        Share of its step that a leaf adds.
    max_depth : int, default 6
        Of each tree.
    min_samples_leaf : int, default 5
        Fewest rows of a branch.
    l2_regularization : float, default 0.1
        Added to the second derivatives of each leaf.
    subsample : float, default 0.8
        Share of the rows, drawn without replacement, that each tree learns from.
    random_state : int, RandomState or None, default 0
        Seed of the drawing.
    monotonic_cst : sequence of {1, -1, 0} or None, default None
        Whether the class rises (1) or falls (-1) with each feature, or nothing is promised (0);
        None: it rises with all.
    class_order : sequence or None, default None
        The classes from low to high; None: in the order of their numbers, or with a warning of
        the alphabet.

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

    PARAMS = (
        Param(
            "max_iter", int, 100, low=1, high=10_000, slider=(1, 300, 1), unit="trees", main=True,
            label="Rounds", help="Each grows one tree.",
        ),
        *BoostedTreeClassifier.PARAMS,
        Param(
            "subsample", float, 0.8, low=0.0, low_open=True, high=1.0, slider=(0.1, 1.0, 0.05),
            label="Share of the rows", help="Drawn anew for each tree, without replacement.",
        ),
        seed("The same seed draws the same rows."),
    )  # fmt: skip

    def __init__(
        self,
        max_iter: int = 100,
        learning_rate: float = 0.15,
        max_depth: int = 6,
        min_samples_leaf: int = 5,
        l2_regularization: float = 0.1,
        subsample: float = 0.8,
        random_state: int | np.random.RandomState | None = 0,
        monotonic_cst: object = None,
        class_order: object = None,
    ) -> None:
        self.max_iter = max_iter
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.subsample = subsample
        self.random_state = random_state
        self.monotonic_cst = monotonic_cst
        self.class_order = class_order

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Return the probability of each class, shape (n_samples, n_classes).

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
        """Return the weight of each row when those of `tree` were drawn: all the same."""
        n = int(self.n_samples_)
        return np.full(n, 1.0 / n)

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Return the scores of rows of checked data, shape (n_samples, n_classes - 1)."""
        return scores_of(X, self.start_, self._table())

    def predict_codes(self, X: np.ndarray) -> np.ndarray:
        """Return the class index of each row of checked data, a place in `classes_`."""
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
        bins, scores = binned(X, cuts), np.tile(self.start_, (len(X), 1))
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
