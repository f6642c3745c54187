"""A node of a trained model: its rows, its search, its candidates, each resolved once a run."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import takewhile

import numpy as np

from lastviz._numba import is_interpreting
from lastviz.criteria import CRITERIA
from lastviz.datasets import Dataset
from lastviz.estimators import TreeClassifier, TreeEstimator
from lastviz.host.memory import remembered, resolved, shared
from lastviz.inspection import (
    TABLE_PARAMS,
    CandidateTable,
    RowChanges,
    Scores,
    SeparabilitySteps,
    candidate_table,
    number_scores,
    rank_columns,
    row_changes,
    scores,
    separability,
    split_search,
    split_search_in_steps,
    tied_ranks,
)
from lastviz.splitters import (
    AnySplit,
    Blend,
    LatentSearch,
    ObliqueSearch,
    Search,
    edits,
    same_split,
)
from lastviz.splitters import stored_split as split_in_tree
from lastviz.splitters.edits import Edit, Path, node_at, path_of
from lastviz.tree import Tree
from lastviz.ui.text import t

from .availability import criteria_for
from .edited import void_in
from .models import TrainedModel
from .outcome import outcome
from .selected import Key
from .training import Division, explained_refusals

RULE_PARAMS = {"w1", "w2", "k", "alpha", "second_weight"}  # of hybrid trees: they change no column
MANY_VALUES = 2_000_000  # rows times features of a node whose candidates take seconds to score
MANY_CANDIDATES = 100_000  # from here on threads pay
MOST_EXACT = 1500  # rows; the exact penalty takes their square


class NodeWork:
    """A node of the tree that predicts, and the facts about its split.

    Parameters
    ----------
    model : TrainedModel
    index : int
        The node in the tree that predicts.
    """

    def __init__(self, model: TrainedModel, index: int) -> None:
        self.model, self.index = model, index
        self.work = model.work

    @resolved
    def estimator(self) -> TreeClassifier:
        """The trained model."""
        return self.model.estimator

    @resolved
    def tree(self) -> Tree:
        """The tree that predicts."""
        return self.model.tree

    @resolved
    def grown(self) -> Tree:
        """The tree before pruning."""
        return self.model.grown

    @resolved
    def division(self) -> Division:
        """The rows in the form that the model reads."""
        return self.model.division

    @resolved
    def dataset(self) -> Dataset:
        """The data as the algorithms are given them."""
        return self.work.dataset

    @resolved
    def cache_key(self) -> Key:
        """Key of the node."""
        return *self.model.cache_key, self.index

    @resolved
    def origin(self) -> int:
        """The same node in the tree as it was grown."""
        estimator = self.estimator
        return edits.unpruned_node(estimator.tree_, estimator.grown_tree_, self.index)

    @resolved
    def rows(self) -> np.ndarray:
        """Training rows on which the split was searched, as rows of the data."""
        rows, _ = self.grown.node_samples(self.origin)
        return self.model.division.train_rows[rows]

    @resolved
    def stored_split(self) -> AnySplit | None:
        """The split that the node was grown with, as its tree stores it; None at a leaf."""
        return split_in_tree(self.grown, self.origin)

    @property
    def path(self) -> Path:
        """Path to the node in the grown tree."""
        return path_of(self.grown, self.origin)

    @resolved
    def search(self) -> Search | None:
        """The algorithm's own search, over thresholds of features or components.

        None if it is one over hyperplanes or classes, see :func:`searches_for_hyperplanes` and
        :func:`parts_classes`.
        """
        estimator = self.estimator
        if searches_for_hyperplanes(estimator) or parts_classes(estimator):
            return None
        if "min_leaf_rule" in estimator.get_params():
            return self._judged()
        found = _search(self.cache_key, self)
        return found if isinstance(found, Search) else None

    def _judged(self) -> Search:
        """Search of a hybrid tree.

        Weights only judge scores computed before.

        The table of candidates holds its columns, unless the tree measures or admits otherwise.
        """
        estimator = self.estimator
        params = estimator.get_params()
        admits_all = params["min_leaf_rule"] == "node" or params["min_samples_leaf"] == 1
        if admits_all and not self.is_approximate:
            found = self.candidates
        else:
            measured = {k: v for k, v in params.items() if k not in RULE_PARAMS}
            found = _search((*self._rows_key, str(measured)), self)
        X, y = self.model.division.learnt
        return estimator.splitter(X, y, self.model.sorted_training).judge(found)

    @property
    def hyperplanes(self) -> ObliqueSearch:
        """The search for the hyperplane of an inner node, move by move.

        Raises
        ------
        Working
            If it takes long or was cancelled.
        """
        X, y = self.model.division.learnt
        estimator, origin = self.estimator, self.origin
        title = t("The search of node {node}", node=self.index)

        def steps() -> Generator[float, None, ObliqueSearch]:
            return explained_refusals(split_search_in_steps(estimator, X, y, origin))

        return outcome((*self.cache_key, "hyperplanes"), title, steps)

    @resolved
    def candidates(self) -> CandidateTable:
        """Every threshold of the node with all criteria.

        Of every feature or, where the algorithm searches a latent space, of every component, in
        the order of its own search.

        Raises
        ------
        Working
            Where they are many, or somebody else's criterion is among them.
        """
        latent = self.search if len(self.grown.bases) else None
        if isinstance(latent, LatentSearch):
            rows, score = latent.rows, self._latent_scoring(latent)
        else:
            rows, score = self.rows, self._scoring()
        few = len(rows) * self.dataset.n_features <= MANY_VALUES
        ours = all(CRITERIA[name].code is not None for name in criteria_for(self.dataset))
        if few and ours and not is_interpreting():
            return _candidates(self.table_key, score)
        steps = partial(_scored_and_ranked, self.table_key, score)
        return outcome((*self.table_key, "candidates"), t("Scores of all candidates"), steps)

    @resolved
    def table_key(self) -> Key:
        """Key of the candidates and of the columns that they have."""
        columns = criteria_for(self.dataset)
        if len(self.grown.bases):
            return *self.cache_key, "components", columns
        return *self._rows_key, str(self.measures), columns

    @property
    def _rows_key(self) -> Key:
        """Key of the node's rows, whichever tree put them together."""
        digest = hashlib.sha256(self.rows.tobytes()).hexdigest()[:16]
        return *self.work.data_key, digest

    @resolved
    def measures(self) -> dict[str, object]:
        """Parameters of the model's measurement of BNM, CSN and segments, if any."""
        names = {param.name for param in TABLE_PARAMS} - {"min_samples_leaf"}
        given = {k: v for k, v in self.estimator.get_params().items() if k in names}
        return given | ({"penalty": "approximate"} if self.is_approximate else {})

    @resolved
    def is_approximate(self) -> bool:
        """Whether the model's exact penalty would take too long over all candidates."""
        exact = self.estimator.get_params().get("penalty") == "exact"
        return exact and self.grown.n_node_samples[0] > MOST_EXACT

    def _scoring(self) -> Callable[[], CandidateTable]:
        """Score all candidates, in any thread."""
        divided, directions = self.model.division, self.dataset.directions
        known = any(directions.values())
        may_repeat = self.model.chosen.alone  # the rows that are drawn for a tree of a forest
        return partial(
            candidate_table,
            divided.values if may_repeat else self.model.sorted_all,
            divided.y,
            self.rows,
            self.dataset.n_classes,
            criteria=criteria_for(self.dataset),
            directions=[directions.get(c, 0) for c in divided.X.columns] if known else None,
            may_fail=True,
            **self.measures,
        )

    def _latent_scoring(self, found: LatentSearch) -> Callable[[], CandidateTable]:
        """Scoring of the candidates of a latent search.

        Criteria of ordered classes are left out: a component has no direction of its own.
        """
        divided, names = self.model.division, criteria_for(self.dataset)
        return partial(
            candidate_table,
            found.frame.presorted,
            divided.y[divided.train_rows][found.frame.rows],
            found.rows,
            self.dataset.n_classes,
            criteria=[name for name in names if not CRITERIA[name].ordered_classes],
            may_fail=True,
            **self.measures,
        )


