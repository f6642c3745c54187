"""The tree: parallel arrays over its nodes, frozen.

Children of a node are adjacent and come after it, so one index and a count name them all
and a loop over falling node numbers visits children before their parent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from .apply_kernels import route, route_mixed
from .basis import LatentBasis
from .kernel_splits import KernelSplits, live_classes, walk
from .oblique import ObliqueSplits

__all__ = ["Kind", "Tree"]


class Kind(IntEnum):
    """How a node sends its rows on."""

    LEAF = 0
    THRESHOLD = 1
    OBLIQUE = 3
    KERNEL = 4


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree.

    Attributes
    ----------
    parent, depth, first_child, n_children : ndarray of intp, shape (n_nodes,)
        Structure; ``parent[0] == -1`` and ``first_child == -1`` at leaves. The first child
        takes the rows that meet the test.
    kind : ndarray of int8, shape (n_nodes,)
        A :class:`Kind`.
    feature, threshold : ndarray of intp and of float64, shape (n_nodes,)
        The test of a threshold node; -1 and NaN elsewhere.
    impurity, score : ndarray of float64, shape (n_nodes,)
        Impurity of the node under the estimator's criterion; score of its split under the
        rule of choice (NaN at leaves).
    n_node_samples : ndarray of intp, weighted_n_node_samples : ndarray of float64
        Rows of the node and the sum of their weights.
    value : ndarray of float64, shape (n_nodes, n_classes)
        Weighted rows of each class.
    prediction : ndarray of intp, shape (n_nodes,)
        Class index; not always the argmax of `value` (a pruned leaf keeps its class on ties).
    start, end : ndarray of intp, shape (n_nodes,)
        The node's slice of `samples`.
    key : ndarray of uint64, shape (n_nodes,)
        Name of the node's path from the root, see :mod:`lastviz._random`.
    grown_node : ndarray of intp, shape (n_nodes,)
        The node of the grown tree whose split this node has; -1 at a leaf made by pruning.
    samples : ndarray of intp, sample_weight : ndarray of float64
        (row, weight) entries, grouped by leaf; rows are those of the data given to fit.
    feature_names : tuple of str
    classes : ndarray, shape (n_classes,)
    split_row : ndarray of intp, shape (n_nodes,)
        Row of the node's split in the table of its kind; -1 at leaves and threshold nodes,
        and everywhere if not given.
    oblique : ObliqueSplits
        The hyperplanes of oblique nodes; empty if not given. A pruned tree keeps the rows of
        the splits that it lost.
    kernel : KernelSplits
        The machines of kernel nodes; empty if not given. A tree that has any has no other
        splits, and `prediction` is one of the classes in play.
    bases : tuple of LatentBasis
        The latent spaces that splits were chosen in; empty if not given.
    basis_id : ndarray of intp, shape (n_nodes,)
        Which of `bases` each node was searched in, a leaf too; -1 everywhere if not given.
    """

    parent: np.ndarray
    depth: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray
    kind: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    impurity: np.ndarray
    score: np.ndarray
    n_node_samples: np.ndarray
    weighted_n_node_samples: np.ndarray
    value: np.ndarray
    prediction: np.ndarray
    start: np.ndarray
    end: np.ndarray
    key: np.ndarray
    grown_node: np.ndarray
    samples: np.ndarray
    sample_weight: np.ndarray
    feature_names: tuple[str, ...] = field(default=())
    classes: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    split_row: np.ndarray | None = None
    oblique: ObliqueSplits | None = None
    kernel: KernelSplits | None = None
    bases: tuple[LatentBasis, ...] = ()
    basis_id: np.ndarray | None = None

    def __post_init__(self) -> None:
        for name in ("split_row", "basis_id"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, np.full(self.n_nodes, -1, dtype=np.intp))
        if self.oblique is None:
            object.__setattr__(self, "oblique", ObliqueSplits.none(self.n_features))
        if self.kernel is None:
            none = KernelSplits.none(self.n_features, len(self.classes))
            object.__setattr__(self, "kernel", none)

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.parent)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.n_children == 0))

    @property
    def max_depth(self) -> int:
        """Number of edges from the root to the deepest leaf."""
        return int(self.depth.max())

    @property
    def n_features(self) -> int:
        """Number of columns that the tree was grown on."""
        return len(self.feature_names)

    def is_leaf(self, node: int) -> bool:
        """Tell whether `node` has no children."""
        return bool(self.n_children[node] == 0)

    def children(self, node: int) -> range:
        """Return the node numbers of the children of `node`, first branch first."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node])) if first >= 0 else range(0)

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root to `node`, both included."""
        steps = [int(node)]
        while self.parent[steps[-1]] >= 0:
            steps.append(int(self.parent[steps[-1]]))
        return steps[::-1]

    def subtree(self, node: int) -> np.ndarray:
        """Return all nodes below and including `node`, in rising order."""
        inside = np.zeros(self.n_nodes, dtype=bool)
        inside[node] = True
        for other in range(node + 1, self.n_nodes):
            inside[other] = inside[self.parent[other]]
        return np.flatnonzero(inside)

    def node_samples(self, node: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows of `node` in rising order and their weights."""
        inside = slice(int(self.start[node]), int(self.end[node]))
        order = np.argsort(self.samples[inside], kind="stable")
        return self.samples[inside][order], self.sample_weight[inside][order]

    def apply(self, X: np.ndarray) -> np.ndarray:
        """Return the node where each row of `X` (n, n_features) stops.

        O(n depth), with oblique splits O(n depth n_features).
        """
        X = np.ascontiguousarray(X, dtype=np.float64)
        if len(self.kernel):
            return walk(self.first_child, self.split_row, self.kernel.decide(X))
        out = np.empty(len(X), dtype=np.intp)
        if len(self.oblique):
            route_mixed(
                X, self.feature, self.threshold, self.split_row, self.oblique.weights,
                self.oblique.threshold, self.first_child, out,
            )  # fmt: skip
        else:
            route(X, self.feature, self.threshold, self.first_child, out)
        return out

    def live_classes(self) -> np.ndarray:
        """Return which classes are in play at each node, shape (n_nodes, n_classes).

        All of them, except below a kernel node, which parts classes as well as rows.
        """
        return live_classes(self.first_child, self.split_row, self.kernel, self.value.shape[1])

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class index of each row of `X`."""
        return self.prediction[self.apply(X)]

    def at_depth(self, depth: int | None) -> np.ndarray:
        """Return which node stands for each node when the tree is cut at `depth`.

        That is the node itself, or its ancestor at `depth` if it lies deeper; None cuts
        nothing.
        """
        stands = np.arange(self.n_nodes)
        if depth is not None:
            for level in range(depth + 1, self.max_depth + 1):
                here = np.flatnonzero(self.depth == level)
                stands[here] = stands[self.parent[here]]
        return stands

    def validate(self, X: np.ndarray | None = None) -> None:
        """Check every invariant; with the training data `X`, routing too.

        Raises
        ------
        ValueError
            Naming the invariant and the first node that breaks it.
        """
        from .validation import validate

        validate(self, X)
