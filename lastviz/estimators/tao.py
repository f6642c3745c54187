"""TAO: the splits of a tree improved one after the other."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.frozen import FrozenEstimator
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from lastviz._params import Param, param, with_params
from lastviz._sentences import Refusal, Statement
from lastviz.builders import Alternation, Growth, NodewiseGrowth, SearchProgress, Stop
from lastviz.criteria import CRITERIA
from lastviz.criteria.scan_kernels import GINI
from lastviz.splitters import GivenSplitter, Presorted, Unsorted
from lastviz.splitters.edits import Edit, Without
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.tree import GrowthLog, Kind, Reason, Tree

from .base import MIN_SAMPLES_SPLIT, Pruned, Recipe, Tags, splitter_recipe, threshold_recipe
from .c45 import C45Classifier
from .optimal_tree import OptimalTreeClassifier
from .reading import TrainingData
from .scikit_learn import TREES, from_sklearn
from .tree_estimator import TreeClassifier

CART = "cart"
ANY_SIZE = Stop(-1, 2, max_leaf_nodes=0)
OTHERS = {"c45": C45Classifier, "optimal": OptimalTreeClassifier}


@dataclass(frozen=True)
class StartParam(Param):
    """Parameter for an algorithm's name, a tree, or a model that has or grows one."""

    def check(self, value: object) -> object:
        """The value if it is valid; ValueError otherwise."""
        return value if isinstance(value, Tree | BaseEstimator) else super().check(value)


class GivenGrowth(NodewiseGrowth):
    """The growth of a tree that another algorithm grows first, or has grown.

    Parameters
    ----------
    splitter : GivenSplitter
    grown : generator
        Yields signs of life and returns the tree.
    """

    def __init__(
        self,
        splitter: GivenSplitter,
        y: np.ndarray,
        n_classes: int,
        stop: Stop,
        grown: Generator[SearchProgress, None, Tree],
    ) -> None:
        super().__init__(splitter, y, n_classes, stop)
        self._grown = grown

    def __iter__(self) -> Iterator[Growth | SearchProgress]:
        """Grow the other tree, with signs of life, then this one event by event."""
        self.splitter.tree = yield from self._grown
        yield from super().__iter__()


