"""What the edits of a model come to: its tree before and after, row by row."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from lastviz.estimators import TreeClassifier, TreeEstimator
from lastviz.host.memory import remembered_by
from lastviz.inspection import RowChanges, Scores, row_changes, scores
from lastviz.splitters import same_split, stored_split
from lastviz.splitters.edits import Edit, Path, node_at, path_of
from lastviz.tree import Tree
from lastviz.ui.state.selection import Selection

from . import cache, nodes
from .edited import void_in, without_edits


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
        same_split(stored_split(one, node), stored_split(other, node))
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
    return path_of(grown, nodes.grown_node(selection, place, node))
