"""What a tree is made of on its training data: a growth, a splitter, a family and a pruner.

An estimator's `recipe` says so in one place; one `fit`, one `grow` and one way of changing a tree
by hand, those of :class:`.TreeEstimator`, follow it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from lastviz._sentences import Sentence
from lastviz.builders import (
    Family,
    FewerFeatures,
    Growth,
    NodeSplitter,
    NodewiseGrowth,
    SearchProgress,
    SplitterFamily,
    Sprout,
    Stop,
    ThresholdGrowth,
    nodewise_sprout,
    stop_below,
)
from lastviz.criteria import CRITERIA
from lastviz.splitters import NodeContext, Presorted, Splitter, ThresholdSplitter, Unsorted
from lastviz.splitters.edits import ClassSplit, Edit, ForcedSplit
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.tree import GrowthLog, Tree

from .reading import TrainingData

Pruned = tuple[Tree, GrowthLog] | None
"""A pruned tree and what pruning did, None where nothing is pruned."""
PrunedInSteps = Generator[SearchProgress, None, Pruned]
Refuses = Callable[[Edit], Sentence | None]
"""Why an edit cannot be made, None if it can."""


@dataclass(frozen=True, eq=False)
class Recipe:
    """What the tree of an estimator is made of."""

    growth: Callable[[], Growth]  # () -> the growth of the tree, not begun
    tree: Callable[[Growth], Tree]  # a finished growth -> the grown tree
    # () -> the splitter that searches the fitted tree's nodes once more.
    splitter: Callable[[], Splitter]
    family: Callable[[], Family]  # () -> how the fitted tree grows from any of its nodes
    # (growth, nodes that stay or None) -> what pruning leaves, or a generator of signs of life that
    # returns it; None: the tree is not pruned.
    prune: Callable[[Growth, np.ndarray | None], Pruned | PrunedInSteps] | None = None
    # (rows) -> the growth on some of the rows, for folds.
    growth_on: Callable[[np.ndarray], Growth] | None = None
    # (growth) -> it comes to its end at once, with the best tree so far: what is done where
    # somebody closes it; None: nothing is, and the estimator not fitted.
    hurry: Callable[[Growth], None] | None = None


def threshold_recipe(
    data: TrainingData,
    choice: Choice,
    stop: Stop,
    criterion: str,
    *,
    directions: np.ndarray | None = None,
    n_jobs: int = 1,
    refusal: Refuses | None = None,
) -> Recipe:
    """Return the recipe of trees of thresholds that compiled loops choose and grow."""
    n_classes = len(data.classes)

    def searching(columns: Presorted | Unsorted) -> ThresholdSplitter:
        return ThresholdSplitter(columns, data.y, n_classes, choice, directions)

    def sprout(
        splitter: ThresholdSplitter, context: NodeContext, max_depth: int, without: tuple[int, ...]
    ) -> Sprout:
        here, left, known = splitter.presorted.take(context.rows), None, directions
        if without:
            left = np.delete(np.arange(here.n_features), without)
            here = here.with_features(left)
            known = None if known is None else known[left]
        growth = ThresholdGrowth(
            here,
            data.y[context.rows],
            n_classes,
            choice,
            stop_below(stop, max_depth, context.depth),
            known,
            n_scale=len(data.y),
        )
        return Sprout(growth, context.rows, left)

    def growth_on(rows: np.ndarray) -> ThresholdGrowth:
        return ThresholdGrowth(data.sorted.take(rows), data.y[rows], n_classes, choice, stop)

    made = splitter_recipe(
        data,
        lambda: searching(data.columns),
        stop,
        criterion,
        sorting=lambda: searching(data.sorted),
        growth=lambda: ThresholdGrowth(
            data.sorted, data.y, n_classes, choice, stop, directions, n_jobs
        ),
        sprout=sprout,
        refusal=refusal,
    )
    return replace(made, growth_on=growth_on)


def splitter_recipe(
    data: TrainingData,
    splitter: Callable[[], NodeSplitter],
    stop: Stop,
    criterion: str,
    *,
    sorting: Callable[[], NodeSplitter] | None = None,
    growth: Callable[[], Growth] | None = None,
    sprout: Callable[..., Sprout] | None = None,
    refusal: Refuses | None = None,
) -> Recipe:
    """Return the recipe of trees that a splitter searches, by itself grown node by node.

    Parameters
    ----------
    splitter : callable
        () -> splitter.
    criterion : str
        Whose impurity the nodes carry, a key of CRITERIA.
    sorting : callable, optional
        () -> the same splitter that sorts the columns first, where many nodes are searched.
    growth : callable, optional
        As in :class:`Recipe`; default: node by node.
    sprout : callable, optional
        (splitter, context, largest depth, features left out) -> the growth from a node on, see
        :class:`lastviz.builders.Family`; default: node by node.
    refusal : callable, optional
        Why the algorithm does not serve an edit, beside :func:`refused`.
    """
    n_classes, sorting = len(data.classes), sorting or splitter

    def grown(growth: Growth) -> Tree:
        return growth.tree(data.names, data.classes, CRITERIA[criterion])

    def by_node() -> NodewiseGrowth:
        return NodewiseGrowth(sorting(), data.y, n_classes, stop)

    def sprout_by_node(
        splitter: NodeSplitter, context: NodeContext, max_depth: int, without: tuple[int, ...]
    ) -> Sprout:
        if without:
            splitter = getattr(splitter, "without", partial(FewerFeatures, splitter))(without)
        return nodewise_sprout(splitter, data.y, n_classes, stop, context, max_depth)

    return Recipe(
        growth=growth or by_node,
        tree=grown,
        splitter=splitter,
        family=lambda: family_of(
            data,
            sorting(),
            sprout or sprout_by_node,
            grown,
            partial(refused, stop=stop, own=refusal),
        ),
    )


def family_of(
    data: TrainingData,
    splitter: NodeSplitter,
    sprout: Callable[..., Sprout],
    tree_of: Callable[[Growth], Tree],
    refusal: Refuses,
) -> SplitterFamily:
    """Return how trees grow from any node where the splitter makes the contexts."""
    return SplitterFamily(
        splitter=splitter,
        columns=data.X.T,
        n_categories=data.n_categories,
        names=data.names,
        sprout=partial(sprout, splitter),
        tree_of=tree_of,
        refusal=refusal,
    )


def refused(edit: Edit, stop: Stop, own: Refuses | None = None) -> Sentence | None:
    """Return why an edit cannot be made: for a reason of the algorithm's own, or of most trees."""
    sentence = None if own is None else own(edit)
    if sentence is None and stop.max_leaf_nodes and edit.slot != "prune":
        return Sentence(
            "with max_leaf_nodes the leaves compete over the entire tree, so no part of it "
            "grows on its own; remove that limit first"
        )
    if sentence is None and isinstance(edit, ForcedSplit) and isinstance(edit.split, ClassSplit):
        return Sentence("only an SVM tree splits by classes; choose a feature and a threshold")
    return sentence
