"""Trees of thresholds and hyperplanes as the table of ONNX's operator ``TreeEnsemble``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lastviz.tree import Kind, Missing, Tree


class TreeEnsemble:
    """The table of ``TreeEnsemble``: inner nodes and leaves, tree after tree."""

    def __init__(self, n_trees: int) -> None:
        self.n_trees = n_trees
        self.roots: list[int] = []
        self.feature: list[int] = []
        self.cut: list[float] = []
        self.missing_first: list[int] = []
        self.ends: tuple[list[int], list[int]] = ([], [])
        self.is_leaf: tuple[list[int], list[int]] = ([], [])
        self.leaf_node: list[float] = []
        self.leaf_tree: list[int] = []

    def add(self, place: int, tree: Tree, offset: int) -> None:
        """Add a tree; its hyperplanes are columns of the input from `offset` on."""
        self.roots.append(len(self.feature))
        if tree.n_nodes == 1:
            self._inner(0, 0.0, 0, self._end(place, 0), self._end(place, 0))
            return
        waiting: list[tuple[int, Callable[[int], None] | None]] = [(0, None)]
        while waiting:
            node, tell = waiting.pop()
            if tell is not None:
                tell(len(self.feature))
            row = int(tree.split_row[node])
            oblique = tree.kind[node] == Kind.OBLIQUE
            feature = offset + row if oblique else int(tree.feature[node])
            cut = float(tree.oblique.threshold[row] if oblique else tree.threshold[node])
            branch = int(tree.missing_branch[node])
            if branch < 0 and tree.missing == Missing.BRANCH:  # a row without a value stops
                at = len(self.feature)
                self._inner(feature, np.inf, 0, (0, at + 1), self._end(place, node))
            at = self._inner(feature, cut, int(branch == 0), (0, -1), (0, -1))
            for side, child in enumerate(tree.children(node)):
                if tree.is_leaf(child):
                    self.is_leaf[side][at], self.ends[side][at] = self._end(place, child)
                else:
                    waiting.append((child, self._teller(side, at)))

    def _teller(self, side: int, at: int) -> Callable[[int], None]:
        def tell(where: int) -> None:
            self.ends[side][at] = where

        return tell

    def _end(self, place: int, node: int) -> tuple[int, int]:
        self.leaf_node.append(float(node))
        self.leaf_tree.append(place)
        return 1, len(self.leaf_node) - 1

    def _inner(
        self, feature: int, cut: float, missing_first: int, first: tuple[int, int],
        second: tuple[int, int],
    ) -> int:  # fmt: skip
        self.feature.append(feature)
        self.cut.append(cut)
        self.missing_first.append(missing_first)
        for side, (is_leaf, end) in enumerate((first, second)):
            self.is_leaf[side].append(is_leaf)
            self.ends[side].append(end)
        return len(self.feature) - 1

    def attributes(self, tensor: Callable[[np.ndarray], object]) -> dict[str, object]:
        """Return the attributes of the operator."""
        n = len(self.feature)
        return {
            "aggregate_function": 1,
            "post_transform": 0,
            "n_targets": self.n_trees,
            "tree_roots": self.roots,
            "nodes_featureids": self.feature,
            "nodes_splits": tensor(np.array(self.cut, dtype=np.float64)),
            "nodes_modes": tensor(np.zeros(n, dtype=np.uint8)),
            "nodes_missing_value_tracks_true": self.missing_first,
            "nodes_truenodeids": self.ends[0],
            "nodes_falsenodeids": self.ends[1],
            "nodes_trueleafs": self.is_leaf[0],
            "nodes_falseleafs": self.is_leaf[1],
            "leaf_weights": tensor(np.array(self.leaf_node, dtype=np.float64)),
            "leaf_targetids": self.leaf_tree,
        }