def searches_for_hyperplanes(estimator: TreeClassifier) -> bool:
    """Whether the nodes of a model have :attr:`NodeWork.hyperplanes`."""
    return estimator.TAGS.hyperplanes


def parts_classes(estimator: TreeClassifier) -> bool:
    """Whether the nodes of a model part classes, see :func:`separability_steps`."""
    return len(estimator.grown_tree_.kernel) > 0


@shared
def separability_steps(model: TrainedModel) -> SeparabilitySteps:
    """Classes that could leave at every inner node, and the machine that parts them."""
    return separability(model.estimator, *model.division.learnt)


def shown_node(estimator: TreeEstimator, path: Path) -> int | None:
    """Node of the tree that predicts at the end of a path of the grown tree.

    None where that tree has no such node, or none of it is left after pruning.
    """
    grown, tree = estimator.grown_tree_, estimator.tree_
    node = node_at(grown, path)
    if node is None:
        return None
    found = np.flatnonzero((tree.grown_node == node) | (tree.key == grown.key[node]))
    return int(found[0]) if len(found) else None


def ranks(key: Key, table: CandidateTable, criterion: str) -> np.ndarray:
    """Every candidate's rank by a criterion, 1 the best; 0 where it is inadmissible.

    `key` names the table, see :attr:`NodeWork.table_key`.
    """
    return _ranks(key, table)[criterion]


