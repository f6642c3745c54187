"""Nodes as files of other libraries say them, and the trees and sums that are made of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz._sentences import Refusal
from lastviz.estimators import ImportedBoosting
from lastviz.estimators.imported import imported_boosting
from lastviz.tree import CategorySplits, Kind, Missing, Tree
from lastviz.tree.tree import branch_shares

MOST_NODES = 500_000  # of all trees of a file
MOST_GROUPED = 20_000_000  # splits by categories, times the categories
MOST_CATEGORIES = 32_000  # branches are stored in 16 bits
LEFT, RIGHT, NOWHERE = 0, 1, -1
NO_CLASSES = np.zeros(0, dtype=np.intp)


def no_support(where: str, what: str, known: str = "") -> Refusal:
    """Error of a part that is not supported; `known` ones are."""
    about = {"where": where[-80:], "what": what[:160]}
    if known:
        return Refusal("{where}: {what} is not supported; supported: {known}", **about, known=known)
    return Refusal("{where}: {what} is not supported", **about)


@dataclass(slots=True)
class FileNode:
    """A leaf, a threshold, or groups of categories."""

    children: tuple[int, ...] = ()
    feature: int = -1
    threshold: float = np.nan  # values up to it go to the first child
    branch: np.ndarray | None = None  # (n_categories,) of each category; -1: the row stops here
    missing: int = NOWHERE  # the branch of missing values
    value: float | None = None  # what it predicts or adds; of an inner node else its leaves' mean
    counts: np.ndarray | None = None  # (n_classes,) rows of each class, where classes are predicted
    label: int = -1  # the class; -1: that of most rows
    rows: float = 0.0  # of a leaf; 0 where the file does not say
    gain: float = np.nan


@dataclass(frozen=True)
class Head:
    """Columns of all trees of a file, and classes, if any are predicted."""

    features: tuple[str, ...]
    categories: tuple[tuple | None, ...]
    classes: np.ndarray

    def __post_init__(self) -> None:
        if len(set(self.features)) < len(self.features):
            twice = next(name for name in self.features if self.features.count(name) > 1)
            raise Refusal("two columns have the name {name}: rename one and write it anew",
                          name=twice[:80])  # fmt: skip
        for known in self.categories:
            if known is not None and len(known) > MOST_CATEGORIES:
                raise Refusal("a column has more than {n} categories", n=MOST_CATEGORIES)


def check_groups(n_splits: int, head: Head) -> None:
    """Refuse splits by categories whose tables would fill the memory."""
    most = max((len(known) for known in head.categories if known is not None), default=0)
    if n_splits * most > MOST_GROUPED:
        raise no_support("categories", f"a model of {n_splits} splits and {most} categories",
                         f"{MOST_GROUPED} in all")  # fmt: skip


def single(value: object) -> np.ndarray:
    """Numbers as the library keeps them, in single precision, as doubles."""
    with np.errstate(over="ignore"):
        return np.asarray(value, dtype=np.float64).astype(np.float32).astype(np.float64)


def before_single(value: object) -> np.ndarray:
    """Next smaller number in single precision: x < t where x <= it, as singles."""
    below = np.nextafter(np.asarray(value, dtype=np.float32), np.float32(-np.inf))
    return below.astype(np.float64)


def tree_of(
    nodes: Sequence[FileNode], head: Head, where: str, missing: Missing = Missing.BRANCH
) -> Tree:
    """Tree of the nodes from the first one down; O(n_nodes n_classes).

    A split all of whose rows take one branch is left out.

    Raises
    ------
    ValueError
        If a node is reached twice, or asks for a column or compares with a number that is not
        there; `where` names the tree.
    """
    order, parent = _in_order(nodes, head, where)
    n, k = len(order), len(head.classes)
    n_children = np.bincount(parent[1:], minlength=n)
    inner = n_children > 0
    first = np.where(inner, np.searchsorted(parent, np.arange(n)), -1)
    depth, key = np.zeros(n, dtype=np.intp), np.full(n, ROOT_KEY)
    for place in np.flatnonzero(inner):
        below = first[place] + np.arange(n_children[place])
        depth[below], key[below] = depth[place] + 1, child_keys(key[place], np.arange(len(below)))
    weight = np.array([0.0 if each.children else each.rows for each in order])
    share = weight.copy() if weight.any() else (~inner).astype(np.float64)
    value = np.array([0.0 if each.value is None else each.value for each in order])
    total = np.where(inner, 0.0, share * value)
    counts = np.zeros((n, k))
    for place, each in enumerate(order):
        if each.counts is not None and not inner[place]:
            counts[place] = each.counts
    for place in range(n - 1, 0, -1):
        for column in (weight, share, total, counts):
            column[parent[place]] += column[place]
    own = np.array([each.value is not None for each in order])
    value = np.where(own, value, np.divide(total, share, out=np.zeros(n), where=share > 0))
    label = np.array([each.label for each in order])
    row = np.full(n, -1, dtype=np.intp)
    nominal = [place for place, each in enumerate(order) if each.branch is not None]
    row[nominal] = np.arange(len(nominal))
    kind = np.where(row >= 0, Kind.CATEGORIES, np.where(inner, Kind.THRESHOLD, Kind.LEAF))
    sent = np.array([each.missing if each.children else NOWHERE for each in order], dtype=np.intp)
    return Tree(
        parent=parent,
        depth=depth,
        first_child=first,
        n_children=n_children,
        kind=kind.astype(np.int8),
        feature=np.array([each.feature if each.children else -1 for each in order], dtype=np.intp),
        threshold=np.array([each.threshold if each.children else np.nan for each in order]),
        impurity=np.full(n, np.nan),
        score=np.array([each.gain if each.children else np.nan for each in order]),
        n_node_samples=np.round(weight).astype(np.intp),
        weighted_n_node_samples=weight,
        value=counts if k else value[:, None],
        prediction=np.where(label < 0, counts.argmax(axis=1), label) if k else value,
        start=np.zeros(n, dtype=np.intp),
        end=np.zeros(n, dtype=np.intp),
        key=key,
        grown_node=np.arange(n),
        samples=np.empty(0, dtype=np.intp),
        sample_weight=np.empty(0),
        feature_names=head.features,
        classes=head.classes,
        split_row=row,
        feature_categories=head.categories,
        categories=CategorySplits.of([order[place].branch for place in nominal]),
        missing=missing,
        missing_branch=sent if missing == Missing.BRANCH else None,
        branch_weight=branch_shares(parent, weight) if missing == Missing.FRACTIONS else None,
    )


def _in_order(
    nodes: Sequence[FileNode], head: Head, where: str
) -> tuple[list[FileNode], np.ndarray]:
    """Nodes level by level, each checked, and the place of each one's parent."""
    order: list[FileNode] = []
    parent: list[int] = []
    reached, waiting = set(), deque([(0, -1)])
    while waiting:
        number, above = waiting.popleft()
        while True:
            if not 0 <= number < len(nodes) or number in reached:
                raise Refusal("{where} is no tree: node {n} is not there, or has two parents",
                              where=where, n=number)  # fmt: skip
            reached.add(number)
            node = nodes[number]
            if node.children:
                _check(node, head, where, number)
            if node.branch is None or len(node.children) != 1 or (node.branch < 0).any():
                break
            number = node.children[0]  # all rows go there
        order.append(node)
        parent.append(above)
        waiting.extend((child, len(order) - 1) for child in node.children)
    return order, np.array(parent, dtype=np.intp)


