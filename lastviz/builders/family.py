"""Interface of a family of algorithms for edited growth, and the edits that it supports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from lastviz._sentences import Refusal, Statement
from lastviz.splitters import (
    AnySplit,
    BinaryData,
    CategorySplit,
    KernelSplit,
    NodeContext,
    ObliqueSplit,
    Split,
    Splitter,
    children_of,
)
from lastviz.splitters.edits import AnyForced, Edit, ForcedSplit, Path, Without, path_words
from lastviz.tree import LatentBasis, Reason, Tree

from .binary_growth import BinaryGrowth
from .frontier_kernels import Stop
from .growth import Growth
from .nodewise import NodeSplitter, NodewiseGrowth


class Sprout(NamedTuple):
    """Growth that begins at a node, with its sample and column numbers in the data."""

    growth: Growth  # not begun
    # rows, features: intp, of each row and column that it numbers; None: it numbers them as the
    # data do
    rows: np.ndarray | None = None
    features: np.ndarray | None = None


class Family(Protocol):
    """Ability of an algorithm to grow its trees from any node.

    Attributes
    ----------
    columns : ndarray, shape (n_features, n_samples)
        The training data.
    n_categories : ndarray of int, shape (n_features,)
        Of each feature, 0 for a numeric one.
    names : tuple of str
        Of the features.
    looks_first : bool
        Whether a node whose split is forced is searched all the same, since what is found
        there (a latent space) is inherited.
    """

    columns: np.ndarray
    n_categories: np.ndarray
    names: tuple[str, ...]
    looks_first: bool

    def refusal(self, edit: Edit) -> str | None:
        """Reason for refusing an edit, as a sentence; None if it is supported."""

    def root(self) -> NodeContext:
        """Context of the root."""

    def children(
        self, context: NodeContext, split: AnySplit, basis: LatentBasis | None
    ) -> list[NodeContext]:
        """Contexts of the children of a split node that has a latent space or none."""

    def completed(
        self, context: NodeContext, split: AnyForced, basis: LatentBasis | None
    ) -> AnySplit:
        """Forced split as the tree stores it, with its score."""

    def sprout(self, context: NodeContext, max_depth: int, without: tuple[int, ...]) -> Sprout:
        """Growth from a node on.

        It ends at the depth `max_depth`, counted from the root, if that is not -1 and before
        the algorithm's own limit; features `without` are not searched.
        """

    def tree_of(self, growth: Growth) -> Tree:
        """Tree of a finished growth, in its own rows and columns."""


def check_edit(edit: Edit, family: Family) -> None:
    """Refuse an edit that the data or the algorithm do not serve."""
    n_features, where = len(family.names), path_words(edit.path)
    features: tuple[int, ...] = ()
    if isinstance(edit, Without):
        features = edit.features
        if len(features) >= n_features:
            raise Refusal("the edit at {where} leaves no feature to search", where=where)
    elif isinstance(edit, ForcedSplit) and isinstance(edit.split, Split | CategorySplit):
        features = (edit.split.feature,)
    elif isinstance(edit, ForcedSplit) and isinstance(edit.split, ObliqueSplit):
        _check_plane(edit.split, n_features, where)
    gone = [f for f in features if not 0 <= f < n_features]
    if gone:
        raise Refusal(
            "the edit at {where} names column {column}, but the data have columns 0 to "
            "{last}: leave it out",
            where=where,
            column=gone[0],
            last=n_features - 1,
        )
    refusal = family.refusal(edit) or _wrong_kind(edit, family)
    if refusal is not None:
        raise Refusal("the edit at {where} cannot be made: {refusal}", where=where, refusal=refusal)


def _check_plane(split: ObliqueSplit, n_features: int, where: str) -> None:
    weights = np.asarray(split.weights, dtype=np.float64)
    if weights.shape != (n_features,):
        raise Refusal(
            "the hyperplane at {where} has weights of shape {shape}, but the data have "
            "{n_features} features: leave it out",
            where=where,
            shape=weights.shape,
            n_features=n_features,
        )
    if not (np.isfinite(weights).all() and weights.any() and np.isfinite(split.threshold)):
        raise Refusal("the hyperplane at {where} must be finite and have a direction", where=where)


def _wrong_kind(edit: Edit, family: Family) -> str | None:
    """Reason a split does not fit its feature, as a sentence; None if it does."""
    split = getattr(edit, "split", None)
    if isinstance(split, Split) and family.n_categories[split.feature]:
        return Statement(
            "{name} is nominal, so it has no threshold", name=family.names[split.feature]
        )
    if isinstance(split, CategorySplit):
        known, name = int(family.n_categories[split.feature]), family.names[split.feature]
        if not known:
            return Statement("{name} is a number, so it has no categories", name=name)
        if len(split.branch) != known:
            return Statement(
                "{name} has {known} categories, the split names {n}",
                name=name,
                known=known,
                n=len(split.branch),
            )
    return None


def complete_split(
    family: Family, context: NodeContext, edit: ForcedSplit, basis: LatentBasis | None
) -> AnySplit:
    """Forced split as the tree stores it.

    An error names the node of the edit.
    """
    try:
        return family.completed(context, edit.split, basis)
    except ValueError as error:
        where = path_words(edit.path)
        raise Refusal(
            "the edit at {where} cannot be made: {error}", where=where, error=error.args[0]
        ) from error


def check_children(
    family: Family,
    context: NodeContext,
    split: AnySplit,
    basis: LatentBasis | None,
    path: Path,
) -> None:
    """Refuse a forced split that leaves all samples in one child.

    A split that separates classes may do so.
    """
    sizes = [len(child.rows) for child in family.children(context, split, basis)]
    if np.count_nonzero(sizes) > 1 or isinstance(split, KernelSplit):
        return
    where = path_words(path)
    if isinstance(split, Split):
        name, values = family.names[split.feature], family.columns[split.feature, context.rows]
        values = values[np.isfinite(values)]
        if len(values) and values.min() < values.max():
            raise Refusal(
                "{name} <= {threshold:g} leaves a child of {where} without rows: there {name} "
                "lies between {low:g} and {high:g}; choose a threshold from {low:g} "
                "to below {high:g}",
                name=name,
                threshold=split.threshold,
                where=where,
                low=values.min(),
                high=values.max(),
            )
        raise Refusal(
            "{name} cannot split {where}: all its rows have the same value", name=name, where=where
        )
    if isinstance(split, ObliqueSplit):
        along = family.columns[:, context.rows].T @ split.weights
        raise Refusal(
            "the hyperplane leaves a child of {where} without rows: there its weighted sum "
            "lies between {low:g} and {high:g}; choose a threshold from {low:g} to "
            "below {high:g}",
            where=where,
            low=along.min(),
            high=along.max(),
        )
    raise Refusal(
        "the split leaves a child of {where} without rows: choose other groups", where=where
    )


# ---- How each family of algorithms grows from any node: what edited growth asks of them


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
        """Context of the root."""
        return self.splitter.root()

    def children(
        self, context: NodeContext, split: AnySplit, basis: LatentBasis | None
    ) -> list[NodeContext]:
        """Contexts of the children of a split node."""
        return children_of(self.splitter, context, split)

    def completed(
        self, context: NodeContext, split: AnyForced, basis: LatentBasis | None
    ) -> AnySplit:
        """Forced split as the tree stores it, with its score."""
        return self.splitter.completed(context, split)


def stop_below(stop: Stop, max_depth: int, depth: int = 0) -> Stop:
    """Stopping rule for a growth that begins at `depth` and counts from there.

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
    """Growth of a splitter written in Python from a node on."""
    return Sprout(kind(splitter, y, n_classes, stop_below(stop, max_depth), context))


def binary_sprout(
    data: BinaryData, stop: Stop, context: NodeContext, max_depth: int, without: tuple[int, ...]
) -> Sprout:
    """Growth of weighted binary splits from a node on."""
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
        """Context of the root."""
        return self._splitter.root()

    def child(self, context: NodeContext, split: AnySplit, branch: int) -> NodeContext:
        """Context of a child of a split node."""
        return self._splitter.child(context, split, branch)

    def best(self, context: NodeContext) -> AnySplit | Reason:
        """Chosen split, or why the node has none."""
        found = self._splitter.search(context).without(self._features)
        return self._splitter.settled(found, context)
