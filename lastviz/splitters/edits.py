"""Changes made to a tree by hand: splits forced, leaves made, features left out, pruning decided.

An edit names its node by the path from the root, a tuple of branch numbers: ``()`` is the
root, ``(1, 0)`` the first child of the root's second one. Node numbers would not do: they
change when anything above changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from operator import index

import numpy as np

from lastviz._sentences import Sentence
from lastviz.tree import Tree

from .splits import CategorySplit, ObliqueSplit, Split, same_split

MOST_EDITS = 24

Path = tuple[int, ...]


@dataclass(frozen=True)
class ClassSplit:
    """Classes: those of `first` go to the first child, the others in play to the second.

    What an SVM tree is told; the machine that parts them is trained then.
    """

    first: tuple[int, ...]  # class indices, rising


AnyForced = Split | ObliqueSplit | CategorySplit | ClassSplit


@dataclass(frozen=True, eq=False)
class ForcedSplit:
    """The node is split so, whatever the search would choose and whatever would stop growth.

    The score of `split` is not read: the node's own search says what it scores. Two of these are
    equal if they make the same test at the same node.
    """

    path: Path
    split: AnyForced

    @property
    def slot(self) -> str:
        """What of the node it decides."""
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

    @property
    def slot(self) -> str:
        """What of the node it decides."""
        return "grow"


@dataclass(frozen=True)
class Without:
    """The search does without some features: at this node, or with `below` from here down."""

    path: Path  # tuple of int
    features: tuple[int, ...]  # column numbers, rising
    below: bool = False  # whether the nodes below do without them, too

    @property
    def slot(self) -> str:
        """What of the node it decides."""
        return "search_below" if self.below else "search"


@dataclass(frozen=True)
class Cut:
    """Pruning turns this node into a leaf, whatever the pruner says."""

    path: Path

    @property
    def slot(self) -> str:
        """What of the node it decides."""
        return "prune"


@dataclass(frozen=True)
class Kept:
    """Pruning leaves this node and all above it as they have grown."""

    path: Path

    @property
    def slot(self) -> str:
        """What of the node it decides."""
        return "prune"


Edit = ForcedSplit | MadeLeaf | Without | Cut | Kept
_KINDS = (ForcedSplit, MadeLeaf, Without, Cut, Kept)


def checked_edits(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return edits sorted by path, once they are found to make sense together.

    Raises
    ------
    TypeError
        If something is no edit.
    ValueError
        If there are more than 24, a path is not a tuple of branch numbers, or two edits decide
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
    """Return those edits that change how the tree grows; the others change how it is pruned."""
    return tuple(edit for edit in edits if edit.slot != "prune")


def path_words(path: Path) -> Sentence:
    """Return a path for people: "the root", "the node 1.2" by branches that count from 1."""
    if not path:
        return Sentence("the root")
    return Sentence("the node {place}", place=".".join(str(branch + 1) for branch in path))


def node_at(tree: Tree, path: Path) -> int | None:
    """Return the node at the end of a path, None if the tree has no such node. O(depth)."""
    node = 0
    for branch in path:
        if branch >= tree.n_children[node]:
            return None
        node = int(tree.first_child[node]) + branch
    return node


def unpruned_node(tree: Tree, grown: Tree, node: int) -> int:
    """Return the node of the grown tree that became `node` of the tree that pruning left.

    A leaf made by pruning keeps its key, so it is found by that.
    """
    if tree.grown_node[node] >= 0:
        return int(tree.grown_node[node])
    return int(np.flatnonzero(grown.key == tree.key[node])[0])


def path_of(tree: Tree, node: int) -> Path:
    """Return the path of a node from the root. O(depth)."""
    steps = tree.path(node)
    return tuple(child - int(tree.first_child[parent]) for parent, child in pairwise(steps))
