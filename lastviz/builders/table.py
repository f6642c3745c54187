"""From a builder's records to a frozen tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lastviz.criteria import Criterion
from lastviz.splitters import CategorySplit, KernelSplit, ObliqueSplit, Split, kernel_table
from lastviz.tree import CategorySplits, Kind, ObliqueSplits, Tree

from .growth_kernels import Nodes
from .key_kernels import node_keys


class SplitColumns:
    """The splits of a tree as columns over its nodes and one table per kind.

    Parameters
    ----------
    n_nodes, n_features, n_classes : int
    """

    def __init__(self, n_nodes: int, n_features: int, n_classes: int) -> None:
        self.kind = np.full(n_nodes, Kind.LEAF, dtype=np.int8)
        self.feature = np.full(n_nodes, -1, dtype=np.intp)
        self.threshold = np.full(n_nodes, np.nan)
        self.split_row = np.full(n_nodes, -1, dtype=np.intp)
        self.score = np.full(n_nodes, np.nan)
        self.missing_branch = np.full(n_nodes, -1, dtype=np.intp)
        self.n_children = np.zeros(n_nodes, dtype=np.intp)
        self._branches: list[np.ndarray] = []
        self._n_features, self._n_classes = n_features, n_classes
        self._planes: list[ObliqueSplit] = []
        self._machines: list[KernelSplit] = []

    def put(self, node: int, split: Split | CategorySplit | ObliqueSplit | KernelSplit) -> None:
        """Store the split of `node`."""
        self.score[node] = split.score
        self.n_children[node] = 2
        if isinstance(split, ObliqueSplit):
            self.kind[node] = Kind.OBLIQUE
            self.split_row[node] = len(self._planes)
            self._planes.append(split)
        elif isinstance(split, KernelSplit):
            self.kind[node] = Kind.KERNEL
            self.split_row[node] = len(self._machines)
            self._machines.append(split)
        elif isinstance(split, CategorySplit):
            self.kind[node], self.feature[node] = Kind.CATEGORIES, split.feature
            self.split_row[node] = len(self._branches)
            self._branches.append(split.branch)
            self.n_children[node] = split.n_branches
            self.missing_branch[node] = split.missing_branch
        else:
            self.kind[node] = Kind.THRESHOLD
            self.feature[node], self.threshold[node] = split.feature, split.threshold
            self.missing_branch[node] = split.missing_branch

    def fields(self) -> dict[str, object]:
        """Return what a tree stores of its splits, as its keywords."""
        oblique = ObliqueSplits.none(self._n_features)
        if self._planes:
            weights = np.array([plane.weights for plane in self._planes])
            oblique = ObliqueSplits(weights, np.array([plane.threshold for plane in self._planes]))
        return {
            "kind": self.kind,
            "feature": self.feature,
            "threshold": self.threshold,
            "split_row": self.split_row,
            "score": self.score,
            "oblique": oblique,
            "kernel": kernel_table(self._machines, self._n_classes) if self._machines else None,
            "categories": CategorySplits.of(self._branches),
            "missing_branch": self.missing_branch,
            "n_children": self.n_children,
        }


def tree_from_nodes(
    nodes: Nodes,
    count: int,
    rows: np.ndarray,
    feature_names: tuple[str, ...],
    classes: np.ndarray,
    criterion: Criterion,
    keep_parents_class: bool,
) -> Tree:
    """Return the tree of the first `count` records of thresholds; `rows` is grouped by node.

    See :func:`assemble` for `keep_parents_class`.
    """
    inner = nodes.first_child[:count] >= 0
    splits = {
        "kind": np.where(inner, Kind.THRESHOLD, Kind.LEAF).astype(np.int8),
        "feature": np.where(inner, nodes.feature[:count], -1).astype(np.intp),
        "threshold": np.where(inner, nodes.threshold[:count], np.nan),
        "score": np.where(inner, nodes.score[:count], np.nan),
    }
    return assemble(
        parent=nodes.parent[:count],
        first_child=nodes.first_child[:count],
        depth=nodes.depth[:count],
        start=nodes.start[:count],
        end=nodes.end[:count],
        counts=nodes.counts[:count].astype(np.float64),
        samples=rows,
        sample_weight=np.ones(len(rows)),
        splits=splits,
        feature_names=feature_names,
        classes=classes,
        criterion=criterion,
        keep_parents_class=keep_parents_class,
    )


def assemble(
    *,
    parent: np.ndarray,
    first_child: np.ndarray,
    depth: np.ndarray,
    start: np.ndarray,
    end: np.ndarray,
    counts: np.ndarray,
    samples: np.ndarray,
    sample_weight: np.ndarray,
    splits: dict[str, object],
    feature_names: tuple[str, ...],
    classes: np.ndarray,
    criterion: Criterion,
    keep_parents_class: bool,
    n_rows: np.ndarray | None = None,
) -> Tree:
    """Return the tree of a builder's records.

    Where a node's counts tie, it predicts the lowest class, or its parent's if that is among
    them and `keep_parents_class`; an empty node predicts its parent's. `splits` holds the
    fields of the tree that describe splits; inner nodes have two children each if it does not
    say how many. `n_rows` (n_nodes,) is needed where rows stand in parts in several leaves.
    """
    parent, first_child = parent.astype(np.intp), first_child.astype(np.intp)
    depth, start, end = depth.astype(np.intp), start.astype(np.intp), end.astype(np.intp)
    inner, weight = first_child >= 0, counts.sum(axis=1)
    return Tree(
        parent=parent,
        depth=depth,
        first_child=first_child,
        impurity=criterion.impurity(counts),
        n_node_samples=(end - start if n_rows is None else n_rows).astype(np.intp),
        weighted_n_node_samples=weight,
        value=counts,
        prediction=_majority(counts, parent, depth, keep_parents_class),
        start=start,
        end=end,
        key=_keys(parent, first_child),
        grown_node=np.where(inner, np.arange(len(parent)), -1),
        samples=samples.astype(np.intp),
        sample_weight=sample_weight,
        feature_names=feature_names,
        classes=classes,
        **({"n_children": np.where(inner, 2, 0)} | splits),
    )


def predicting_live(tree: Tree) -> Tree:
    """Return a tree whose nodes predict the most frequent class that is still in play there.

    A leaf without rows below a kernel node predicts the class that was peeled off.
    """
    in_play = np.where(tree.live_classes(), tree.value, -1.0)
    return replace(tree, prediction=in_play.argmax(axis=1))


def _majority(
    counts: np.ndarray, parent: np.ndarray, depth: np.ndarray, keep_parents_class: bool
) -> np.ndarray:
    prediction, largest = counts.argmax(axis=1), counts.max(axis=1)
    if not keep_parents_class and largest.all():
        return prediction
    for level in range(1, int(depth.max()) + 1):
        here = np.flatnonzero(depth == level)
        inherited = prediction[parent[here]]
        keeps = counts[here, inherited] == largest[here]
        keeps &= keep_parents_class | (largest[here] == 0)
        prediction[here[keeps]] = inherited[keeps]
    return prediction


def _keys(parent: np.ndarray, first_child: np.ndarray) -> np.ndarray:
    keys = np.empty(len(parent), dtype=np.uint64)
    node_keys(parent, first_child, keys)
    return keys
