"""AdaBoost.M1 on REMT trees, the forest that MCDF is compared with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lastviz._params import param, with_params
from lastviz._random import node_rng

from .base import CLASS_ORDER, MONOTONIC_CST, seed
from .forest import ForestClassifier, ForestProgress, TreeGrown
from .remt import REMTClassifier

SMALLEST_ERROR = 1e-10  # a tree without errors votes as if it had this one
CHANCE = 0.5


@dataclass(frozen=True, eq=False)
class Resample:
    """One round: the samples drawn and the changes of weight by its tree's errors."""

    rows: np.ndarray  # (n_samples,) intp, rising, with repeats
    error: float  # weighted share of errors on all rows
    wrong: np.ndarray  # int32, the rows with an error
    # Beta = error / (1 - error), by which the weights of the other rows were multiplied.
    factor: float
    restarted: bool = False  # whether all weights were made equal before it


@with_params
class AdaBoostM1Classifier(ForestClassifier):
    """AdaBoost.M1: trees on resamples that stress the errors of earlier trees.

    Attributes
    ----------
    draws_ : list of Resample

    Notes
    -----
    Each round draws n rows with replacement by weight. A tree with weighted error e has a
    vote of log((1 - e) / e); equal sums go to the lower class. A first tree that is no better
    than chance is kept alone, with a vote of 1. O(n_estimators n_features n_samples log n_samples).

    As printed, a tree with errors of weight 1/2 and more ends the rounds; many programs go on with
    equal weights (Bauer and Kohavi 1999), as `restart` does.

    Deviation: a tree without errors ends the rounds with the vote of an error of 1e-10.

    References
    ----------
    Freund, Y. and Schapire, R. E. (1997). A decision-theoretic generalization of on-line
    learning and an application to boosting. JCSS 55(1), 119-139.
    """

    # fmt: off
    estimator: str = param(
        str, "remt", choices=("remt",), label="Trees", help="What the trees are.",
    )
    n_estimators: int = param(
        int, 14, low=1, high=1000, slider=(1, 50, 1), unit="trees", main=True,
        label="Rounds", help="Largest number of trees; it stops after a round without errors.",
        doc="Errors of weight 1/2 and more end it, too.",
    )
    restart: bool = param(
        bool, False, label="Continue after a tree no better than chance",
        help="With equal weights, instead of ending there as the paper does.",
        doc="That tree is left out.",
    )
    random_state: int | np.random.RandomState | None = seed("The same seed draws the same rows.")
    monotonic_cst: object = MONOTONIC_CST
    class_order: object = CLASS_ORDER
    # fmt: on

    def weights_before(self, tree: int) -> np.ndarray:
        """Weight of each row when the rows of `tree` were drawn (n_samples,)."""
        n = len(self.draws_[0].rows)
        weights = even = np.full(n, 1.0 / n)
        for draw, following in pairwise(self.draws_[: tree + 1]):
            weights = even if following.restarted else _reweighed(weights, draw)
        return weights

    def _grow(self, X: np.ndarray, codes: np.ndarray) -> Iterator[TreeGrown | ForestProgress]:
        self.estimators_: list[REMTClassifier] = []
        self.draws_: list[Resample] = []
        self.tree_weights_ = np.zeros(0)
        weights = even = np.full(len(X), 1.0 / len(X))
        restarted = False
        for t in range(self.n_estimators):
            rng = node_rng(self.seed_, t)
            rows = np.sort(rng.choice(len(X), len(X), p=weights))
            tree = yield from self._grow_tree(X, codes, rows, self.n_estimators)
            wrong = np.flatnonzero(tree.tree_.predict(X) != codes).astype(np.int32)
            error = float(weights[wrong].sum())
            if error >= CHANCE and t > 0:
                if not self.restart:
                    return
                weights, restarted = even, True
                continue
            factor = error / (1.0 - error) if error < 1.0 else 1.0
            draw = Resample(rows, error, wrong, factor, restarted)
            self.estimators_.append(tree)
            self.draws_.append(draw)
            shown = max(error, SMALLEST_ERROR)
            vote = 1.0 if error >= CHANCE else float(np.log((1.0 - shown) / shown))
            self.tree_weights_ = np.append(self.tree_weights_, vote)
            yield TreeGrown(len(self.estimators_) - 1, self.n_estimators)
            if not len(wrong) or error >= CHANCE:
                return
            weights, restarted = _reweighed(weights, draw), False

    def _tree_params(self) -> dict[str, object]:
        return {}

    def _decide(
        self, label: np.ndarray, leaf: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        votes, tied = self._count_votes(label)
        return votes, tied, np.zeros_like(votes), tied.argmax(axis=1)


def _reweighed(weights: np.ndarray, draw: Resample) -> np.ndarray:
    """Weights after a round: the rows without an error count less, all sum to 1."""
    right = np.ones(len(weights), dtype=bool)
    right[draw.wrong] = False
    weights = np.where(right, weights * draw.factor, weights)
    return weights / weights.sum()
