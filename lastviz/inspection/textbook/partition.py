"""The space of all combinations of categories, laid out flat, and how a tree parts it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.tree import Tree

from .worked_example import NominalTable

MOST_CELLS = 4096


@dataclass(frozen=True, eq=False)
class Partition:
    """Every combination of categories as a cell of a grid, and where it stops in a tree."""

    # x_features, y_features: the features along each axis, the one with the longest strides first
    x_features: tuple[int, ...]
    y_features: tuple[int, ...]
    x_codes: np.ndarray  # ndarray of intp, shape (n_x, len(x_features))
    # ndarray of intp, shape (n_y, len(y_features)), categories of each column and of each row of
    # the grid.
    y_codes: np.ndarray
    node: np.ndarray  # (n_y, n_x) intp, where the combination stops
    cell: np.ndarray  # (n, 2) intp, column and row of the cell of each row of the table


def combinations(sizes: tuple[int, ...]) -> np.ndarray:
    """Return all combinations of codes, shape (product of sizes, n_features), the last fastest."""
    grid = np.indices(sizes, dtype=np.intp).reshape(len(sizes), -1)
    return np.ascontiguousarray(grid.T)


def partition(tree: Tree, table: NominalTable) -> Partition:
    """Lay out every combination of the categories and ask the tree about each.

    The features go to the axes in turn in the order in which the tree uses them from the root
    down, so that the regions of a tree with few tests are few rectangles.

    Parameters
    ----------
    tree : Tree
        Grown on the table's codes.
    table : NominalTable

    Raises
    ------
    ValueError
        If there are more than :data:`MOST_CELLS` combinations.
    """
    sizes = np.array([len(names) for names in table.categories])
    n_cells = int(np.prod(sizes))
    if n_cells > MOST_CELLS:
        raise ValueError(
            f"the features have {n_cells:,} combinations of categories, more than the "
            f"{MOST_CELLS:,} that can be drawn; leave out a feature or merge categories"
        )
    used = [int(f) for f in tree.feature[tree.n_children > 0]]
    order = list(dict.fromkeys([*used, *range(len(sizes))]))
    x_features, y_features = tuple(order[0::2]), tuple(order[1::2])
    x_codes = combinations(tuple(sizes[list(x_features)]))
    y_codes = combinations(tuple(sizes[list(y_features)]))
    X = np.zeros((len(y_codes), len(x_codes), len(sizes)))
    X[:, :, list(x_features)] = x_codes[None]
    X[:, :, list(y_features)] = y_codes[:, None]
    node = tree.apply(X.reshape(-1, len(sizes))).reshape(len(y_codes), len(x_codes))
    places = [_place(table.codes, features, sizes) for features in (x_features, y_features)]
    return Partition(
        x_features, y_features, x_codes, y_codes, node, np.column_stack(places).astype(np.intp)
    )


def _place(codes: np.ndarray, features: tuple[int, ...], sizes: np.ndarray) -> np.ndarray:
    """Return where each row lies along an axis."""
    place = np.zeros(len(codes), dtype=np.intp)
    for feature in features:
        place = place * sizes[feature] + codes[:, feature]
    return place
