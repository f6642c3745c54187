"""Edits of a model's tree, in the form that an estimator takes, and their effects.

A link knows no widths, the data do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np

from lastviz.estimators import TreeClassifier, TreeEstimator
from lastviz.host.memory import shared
from lastviz.inspection import RowChanges, Scores, number_scores, row_changes, scores
from lastviz.splitters import same_split
from lastviz.splitters import stored_split as split_in_tree
from lastviz.splitters.edits import (
    CategorySplit,
    ClassSplit,
    Edit,
    ForcedSplit,
    ObliqueSplit,
    Path,
    Without,
    node_at,
)
from lastviz.tree import Tree
from lastviz.ui.state.edit_codes import Edits, trim

from .nodes import shown_node
from .training import Division

if TYPE_CHECKING:
    from .work import ModelWork


def has_place(edit: Edit, division: Division, n_classes: int) -> bool:
    """Whether the data have the features, categories or classes that an edit names."""
    known = division.categories
    if isinstance(edit, Without):
        return edit.features[-1] < len(known)
    if not isinstance(edit, ForcedSplit):
        return True
    split = edit.split
    if isinstance(split, ClassSplit):
        return split.first[-1] < n_classes
    if isinstance(split, ObliqueSplit):
        return len(split.weights) <= len(known)
    if split.feature >= len(known):
        return False
    categories = known[split.feature]
    if isinstance(split, CategorySplit):
        return categories is not None and len(split.branch) <= len(categories)
    return categories is None


def void_in(
    edits: Iterable[Edit], estimator: TreeEstimator, division: Division, n_classes: int
) -> dict[Edit, bool]:
    """Edits without effect, each with whether the data lack the things it names.

    The others are at a node that the tree has not, or have no meaning there.
    """
    ended = {trim(edit) for edit in estimator.void_edits_}
    return {
        edit: edit not in ended
        for edit in edits
        if edit in ended or not has_place(edit, division, n_classes)
    }


def full(edits: Iterable[Edit], division: Division) -> Edits:
    """Edits with a weight for every feature and a branch for every category.

    Each must have its place in the data, see :func:`has_place`.
    """
    return tuple(_full(edit, division) for edit in edits)


def _full(edit: Edit, division: Division) -> Edit:
    split = edit.split if isinstance(edit, ForcedSplit) else None
    if isinstance(split, ObliqueSplit):
        more = len(division.categories) - len(split.weights)
        return replace(edit, split=replace(split, weights=np.pad(split.weights, (0, more))))
    if isinstance(split, CategorySplit):
        more = len(division.categories[split.feature]) - len(split.branch)
        branch = np.pad(split.branch, (0, more), constant_values=1)
        return replace(edit, split=replace(split, branch=branch))
    return edit


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
def effects_on_numbers(model: ModelWork) -> dict[str, NumberEffects]:
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
def effects(model: ModelWork) -> EditEffects:
    """Effects of the edits of a model.

    Raises
    ------
    CannotShow, Working
        As :attr:`.ModelWork.fitted`.
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


def void_edits(model: ModelWork, estimator: TreeClassifier) -> dict[Edit, bool]:
    """Edits of a model without effect, see :func:`void_in`."""
    n_classes = 0 if model.dataset.is_regression else model.dataset.n_classes
    return void_in(model.chosen.edits, estimator, model.division, n_classes)


def splits_components(model: ModelWork) -> bool:
    """Whether thresholds of the model lie along components of a latent space."""
    estimator = model.without_edits.trained()
    return estimator is not None and len(estimator.grown_tree_.bases) > 0


def edited_nodes(model: ModelWork, estimator: TreeClassifier) -> dict[int, str]:
    """Nodes of the tree that predicts at which something is edited, to be outlined.

    Edits without effect are none of them.
    """
    found = {shown_node(estimator, path) for path in _paths(model, estimator)}
    return dict.fromkeys(sorted(found - {None}), "edited")


def edited_in_growth(model: ModelWork, grown: Tree) -> list[int]:
    """Nodes of the grown tree at which something is edited, with an effect."""
    if not model.chosen.edits:
        return []
    return sorted({node_at(grown, path) for path in _paths(model, model.estimator)} - {None})


def _paths(model: ModelWork, estimator: TreeClassifier) -> set[Path]:
    edits = model.chosen.edits
    void = void_edits(model, estimator) if edits else {}
    return {edit.path for edit in edits if edit not in void}
