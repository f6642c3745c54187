"""Parts of trees put together to one tree, as if it had grown at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lastviz.criteria import Criterion
from lastviz.splitters import AnySplit, CategorySplit, stored_split
from lastviz.tree import GrowthLog, Kind, LatentBasis, Tree

from .table import SplitColumns, assemble, predicting_live


@dataclass(frozen=True, eq=False)
class Graft:
    """A part of the tree: a whole subtree, or a single node whose children are other parts."""

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
        """Return the events of the tree, as if it had grown at once."""
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
        """Return the tree. A node predicts anew, since a tie may be its parent's to break.

        Parameters are those of :func:`~lastviz.builders.table.assemble`; `n_categories`
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
        """Return values by place as values by number."""
        out = np.empty_like(values)
        out[self._number] = values
        return out

    def _of_nodes(self, name: str) -> np.ndarray:
        """Return a column of the parts' trees, by number."""
        columns = [getattr(part.tree, name)[part.nodes] for part in self._parts]
        return self._by_number(np.concatenate(columns))

    def _slices(self) -> tuple[np.ndarray, np.ndarray]:
        """Return where the entries of each node stand, by place."""
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
        """Return what the tree stores of its splits."""
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
        """Return the latent spaces, each once, and which of them each node has."""
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
    """Return the split of a node of a part's tree in the features of the data, None at a leaf.

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
