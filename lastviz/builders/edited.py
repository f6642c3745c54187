"""Growing a tree that was changed by hand: its parts grow as ever, each from its own node.

A subtree depends on its context alone (rows, weights, depth, key, what it inherits), since
randomness is addressed. So what no edit touches stays as it is, and what hangs below an edited
node grows anew from there, by the family's own growth.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from lastviz._sentences import Refusal
from lastviz.criteria import Criterion
from lastviz.splitters import AnySplit, CategorySplit, NodeContext, same_split, stored_split
from lastviz.splitters.edits import Edit, MadeLeaf, Path, node_at, path_words
from lastviz.tree import Action, GrowthLog, Kind, LatentBasis, Reason, Tree

from .family import Family, Sprout, check_children, check_edit, complete_split
from .growth import GrowthEvent, SearchProgress, assemble
from .nodewise import SplitColumns, predicting_live


@dataclass(frozen=True, eq=False)
class Graft:
    """Part of a tree: a whole subtree, or a single node with other parts as children."""

    tree: Tree  # holds the part, perhaps among other nodes
    # intp, its nodes of the part, rising: a node and all below it, or a node alone.
    nodes: np.ndarray
    reason: np.ndarray  # (n_nodes of `tree`,) int8, why each node was split or not
    # rows, features: intp, which row and which column of the data each one of `tree` is; None: the
    # same
    rows: np.ndarray | None = None
    features: np.ndarray | None = None
    # Split, CategorySplit, ObliqueSplit, KernelSplit or None, of a single node that is no leaf.
    split: AnySplit | None = None
    children: tuple[int, ...] = ()  # of a single node: places of the parts that hang below it

    @property
    def samples(self) -> tuple[np.ndarray, np.ndarray]:
        """The (row, weight) entries of the part, as rows of the data."""
        top = self.nodes[0]
        inside = slice(int(self.tree.start[top]), int(self.tree.end[top]))
        rows = self.tree.samples[inside]
        return rows if self.rows is None else self.rows[rows], self.tree.sample_weight[inside]


class Assembly:
    """One tree of several parts, numbered as if it had grown at once, depth first.

    Parameters
    ----------
    parts : sequence of Graft
        The root's first, each before those below it, and those of a first child before those
        of the next.

    Notes
    -----
    O(n_nodes + n_samples). Inside, nodes have places: those of the first part, those of the
    second, and so on; their numbers in the tree are found here.
    """

    def __init__(self, parts: Sequence[Graft]) -> None:
        self._parts = parts
        sizes = [len(part.nodes) for part in parts]
        self._begin = [0, *np.cumsum(sizes).tolist()]
        n = self._begin[-1]
        self._children: list[list[int]] = [[] for _ in range(n)]
        for part, begin in zip(parts, self._begin, strict=False):
            self._link(part, begin)
        self._number = np.zeros(n, dtype=np.intp)
        self._parent = np.full(n, -1, dtype=np.intp)
        self._depth = np.zeros(n, dtype=np.intp)
        self._order = self._numbered()

    def _link(self, part: Graft, begin: int) -> None:
        if part.children:
            self._children[begin] = [self._begin[child] for child in part.children]
        if len(part.nodes) == 1:
            return
        place = np.full(part.tree.n_nodes, -1, dtype=np.intp)
        place[part.nodes] = np.arange(begin, begin + len(part.nodes))
        first = place[part.tree.first_child[part.nodes]].tolist()
        count = part.tree.n_children[part.nodes].tolist()
        for node, (child, n) in enumerate(zip(first, count, strict=True), begin):
            self._children[node] = list(range(child, child + n))

    def _numbered(self) -> np.ndarray:
        """Number the nodes; return their places in the order of the events."""
        waiting, order, count = [0], [], 1
        while waiting:
            node = waiting.pop()
            order.append(node)
            below = self._children[node]
            for child in below:
                self._number[child], count = count, count + 1
                self._parent[child] = node
                self._depth[child] = self._depth[node] + 1
            waiting += below[::-1]
        return np.array(order, dtype=np.intp)

    def log(self) -> GrowthLog:
        """Events of the tree, as if it had grown at once."""
        reason = np.concatenate([part.reason[part.nodes] for part in self._parts])
        score = self._of_nodes("score")
        for number, split in self._own_splits():
            score[number] = split.score
        rows = self._of_nodes("n_node_samples")
        return GrowthLog.of_growth(self._number[self._order], reason[self._order], rows, score)

    def tree(
        self,
        feature_names: tuple[str, ...],
        classes: np.ndarray,
        criterion: Criterion,
        *,
        n_categories: np.ndarray,
        keep_parents_class: bool = False,
    ) -> Tree:
        """Tree. A node predicts anew, since a tie may be its parent's to break.

        Parameters are those of :func:`~lastviz.builders.growth.assemble`; `n_categories`
        (n_features,) is 0 for a numeric feature.
        """
        start, end = self._slices()
        leaves = [part.samples for part in self._parts if not part.children]
        weight, numbers = self._of_nodes("weighted_n_node_samples"), not len(classes)
        first = np.array([below[0] if below else -1 for below in self._children], dtype=np.intp)
        count = np.array([len(below) for below in self._children], dtype=np.intp)
        splits = self._splits(len(feature_names), len(classes), n_categories)
        tree = assemble(
            parent=self._by_number(np.where(self._parent < 0, -1, self._number[self._parent])),
            first_child=self._by_number(np.where(first < 0, -1, self._number[first])),
            depth=self._by_number(self._depth),
            start=self._by_number(start),
            end=self._by_number(end),
            counts=weight[:, None] if numbers else self._of_nodes("value"),
            samples=np.concatenate([rows for rows, _ in leaves]),
            sample_weight=np.concatenate([weights for _, weights in leaves]),
            splits=splits | {"n_children": self._by_number(count)},
            feature_names=feature_names,
            classes=classes,
            criterion=criterion,
            keep_parents_class=keep_parents_class,
            n_rows=self._of_nodes("n_node_samples"),
        )
        if numbers:
            names = ("value", "prediction", "impurity")
            tree = replace(tree, **{name: self._of_nodes(name) for name in names})
        missing = max(part.tree.missing for part in self._parts)
        tree = replace(tree, **self._bases(), missing=missing)
        return predicting_live(tree) if len(tree.kernel) else tree

    def _by_number(self, values: np.ndarray) -> np.ndarray:
        """Values by node number, from values by place."""
        out = np.empty_like(values)
        out[self._number] = values
        return out

    def _of_nodes(self, name: str) -> np.ndarray:
        """Column of the parts' trees, by number."""
        columns = [getattr(part.tree, name)[part.nodes] for part in self._parts]
        return self._by_number(np.concatenate(columns))

    def _slices(self) -> tuple[np.ndarray, np.ndarray]:
        """Start and end of the entries of each node, by place."""
        start, end = np.zeros((2, len(self._number)), dtype=np.intp)
        count = 0
        for part, begin in zip(self._parts, self._begin, strict=False):
            if part.children:
                continue
            inside = slice(begin, begin + len(part.nodes))
            offset = count - int(part.tree.start[part.nodes[0]])
            start[inside] = part.tree.start[part.nodes] + offset
            end[inside] = part.tree.end[part.nodes] + offset
            count = int(end[begin])
        for part, begin in reversed(list(zip(self._parts, self._begin, strict=False))):
            if part.children:
                start[begin] = start[self._children[begin][0]]
                end[begin] = end[self._children[begin][-1]]
        return start, end

    def _own_splits(self) -> Iterator[tuple[int, AnySplit]]:
        """Yield the number and the split of each single node that was given one."""
        for part, begin in zip(self._parts, self._begin, strict=False):
            if part.split is not None:
                yield int(self._number[begin]), part.split

    def _splits(
        self, n_features: int, n_classes: int, n_categories: np.ndarray
    ) -> dict[str, object]:
        """Fields of the tree that describe its splits."""
        splits = SplitColumns(len(self._number), n_features, n_classes)
        others = dict(self._own_splits())
        for part, begin in zip(self._parts, self._begin, strict=False):
            inner = part.nodes if len(part.nodes) > 1 else part.nodes[:0]
            number = self._number[begin : begin + len(inner)]
            _take_thresholds(splits, part, inner, number)
            for place in np.flatnonzero(part.tree.kind[inner] > Kind.THRESHOLD).tolist():
                others[int(number[place])] = _split_of(part, int(inner[place]), n_categories)
        for number, split in sorted(others.items()):
            splits.put(number, split)
        return splits.fields()

    def _bases(self) -> dict[str, object]:
        """Latent spaces, each once, and which of them each node has."""
        own = np.concatenate([part.tree.basis_id[part.nodes] for part in self._parts])
        whose = np.repeat(np.arange(len(self._parts)), [len(part.nodes) for part in self._parts])
        bases: dict[int, LatentBasis] = {}
        place: dict[int, int] = {}
        basis_id = np.full(len(own), -1, dtype=np.intp)
        for node in self._order.tolist():
            if own[node] >= 0:
                basis = self._parts[whose[node]].tree.bases[own[node]]
                bases.setdefault(id(basis), basis)
                basis_id[node] = place.setdefault(id(basis), len(place))
        return {"bases": tuple(bases.values()), "basis_id": self._by_number(basis_id)}


