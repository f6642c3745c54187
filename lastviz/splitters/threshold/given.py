"""The splits of a finished tree, asked for node by node on other rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lastviz.splitters.cells.presort import Presorted, Unsorted
from lastviz.splitters.search import NodeContext
from lastviz.splitters.splits import AnySplit, ObliqueSplit, Split, stored_split
from lastviz.tree import Reason, Tree

from .choice_kernels import Choice
from .threshold import ThresholdSplitter


class GivenSplitter(ThresholdSplitter):
    """Splits each node as a finished tree does; searches rank thresholds as ever.

    Parameters
    ----------
    presorted, y, n_classes, choice
        As for :class:`ThresholdSplitter`.
    tree : Tree or None
        Of thresholds and hyperplanes; it may be set later, before the first split.

    Notes
    -----
    A context inherits the number of its node in the tree, -1 below a leaf of it. A split that
    sends all rows of the node to one child gives way to that of the child.
    """

    reason = Reason.GIVEN

    def __init__(
        self,
        presorted: Presorted | Unsorted,
        y: np.ndarray,
        n_classes: int,
        choice: Choice,
        tree: Tree | None,
    ) -> None:
        super().__init__(presorted, y, n_classes, choice)
        self.tree = tree

    def root(self) -> NodeContext:
        """Return the context of the root."""
        return replace(super().root(), inherited=0)

    def child(self, context: NodeContext, split: Split | ObliqueSplit, branch: int) -> NodeContext:
        """Return the context of the first (0) or second (1) child of a split node."""
        node = self._node_of(context)
        below = -1 if node < 0 or self.tree.is_leaf(node) else self.tree.first_child[node] + branch
        return replace(super().child(context, split, branch), inherited=int(below))

    def best(self, context: NodeContext) -> AnySplit | Reason:
        """Return the split that stands at the node, or that none does."""
        node = self._node_of(context)
        if node < 0 or self.tree.is_leaf(node):
            return Reason.GIVEN_LEAF
        return self.completed(context, stored_split(self.tree, node))

    def _node_of(self, context: NodeContext) -> int:
        """Return the node of the tree that splits the rows, or the leaf that they all reach."""
        node, X = context.inherited, self.presorted.X[context.rows]
        while node >= 0 and not self.tree.is_leaf(node):
            split = stored_split(self.tree, node)
            first = (
                split.goes_first(X)
                if isinstance(split, ObliqueSplit)
                else X[:, split.feature] <= split.threshold
            )
            if first.any() and not first.all():
                break
            node = int(self.tree.first_child[node]) + int(not first.any())
        return node
