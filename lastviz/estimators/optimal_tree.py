"""The tree of fewest training errors."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lastviz._params import Param
from lastviz._sentences import Refusal
from lastviz.builders import (
    GrowthEvent,
    NodewiseGrowth,
    SearchProgress,
    SplitterFamily,
    Sprout,
)
from lastviz.splitters import NodeContext, OptimalSplitter, Presorted, Unsorted, presort
from lastviz.splitters.optimal.exact_search import MOST_DEPTH, MOST_WEIGHT, MOST_WORK

from .base import Tags
from .weighted import WeightedTreeClassifier


class OptimalTreeClassifier(WeightedTreeClassifier):
    """The tree that makes the fewest training errors of all trees of its depth.

    Not grown greedily: the whole tree is searched for, exactly, with thresholds between any two
    values. It is a referee of greedy trees. Where classes overlap, fewer training errors often
    mean no fewer errors on new rows.

    Parameters
    ----------
    max_depth : int, default 3
        Of the tree, from 1 to 4.
    alpha : float, default 0.0
        What a leaf beyond the first must save, as a share of the training rows, from 0 to 1. It
        is rounded to whole rows.
    time_limit : float or None, default None
        Seconds after which the search ends with the best tree so far, and with a bound.

    Attributes
    ----------
    n_errors_ : int
        Training errors of the tree.
    lower_bound_ : int
        No tree of this depth makes fewer errors, each leaf beyond the first counted as the
        rows that it must save.
    is_optimal_ : bool
        Whether that proves the tree to be the best; if not, the clock or somebody ended the search.

    Notes
    -----
    Of trees with as many errors one of the fewest leaves is found at depths 1 to 3, some tree at
    depth 4; it need not be the only one. Time depends on how much the classes overlap more than on
    the size: some milliseconds to some seconds for 1,000 rows at depth 3. Refused are more than
    5,000,000 rows x features squared at depth 3, and more than 500,000 at depth 4.

    `grow` may be closed while it searches: the estimator is fitted then, by the best tree so far.

    Deviation: `min_samples_leaf` is not offered. With it a smaller set of rows may cost more than
    a larger one, and the bounds would not hold; `alpha` keeps leaves from being tiny.

    References
    ----------
    Brita, van der Linden and Demirovic (2025). Optimal classification trees for continuous
    feature data using dynamic programming with branch-and-bound.
    """

    TAGS = Tags(indicators=True)
    IS_ANYTIME = True  # a growth that is closed leaves a fitted estimator
    PARAMS = (
        Param(
            "max_depth", int, 3, low=1, high=MOST_DEPTH, slider=(1, MOST_DEPTH, 1), main=True,
            label="Largest depth", help="Edges from the root to the deepest leaf.",
        ),
        Param(
            "alpha", float, 0.0, low=0.0, high=1.0, slider=(0.0, 0.1, 0.005), main=True,
            label="Price per leaf",
            help="What a further leaf must save, as a share of the training rows.",
        ),
        Param(
            "time_limit", float, None, low=0.0, none=True, slider=(0.0, 60.0, 1.0), unit="s",
            label="Time limit", help="After this time the search ends with the best tree found so "
                                     "far.",
        ),
    )  # fmt: skip

    def __init__(
        self, max_depth: int = 3, alpha: float = 0.0, time_limit: float | None = None
    ) -> None:
        self.max_depth = max_depth
        self.alpha = alpha
        self.time_limit = time_limit

    @property
    def criterion_column(self) -> str:
        """The criterion whose impurity the nodes carry; it chooses nothing here."""
        return "gini"

    @property
    def max_depth_cuts(self) -> bool:
        """False: the best tree of a smaller depth may begin with another split."""
        return False

    @property
    def n_errors_(self) -> int:
        """Training errors of the tree."""
        tree = self.tree_
        right = tree.value[tree.n_children == 0].max(axis=1).sum()
        return int(tree.value[0].sum() - right)

    @property
    def is_optimal_(self) -> bool:
        """Whether the tree is proved to be the best; if not, the clock ended its search."""
        priced = self.n_errors_ + self._price * (self.tree_.n_leaves - 1)
        return priced <= self.lower_bound_

    def _growth(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> NodewiseGrowth:
        most = MOST_WORK.get(self.max_depth)
        if most is not None and len(X) * X.shape[1] ** 2 > most:
            raise Refusal(
                "X is too large for an optimal tree of depth {depth}: rows x features squared may "
                "be {most}, and are {here}; take fewer rows or features, or a smaller max_depth",
                depth=self.max_depth,
                most=most,
                here=len(X) * X.shape[1] ** 2,
            )
        self.sample_weight_ = self._weight_of(X)
        splitter = self._splitter_on(
            presort(X) if presorted is None else presorted, y, time_limit=self.time_limit
        )
        return NodewiseGrowth(splitter, y, len(self.classes_), self._stop())

    def _weight_of(self, X: np.ndarray) -> np.ndarray | None:
        weight = super()._weight_of(X)
        if weight is not None:
            wrong = np.flatnonzero((weight != np.floor(weight)) | (weight > MOST_WEIGHT))
            if len(wrong):
                raise Refusal(
                    "an optimal tree counts in whole numbers: sample_weight must hold whole "
                    "numbers up to {most}, row {row} has {weight}; multiply and round them",
                    most=MOST_WEIGHT,
                    row=int(wrong[0]),
                    weight=float(weight[wrong[0]]),
                )
        return weight

    def _splitter_on(
        self,
        presorted: Presorted | Unsorted,
        y: np.ndarray,
        *,
        time_limit: float | None = None,
        n_steps: dict[int, int] | None = None,
        features: np.ndarray | None = None,
    ) -> OptimalSplitter:
        weight = self.sample_weight_
        if weight is not None and len(weight) != presorted.n_samples:
            raise Refusal("X must be the data that the estimator was fitted on")
        total = presorted.n_samples if weight is None else weight.sum()
        return OptimalSplitter(
            presorted, y, len(self.classes_), self.max_depth,
            weight=weight, price=round(self.alpha * total),
            time_limit=time_limit, n_steps=n_steps, features=features,
        )  # fmt: skip

    def _events(
        self, growth: NodewiseGrowth, *given: object
    ) -> Iterator[GrowthEvent | SearchProgress]:
        events = super()._events(growth, *given)
        for event in events:
            try:
                yield event
            except GeneratorExit:
                growth.splitter.hurry()
                for _ in events:
                    pass
                raise

    def _finishing(self, growth: NodewiseGrowth) -> Iterator[SearchProgress]:
        yield from super()._finishing(growth)
        self.lower_bound_: int = growth.splitter.root_bound
        self._n_steps, self._price = growth.splitter.n_steps, growth.splitter.price

    def _splitter(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None
    ) -> OptimalSplitter:
        return self._splitter_on(
            Unsorted(X) if presorted is None else presorted, y, n_steps=self._n_steps
        )

    def _family(self, X: np.ndarray, y: np.ndarray, presorted: Presorted | None) -> SplitterFamily:
        return super()._family(X, y, presort(X) if presorted is None else presorted)

    def _sprout(
        self,
        splitter: OptimalSplitter,
        y: np.ndarray,
        context: NodeContext,
        max_depth: int,
        without: tuple[int, ...],
    ) -> Sprout:
        """Return the growth from a node on: the best tree of the depth that is left to it."""
        data = splitter.presorted
        features = np.delete(np.arange(data.n_features), without) if without else None
        splitter = self._splitter_on(data, y, features=features)
        return super()._sprout(splitter, y, context, max_depth, ())
