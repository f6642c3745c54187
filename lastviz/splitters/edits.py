"""Changes made to a tree by hand: splits forced, leaves made, features left out, pruning decided.

An edit names its node by the path from the root, a tuple of branch numbers: ``()`` is the
root, ``(1, 0)`` the first child of the root's second one. Node numbers would not do: they
change when anything above changes.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from itertools import pairwise
from operator import index

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz._sentences import Statement
from lastviz.tree import Tree

from .search import (
    AnySplit,
    CategorySplit,
    NodeContext,
    ObliqueSplit,
    Search,
    Split,
    Splitter,
    result_of,
    same_split,
)

MOST_EDITS = 48

Path = tuple[int, ...]


@dataclass(frozen=True)
class ClassSplit:
    """A split of classes: those of `first` go to the first child.

    The other classes in play go to the second.

    What an SVM tree is told; the machine that parts them is trained then.
    """

    first: tuple[int, ...]  # class indices, rising


AnyForced = Split | ObliqueSplit | CategorySplit | ClassSplit


@dataclass(frozen=True, eq=False)
class ForcedSplit:
    """A forced split of the node, overriding the search and all stopping criteria.

    The score of `split` is not read: the node's own search says what it scores. Two of these are
    equal if they make the same test at the same node.
    """

    path: Path
    split: AnyForced

    @property
    def slot(self) -> str:
        """Aspect of the node that it decides."""
        return "grow"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ForcedSplit) or self.path != other.path:
            return False
        if isinstance(self.split, ClassSplit) or isinstance(other.split, ClassSplit):
            return self.split == other.split
        return same_split(self.split, other.split)

    def __hash__(self) -> int:
        split = self.split
        if isinstance(split, ObliqueSplit):
            return hash((self.path, split.threshold, np.asarray(split.weights).tobytes()))
        if isinstance(split, CategorySplit):
            return hash((self.path, split.feature, tuple(np.asarray(split.branch).tolist())))
        if isinstance(split, ClassSplit):
            return hash((self.path, split))
        return hash((self.path, split.feature, split.threshold))


@dataclass(frozen=True)
class MadeLeaf:
    """Growth stops here."""

    path: Path
    says: int | None = None  # the class that it predicts, by index; None: its most frequent one

    @property
    def slot(self) -> str:
        """Aspect of the node that it decides."""
        return "grow"


@dataclass(frozen=True)
class Without:
    """Features left out of the search, at this node or with `below` from here down."""

    path: Path  # tuple of int
    features: tuple[int, ...]  # column numbers, rising
    below: bool = False  # whether the nodes below do without them, too

    @property
    def slot(self) -> str:
        """Aspect of the node that it decides."""
        return "search_below" if self.below else "search"


@dataclass(frozen=True)
class Cut:
    """Pruning turns this node into a leaf, whatever the pruner says."""

    path: Path

    @property
    def slot(self) -> str:
        """Aspect of the node that it decides."""
        return "prune"


@dataclass(frozen=True)
class Kept:
    """Pruning leaves this node and all above it as they have grown."""

    path: Path

    @property
    def slot(self) -> str:
        """Aspect of the node that it decides."""
        return "prune"


Edit = ForcedSplit | MadeLeaf | Without | Cut | Kept
_KINDS = (ForcedSplit, MadeLeaf, Without, Cut, Kept)


def checked_edits(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits sorted by path, checked for consistency with each other.

    Raises
    ------
    TypeError
        If something is no edit.
    ValueError
        If there are more than 48, a path is not a tuple of branch numbers, or two edits decide
        the same at the same node.
    """
    edits = tuple(edits)
    for edit in edits:
        if not isinstance(edit, _KINDS):
            names = ", ".join(kind.__name__ for kind in _KINDS)
            raise TypeError(f"edits must be of {names}, got {type(edit).__name__}")
        _check_path(edit)
        _check_content(edit)
    if len(edits) > MOST_EDITS:
        raise ValueError(f"at most {MOST_EDITS} edits can be made to a tree, got {len(edits)}")
    ordered = tuple(sorted(edits, key=lambda edit: (edit.path, edit.slot)))
    for one, other in pairwise(ordered):
        if (one.path, one.slot) == (other.path, other.slot):
            raise ValueError(
                f"{type(one).__name__} and {type(other).__name__} at {path_words(one.path)} "
                "decide the same: leave one of them out"
            )
    return ordered


def _check_path(edit: Edit) -> None:
    steps = edit.path
    if not isinstance(steps, tuple) or not all(_is_count(step) for step in steps):
        raise ValueError(
            f"the path of {type(edit).__name__} must be a tuple of branch numbers from 0, such as "
            f"() for the root or (1, 0), got {steps!r}"
        )


def _check_content(edit: Edit) -> None:
    where = path_words(edit.path)
    if isinstance(edit, Without):
        numbers = edit.features
        rising = isinstance(numbers, tuple) and all(_is_count(f) for f in numbers)
        if not rising or not numbers or list(numbers) != sorted(set(numbers)):
            raise ValueError(
                f"the features left out at {where} must be a tuple of rising column numbers from "
                f"0, got {numbers!r}"
            )
    says = getattr(edit, "says", None)
    if says is not None and not _is_count(says):
        raise ValueError(f"the leaf at {where} must predict a class index from 0, got {says!r}")
    if isinstance(edit, ForcedSplit):
        if not isinstance(edit.split, AnyForced):
            raise TypeError(
                f"the split at {where} must be a Split, ObliqueSplit, CategorySplit or ClassSplit, "
                f"got {type(edit.split).__name__}"
            )
        threshold = getattr(edit.split, "threshold", 0.0)
        if math.isnan(threshold):
            raise ValueError(f"the threshold of the split at {where} must be a number, got NaN")


