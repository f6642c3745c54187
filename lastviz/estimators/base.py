"""Declarations of an algorithm: the data that it takes, and parameters shared by many."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from lastviz._params import param
from lastviz._sentences import Statement
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
from lastviz.splitters import (
    MixedChoice,
    MixedSplitter,
    MixedTable,
    NodeContext,
    ObliqueSplit,
    Splitter,
    ThresholdSplitter,
)
from lastviz.splitters.edits import ClassSplit, Edit, ForcedSplit
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.tree import GrowthLog, Missing, Reason, Tree

from .reading import TrainingData

MAX_DEPTH = param(
    int, None, low=1, none=True, slider=(1, 20, 1),
    label="Largest depth", help="Edges from the root to the deepest leaf; None: no limit.",
)  # fmt: skip
MIN_SAMPLES_SPLIT = param(
    int, 2, low=2, slider=(2, 100, 1), unit="rows",
    label="Smallest node to split", help="A node with fewer rows becomes a leaf.",
)  # fmt: skip
MIN_SAMPLES_LEAF = param(
    int, 1, low=1, slider=(1, 50, 1), unit="rows",
    label="Smallest leaf", help="Fewest rows on each side of a split.",
)  # fmt: skip
# What is known about the data: parameters without a widget.
CATEGORICAL_FEATURES = param(
    object, "from_dtype", type_doc='"from_dtype", None or list',
    doc="Nominal columns: those of a DataFrame whose type is category, object, string or bool; "
        "none; or their numbers or names.",
)  # fmt: skip
MONOTONIC_CST = param(
    object, None, type_doc="sequence of {1, -1, 0} or None",
    doc="Whether the class rises (1) or falls (-1) with each feature, or neither is known (0): "
        "REMT then takes each cut in the direction that tells more, boosting promises nothing. "
        "None: it rises with all.",
)  # fmt: skip
CLASS_ORDER = param(
    object, None, type_doc="sequence or None",
    doc="The classes from low to high; None: in the order of their numbers, or with a warning of "
        "the alphabet.",
)  # fmt: skip


def seed(help: str, label: str = "Seed of the algorithm") -> Any:
    """Seed of an algorithm's random draws, as a parameter."""
    return param(int, 0, low=0, drawn=True, slider=(0, 99, 1), label=label, help=help)


def most_on(shares: np.ndarray, decided: np.ndarray) -> np.ndarray:
    """Class shares (n, n_classes), adjusted to be largest at the predicted class.

    Where it is not, as where a median decides or shares tie, the certainty in the decision that
    just makes it the largest is mixed in: scikit-learn's contract is that ``predict`` is the argmax
    of ``predict_proba``.
    """
    short = np.flatnonzero(shares.argmax(axis=1) != decided)
    lacks = shares[short].max(axis=1) - shares[short, decided[short]]
    mixed = shares.copy()
    mixed[short] /= 1.0 + lacks[:, None]
    mixed[short, decided[short]] = np.nextafter(mixed[short].max(axis=1), 2.0)
    return mixed


def shares_of(tree: Tree, X: np.ndarray) -> np.ndarray:
    """Class shares of samples encoded as a tree reads them.

    The largest is that of the predicted class, unless costs decide.
    """
    shares, leaf = tree.class_shares(X), tree.n_children == 0
    if tree.costs is not None or (tree.value[leaf].argmax(axis=1) == tree.prediction[leaf]).all():
        return shares
    return most_on(shares, tree.predict(X))


@dataclass(frozen=True)
class Tags:
    """Requirements of an algorithm on its data."""

    nominal: bool = False  # whether it splits nominal columns as such
    # Whether a nominal column makes sense to it as one column of 0 and 1 for each value.
    indicators: bool = False
    missing: bool = False  # whether it treats missing values
    ordered_classes: bool = False  # whether it needs an order of the classes
    task: str = "classification"
    # Most distinct values of a numeric column that make sense to it; None: any number.
    max_values: int | None = None
    # Whether it grows many trees, in `estimators_`, and has no `tree_` of its own.
    forest: bool = False
    # Whether it turns a hyperplane at each node, move after move, until nothing is better.
    hyperplanes: bool = False
    # Key of the algorithm that it is without the step that is its own; None: it has no such.
    plain: str | None = None


@dataclass(frozen=True)
class Alternative:
    """Parameter that ended growth for many samples, and a value that would not have."""

    param: str  # name of the parameter
    value: object  # its other value
    reason: Reason  # why growth ended there
    n_samples: int  # training rows in the leaves that were made for that reason


# ---- What a tree is made of on its training data: a growth, a splitter, a family and a pruner
#
# An estimator's `recipe` says so in one place; one `fit`, one `grow` and one way of changing a tree
# by hand, those of :class:`.TreeEstimator`, follow it.


Pruned = tuple[Tree, GrowthLog] | None
"""A pruned tree and what pruning did, None where nothing is pruned."""
PrunedInSteps = Generator[SearchProgress, None, Pruned]
Refuses = Callable[[Edit], Statement | None]
"""Why an edit cannot be made, None if it can."""


@dataclass(frozen=True, eq=False)
class Recipe:
    """Components that an estimator's tree is made of."""

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
    """Recipe of trees of thresholds that compiled loops choose and grow."""
    n_classes = len(data.classes)
    return Recipe(
        growth=lambda: ThresholdGrowth(
            data.sorted, data.y, n_classes, choice, stop, directions, n_jobs
        ),
        tree=partial(plain_tree, data, criterion),
        splitter=lambda: ThresholdSplitter(data.columns, data.y, n_classes, choice, directions),
        family=lambda: threshold_family(data, choice, stop, criterion, directions, refusal),
        growth_on=lambda rows: ThresholdGrowth(
            data.sorted.take(rows), data.y[rows], n_classes, choice, stop, directions, n_jobs
        ),
    )


