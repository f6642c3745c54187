"""From the builder's records to a frozen tree."""

from __future__ import annotations

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.criteria import Criterion
from lastviz.tree import Kind, Tree

from .growth_kernels import Nodes

__all__ = ["tree_from_nodes"]


def tree_from_nodes(
    nodes: Nodes,
    count: int,
    rows: np.ndarray,
    feature_names: tuple[str, ...],
    classes: np.ndarray,
    criterion: Criterion,
    keep_parents_class: bool,
) -> Tree:
    """Return the tree of the first `count` records; `rows` is grouped by node.

    Where a node's counts tie, it predicts the lowest class, or its parent's if that is among
    them and `keep_parents_class`.
    """
    first_child = nodes.first_child[:count].astype(np.intp)
    inner = first_child >= 0
    parent = nodes.parent[:count].astype(np.intp)
    depth = nodes.depth[:count].astype(np.intp)
    counts = nodes.counts[:count].astype(np.float64)
    size = (nodes.end[:count] - nodes.start[:count]).astype(np.intp)
    return Tree(
        parent=parent,
        depth=depth,
        first_child=first_child,
        n_children=np.where(inner, 2, 0),
        kind=np.where(inner, Kind.THRESHOLD, Kind.LEAF).astype(np.int8),
        feature=np.where(inner, nodes.feature[:count], -1).astype(np.intp),
        threshold=np.where(inner, nodes.threshold[:count], np.nan),
        impurity=criterion.impurity(counts),
        score=np.where(inner, nodes.score[:count], np.nan),
        n_node_samples=size,
        weighted_n_node_samples=size.astype(np.float64),
        value=counts,
        prediction=_majority(counts, parent, depth, keep_parents_class),
        start=nodes.start[:count].astype(np.intp),
        end=nodes.end[:count].astype(np.intp),
        key=_keys(parent, first_child, depth),
        grown_node=np.where(inner, np.arange(count), -1),
        samples=rows.astype(np.intp),
        sample_weight=np.ones(len(rows)),
        feature_names=feature_names,
        classes=classes,
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
