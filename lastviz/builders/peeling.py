"""Growing a tree that parts classes: it ends where one class is in play."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from lastviz.criteria import Criterion
from lastviz.tree import Reason, Tree

from .nodewise import NodewiseGrowth
from .table import predicting_live


class PeelGrowth(NodewiseGrowth):
    """As :class:`~lastviz.builders.NodewiseGrowth`, for a splitter that inherits live classes.

    A node whose rows are all of one class is still split while several classes are in play,
    and a child may hold no training row: with k classes there are k - 1 inner nodes, unless
    the tree becomes too deep.
    """

    EMPTY_CHILDREN: ClassVar[bool] = True

    def tree(
        self,
        feature_names: tuple[str, ...],
        classes: np.ndarray,
        criterion: Criterion,
        *,
        keep_parents_class: bool = False,
    ) -> Tree:
        """Return the grown tree; a node predicts the most frequent class still in play."""
        tree = super().tree(
            feature_names, classes, criterion, keep_parents_class=keep_parents_class
        )
        return predicting_live(tree)

    def _reason_not_to_search(self, node: int) -> Reason | None:
        context = self._contexts[node]
        if len(context.inherited) < 2:
            return Reason.ONE_CLASS
        too_deep = 0 <= self._stop.max_depth <= context.depth
        return Reason.MAX_DEPTH if too_deep else None
