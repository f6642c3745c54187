"""Growing a tree that was changed by hand: its parts grow as ever, each from its own node.

A subtree depends on its context alone (rows, weights, depth, key, what it inherits), since
randomness is addressed. So what no edit touches stays as it is, and what hangs below an edited
node grows anew from there, by the family's own growth.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from lastviz.criteria import Criterion
from lastviz.splitters import (
    AnySplit,
    NodeContext,
    same_split,
)
from lastviz.splitters.edits import (
    Edit,
    MadeLeaf,
    Path,
)
from lastviz.tree import Action, GrowthLog, LatentBasis, Reason, Tree

from .family import Family, Sprout, check_children, check_edit, completed
from .grafts import Assembly, Graft, split_in_data
from .growth import GrowthEvent, SearchProgress


class Grown(NamedTuple):
    """A tree as it has grown before, and its log."""

    tree: Tree
    log: GrowthLog

    @property
    def reason(self) -> np.ndarray:
        """Why each node was split or not, int8, shape (n_nodes,)."""
        out = np.zeros(self.tree.n_nodes, dtype=np.int8)
        count = self.log.n_growth_events
        out[self.log.node[:count]] = self.log.reason[:count]
        return out


@dataclass(frozen=True, eq=False)
class _Task:
    """A node that waits."""

    path: Path
    above: int  # the part that its parent is, -1 at the root
    context: NodeContext | None  # None: nothing is to be done, it is taken as it was before
    before: int  # its number in the tree that has grown before, -1: it has none
    without: tuple[int, ...]  # features that are not searched from here down


class _Node(NamedTuple):
    """A single node: the tree that it stands in as number `node`, what was decided, and why."""

    grown: Grown
    node: int
    sprout: Sprout | None
    split: AnySplit | None
    reason: Reason

    @property
    def basis(self) -> LatentBasis | None:
        """The latent space of the node, if it has one."""
        return _basis(self.grown.tree, self.node)


def _basis(tree: Tree, node: int) -> LatentBasis | None:
    return tree.bases[tree.basis_id[node]] if tree.basis_id[node] >= 0 else None


class EditedGrowth:
    """The growth of one tree that was changed by hand: an iterator of events, then the tree.

    Parameters
    ----------
    family : Family
    edits : tuple of Edit
        Sorted by path; those of pruning are not looked at.
    before : Grown, optional
        The tree of the same data and parameters without edits: what these do not touch is
        taken from it.

    Notes
    -----
    Above the edited nodes each node is searched alone, unless it is there already. The time
    is that of growing the subtrees below the topmost edited nodes.
    """

    def __init__(
        self, family: Family, edits: tuple[Edit, ...], before: Grown | None = None
    ) -> None:
        self._family = family
        self._edits = {(edit.path, edit.slot): edit for edit in edits if edit.slot != "prune"}
        for edit in self._edits.values():
            check_edit(edit, family)
        self._touched = {path[:k] for path, _ in self._edits for k in range(len(path) + 1)}
        self._before = before
        self._reason = None if before is None else before.reason
        self._done: set[tuple[Path, str]] = set()
        self._parts: list[Graft] = []
        self._children: dict[int, list[int]] = {}
        self._settled = 0
        self._assembly: Assembly | None = None

    @property
    def columns(self) -> np.ndarray:
        """The training data, shape (n_features, n_samples)."""
        return self._family.columns

    @property
    def void(self) -> tuple[Edit, ...]:
        """Edits of growth that found no node to apply to."""
        return tuple(edit for place, edit in self._edits.items() if place not in self._done)

    def __iter__(self) -> Iterator[GrowthEvent | SearchProgress]:
        """Grow with signs of life (which share of the rows is settled), then yield the events."""
        yield from self._steps()
        log = self.log()
        for node, action, reason, n in zip(
            log.node, log.action, log.reason, log.n_samples, strict=True
        ):
            yield GrowthEvent(int(node), Action(action), Reason(reason), int(n))

    def run(self) -> EditedGrowth:
        """Grow to the end without looking at the events."""
        for _ in self._steps():
            pass
        return self

    def log(self) -> GrowthLog:
        """Return the events of the finished growth as arrays."""
        return self._assembly.log()

    def tree(
        self,
        feature_names: tuple[str, ...],
        classes: np.ndarray,
        criterion: Criterion,
        *,
        keep_parents_class: bool = False,
    ) -> Tree:
        """Return the tree of the finished growth."""
        return self._assembly.tree(
            feature_names,
            classes,
            criterion,
            n_categories=self._family.n_categories,
            keep_parents_class=keep_parents_class,
        )

    def _steps(self) -> Iterator[SearchProgress]:
        at_root = -1 if self._before is None else 0
        waiting = [_Task((), -1, self._family.root(), at_root, ())]
        while waiting:
            task = waiting.pop()
            if task.path in self._touched:
                waiting += (yield from self._edited(task))[::-1]
            elif task.before >= 0:
                self._take_before(task)
            else:
                sprout = self._family.sprout(task.context, -1, task.without)
                grown = yield from self._grown(sprout)
                all_nodes = np.arange(grown.tree.n_nodes)
                self._add(task, Graft(grown.tree, all_nodes, grown.reason, *sprout[1:]))
        self._parts = [
            replace(part, children=tuple(self._children.get(place, ())))
            for place, part in enumerate(self._parts)
        ]
        self._assembly = Assembly(self._parts)

    def _add(self, task: _Task, part: Graft) -> int:
        if part.split is None:
            self._settled += int(part.tree.n_node_samples[part.nodes[0]])
        self._parts.append(part)
        place = len(self._parts) - 1
        self._children.setdefault(task.above, []).append(place)
        return place

    def _take_before(self, task: _Task) -> None:
        tree = self._before.tree
        self._add(task, Graft(tree, tree.subtree(task.before), self._reason))

    def _grown(self, sprout: Sprout) -> Generator[SearchProgress, None, Grown]:
        """Grow to the end, yielding signs of life; return the tree and its log."""
        n, reached = len(self._family.columns[0]), 0
        for event in sprout.growth:
            under_way = 0.0
            if isinstance(event, SearchProgress):
                under_way = event.share * event.n_samples
            elif event.action == Action.LEAF:
                reached += event.n_samples
            share = (self._settled + reached + under_way) / n
            yield SearchProgress(0, min(share, 1.0), n)
        return Grown(self._family.tree_of(sprout.growth), sprout.growth.log())

    def _edited(self, task: _Task) -> Generator[SearchProgress, None, list[_Task]]:
        """Decide about a node at or below which there are edits; return its children."""
        below = self._edit(task, "search_below")
        without = task.without
        if below is not None:
            without = tuple(sorted({*without, *below.features}))
        own = self._edit(task, "search")
        searched = without if own is None else tuple(sorted({*without, *own.features}))
        node = yield from self._decided(task, searched)
        grown, sprout = node.grown, node.sprout
        reason = np.full(grown.tree.n_nodes, node.reason, dtype=np.int8)
        mapped = (None, None) if sprout is None else sprout[1:]
        alone = Graft(grown.tree, np.array([node.node]), reason, *mapped, split=node.split)
        place = self._add(task, alone)
        if node.split is None:
            return []
        same_below = without == task.without and task.before >= 0
        if same_below:
            before = self._split_before(task.before)
            same_below = before is not None and same_split(before, node.split)
        contexts = self._family.children(task.context, node.split, node.basis)
        firsts = self._before.tree.children(task.before) if same_below else [-1] * len(contexts)
        return [
            _Task((*task.path, branch), place, context, before, without)
            for branch, (context, before) in enumerate(zip(contexts, firsts, strict=True))
        ]

    def _decided(
        self, task: _Task, without: tuple[int, ...]
    ) -> Generator[SearchProgress, None, _Node]:
        """Return the split of a node, or that it is a leaf, and why."""
        family, context = self._family, task.context
        by_hand = self._edit(task, "grow")
        if by_hand is None and not without and task.before >= 0:
            split = self._split_before(task.before)
            reason = Reason(int(self._reason[task.before]))
            return _Node(self._before, task.before, None, split, reason)
        is_leaf = isinstance(by_hand, MadeLeaf)
        looks = not is_leaf and (by_hand is None or family.looks_first)
        sprout = family.sprout(context, context.depth + looks, without)
        grown = yield from self._grown(sprout)
        if is_leaf:
            return _Node(grown, 0, sprout, None, Reason.LEAF_BY_HAND)
        if by_hand is None:
            split = split_in_data(grown.tree, 0, sprout.features, family.n_categories)
            return _Node(grown, 0, sprout, split, Reason(int(grown.reason[0])))
        grown = self._in_known_basis(grown, task)
        basis = _basis(grown.tree, 0)
        split = completed(family, context, by_hand, basis)
        check_children(family, context, split, basis, task.path)
        return _Node(grown, 0, sprout, split, Reason.CHOSEN_BY_HAND)

    def _in_known_basis(self, grown: Grown, task: _Task) -> Grown:
        """Return what has grown at a node in the very basis that the node had before.

        What hangs below may be taken over, and a tree has each of its bases once.
        """
        basis = _basis(grown.tree, 0)
        known = _basis(self._before.tree, task.before) if task.before >= 0 else None
        if basis is None or known is None:
            return grown
        if not np.array_equal(basis.directions, known.directions):
            return grown
        bases = tuple(known if one is basis else one for one in grown.tree.bases)
        return grown._replace(tree=replace(grown.tree, bases=bases))

    def _edit(self, task: _Task, slot: str) -> Edit | None:
        """Return the edit of a node in a slot, if it has one and rows; it is then done."""
        edit = self._edits.get((task.path, slot))
        if edit is None or not len(task.context.rows):
            return None
        self._done.add((task.path, slot))
        return edit

    def _split_before(self, node: int) -> AnySplit | None:
        return split_in_data(self._before.tree, node, None, self._family.n_categories)
