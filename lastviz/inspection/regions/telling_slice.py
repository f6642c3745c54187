"""Where to cut a plane through many features so that it shows a border of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from lastviz.tree import Tree

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
    tree: Tree, X: np.ndarray, y: np.ndarray, importances: np.ndarray
) -> TellingSlice | None:
    """Return the slice whose colours agree best with the classes of the rows in it.

    Parameters
    ----------
    tree : Tree
        Of classes.
    X : ndarray, shape (n_samples, n_features)
        Missing values are allowed; rows that lack a value on the axes do not count.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    importances : ndarray, shape (n_features,)
        What each feature matters to the tree; less than 0: it cannot stand on an axis.

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
        score = slice_agreement(tree, X, y, pair, X[tried])
        at = int(score.argmax())
        if score[at] >= 0 and (best is None or score[at] > best.agreement):
            best = TellingSlice(pair, int(tried[at]), float(score[at]))
    return best


def slice_agreement(
    tree: Tree, X: np.ndarray, y: np.ndarray, features: tuple[int, int], through: np.ndarray
) -> np.ndarray:
    """Return how well the colours of planes agree with the classes of the rows.

    Parameters
    ----------
    tree, X, y
        As :func:`telling_slice` takes them.
    features : (int, int)
        On the axes; numbers.
    through : ndarray, shape (n_planes, n_features)
        A place in each plane, which fixes the other features.

    Returns
    -------
    ndarray of float64, shape (n_planes,)
        The `agreement` of :class:`TellingSlice`; -1 where all rows lie on one colour.
    """
    f, g = features
    drawn = np.linspace(0, len(X) - 1, min(len(X), _MOST_ROWS)).astype(np.intp)
    known = drawn[~np.isnan(X[drawn][:, [f, g]]).any(axis=1)]
    if not len(known):
        return np.full(len(through), -1.0)
    edges = [np.linspace(X[known, c].min(), X[known, c].max(), _CELLS + 1) for c in (f, g)]
    middles = [(each[1:] + each[:-1]) / 2 for each in edges]
    cells = [
        np.clip(np.searchsorted(each, X[known, c], side="right") - 1, 0, _CELLS - 1)
        for each, c in zip(edges, (f, g), strict=True)
    ]
    points = np.repeat(through, _CELLS * _CELLS, axis=0)
    points[:, f] = np.tile(np.tile(middles[0], _CELLS), len(through))
    points[:, g] = np.tile(np.repeat(middles[1], _CELLS), len(through))
    colour = tree.predict(points).reshape(len(through), _CELLS, _CELLS)
    below = colour[:, cells[1], cells[0]]
    agreed = [(below[:, y[known] == k] == k).mean(axis=1) for k in np.unique(y[known])]
    return np.where((below != below[:, :1]).any(axis=1), np.mean(agreed, axis=0), -1.0)


def _spread_over_classes(y: np.ndarray) -> np.ndarray:
    """Return a few rows, as many of each class as of the others, evenly spaced."""
    classes = np.unique(y)
    each = max(1, _ROWS_TRIED // len(classes))
    found = [np.flatnonzero(y == k) for k in classes]
    places = [np.linspace(0, len(rows) - 1, min(each, len(rows))).astype(np.intp) for rows in found]
    return np.concatenate([rows[some] for rows, some in zip(found, places, strict=True)])