def rank_candidates(table: CandidateTable, column: str | Blend) -> np.ndarray:
    """Ranks by any column or weighted sum."""
    admitted = table.scores(column) > -np.inf
    return np.where(admitted, rank_columns(table, column), 0)


@remembered
def _ranks(key: Key, table: CandidateTable) -> dict[str, np.ndarray]:
    """Ranks by all criteria of a table: most of them are shown beside each other."""

    def of(name: str) -> np.ndarray:
        scores = table.scores(name)
        return np.where(scores > -np.inf, tied_ranks(scores), 0).astype(np.int32)

    if table.n_candidates <= MANY_CANDIDATES:
        return {name: of(name) for name in table.columns}
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # sorting lets others run
        return dict(zip(table.columns, pool.map(of, table.columns), strict=True))


@remembered
def _search(key: Key, at: NodeWork) -> object:
    X, y = at.model.division.learnt
    return split_search(at.estimator, X, y, at.origin, presorted=at.model.sorted_training)


@remembered
def _candidates(key: Key, score: Callable[[], CandidateTable]) -> CandidateTable:
    return score()


def _scored_and_ranked(
    key: Key, score: Callable[[], CandidateTable]
) -> Generator[float, None, CandidateTable]:
    """Score and rank the candidates of a node for the page, as a job."""
    yield 0.0
    table = _candidates(key, score)
    yield 0.6
    _ranks(key, table)
    return table


# ---- What the edits of a model come to: its tree before and after, row by row


@dataclass(frozen=True, eq=False)
class PartEffects:
    """Effects of edits on one part of the rows."""

    before: Scores
    after: Scores
    changes: RowChanges


@dataclass(frozen=True, eq=False)
class EditEffects:
    """A model before and after its edits."""

    before: TreeClassifier
    after: TreeClassifier
    held_out: PartEffects | None  # None without such rows
    training: PartEffects | None  # None without such rows
    classes: Scores  # how many training rows each class has, all of them right
    path: Path  # tuple of int, the deepest node above or at all edits that have an effect
    splits: tuple[int, int]  # splits from that node on, before and after
    is_same: bool  # whether both trees make the same tests and say the same


@dataclass(frozen=True, eq=False)
class NumberEffects:
    """Effects of edits of a regression tree on one part of the rows."""

    n_samples: int
    before: float  # root of the mean squared error
    after: float  # root of the mean squared error
    changes: RowChanges