def _check(node: FileNode, head: Head, where: str, number: int) -> None:
    """Refuse a split that cannot be asked; children that no row takes are left out."""
    place = {"where": where, "n": number}
    if not 0 <= node.feature < len(head.features):
        raise Refusal("{where}, node {n} asks for column {f}, and there are {m}", **place,
                      f=node.feature, m=len(head.features))  # fmt: skip
    known, name = head.categories[node.feature], head.features[node.feature]
    if (node.branch is None) != (known is None):
        raise Refusal("{where}, node {n} asks for {name} as a number and as categories", **place,
                      name=name[:80])  # fmt: skip
    if node.branch is None:
        if not np.isfinite(node.threshold) and not (
            np.isposinf(node.threshold) and node.missing == 1
        ):
            raise Refusal("{where}, node {n} compares with no finite number", **place)
        return
    used = np.unique(np.r_[node.branch, node.missing])
    used = used[used >= 0]
    renamed = np.full(len(node.children) + 1, NOWHERE)  # the last place is that of NOWHERE
    renamed[used] = np.arange(len(used))
    node.branch, node.missing = renamed[node.branch].astype(np.int16), int(renamed[node.missing])
    node.children = tuple(node.children[branch] for branch in used)


# ---- Sums


@dataclass(frozen=True, eq=False)
class SumOfTrees:
    """SumOfTrees of trees, several if there are several scores."""

    start: np.ndarray  # (n_scores,)
    trees: list[list[list[FileNode]]]  # by score
    head: Head  # its classes are those of the sum; trees add numbers
    algorithm: str
    by_exponent: bool = False
    missing: Missing = Missing.BRANCH

    def model(self) -> ImportedBoosting:
        """The sum as an estimator."""
        lengths = {len(each) for each in self.trees}
        if len(lengths) > 1 or lengths == {0}:
            raise Refusal("its scores have {n} trees, not one number of them for each score",
                          n=", ".join(str(len(each)) for each in self.trees))  # fmt: skip
        if sum(len(tree) for each in self.trees for tree in each) > MOST_NODES:
            raise Refusal("it has more than {n} nodes: train fewer or smaller trees",
                          n=MOST_NODES)  # fmt: skip
        head = replace(self.head, classes=np.zeros(0, dtype=np.intp))
        rounds = zip(*self.trees, strict=True)
        trees = [tree for each in rounds for tree in each]
        return imported_boosting(
            [tree_of(nodes, head, f"tree {t}", self.missing) for t, nodes in enumerate(trees)],
            self.start,
            self.head.classes,
            algorithm=self.algorithm,
            named=True,
            by_exponent=self.by_exponent,
            first_at_0=True,
        )