def _take_thresholds(
    splits: SplitColumns, part: Graft, nodes: np.ndarray, number: np.ndarray
) -> None:
    """Put the thresholds of some nodes of a part where their new numbers say."""
    here = part.tree.kind[nodes] == Kind.THRESHOLD
    nodes, number = nodes[here], number[here]
    feature = part.tree.feature[nodes]
    splits.kind[number] = Kind.THRESHOLD
    splits.feature[number] = feature if part.features is None else part.features[feature]
    splits.threshold[number] = part.tree.threshold[nodes]
    splits.score[number] = part.tree.score[nodes]
    splits.missing_branch[number] = part.tree.missing_branch[nodes]


def _split_of(part: Graft, node: int, n_categories: np.ndarray) -> AnySplit:
    return split_in_data(part.tree, node, part.features, n_categories)


def split_in_data(
    tree: Tree, node: int, features: np.ndarray | None, n_categories: np.ndarray
) -> AnySplit | None:
    """Split of a node of a part's tree in the features of the data, None at a leaf.

    `features` says which column of the data each one of the tree's is; None: the same.
    """
    if tree.kind[node] in (Kind.LEAF, Kind.OBLIQUE, Kind.KERNEL):
        return stored_split(tree, node)
    feature = int(tree.feature[node])
    feature = feature if features is None else int(features[feature])
    if tree.kind[node] == Kind.THRESHOLD:
        return replace(stored_split(tree, node), feature=feature)
    branch = tree.categories.branch[tree.split_row[node]][: n_categories[feature]]
    return CategorySplit(feature, branch, float(tree.score[node]), int(tree.missing_branch[node]))