@with_params
class TAOClassifier(TreeClassifier):
    """Tree alternating optimization: a grown tree's splits are improved one by one.

    Each split is fitted anew for the rows whose class depends on it, the rest of the tree as it
    is. It is taken if that lowers the training error, so that this never rises.

    Attributes
    ----------
    grown_tree_ : Tree
        Where it starts, or what edits made of it.
    care_ : tuple of ndarray of intp
        The care rows of each new split, as in ``growth_log_.splits``; see the notes.
    n_iter_ : int
        Sweeps that were made.
    n_errors_ : int
        Training errors of `tree_`.

    Notes
    -----
    The care rows of a split are those that exactly one of its children predicts right. The best
    threshold of all features is tried, and the hyperplane of a logistic fit with a ridge of 1,
    where there are more care rows than weights; the one that sends the fewest care rows the wrong
    way stands, if these are fewer than before. O(n_features n_samples log n_samples depth) a sweep
    for thresholds, and O(n_features^2 n_samples depth) for hyperplanes. The order of the rows can
    decide between hyperplanes that send as few rows wrong: it changes the rounding of their fits.

    A split that somebody forced is where it starts, and may be moved; one that somebody kept stays.

    Of a given tree only the splits count, thresholds and hyperplanes. Where its rows are others, a
    split that all of them pass alike gives way to that of the child. scikit-learn's `clone` makes
    an estimator an unfitted one; as a ``FrozenEstimator`` or a `Tree` it stays as it is.

    `grow` may be closed while it sweeps: the estimator is fitted then, by the best tree so far.

    Deviation: the leaves below a split that moved are labelled anew at once, not in the next sweep.
    Deviation: a hyperplane is fitted with a ridge, not an L1 penalty, takes the threshold that
    errs least along its direction, and stands beside the best threshold of one feature.
    Deviation: values below a threshold belong to the first child, children do not change places.

    References
    ----------
    Carreira-Perpinan, M. A. and Tavallali, P. (2018). Alternating optimization of decision trees,
    with application to learning sparse oblique trees. NeurIPS 31.
    """

    TAGS = Tags(indicators=True)
    READABLE: ClassVar = {}  # its own depth is a limit
    IS_ANYTIME = True  # a growth that is closed leaves a fitted estimator
    # fmt: off
    start: str | BaseEstimator | Tree = StartParam(
        "start", str, CART, choices=(CART, *OTHERS), main=True, label="Start from",
        help="The algorithm that grows the tree whose splits are improved.",
        doc="Or a Tree, or an estimator: one that is fitted has it, changed by hand or not, a "
            'clone of another one grows it. "cart" grows it with Gini.',
        type_doc='{"cart", "c45", "optimal"}, estimator or Tree',
        meaning="an estimator of one tree or a Tree is taken, too",
    )
    oblique: bool = param(
        bool, True, main=True, label="Oblique splits",
        help="Whether a split may become a hyperplane.",
    )
    max_depth: int = param(
        int, 4, low=1, high=12, slider=(1, 12, 1), main=True,
        label="Largest depth", help="Edges from the root to the deepest leaf.",
        doc="Of a start by its name, from 1 to 12; of the optimal tree up to 4.",
    )
    max_iter: int = param(
        int, 20, low=1, slider=(1, 50, 1), unit="sweeps",
        label="Most sweeps", help="A sweep tries to improve every split once.",
        doc="At most so many are made; it ends before where one improves nothing.",
    )
    min_samples_split: int = replace(
        MIN_SAMPLES_SPLIT, doc="Of a start by its name, but for the optimal tree."
    )
    # fmt: on

    @property
    def criterion_column(self) -> str:
        """The criterion by which the tree grows that it starts from."""
        return "gini"

    @property
    def max_depth_cuts(self) -> bool:
        """False: from a smaller tree it ends elsewhere."""
        return False

    @property
    def n_errors_(self) -> int:
        """Training errors of `tree_`."""
        check_is_fitted(self)
        tree = self.tree_
        right = tree.value[tree.n_children == 0].max(axis=1).sum()
        return int(tree.n_node_samples[0] - right)

    def recipe(self, data: TrainingData) -> Recipe:
        """Recipe of CART or the given tree, with the alternation as its pruning."""
        choice = Choice(
            criterion=GINI,
            scale=1.0,
            min_samples_leaf=1,
            release_8=False,
            mdl_correction=False,
            average_gain=False,
            needs_gain=False,
            raw_scores_decide=True,
        )
        if isinstance(self.start, str) and self.start == CART:
            made = threshold_recipe(data, choice, self._stop(), self.criterion_column)
        else:
            made = self._recipe_of_given(data, choice)
        return replace(made, prune=partial(self._alternated, data))

    def _recipe_of_given(self, data: TrainingData, choice: Choice) -> Recipe:
        y, n_classes = data.y, len(data.classes)

        def searching(columns: Presorted | Unsorted) -> GivenSplitter:
            return GivenSplitter(columns, y, n_classes, choice, self._start_tree)

        def growth() -> GivenGrowth:
            self._start_tree = None
            grown = self._grown_by_start(data.X, y, data.sorted)
            return GivenGrowth(searching(data.sorted), y, n_classes, ANY_SIZE, grown)

        return splitter_recipe(
            data,
            lambda: searching(data.columns),
            ANY_SIZE,
            self.criterion_column,
            sorting=lambda: searching(data.sorted),
            growth=growth,
            refusal=_needs_a_search,
        )

    def _grown_by_start(
        self, X: np.ndarray, y: np.ndarray, presorted: Presorted
    ) -> Generator[SearchProgress, None, Tree]:
        """Tree where it starts, grown if it must be, with signs of life."""
        model = self.start
        model = model.estimator if isinstance(model, FrozenEstimator) else model
        if isinstance(model, str):
            given = {"max_depth": self.max_depth, "min_samples_split": self.min_samples_split}
            names = OTHERS[model]().get_params()
            model = OTHERS[model](**{k: v for k, v in given.items() if k in names})
        elif isinstance(model, BaseEstimator) and not hasattr(model, "tree_"):
            if not isinstance(model, TreeClassifier | DecisionTreeClassifier):
                raise Refusal(
                    "start must be an estimator that grows one tree of classes, or is fitted and "
                    "has its tree; {name} is neither",
                    name=type(model).__name__,
                )
            model = clone(model)
        if isinstance(model, TreeClassifier) and not hasattr(model, "tree_"):
            for event in model.grow(X, y, presorted=presorted):
                if isinstance(event, SearchProgress):
                    yield event
        elif isinstance(model, TREES):
            model = from_sklearn(model if hasattr(model, "tree_") else model.fit(X, y))
        self._start_tree = model if isinstance(model, Tree) else model.tree_
        _check_start(self._start_tree, X.shape[1])
        return self._start_tree

    def _alternated(
        self, data: TrainingData, growth: Growth, kept: np.ndarray | None
    ) -> Generator[SearchProgress, None, Pruned]:
        if kept is not None:
            log = self.growth_log_
            kept = kept.copy()
            kept[log.node[log.reason == Reason.CHOSEN_BY_HAND]] = False
        work = Alternation(self.grown_tree_, data.X, data.y, oblique=self.oblique, kept=kept)
        looks = len(data.X) * self.max_iter
        try:
            for share in work.steps(self.max_iter):
                yield SearchProgress(0, share, looks)
        except GeneratorExit:
            self._take_pruned(data.X, self._improved(work))
            raise
        return self._improved(work)

    def _improved(self, work: Alternation) -> tuple[Tree, GrowthLog]:
        self.n_iter_, self.care_ = work.n_sweeps, tuple(work.care)
        return work.tree(CRITERIA[self.criterion_column]), work.log()


def _needs_a_search(edit: Edit) -> Statement | None:
    if isinstance(edit, Without):
        return Statement(
            "the tree that TAO starts from is already finished, so no feature is searched; "
            "start from CART"
        )
    return None


def _check_start(tree: Tree, n_features: int) -> None:
    """Refuse a tree whose splits cannot be improved here."""
    if tree.n_features != n_features:
        raise Refusal(
            "the tree to start from has {there} features and X has {here}",
            there=tree.n_features,
            here=n_features,
        )
    known = np.isin(tree.kind, (Kind.LEAF, Kind.THRESHOLD, Kind.OBLIQUE)).all()
    if not known or len(tree.bases) or any(names is not None for names in tree.feature_categories):
        raise Refusal(
            "the tree to start from must split by thresholds and hyperplanes of numeric columns "
            "alone; start from CART, C4.5 or the optimal tree"
        )
