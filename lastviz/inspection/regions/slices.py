"""A plane through more dimensions: its cuts, how far to trust it, a tree cut at some depth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.tree import Tree
from lastviz.tree.routing import shares_of_nodes

Bounds = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class PlaneCut:
    """Where a hyperplane cuts a plane, and how well the cut stands for it."""

    weights: np.ndarray  # (2,)
    # The cut is `weights[0] x + weights[1] y == offset`; below it lies the first child.
    offset: float
    # Whether the hyperplane looks at these two features alone, so that the cut is all of it.
    lies_in: bool
    agrees: np.ndarray  # (n_samples,) bool, which rows the cut sorts as the hyperplane does

    @property
    def share(self) -> float:
        """Share of the rows that the cut sorts as the hyperplane does; NaN without rows."""
        return float(self.agrees.mean()) if len(self.agrees) else float("nan")

    def line(self, bounds: Bounds) -> np.ndarray:
        """Return the two ends of the cut in a window, shape (2, 2); (0, 2) if it misses it."""
        return line_across(self.weights, self.offset, bounds)


def plane_cut(
    weights: np.ndarray,
    offset: float,
    X: np.ndarray,
    features: tuple[int, int],
    at: np.ndarray,
) -> PlaneCut:
    """Return the cut of ``x @ weights <= offset`` through the plane of two features.

    Parameters
    ----------
    weights : ndarray, shape (n_features,)
    offset : float
    X : ndarray, shape (n_samples, n_features)
        The rows to be sorted.
    features : tuple of int
        On the horizontal and the vertical axis; the same twice if there is only one.
    at : ndarray, shape (n_features,)
        Where the other features are fixed.

    Notes
    -----
    Rows that the hyperplane touches may fall on either side by rounding. O(n_samples
    n_features).
    """
    weights, X = np.asarray(weights, dtype=np.float64), np.asarray(X, dtype=np.float64)
    shown = list(dict.fromkeys(features))
    fixed = np.array(at, dtype=np.float64)
    fixed[shown] = 0.0
    rest = float(offset - fixed @ weights)
    lies_in = not np.delete(weights, shown).any()
    truly = X @ weights <= offset
    seen = X[:, shown] @ weights[shown] <= rest
    agrees = (seen == truly) | lies_in
    across, up = weights[features[0]], weights[features[1]]
    pair = np.array([across, 0.0 if features[0] == features[1] else up])
    return PlaneCut(pair, rest, lies_in, agrees)


def line_across(weights: np.ndarray, offset: float, bounds: Bounds) -> np.ndarray:
    """Return the ends of ``weights @ (x, y) == offset`` in a window, (2, 2), or (0, 2)."""
    x0, x1, y0, y1 = bounds
    a, b = (float(w) for w in weights)
    ends = []
    if b:
        ends += [(x, (offset - a * x) / b) for x in (x0, x1)]
    if a:
        ends += [((offset - b * y) / a, y) for y in (y0, y1)]
    room = 1e-9 * max(x1 - x0, y1 - y0)
    inside = [
        (x, y) for x, y in ends if x0 - room <= x <= x1 + room and y0 - room <= y <= y1 + room
    ]
    return np.array([min(inside), max(inside)]) if len(inside) > 1 else np.empty((0, 2))


def slice_fidelity(tree: Tree, X: np.ndarray, features: Sequence[int], at: np.ndarray) -> float:
    """Return the share of rows whose colour in a slice is the model's own prediction.

    Parameters
    ----------
    tree : Tree
    X : ndarray, shape (n_samples, n_features)
        The rows to be drawn; n_samples >= 1.
    features : sequence of int
        The columns that the two axes show.
    at : ndarray, shape (n_features,)
        Where the other features are fixed.
    """
    X = np.asarray(X, dtype=np.float64)
    drawn = np.tile(np.asarray(at, dtype=np.float64), (len(X), 1))
    drawn[:, list(features)] = X[:, list(features)]
    return float(np.mean(tree.predict(drawn) == tree.predict(X)))


def cut_predictions(tree: Tree, X: np.ndarray, representative: np.ndarray) -> np.ndarray:
    """Return the class index of each row by a tree that is cut.

    Parameters
    ----------
    tree : Tree
    X : ndarray of float64, shape (n_samples, n_features)
        Encoded, see :meth:`lastviz.tree.Tree.apply`.
    representative : ndarray of intp, shape (n_nodes,)
        Which node stands for each node, see :meth:`lastviz.tree.Tree.at_depth`.

    Notes
    -----
    As ``tree.predict``, of which it is the whole where nothing is cut: a row that a missing
    value sends to several leaves has the class of largest mean share in the nodes that stand
    for them, the lowest on a tie. O(n_samples depth).
    """
    row, leaf, weight = tree.leaf_weights(X)
    here = representative[leaf]
    alone = np.flatnonzero(np.bincount(row, minlength=len(X))[row] == 1)
    out = np.empty(len(X), dtype=np.intp)
    out[row[alone]] = tree.prediction[here[alone]]
    parts = np.setdiff1d(np.arange(len(row)), alone)
    if len(parts):
        rows, place = np.unique(row[parts], return_inverse=True)
        shares = np.zeros((len(rows), tree.value.shape[1]))
        np.add.at(shares, place, weight[parts, None] * shares_of_nodes(tree)[here[parts]])
        out[rows] = (shares >= shares.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1)
    return out