def _is_count(value: object) -> bool:
    try:
        return index(value) >= 0
    except TypeError:
        return False


def growth_edits(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits that change the growth of the tree; the others change its pruning."""
    return tuple(edit for edit in edits if edit.slot != "prune")


def path_words(path: Path) -> Statement:
    """Path for people: "the root", "the node 1.2" by branches that count from 1."""
    if not path:
        return Statement("the root")
    return Statement("the node {place}", place=".".join(str(branch + 1) for branch in path))


def node_at(tree: Tree, path: Path) -> int | None:
    """Node at the end of a path, None if the tree has no such node. O(depth)."""
    node = 0
    for branch in path:
        if branch >= tree.n_children[node]:
            return None
        node = int(tree.first_child[node]) + branch
    return node


def unpruned_node(tree: Tree, grown: Tree, node: int) -> int:
    """Node of the grown tree that became `node` of the tree that pruning left.

    A leaf made by pruning keeps its key, so it is found by that.
    """
    if tree.grown_node[node] >= 0:
        return int(tree.grown_node[node])
    return int(np.flatnonzero(grown.key == tree.key[node])[0])


def path_of(tree: Tree, node: int) -> Path:
    """Path of a node from the root. O(depth)."""
    steps = tree.path(node)
    return tuple(child - int(tree.first_child[parent]) for parent, child in pairwise(steps))


# ---- Searching the nodes of an edited tree again: where features were left out, without them


def splitter_of_edited(splitter: Splitter, edits: Iterable[Edit]) -> Splitter:
    """Splitter without the features that some edits leave out.

    The same splitter if they leave out none.
    """
    own = tuple(edit for edit in edits if isinstance(edit, Without))
    return EditedSplitter(splitter, own) if own else splitter


class EditedSplitter:
    """A splitter that searches some nodes without some features.

    Parameters
    ----------
    splitter : Splitter
        Searches return a table that can do without features, or it has a method
        ``without(features)`` that returns a splitter that does.
    edits : tuple of Without

    Notes
    -----
    A context is known by its key, so it must have been reached from :meth:`root`.
    """

    def __init__(self, splitter: Splitter, edits: tuple[Without, ...]) -> None:
        self._splitter = splitter
        self._here = {_key_of(e.path): {*e.features} for e in edits if not e.below}
        self._below = {_key_of(e.path): {*e.features} for e in edits if e.below}
        self._inherited: dict[int, set[int]] = {}

    def root(self) -> NodeContext:
        """Context of the root."""
        return self._reached(self._splitter.root(), set())

    def child(self, context: NodeContext, split: AnySplit, branch: int) -> NodeContext:
        """Context of a child of a split node."""
        child = self._splitter.child(context, split, branch)
        return self._reached(child, self._inherited[context.key])

    def left_out(self, context: NodeContext) -> tuple[int, ...]:
        """Features that a node is searched without, rising."""
        here = self._here.get(context.key, set())
        return tuple(sorted(self._inherited[context.key] | here))

    def search(self, context: NodeContext) -> Search:
        """All candidates of a node and the selection rule's choice among them."""
        return result_of(self.search_in_steps(context))

    def search_in_steps(self, context: NodeContext) -> Generator[float, None, Search]:
        """Search as :meth:`search` does; a long search yields the share that is done."""
        features, splitter = self.left_out(context), self._splitter
        without = getattr(splitter, "without", None)
        if features and without is not None:
            splitter = without(features)
        in_steps = getattr(splitter, "search_in_steps", None)
        found = splitter.search(context) if in_steps is None else (yield from in_steps(context))
        return found.without(features) if features and without is None else found

    def judge(self, table: Search) -> Search:
        """Search of a node whose candidates are scored already."""
        return self._splitter.judge(table)

    def _reached(self, context: NodeContext, inherited: set[int]) -> NodeContext:
        self._inherited[context.key] = inherited | self._below.get(context.key, set())
        return context


def _key_of(path: Path) -> int:
    """Key of the node at the end of a path."""
    key = ROOT_KEY
    for branch in path:
        key = child_keys(key, np.asarray(branch))
    return int(key)


# ---- A line that was drawn over a plane of two features, as the split of a node


DIGITS = 6  # significant ones: finer than a hand


def round_for_hand(value: float) -> float:
    """Number with as many digits as a hand can mean."""
    return float(f"{value:.{DIGITS}g}")


def along(line: dict, axes: tuple[int, int], path: Path) -> ForcedSplit:
    """Edit that splits a node along a line of the plane of two features.

    Parallel to an axis it is a threshold.

    Parameters
    ----------
    line : dict
        Two places that it goes through: ``{"from": [x, y], "to": [x, y]}``.
    axes : (int, int)
        The features across and up; where both are one, only the place across counts.
    path : tuple of int
        Of the node.

    Raises
    ------
    ValueError
        If both places are one.
    """
    (x0, y0), (x1, y1) = line["from"], line["to"]
    across, up = axes
    if (x0, y0) == (x1, y1):
        raise ValueError(Statement("A line needs two different points; these are the same."))
    if across == up or x0 == x1:
        return ForcedSplit(path, Split(across, round_for_hand((x0 + x1) / 2), 0.0))
    if y0 == y1:
        return ForcedSplit(path, Split(up, round_for_hand(y0), 0.0))
    normal = np.array([y1 - y0, x0 - x1])
    normal /= normal[np.argmax(np.abs(normal))]
    normal = np.array([round_for_hand(weight) for weight in normal])
    weights = np.zeros(max(axes) + 1)
    weights[[across, up]] = normal
    threshold = float(normal @ [(x0 + x1) / 2, (y0 + y1) / 2])
    return ForcedSplit(path, ObliqueSplit(weights, round_for_hand(threshold), 0.0))
