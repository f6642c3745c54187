"""From a builder's records to a frozen tree."""

from __future__ import annotations

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.criteria import Criterion
from lastviz.splitters import KernelSplit, ObliqueSplit, Split, kernel_table
from lastviz.tree import Kind, ObliqueSplits, Tree

from .growth_kernels import Nodes

__all__ = ["SplitColumns", "assemble", "tree_from_nodes"]


class SplitColumns:
    """The splits of a tree as columns over its nodes and one table per kind.

    Parameters
    ----------
    n_nodes, n_features : int
    """

    def __init__(self, n_nodes: int, n_features: int) -> None:
        self.kind = np.full(n_nodes, Kind.LEAF, dtype=np.int8)
        self.feature = np.full(n_nodes, -1, dtype=np.intp)
        self.threshold = np.full(n_nodes, np.nan)
        self.split_row = np.full(n_nodes, -1, dtype=np.intp)
        self.score = np.full(n_nodes, np.nan)
        self._n_features = n_features
        self._planes: list[ObliqueSplit] = []
        self._machines: list[KernelSplit] = []

    def put(self, node: int, split: Split | ObliqueSplit | KernelSplit) -> None:
        """Store the split of `node`."""
        self.score[node] = split.score
        if isinstance(split, ObliqueSplit):
            self.kind[node] = Kind.OBLIQUE
            self.split_row[node] = len(self._planes)
            self._planes.append(split)
        elif isinstance(split, KernelSplit):
            self.kind[node] = Kind.KERNEL
            self.split_row[node] = len(self._machines)
            self._machines.append(split)
        else:
            self.kind[node] = Kind.THRESHOLD
            self.feature[node], self.threshold[node] = split.feature, split.threshold

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
            "kernel": kernel_table(self._machines) if self._machines else None,
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
) -> Tree:
    """Return the tree of a builder's records, whose inner nodes have two children each.

    Where a node's counts tie, it predicts the lowest class, or its parent's if that is among
    them and `keep_parents_class`. `splits` holds the fields of the tree that describe splits.
    """
    parent, first_child = parent.astype(np.intp), first_child.astype(np.intp)
    depth, start, end = depth.astype(np.intp), start.astype(np.intp), end.astype(np.intp)
    inner = first_child >= 0
    return Tree(
        parent=parent,
        depth=depth,
        first_child=first_child,
        n_children=np.where(inner, 2, 0),
        impurity=criterion.impurity(counts),
        n_node_samples=end - start,
        weighted_n_node_samples=counts.sum(axis=1),
        value=counts,
        prediction=_majority(counts, parent, depth, keep_parents_class),
        start=start,
        end=end,
        key=_keys(parent, first_child, depth),
        grown_node=np.where(inner, np.arange(len(parent)), -1),
        samples=samples.astype(np.intp),
        sample_weight=sample_weight,
        feature_names=feature_names,
        classes=classes,
        **splits,
    )


def _majority(
    counts: np.ndarray, parent: np.ndarray, depth: np.ndarray, keep_parents_class: bool
) -> np.ndarray:
    prediction = counts.argmax(axis=1)
    if not keep_parents_class:
        return prediction
    largest = counts.max(axis=1)
    for level in range(1, int(depth.max()) + 1):
        here = np.flatnonzero(depth == level)
        inherited = prediction[parent[here]]
        keeps = counts[here, inherited] == largest[here]
        prediction[here[keeps]] = inherited[keeps]
    return prediction


def _keys(parent: np.ndarray, first_child: np.ndarray, depth: np.ndarray) -> np.ndarray:
    keys = np.full(len(parent), ROOT_KEY)
    for level in range(1, int(depth.max()) + 1):
        here = np.flatnonzero(depth == level)
        branch = here - first_child[parent[here]]
        keys[here] = child_keys(keys[parent[here]], branch)
    return keys
