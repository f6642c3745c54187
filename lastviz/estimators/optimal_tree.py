"""The tree of fewest training errors."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from lastviz._params import param, with_params
from lastviz._sentences import Refusal
from lastviz.builders import Growth, NodewiseGrowth, Sprout, nodewise_sprout
from lastviz.splitters import NodeContext, OptimalSplitter, Presorted, Unsorted
from lastviz.splitters.optimal.exact_search import MOST_DEPTH, MOST_WEIGHT, MOST_WORK
from lastviz.tree import Tree

from .base import Recipe, Tags, splitter_recipe
from .reading import TrainingData, checked_weight
from .tree_estimator import TreeClassifier, WeightedTreeEstimator


@with_params
class OptimalTreeClassifier(WeightedTreeEstimator, TreeClassifier):
    """The tree that makes the fewest training errors of all trees of its depth.

    Not grown greedily: the whole tree is searched for, exactly, with thresholds between any two
    values. It is a referee of greedy trees. Where classes overlap, fewer training errors often
    mean no fewer errors on new rows.

    Attributes
    ----------
    sample_weight_ : ndarray or None, shape (n_samples,)
        The weights given to `fit`, for replay.
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
    depth 4; it need not be the only one. O(n_samples n_features^2) at depth 2, and at worst
    n_samples n_features times as much for each level more. Time depends on how much the classes
    overlap more than on the size: some milliseconds to some seconds for 1,000 rows at depth 3.
    Refused are more than
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
    READABLE: ClassVar = {}  # its own depth is a limit
    IS_ANYTIME = True  # a growth that is closed leaves a fitted estimator
    # fmt: off
    max_depth: int = param(
        int, 3, low=1, high=MOST_DEPTH, slider=(1, MOST_DEPTH, 1), main=True,
        label="Largest depth", help="Edges from the root to the deepest leaf.",
        doc=f"From 1 to {MOST_DEPTH}.",
    )
    alpha: float = param(
        float, 0.0, low=0.0, high=1.0, slider=(0.0, 0.1, 0.005), main=True,
        label="Price per leaf",
        help="What a further leaf must save, as a share of the training rows.",
        doc="From 0 to 1; it is rounded to whole rows. The first leaf is free.",
    )
    time_limit: float | None = param(
        float, None, low=0.0, none=True, slider=(0.0, 60.0, 1.0), unit="s", label="Time limit",
        help="After this time the search ends with the best tree found so far.",
        doc="In seconds. A bound comes with the tree.",
    )
    # fmt: on

    SCORED = "training errors saved, per row"

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
        """Whether the tree is proved to be the best.

        If not, the clock ended its search.
        """
        priced = self.n_errors_ + self._price * (self.tree_.n_leaves - 1)
        return priced <= self.lower_bound_

    def _read(
        self, X: object, y: object, presorted: Presorted | None, sample_weight: object = None
    ) -> TrainingData:
        data = super()._read(X, y, presorted)
        n, m = data.X.shape
        most = MOST_WORK.get(self.max_depth)
        if most is not None and n * m**2 > most:
            raise Refusal(
                "these data are too large for an optimal tree of depth {depth}: rows x features "
                "squared may be {most}, and are {here}; take fewer rows or features, or a smaller "
                "depth (max_depth)",
                depth=self.max_depth,
                most=most,
                here=n * m**2,
            )
        self.sample_weight_ = weight = checked_weight(sample_weight, data.X)
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
        return replace(data, weight=weight)

    def recipe(self, data: TrainingData) -> Recipe:
        """Exact search, whose effort at each node replay knows."""
        n_classes, stop, m = len(data.classes), self._stop(), data.X.shape[1]
        total = len(data.y) if data.weight is None else data.weight.sum()

        def on(columns: Presorted | Unsorted, **more: object) -> OptimalSplitter:
            price = round(self.alpha * total)
            return OptimalSplitter(
                columns, data.y, n_classes, self.max_depth, weight=data.weight, price=price, **more
            )

        def growth() -> NodewiseGrowth:
            splitter = on(data.sorted, time_limit=self.time_limit)
            return NodewiseGrowth(splitter, data.y, n_classes, stop)

        def sprout(
            _: OptimalSplitter, context: NodeContext, max_depth: int, without: tuple[int, ...]
        ) -> Sprout:
            # the best tree of the depth that is left to the node
            features = np.delete(np.arange(m), without) if without else None
            splitter = on(data.sorted, features=features)
            return nodewise_sprout(splitter, data.y, n_classes, stop, context, max_depth)

        made = splitter_recipe(
            data,
            lambda: on(data.columns, n_steps=self._n_steps),
            stop,
            self.criterion_column,
            sorting=lambda: on(data.sorted, n_steps=self._n_steps),
            growth=growth,
            sprout=sprout,
        )

        def tree(growth: Growth) -> Tree:
            if isinstance(growth, NodewiseGrowth):  # a changed tree has no bound of its own
                self.lower_bound_: int = growth.splitter.root_bound
                self._n_steps, self._price = growth.splitter.n_steps, growth.splitter.price
            return made.tree(growth)

        return replace(made, tree=tree, hurry=lambda growth: growth.splitter.hurry())