def threshold_family(
    data: TrainingData,
    choice: Choice,
    stop: Stop,
    criterion: str,
    directions: np.ndarray | None = None,
    refusal: Refuses | None = None,
) -> SplitterFamily:
    """Growth of trees of thresholds from any node."""
    n_classes = len(data.classes)
    splitter = ThresholdSplitter(data.sorted, data.y, n_classes, choice, directions)

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

    refuses = partial(edit_refusal, stop=stop, own=refusal)
    return family_of(data, splitter, sprout, partial(plain_tree, data, criterion), refuses)


def plain_tree(data: TrainingData, criterion: str, growth: Growth) -> Tree:
    """Tree of a finished growth, whose nodes carry the impurity of a criterion."""
    return growth.tree(data.names, data.classes, CRITERIA[criterion])


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
    """Recipe of trees that a splitter searches, by itself grown node by node.

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
        Why the algorithm does not serve an edit, beside :func:`edit_refusal`.
    """
    n_classes, sorting = len(data.classes), sorting or splitter
    grown = partial(plain_tree, data, criterion)

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
            partial(edit_refusal, stop=stop, own=refusal),
        ),
    )


def mixed_recipe(
    data: TrainingData, choice: MixedChoice, stop: Stop, criterion: str, missing: Missing
) -> Recipe:
    """Recipe of trees of thresholds and of a branch for each category."""
    table = MixedTable(data.X, data.n_categories)
    n_classes = len(data.classes)

    def sprout(
        splitter: MixedSplitter, context: NodeContext, max_depth: int, without: tuple[int, ...]
    ) -> Sprout:
        offered = context.inherited.copy()
        offered[list(without)] = False
        start = replace(context, inherited=offered)
        return nodewise_sprout(splitter, data.y, n_classes, stop, start, max_depth)

    def refusal(edit: Edit) -> Statement | None:
        if isinstance(edit, ForcedSplit) and isinstance(edit.split, ObliqueSplit):
            return Statement(
                "a hyperplane does not stand beside nominal features, and neither missing values "
                "nor weights go with one"
            )
        return None

    return splitter_recipe(
        data,
        lambda: MixedSplitter(table, data.y, n_classes, choice, data.weight, missing=missing),
        stop,
        criterion,
        sprout=sprout,
        refusal=refusal,
    )


def family_of(
    data: TrainingData,
    splitter: NodeSplitter,
    sprout: Callable[..., Sprout],
    tree_of: Callable[[Growth], Tree],
    refusal: Refuses,
) -> SplitterFamily:
    """Family of trees that grow from any node, with contexts made by the splitter."""
    return SplitterFamily(
        splitter=splitter,
        columns=data.X.T,
        n_categories=data.n_categories,
        names=data.names,
        sprout=partial(sprout, splitter),
        tree_of=tree_of,
        refusal=refusal,
    )


def edit_refusal(edit: Edit, stop: Stop, own: Refuses | None = None) -> Statement | None:
    """Reason an edit cannot be made, the algorithm's own or a general one, or None."""
    sentence = None if own is None else own(edit)
    if sentence is None and stop.max_leaf_nodes and edit.slot != "prune":
        return Statement(
            "with max_leaf_nodes the leaves compete over the entire tree, so no part of it "
            "grows on its own; remove that limit first"
        )
    if sentence is None and isinstance(edit, ForcedSplit) and isinstance(edit.split, ClassSplit):
        return Statement("only an SVM tree splits by classes; choose a feature and a threshold")
    return sentence


# ---- What is known about monotone data: the order of the classes, the direction of each feature


def encode_ordered(y: np.ndarray, class_order: Sequence | None) -> tuple[np.ndarray, np.ndarray]:
    """Classes that occur, from low to high, and the class index of each row.

    Without an order it is that of the numbers, or with a warning that of the alphabet.

    Raises
    ------
    ValueError
        If the order does not name each class once.
    """
    present, codes = np.unique(y, return_inverse=True)
    if class_order is None:
        if present.dtype.kind not in "iufb":
            names = " < ".join(map(repr, present[:4].tolist()))
            names += " < ..." if len(present) > 4 else ""
            warnings.warn(
                f"the classes are no numbers, so their order is taken to be that of the alphabet, "
                f"{names}; name them from low to high in class_order if it is another",
                stacklevel=2,
            )
        return present, codes
    order = list(class_order)
    missing = [label for label in present.tolist() if label not in order]
    if missing or len(set(order)) < len(order):
        what = f"{missing[0]!r} is missing" if missing else "a class is named twice"
        raise ValueError(
            f"class_order must name each class once, from low to high: {what} in {order}"
        )
    places = np.array([order.index(label) for label in present.tolist()])
    rising = np.argsort(places)
    index = np.empty(len(present), dtype=np.intp)
    index[rising] = np.arange(len(present))
    return present[rising], index[codes]


def directions_of(monotonic_cst: Sequence[int] | None, n_features: int) -> np.ndarray:
    """Direction 1, -1 or 0 of each feature; all 1 if nothing is given.

    Raises
    ------
    ValueError
        If there is not one direction per feature, or one is none of 1, -1 and 0.
    """
    if monotonic_cst is None:
        return np.ones(n_features, dtype=np.intp)
    directions = np.asarray(monotonic_cst)
    if directions.shape != (n_features,):
        raise ValueError(
            f"monotonic_cst must hold one direction per feature, {n_features} in all, got shape "
            f"{directions.shape}"
        )
    if not np.isin(directions, (-1, 0, 1)).all():
        raise ValueError(f"monotonic_cst must hold 1, -1 or 0, got {directions.tolist()}")
    return directions.astype(np.intp)
