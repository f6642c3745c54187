"""A plane through more dimensions: its cuts, how far to trust it, a tree cut at some depth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from lastviz.tree import Tree
from lastviz.tree.routing import first_of_most, votes_of_nodes

Bounds = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class PlaneCut:
    """Line where a hyperplane cuts a plane, and how well it represents the hyperplane."""

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
        """Two ends of the cut in a window, shape (2, 2); (0, 2) if it misses it."""
        return line_across(self.weights, self.offset, bounds)


def plane_cut(
    weights: np.ndarray,
    offset: float,
    X: np.ndarray,
    features: tuple[int, int],
    at: np.ndarray,
) -> PlaneCut:
    """Cut of ``x @ weights <= offset`` through the plane of two features.

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
    """Ends of ``weights @ (x, y) == offset`` in a window, (2, 2), or (0, 2)."""
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
    """Share of rows whose colour in a slice is the model's own prediction.

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
    """Class index of each row by a tree that is cut.

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
        votes = np.zeros((len(rows), tree.value.shape[1]))
        np.add.at(votes, place, weight[parts, None] * votes_of_nodes(tree)[here[parts]])
        out[rows] = first_of_most(votes)
    return out


# ---- Where to cut a plane through many features so that it shows a border of the tree


_FEATURES, _ROWS_TRIED, _CELLS = 5, 8, 16
_MOST_ROWS = 2000  # that are looked at, evenly spaced


@dataclass(frozen=True)
class TellingSlice:
    """A plane through one row."""

    features: tuple[int, int]  # on the horizontal and the vertical axis
    row: int  # the row that fixes the other features
    # Share of the rows of a class that lie on the colour of their class, the mean over all classes:
    # 1 / n_classes where one colour covers the plane.
    agreement: float


def telling_slice(
    trees: Sequence[Tree], X: np.ndarray, y: np.ndarray, importances: np.ndarray
) -> TellingSlice | None:
    """Slice whose colours agree best with the classes of the rows in it.

    Parameters
    ----------
    trees : sequence of Tree
        Of classes; of several the mean agreement counts.
    X : ndarray, shape (n_samples, n_features)
        Missing values are allowed; rows that lack a value on the axes do not count.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    importances : ndarray, shape (n_features,)
        What each feature matters to the trees; less than 0: it cannot stand on an axis. One axis
        at least is a number.

    Returns
    -------
    TellingSlice or None
        None where no plane that was tried has two colours below rows.

    Notes
    -----
    Tried are all pairs of the five most important features through eight rows, evenly spaced among
    those of each class, on a grid of 16 x 16 cells. O(10 * 8 * 256 predictions).
    """
    ranked = np.argsort(-importances, kind="stable")[:_FEATURES]
    features = np.sort(ranked[importances[ranked] >= 0])
    tried = _spread_over_classes(y)
    best = None
    for pair in combinations(features.tolist(), 2):
        if not any(trees[0].feature_categories[f] is None for f in pair):
            continue
        score = slice_agreement(trees, X, y, pair, X[tried])
        at = int(score.argmax())
        if score[at] >= 0 and (best is None or score[at] > best.agreement):
            best = TellingSlice(pair, int(tried[at]), float(score[at]))
    return best


def slice_agreement(
    trees: Sequence[Tree],
    X: np.ndarray,
    y: np.ndarray,
    features: tuple[int, int],
    through: np.ndarray,
) -> np.ndarray:
    """Agreement of the colours of planes with the classes of the samples.

    Parameters
    ----------
    trees, X, y
        As :func:`telling_slice` takes them.
    features : (int, int)
        On the axes.
    through : ndarray, shape (n_planes, n_features)
        A place in each plane, which fixes the other features.

    Returns
    -------
    ndarray of float64, shape (n_planes,)
        The mean `agreement` of :class:`TellingSlice`; -1 where all rows lie on one colour of each.
    """
    f, g = features
    drawn = np.linspace(0, len(X) - 1, min(len(X), _MOST_ROWS)).astype(np.intp)
    known = drawn[~np.isnan(X[drawn][:, [f, g]]).any(axis=1)]
    if not len(known):
        return np.full(len(through), -1.0)
    across, upward = (_places_on(X[known, c], trees[0].feature_categories[c]) for c in (f, g))
    n_across, n_upward = len(across.middles), len(upward.middles)
    points = np.repeat(through, n_across * n_upward, axis=0)
    points[:, f] = np.tile(np.tile(across.middles, n_upward), len(through))
    points[:, g] = np.tile(np.repeat(upward.middles, n_across), len(through))
    total, has_border = np.zeros(len(through)), np.zeros(len(through), dtype=bool)
    for tree in trees:
        colour = tree.predict(points).reshape(len(through), n_upward, n_across)
        below = colour[:, upward.cells, across.cells]
        agreed = [(below[:, y[known] == k] == k).mean(axis=1) for k in np.unique(y[known])]
        total += np.mean(agreed, axis=0)
        has_border |= (below != below[:, :1]).any(axis=1)
    return np.where(has_border, total / len(trees), -1.0)


class _Cells(NamedTuple):
    middles: np.ndarray  # of the cells of an axis
    cells: np.ndarray  # the cell of each row


def _places_on(values: np.ndarray, known: tuple | None) -> _Cells:
    """Cells of an axis: intervals of a number, the codes of a category."""
    if known is not None:
        middles = np.unique(values)
        return _Cells(middles, np.searchsorted(middles, values))
    edges = np.linspace(values.min(), values.max(), _CELLS + 1)
    cells = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, _CELLS - 1)
    return _Cells((edges[1:] + edges[:-1]) / 2, cells)


def _spread_over_classes(y: np.ndarray) -> np.ndarray:
    """Few rows, as many of each class as of the others, evenly spaced."""
    classes = np.unique(y)
    each = max(1, _ROWS_TRIED // len(classes))
    found = [np.flatnonzero(y == k) for k in classes]
    places = [np.linspace(0, len(rows) - 1, min(each, len(rows))).astype(np.intp) for rows in found]
    return np.concatenate([rows[some] for rows, some in zip(found, places, strict=True)])
