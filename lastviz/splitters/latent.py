"""Thresholds along the components of a latent space: oblique splits in the features.

Growth is in ``lastviz/builders/latent_growth.py``; here a node's search is run again, in the
basis that its tree stores.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.latent import LatentBasis, positions_along
from lastviz.splitters.cells.presort import Presorted, presort
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.splitters.threshold.threshold import ThresholdSplitter
from lastviz.tree import Tree

from .hybrid.hybrid import RuleChoice, RuleSplitter
from .search import NodeContext, ObliqueSplit, Search, Split


@dataclass(frozen=True, eq=False)
class LatentFrame:
    """A latent space and the rows from which it was made.

    They are those of the node where it begins.
    """

    basis: LatentBasis
    rows: np.ndarray  # ndarray of intp, rising
    presorted: Presorted  # their sorted positions along the directions


def frame_of(basis: LatentBasis, X: np.ndarray, rows: np.ndarray) -> LatentFrame:
    """Frame of some rows of `X` (n_samples, n_features)."""
    here = X[rows]
    Z = here if basis.space == "none" else positions_along(here, basis.directions)
    return LatentFrame(basis, rows, presort(Z, basis.resolution))


def in_features(basis: LatentBasis, split: Split) -> Split | ObliqueSplit:
    """Threshold on a component as a split in the original features."""
    if basis.space == "none":
        return split
    weights = np.ascontiguousarray(basis.directions[:, split.feature])
    return ObliqueSplit(weights, split.threshold, split.score)


@dataclass(frozen=True, eq=False)
class LatentSearch(Search):
    """All candidates of a node along the components of its space.

    `feature` numbers the components; `threshold` is a position along the direction, which
    is the coordinate plus the component's origin.
    """

    # The space, with the positions of the rows of the node where it begins.
    frame: LatentFrame = field(kw_only=True)
    # ndarray of intp, rising, the rows of the node, as places in `frame.rows`.
    rows: np.ndarray = field(kw_only=True)

    @property
    def basis(self) -> LatentBasis:
        """The space that the candidates lie in."""
        return self.frame.basis

    @property
    def latent_split(self) -> Split | None:
        """The chosen component and position, None if the rule admits none."""
        return Search.split.fget(self)

    @property
    def split(self) -> Split | ObliqueSplit | None:
        """The chosen candidate as a split in the original features."""
        chosen = self.latent_split
        return None if chosen is None else in_features(self.basis, chosen)


class LatentSplitter:
    """Searches the nodes of a grown tree again, in their latent spaces.

    Parameters
    ----------
    X : ndarray, shape (n_samples, n_features)
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int
    choice : Choice or RuleChoice
        How a split is chosen.
    tree : Tree
        The grown tree, whose bases are read.
    """

    def __init__(
        self, X: np.ndarray, y: np.ndarray, n_classes: int, choice: Choice | RuleChoice, tree: Tree
    ) -> None:
        self._X, self._y = X, y
        self._n_classes = n_classes
        self._choice = choice
        self._bases = tree.bases
        self._basis_of = dict(zip(tree.key.tolist(), tree.basis_id.tolist(), strict=True))
        self._frames: dict[int, LatentFrame] = {}

    def root(self) -> NodeContext:
        """Context of the root; contexts inherit the frame of their space."""
        rows = np.arange(len(self._X))
        key = int(ROOT_KEY)
        return NodeContext(rows, np.ones(len(rows)), 0, key, inherited=self._frame(key, rows))

    def child(self, context: NodeContext, split: Split | ObliqueSplit, branch: int) -> NodeContext:
        """Context of the first (0) or second (1) child of a split node."""
        here = self._X[context.rows]
        if isinstance(split, ObliqueSplit):
            below = positions_along(here, split.weights[:, None])[:, 0] <= split.threshold
        else:
            below = here[:, split.feature] <= split.threshold
        inside = below if branch == 0 else ~below
        rows = context.rows[inside]
        key = int(child_keys(np.uint64(context.key), np.asarray(branch)))
        return NodeContext(
            rows, context.weights[inside], context.depth + 1, key, branch, self._frame(key, rows)
        )

    def search(self, context: NodeContext) -> LatentSearch:
        """All candidates of a node and the selection rule's choice among them."""
        frame: LatentFrame = context.inherited
        y = self._y[frame.rows]
        inner: ThresholdSplitter
        if isinstance(self._choice, RuleChoice):
            inner = RuleSplitter(frame.presorted, y, self._n_classes, self._choice)
        else:
            inner = ThresholdSplitter(frame.presorted, y, self._n_classes, self._choice)
        local = np.searchsorted(frame.rows, context.rows)
        found = inner.search(NodeContext(local, context.weights, context.depth, context.key))
        table = {part.name: getattr(found, part.name) for part in fields(found)}
        return LatentSearch(**table, frame=frame, rows=local)

    def _frame(self, key: int, rows: np.ndarray) -> LatentFrame:
        """Frame of a node; the first node met in a basis is where it begins."""
        basis = self._basis_of[key]
        if basis not in self._frames:
            self._frames[basis] = frame_of(self._bases[basis], self._X, rows)
        return self._frames[basis]
