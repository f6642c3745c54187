"""The selected node in a tree that is cut at a depth: what lies inside it, what leads to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lastviz.tree import Tree


@dataclass(frozen=True, eq=False)
class NodeSelection:
    """A selected node and what follows from it."""

    node: int | None  # the selected node; its ancestor at `depth` if it lies deeper
    depth: int | None  # where the tree is cut
    path: tuple[int, ...]  # nodes from the root to it; empty without a selection
    inside: np.ndarray  # (n_nodes,) bool, nodes of its subtree; all without a selection


def select(tree: Tree, node: int | None, depth: int | None) -> NodeSelection:
    """Return the selection of `node` in `tree` cut at `depth`.

    Raises
    ------
    ValueError
        If the tree has no such node or `depth` is negative.
    """
    if depth is not None and depth < 0:
        raise ValueError(f"depth must be >= 0 or None, got {depth}")
    if node is None:
        return NodeSelection(None, depth, (), np.ones(tree.n_nodes, dtype=bool))
    path = tree.path(checked(tree, node))
    if depth is not None:
        path = path[: depth + 1]
    return NodeSelection(path[-1], depth, tuple(path), below(tree, path[-1:]))


def checked(tree: Tree, node: int) -> int:
    """Return `node` as an int if the tree has it, else raise ValueError."""
    if not 0 <= node < tree.n_nodes:
        raise ValueError(f"selected must be a node from 0 to {tree.n_nodes - 1}, got {node}")
    return int(node)


def below(tree: Tree, nodes: Iterable[int]) -> np.ndarray:
    """Return which nodes are among `nodes` or below one of them, shape (n_nodes,).

    Ancestors are reached in steps that double, so this takes log2(depth) passes.
    """
    inside = np.zeros(tree.n_nodes, dtype=bool)
    inside[list(nodes)] = True
    ancestor = np.maximum(tree.parent, 0)
    for _ in range(int(tree.max_depth).bit_length()):
        inside |= inside[ancestor]
        ancestor = ancestor[ancestor]
    return inside
