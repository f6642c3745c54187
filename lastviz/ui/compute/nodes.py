"""What is known of one node of a trained model, each computed once per process."""

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
from lastviz.estimators import TreeClassifier, TreeEstimator
from lastviz.host.memory import once_a_run, remembered, remembered_by
from lastviz.inspection import (
    TABLE_PARAMS,
    CandidateTable,
    RowChanges,
    Scores,
    SeparabilitySteps,
    candidate_table,
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
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from . import cache
from .availability import criteria_for
from .edited import void_in, without_edits
from .training import explained_refusals

RULE_PARAMS = {"w1", "w2", "k", "alpha", "second_weight"}  # of hybrid trees: they change no column
MANY_VALUES = 2_000_000  # rows times features of a node whose candidates take seconds to score
MANY_CANDIDATES = 100_000  # from here on threads pay
MOST_EXACT = 1500  # rows; the exact penalty takes their square


@once_a_run
def grown_node(selection: Selection, place: int, node: int) -> int:
    """Return the node of the grown tree that became `node` of the tree that predicts."""
    estimator = cache.fitted(selection, place).estimator
    return edits.unpruned_node(estimator.tree_, estimator.grown_tree_, node)


@once_a_run
def rows_of(selection: Selection, place: int, node: int) -> np.ndarray:
    """Return the training rows on which a node's split was searched, as rows of the data."""
    grown = cache.fitted(selection, place).estimator.grown_tree_
    rows, _ = grown.node_samples(grown_node(selection, place, node))
    return cache.division(selection, place).train_rows[rows]


def stored_split(selection: Selection, place: int, node: int) -> AnySplit | None:
    """Return the split that a node was grown with, as its tree stores it; None at a leaf."""
    grown = cache.fitted(selection, place).estimator.grown_tree_
    return split_in_tree(grown, grown_node(selection, place, node))


@once_a_run
def search(selection: Selection, place: int, node: int) -> Search | None:
    """Return the algorithm's own search of a node, over thresholds of features or components.

    None if it is one over hyperplanes or classes, see :func:`searches_for_hyperplanes` and
    :func:`parts_classes`.
    """
    estimator = cache.fitted(selection, place).estimator
    if searches_for_hyperplanes(estimator) or parts_classes(estimator):
        return None
    grown = grown_node(selection, place, node)
    if "min_leaf_rule" in estimator.get_params():
        return _judged(selection, place, node, grown)
    found = _search(f"{cache.model_key(selection, place)}|{node}", selection, place, grown)
    return found if isinstance(found, Search) else None


def _judged(selection: Selection, place: int, node: int, grown: int) -> Search:
    """Return the search of a hybrid tree: weights only judge what was scored before.

    The table of candidates holds its columns, unless the tree measures or admits otherwise.
    """
    estimator = cache.fitted(selection, place).estimator
    params = estimator.get_params()
    admits_all = params["min_leaf_rule"] == "node" or params["min_samples_leaf"] == 1
    if admits_all and not is_too_long(selection, place):
        found = candidates(selection, place, node)
    else:
        measured = {k: v for k, v in params.items() if k not in RULE_PARAMS}
        key = f"{_rows_key(selection, place, node)}|{measured}"
        found = _search(key, selection, place, grown)
    X, y = cache.division(selection, place).learnt
    return estimator.splitter(X, y, cache.sorted_training(selection, place)).judge(found)


def searches_for_hyperplanes(estimator: TreeClassifier) -> bool:
    """Tell whether the nodes of a model have a search that :func:`hyperplanes` can show."""
    return estimator.TAGS.hyperplanes


def parts_classes(estimator: TreeClassifier) -> bool:
    """Tell whether the nodes of a model part classes, see :func:`separability_steps`."""
    return len(estimator.grown_tree_.kernel) > 0


@remembered_by(cache.model_key)
def separability_steps(selection: Selection, place: int) -> SeparabilitySteps:
    """Return at every inner node which classes could leave, and the machine that parts them."""
    estimator = cache.fitted(selection, place).estimator
    return separability(estimator, *cache.division(selection, place).learnt)


def hyperplanes(selection: Selection, place: int, node: int) -> ObliqueSearch:
    """Return the search for the hyperplane of an inner node, move by move.

    Raises
    ------
    Working
        If it takes long or was cancelled.
    """
    estimator = cache.fitted(selection, place).estimator
    key = f"{cache.model_key(selection, place)}|{node}|hyperplanes"
    X, y = cache.division(selection, place).learnt
    grown = grown_node(selection, place, node)
    title = t("The search of node {node}", node=node)

    def work() -> Generator[float, None, ObliqueSearch]:
        return explained_refusals(split_search_in_steps(estimator, X, y, grown))

    return cache.outcome(key, title, work)


@once_a_run
def candidates(selection: Selection, place: int, node: int) -> CandidateTable:
    """Return every threshold of a node with all criteria.

    Of every feature or, where the algorithm searches a latent space, of every component, in
    the order of its own search.

    Raises
    ------
    Working
        Where they are many, or somebody else's criterion is among them.
    """
    key, options = table_key(selection, place, node), measures(selection, place)
    found = _latent_search(selection, place, node)
    if found is not None:
        rows, score = found.rows, _latent_scoring(selection, place, found, options)
    else:
        rows = rows_of(selection, place, node)
        score = _scoring(selection, place, rows, options)
    dataset = cache.data(selection).dataset
    few = len(rows) * dataset.n_features <= MANY_VALUES
    ours = all(CRITERIA[name].code is not None for name in criteria_for(dataset))
    if few and ours and not is_interpreting():
        return _candidates(key, score)
    title = t("Scores of all candidates")
    return cache.outcome(f"candidates|{key}", title, partial(_scored_and_ranked, key, score))


@once_a_run
def table_key(selection: Selection, place: int, node: int) -> str:
    """Return what names the candidates of a node and the columns that they have."""
    columns = ".".join(criteria_for(cache.data(selection).dataset))
    if len(cache.fitted(selection, place).estimator.grown_tree_.bases):
        return f"{cache.model_key(selection, place)}|{node}|components|{columns}"
    return f"{_rows_key(selection, place, node)}|{measures(selection, place)}|{columns}"


def _latent_search(selection: Selection, place: int, node: int) -> LatentSearch | None:
    if not len(cache.fitted(selection, place).estimator.grown_tree_.bases):
        return None
    found = search(selection, place, node)
    return found if isinstance(found, LatentSearch) else None


def ranks(key: str, table: CandidateTable, criterion: str) -> np.ndarray:
    """Return every candidate's rank by a criterion, 1 the best; 0 where it is inadmissible.

    `key` names the table, see :func:`table_key`.
    """
    return _ranks(key, table)[criterion]


def ranked(table: CandidateTable, column: str | Blend) -> np.ndarray:
    """Return the ranks by any column or weighted sum."""
    admitted = table.scores(column) > -np.inf
    return np.where(admitted, rank_columns(table, column), 0)


@remembered
def _ranks(key: str, table: CandidateTable) -> dict[str, np.ndarray]:
    """Return the ranks by all criteria of a table: most of them are shown beside each other."""

    def of(name: str) -> np.ndarray:
        scores = table.scores(name)
        return np.where(scores > -np.inf, tied_ranks(scores), 0).astype(np.int32)

    if table.n_candidates <= MANY_CANDIDATES:
        return {name: of(name) for name in table.columns}
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # sorting lets others run
        return dict(zip(table.columns, pool.map(of, table.columns), strict=True))


def _rows_key(selection: Selection, place: int, node: int) -> str:
    """Return what names the rows of a node, whichever tree put them together."""
    rows = rows_of(selection, place, node)
    return f"{cache.data_key(selection)}|{hashlib.sha256(rows.tobytes()).hexdigest()[:16]}"


@once_a_run
def measures(selection: Selection, place: int) -> dict[str, object]:
    """Return how the model measures BNM, CSN and segments, where it says so."""
    names = {param.name for param in TABLE_PARAMS} - {"min_samples_leaf"}
    estimator = cache.fitted(selection, place).estimator
    given = {k: v for k, v in estimator.get_params().items() if k in names}
    if is_too_long(selection, place):
        given["penalty"] = "approximate"
    return given


def is_too_long(selection: Selection, place: int) -> bool:
    """Tell whether the model's exact penalty would take too long over all candidates."""
    estimator = cache.fitted(selection, place).estimator
    exact = estimator.get_params().get("penalty") == "exact"
    return exact and estimator.grown_tree_.n_node_samples[0] > MOST_EXACT


@remembered
def _search(key: str, selection: Selection, place: int, node: int) -> object:
    estimator = cache.fitted(selection, place).estimator
    presorted = cache.sorted_training(selection, place)
    X, y = cache.division(selection, place).learnt
    return split_search(estimator, X, y, node, presorted=presorted)


def _scoring(
    selection: Selection, place: int, rows: np.ndarray, options: dict[str, object]
) -> Callable[[], CandidateTable]:
    """Return what scores all candidates, and asks no session for it."""
    divided = cache.division(selection, place)
    dataset = cache.data(selection).dataset
    known = any(dataset.directions.values())
    directions = [dataset.directions.get(c, 0) for c in divided.X.columns] if known else None
    may_repeat = selection.models[place].alone  # the rows that are drawn for a tree of a forest
    return partial(
        candidate_table,
        divided.values if may_repeat else cache.sorted_all(selection, place),
        divided.y,
        rows,
        dataset.n_classes,
        criteria=criteria_for(dataset),
        directions=directions,
        may_fail=True,
        **options,
    )


@remembered
def _candidates(key: str, score: Callable[[], CandidateTable]) -> CandidateTable:
    return score()


def _scored_and_ranked(
    key: str, score: Callable[[], CandidateTable]
) -> Generator[float, None, CandidateTable]:
    """Work out what the page needs of many candidates, as a job."""
    yield 0.0
    table = _candidates(key, score)
    yield 0.6
    _ranks(key, table)
    return table


def _latent_scoring(
    selection: Selection, place: int, found: LatentSearch, options: dict[str, object]
) -> Callable[[], CandidateTable]:
    """Criteria of ordered classes are left out: a component has no direction of its own."""
    divided, dataset = cache.division(selection, place), cache.data(selection).dataset
    y = divided.y[divided.train_rows][found.frame.rows]
    names = [name for name in criteria_for(dataset) if not CRITERIA[name].ordered_classes]
    columns = found.frame.presorted
    return partial(
        candidate_table,
        *(columns, y, found.rows, dataset.n_classes),
        criteria=names,
        may_fail=True,
        **options,
    )


# ---- What the edits of a model come to: its tree before and after, row by row


@dataclass(frozen=True, eq=False)
class PartEffects:
    """What edits change on one part of the rows."""

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


@remembered_by(cache.model_key)
def effects(selection: Selection, place: int) -> EditEffects:
    """Return what the edits of the model at `place` come to.

    Raises
    ------
    CannotShow, Working
        As :func:`cache.fitted`.
    """
    before = cache.fitted(without_edits(selection, place), place).estimator
    after = cache.fitted(selection, place).estimator
    divided = cache.division(selection, place)
    n_classes, learnt = cache.data(selection).dataset.n_classes, divided.y[divided.train_rows]
    parts: list[PartEffects | None] = []
    for rows in (divided.held_out_rows, divided.train_rows):
        if not len(rows):
            parts.append(None)
            continue
        X, y = divided.X.iloc[rows], divided.y[rows]
        judged = [scores(y, model.predict(X), n_classes) for model in (before, after)]
        parts.append(PartEffects(*judged, row_changes(before, after, X, y)))
    void = set(void_edits(selection, place, after))
    paths = [edit.path for edit in selection.models[place].edits if edit not in void]
    path = _shared(paths)
    splits = (_splits_below(before.tree_, path), _splits_below(after.tree_, path))
    is_same = _say_the_same(before.tree_, after.tree_)
    classes = scores(learnt, learnt, n_classes)
    return EditEffects(before, after, parts[0], parts[1], classes, path, splits, is_same)


def _say_the_same(one: Tree, other: Tree) -> bool:
    """Tell whether two trees have equal nodes in the same order. O(n_nodes n_branches)."""
    if one.n_nodes != other.n_nodes or not np.array_equal(one.n_children, other.n_children):
        return False
    return np.array_equal(one.prediction, other.prediction) and all(
        same_split(split_in_tree(one, node), split_in_tree(other, node))
        for node in np.flatnonzero(one.n_children).tolist()
    )


def _shared(paths: list[Path]) -> Path:
    """Return what all paths begin with."""
    steps = takewhile(lambda branches: len(set(branches)) == 1, zip(*paths, strict=False))
    return tuple(branches[0] for branches in steps)


def _splits_below(tree: Tree, path: Path) -> int:
    """Return how many splits a tree has from the end of a path on, 0 where it has no such node."""
    top = node_at(tree, path)
    if top is None:
        return 0
    open_nodes, n_splits = [top], 0
    while open_nodes:
        children = tree.children(open_nodes.pop())
        n_splits += len(children) > 0
        open_nodes += list(children)
    return n_splits


def void_edits(selection: Selection, place: int, estimator: TreeClassifier) -> dict[Edit, bool]:
    """Return the edits of a model without effect, see :func:`.edited.void_in`."""
    n_classes = cache.data(selection).dataset.n_classes
    divided = cache.division(selection, place)
    return void_in(selection.models[place].edits, estimator, divided, n_classes)


def splits_components(selection: Selection, place: int) -> bool:
    """Tell whether thresholds of the model at `place` lie along components of a latent space."""
    estimator = cache.trained(without_edits(selection, place), place)
    return estimator is not None and len(estimator.grown_tree_.bases) > 0


def shown_node(estimator: TreeEstimator, path: Path) -> int | None:
    """Return the node of the tree that predicts at the end of a path of the grown tree.

    None where that tree has no such node, or none of it is left after pruning.
    """
    grown, tree = estimator.grown_tree_, estimator.tree_
    node = node_at(grown, path)
    if node is None:
        return None
    found = np.flatnonzero((tree.grown_node == node) | (tree.key == grown.key[node]))
    return int(found[0]) if len(found) else None


def edited_nodes(selection: Selection, place: int, estimator: TreeClassifier) -> dict[int, str]:
    """Return the nodes of the tree that predicts at which something is edited, to be outlined.

    Edits without effect are none of them.
    """
    edits = selection.models[place].edits
    void = void_edits(selection, place, estimator) if edits else {}
    paths = {edit.path for edit in edits if edit not in void}
    found = {shown_node(estimator, path) for path in paths}
    return dict.fromkeys(sorted(found - {None}), "edited")


def edited_in_growth(selection: Selection, place: int, grown: Tree) -> list[int]:
    """Return the nodes of the grown tree at which something is edited, with an effect."""
    edits = selection.models[place].edits
    if not edits:
        return []
    void = void_edits(selection, place, cache.fitted(selection, place).estimator)
    found = {node_at(grown, edit.path) for edit in edits if edit not in void}
    return sorted(found - {None})


def path_of_node(selection: Selection, place: int, node: int) -> Path:
    """Return the path in the grown tree of a node of the tree that predicts."""
    grown = cache.fitted(selection, place).estimator.grown_tree_
    return path_of(grown, grown_node(selection, place, node))