# ---------------------------------------------------------------- edited


class Grown(NamedTuple):
    """A tree as it has grown before, and its log."""

    tree: Tree
    log: GrowthLog

    @property
    def reason(self) -> np.ndarray:
        """Reasons why each node was split or not, int8, shape (n_nodes,)."""
        out = np.zeros(self.tree.n_nodes, dtype=np.int8)
        count = self.log.n_growth_events
        out[self.log.node[:count]] = self.log.reason[:count]
        return out


@dataclass(frozen=True, eq=False)
class _EditTask:
    """A node that waits."""

    path: Path
    above: int  # the part that its parent is, -1 at the root
    context: NodeContext | None  # None: nothing is to be done, it is taken as it was before
    before: int  # its number in the tree that has grown before, -1: it has none
    without: tuple[int, ...]  # features that are not searched from here down


class _Node(NamedTuple):
    """Single node: its tree and number there, the decision and the reason."""

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


def _says(edit: Edit) -> bool:
    """Whether an edit names the class of a leaf."""
    return isinstance(edit, MadeLeaf) and edit.says is not None


class EditedGrowth:
    """Growth of one tree edited by hand: an iterator of events, then the tree.

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
        """Grow the tree, then yield the events.

        While it grows, progress is yielded: the share of the samples that is settled.
        """
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
        """Events of the finished growth as arrays."""
        return self._assembly.log()

    def tree(
        self,
        feature_names: tuple[str, ...],
        classes: np.ndarray,
        criterion: Criterion,
        *,
        keep_parents_class: bool = False,
    ) -> Tree:
        """Tree of the finished growth."""
        tree = self._assembly.tree(
            feature_names,
            classes,
            criterion,
            n_categories=self._family.n_categories,
            keep_parents_class=keep_parents_class,
        )
        named = [self._edits[place] for place in self._done if _says(self._edits[place])]
        if not named:
            return tree
        prediction = tree.prediction.copy()
        for leaf in named:
            if leaf.says >= len(classes):
                raise Refusal(
                    "the leaf at {where} cannot predict class {says}: the training rows have "
                    "{n} classes, counted from 0",
                    where=path_words(leaf.path),
                    says=leaf.says,
                    n=len(classes),
                )
            prediction[node_at(tree, leaf.path)] = leaf.says
        return replace(tree, prediction=prediction)

    def _steps(self) -> Iterator[SearchProgress]:
        at_root = -1 if self._before is None else 0
        waiting = [_EditTask((), -1, self._family.root(), at_root, ())]
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

    def _add(self, task: _EditTask, part: Graft) -> int:
        if part.split is None:
            self._settled += int(part.tree.n_node_samples[part.nodes[0]])
        self._parts.append(part)
        place = len(self._parts) - 1
        self._children.setdefault(task.above, []).append(place)
        return place

    def _take_before(self, task: _EditTask) -> None:
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

    def _edited(self, task: _EditTask) -> Generator[SearchProgress, None, list[_EditTask]]:
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
            _EditTask((*task.path, branch), place, context, before, without)
            for branch, (context, before) in enumerate(zip(contexts, firsts, strict=True))
        ]

    def _decided(
        self, task: _EditTask, without: tuple[int, ...]
    ) -> Generator[SearchProgress, None, _Node]:
        """Split of a node, or that it is a leaf, and why."""
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
        split = complete_split(family, context, by_hand, basis)
        check_children(family, context, split, basis, task.path)
        return _Node(grown, 0, sprout, split, Reason.CHOSEN_BY_HAND)

    def _in_known_basis(self, grown: Grown, task: _EditTask) -> Grown:
        """Growth at a node in the basis object that the node had before, if it is equal.

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

    def _edit(self, task: _EditTask, slot: str) -> Edit | None:
        """Edit of a node in a slot, if it has one and rows; it is then done."""
        edit = self._edits.get((task.path, slot))
        if edit is None or not len(task.context.rows):
            return None
        self._done.add((task.path, slot))
        return edit

    def _split_before(self, node: int) -> AnySplit | None:
        return split_in_data(self._before.tree, node, None, self._family.n_categories)