@shared
def effects_on_numbers(model: TrainedModel) -> dict[str, NumberEffects]:
    """Effects of edits on held-out rows, if there are any, and on training rows."""
    before, after = model.without_edits.estimator, model.estimator
    divided, found = model.division, {}
    for name, rows in (("held_out", divided.held_out_rows), ("training", divided.train_rows)):
        if len(rows):
            X, y = divided.X.iloc[rows], divided.y[rows]
            errors = [number_scores(y, tree.predict(X)).rmse for tree in (before, after)]
            found[name] = NumberEffects(len(rows), *errors, row_changes(before, after, X, y))
    return found


@shared
def effects(model: TrainedModel) -> EditEffects:
    """Effects of the edits of a model.

    Raises
    ------
    CannotShow, Working
        As :attr:`.TrainedModel.fitted`.
    """
    before, after = model.without_edits.estimator, model.estimator
    divided, n_classes = model.division, model.dataset.n_classes
    learnt = divided.y[divided.train_rows]
    parts: list[PartEffects | None] = []
    for rows in (divided.held_out_rows, divided.train_rows):
        if not len(rows):
            parts.append(None)
            continue
        X, y = divided.X.iloc[rows], divided.y[rows]
        judged = [scores(y, tree.predict(X), n_classes) for tree in (before, after)]
        parts.append(PartEffects(*judged, row_changes(before, after, X, y)))
    void = void_edits(model, after)
    steps = zip(*(edit.path for edit in model.chosen.edits if edit not in void), strict=False)
    together = takewhile(lambda branches: len(set(branches)) == 1, steps)
    path = tuple(branches[0] for branches in together)
    splits = (_splits_below(before.tree_, path), _splits_below(after.tree_, path))
    is_same = _say_the_same(before.tree_, after.tree_)
    classes = scores(learnt, learnt, n_classes)
    return EditEffects(before, after, parts[0], parts[1], classes, path, splits, is_same)


def _say_the_same(one: Tree, other: Tree) -> bool:
    """Whether two trees have equal nodes in the same order.

    O(n_nodes n_branches).
    """
    if one.n_nodes != other.n_nodes or not np.array_equal(one.n_children, other.n_children):
        return False
    return np.array_equal(one.prediction, other.prediction) and all(
        same_split(split_in_tree(one, node), split_in_tree(other, node))
        for node in np.flatnonzero(one.n_children).tolist()
    )


def _splits_below(tree: Tree, path: Path) -> int:
    """Number of splits of a tree from the end of a path on, 0 without such a node."""
    top = node_at(tree, path)
    if top is None:
        return 0
    open_nodes, n_splits = [top], 0
    while open_nodes:
        children = tree.children(open_nodes.pop())
        n_splits += len(children) > 0
        open_nodes += list(children)
    return n_splits


def void_edits(model: TrainedModel, estimator: TreeClassifier) -> dict[Edit, bool]:
    """Edits of a model without effect, see :func:`void_in`."""
    n_classes = 0 if model.dataset.is_regression else model.dataset.n_classes
    return void_in(model.chosen.edits, estimator, model.division, n_classes)


def splits_components(model: TrainedModel) -> bool:
    """Whether thresholds of the model lie along components of a latent space."""
    estimator = model.without_edits.trained()
    return estimator is not None and len(estimator.grown_tree_.bases) > 0


def edited_nodes(model: TrainedModel, estimator: TreeClassifier) -> dict[int, str]:
    """Nodes of the tree that predicts at which something is edited, to be outlined.

    Edits without effect are none of them.
    """
    found = {shown_node(estimator, path) for path in _paths(model, estimator)}
    return dict.fromkeys(sorted(found - {None}), "edited")


def edited_in_growth(model: TrainedModel, grown: Tree) -> list[int]:
    """Nodes of the grown tree at which something is edited, with an effect."""
    if not model.chosen.edits:
        return []
    return sorted({node_at(grown, path) for path in _paths(model, model.estimator)} - {None})


def _paths(model: TrainedModel, estimator: TreeClassifier) -> set[Path]:
    edits = model.chosen.edits
    void = void_edits(model, estimator) if edits else {}
    return {edit.path for edit in edits if edit not in void}
