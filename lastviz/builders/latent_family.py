"""How trees in latent spaces grow from any node."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz._sentences import Refusal
from lastviz.latent import LatentBasis, positions_along
from lastviz.splitters import NodeContext, ObliqueSplit, RuleChoice, RuleSplitter, Split
from lastviz.splitters.edits import Edit
from lastviz.splitters.latent import LatentFrame, frame_of, in_features
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.splitters.threshold.threshold import ThresholdSplitter
from lastviz.tree import Tree

from .family import Sprout
from .growth import Growth
from .latent_growth import LatentGrowth, LatentPlace


@dataclass(frozen=True, eq=False)
class LatentFamily:
    """The family of SODT. A forced threshold lies along a component of the node's space."""

    X: np.ndarray  # (n_samples, n_features)
    y: np.ndarray  # (n_samples,) intp, class indices
    n_classes: int
    choice: Choice | RuleChoice  # how a split is chosen among the components' thresholds
    unlabelled: np.ndarray  # (n_unlabelled, n_features), rows that take part in the bases only
    names: tuple[str, ...]
    # (largest depth or -1, start) -> LatentGrowth.
    begin: Callable[[int, NodeContext], LatentGrowth]
    tree_of: Callable[[Growth], Tree]  # as in `SplitterFamily`
    refusal: Callable[[Edit], str | None]  # as in `SplitterFamily`
    looks_first: bool = True

    @property
    def columns(self) -> np.ndarray:
        """The training data, shape (n_features, n_samples)."""
        return self.X.T

    @property
    def n_categories(self) -> np.ndarray:
        """Of each feature: 0, they are numbers."""
        return np.zeros(self.X.shape[1], dtype=np.intp)

    def root(self) -> NodeContext:
        """Return the context of the root."""
        rows = np.arange(len(self.X))
        place = LatentPlace(None, np.arange(len(self.unlabelled)))
        return NodeContext(rows, np.ones(len(rows)), 0, int(ROOT_KEY), inherited=place)

    def children(
        self, context: NodeContext, split: Split | ObliqueSplit, basis: LatentBasis | None
    ) -> list[NodeContext]:
        """Return the contexts of the children of a node that has a basis."""
        frame, others = self._frame(context, basis), context.inherited.unlabelled
        below = self._below(self.X[context.rows], split)
        beside = self._below(self.unlabelled[others], split)
        keys = child_keys(np.uint64(context.key), np.arange(2)).tolist()
        return [
            NodeContext(
                rows=context.rows[inside],
                weights=context.weights[inside],
                depth=context.depth + 1,
                key=key,
                side=branch,
                inherited=LatentPlace(frame, others[along]),
            )
            for branch, (inside, along, key) in enumerate(
                zip((below, ~below), (beside, ~beside), keys, strict=True)
            )
        ]

    def completed(
        self, context: NodeContext, split: Split | ObliqueSplit, basis: LatentBasis | None
    ) -> Split | ObliqueSplit:
        """Return a forced split as the tree stores it, with its score.

        Raises
        ------
        ValueError
            If the node's space has no such component.
        """
        frame = self._frame(context, basis)
        local = np.searchsorted(frame.rows, context.rows)
        kind = RuleSplitter if isinstance(self.choice, RuleChoice) else ThresholdSplitter
        splitter = kind(frame.presorted, self.y[frame.rows], self.n_classes, self.choice)
        here = NodeContext(local, context.weights, context.depth, context.key)
        if isinstance(split, ObliqueSplit):
            first = split.goes_first(self.X[context.rows])
            return replace(split, score=splitter.score_of(local, first))
        if split.feature >= basis.n_components:
            raise Refusal(
                "component {feature} does not exist: the space of the node has {n_components}",
                feature=split.feature,
                n_components=basis.n_components,
            )
        search, along = splitter.search(here), frame.presorted.columns[split.feature, local]
        place = search.parting_as(split.feature, split.threshold, along)
        score = search.score_of(place) if place >= 0 else math.nan
        return in_features(basis, Split(split.feature, float(split.threshold), score))

    def sprout(self, context: NodeContext, max_depth: int, without: tuple[int, ...]) -> Sprout:
        """Return the growth from a node on; `without` must be empty."""
        return Sprout(self.begin(max_depth, context))

    def _frame(self, context: NodeContext, basis: LatentBasis) -> LatentFrame:
        """Return the frame of a node: the one above it, or its own that begins there."""
        frame = context.inherited.frame
        if frame is not None and frame.basis is basis:
            return frame
        return frame_of(basis, self.X, context.rows)

    @staticmethod
    def _below(X: np.ndarray, split: Split | ObliqueSplit) -> np.ndarray:
        if isinstance(split, Split):
            return X[:, split.feature] <= split.threshold
        along = positions_along(X, np.asarray(split.weights, dtype=np.float64)[:, None])
        return along[:, 0] <= split.threshold
