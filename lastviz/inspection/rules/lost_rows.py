"""Rows sent down a tree: what each node holds of them, and where each wrong one was lost."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lastviz.tree import Tree

from .rules import class_counts

NEVER = -1
"""In place of a node: there is none."""


@dataclass(frozen=True, eq=False)
class LostRows:
    """The rows that a tree misclassifies, and the node where each was lost.

    A row is lost at the deepest node on its path whose class is the row's own: had the tree ended
    there, the row would be right; the branch that it took next leads to other classes only.
    """

    row: np.ndarray  # (n_wrong,) intp, positions among the rows that were sent, rising
    # (n_wrong,) intp, where the row was lost; NEVER where no node on its path, the root included,
    # has its class.
    node: np.ndarray
    # (n_wrong,) intp, the branch into which it went from there; NEVER without such a node, and
    # where a row in parts ends there and other parts outvoted it.
    child: np.ndarray
    # (n_wrong,) intp, where it stops; of a row in parts the node that holds most of it.
    end: np.ndarray
    predicted: np.ndarray  # (n_wrong,) intp, class index that it gets
    # (n_nodes,) float64. How many of all rows that were sent, right ones too, come to each node;
    # the parts of a row count as such. The tree may have been grown on fewer of them, where some
    # were held back for pruning.
    come: np.ndarray

    def by_node(self, n_nodes: int) -> np.ndarray:
        """Return how many rows were lost at each of `n_nodes` nodes."""
        return np.bincount(self.node[self.node >= 0], minlength=n_nodes)


def lost_rows(tree: Tree, X: np.ndarray, y: np.ndarray) -> LostRows:
    """Return where the rows that `tree` misclassifies were lost. O(n depth).

    Parameters
    ----------
    tree : Tree
        Of a classifier. The class of a node is its ``prediction``, what the tree would say if it
        ended there, which is the most frequent class of its training rows with most algorithms.
    X : ndarray, shape (n_samples, n_features)
        As for ``tree.apply``.
    y : ndarray of intp, shape (n_samples,)
        True class indices.
    """
    y = np.asarray(y)
    predicted = tree.predict(X)
    row = np.flatnonzero(predicted != y)
    end = tree.apply(np.asarray(X)[row])
    node, child = (np.full(len(row), NEVER, dtype=np.intp) for _ in range(2))
    here, came_from = end.copy(), np.full(len(row), NEVER, dtype=np.intp)
    looking = np.arange(len(row))
    while len(looking):
        own = tree.prediction[here[looking]] == y[row[looking]]
        found = looking[own]
        node[found], child[found] = here[found], came_from[found]
        looking = looking[~own & (here[looking] > 0)]
        came_from[looking], here[looking] = here[looking], tree.parent[here[looking]]
    come = class_counts(tree, X, y).sum(axis=1)
    return LostRows(row, node, child, end, predicted[row], come)


def holding(tree: Tree, X: np.ndarray, y: np.ndarray) -> Tree:
    """Return `tree` with the counts of these rows in place of those that it was grown on.

    Tests, classes and numbers of the nodes stay: a picture of it shows where these rows go, and
    the confidence of a node is its accuracy on them. The rows it was grown on are not in it.
    """
    counts = class_counts(tree, X, y)
    rows = counts.sum(axis=1)
    return replace(
        tree,
        value=counts,
        weighted_n_node_samples=rows,
        n_node_samples=np.rint(rows).astype(tree.n_node_samples.dtype),
    )
