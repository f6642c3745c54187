"""How each family of algorithms grows from any node: what edited growth asks of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lastviz.splitters import (
    AnySplit,
    BinaryData,
    NodeContext,
    Splitter,
    children_of,
)
from lastviz.splitters.edits import AnyForced, Edit
from lastviz.tree import LatentBasis, Reason, Tree

from .binary_growth import BinaryGrowth
from .family import Sprout
from .frontier_kernels import Stop
from .growth import Growth
from .nodewise import NodeSplitter, NodewiseGrowth


@dataclass(frozen=True, eq=False)
class SplitterFamily:
    """A family whose splitter makes the contexts."""

    # Its method `completed(context, split)` returns a forced split as the tree stores it.
    splitter: Splitter
    columns: np.ndarray  # as in `Family`
    n_categories: np.ndarray  # as in `Family`
    names: tuple[str, ...]  # as in `Family`
    # (context, largest depth, features left out) -> Sprout, see there.
    sprout: Callable[[NodeContext, int, tuple[int, ...]], Sprout]
    tree_of: Callable[[Growth], Tree]  # a finished growth -> its tree
    # An edit -> why the algorithm does not serve it, None if it does.
    refusal: Callable[[Edit], str | None]
    looks_first: bool = False

    def root(self) -> NodeContext:
        """Return the context of the root."""
        return self.splitter.root()

    def children(
        self, context: NodeContext, split: AnySplit, basis: LatentBasis | None
    ) -> list[NodeContext]:
        """Return the contexts of the children of a split node."""
        return children_of(self.splitter, context, split)

    def completed(
        self, context: NodeContext, split: AnyForced, basis: LatentBasis | None
    ) -> AnySplit:
        """Return a forced split as the tree stores it, with its score."""
        return self.splitter.completed(context, split)


def stop_below(stop: Stop, max_depth: int, depth: int = 0) -> Stop:
    """Return when to stop a growth that begins at `depth` and counts from there.

    `max_depth`, counted from the root, limits it further if it is not -1.
    """
    limits = [limit for limit in (stop.max_depth, max_depth) if limit >= 0]
    return stop._replace(max_depth=max(min(limits) - depth, 0) if limits else -1)


def nodewise_sprout(
    splitter: NodeSplitter,
    y: np.ndarray,
    n_classes: int,
    stop: Stop,
    context: NodeContext,
    max_depth: int,
    kind: type[NodewiseGrowth] = NodewiseGrowth,
) -> Sprout:
    """Return the growth of a splitter written in Python from a node on."""
    return Sprout(kind(splitter, y, n_classes, stop_below(stop, max_depth), context))


def binary_sprout(
    data: BinaryData, stop: Stop, context: NodeContext, max_depth: int, without: tuple[int, ...]
) -> Sprout:
    """Return the growth of weighted binary splits from a node on."""
    stop = stop_below(stop, max_depth, context.depth)
    if not without:
        return Sprout(BinaryGrowth(data, stop, context))
    left = np.delete(np.arange(data.n_features), without)
    return Sprout(BinaryGrowth(data.with_features(left), stop, context), features=left)


class FewerFeatures:
    """A splitter that searches without some of the features.

    What structure the others have is measured in all features as ever; only the candidates of
    these are not admissible.

    Parameters
    ----------
    splitter : Splitter
        Its method ``settled(search, context)`` returns the split of a search, or why there is
        none.
    features : tuple of int
        Those left out.
    """

    def __init__(self, splitter: Splitter, features: tuple[int, ...]) -> None:
        self._splitter = splitter
        self._features = features
        self.size_in_rows = getattr(splitter, "size_in_rows", False)

    @property
    def columns(self) -> np.ndarray:
        """The training data, shape (n_features, n_samples)."""
        return self._splitter.columns

    def root(self) -> NodeContext:
        """Return the context of the root."""
        return self._splitter.root()

    def child(self, context: NodeContext, split: AnySplit, branch: int) -> NodeContext:
        """Return the context of a child of a split node."""
        return self._splitter.child(context, split, branch)

    def best(self, context: NodeContext) -> AnySplit | Reason:
        """Return the chosen split, or why the node has none."""
        found = self._splitter.search(context).without(self._features)
        return self._splitter.settled(found, context)
