"""The sums of a small table of categories, part by part, as a textbook writes them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.criteria import class_entropy, gain_ratio, gini, impurity_decrease, misclassification
from lastviz.criteria.ties_kernels import tie_floors
from lastviz.tree import Tree

RANKINGS = ("gain", "gain_ratio", "gain_ratio_entropy", "gini")
"""By what :meth:`NodeSums.value` and :meth:`NodeSums.ranking` order features."""


@dataclass(frozen=True, eq=False)
class NominalTable:
    """A table of categories with a class in each row."""

    features: tuple[str, ...]
    categories: tuple[tuple[str, ...], ...]  # the values that each feature can take, in their order
    classes: tuple[str, ...]
    codes: np.ndarray  # (n, n_features) intp, places of the values in `categories`
    labels: np.ndarray  # (n,) intp, places of the classes in `classes`

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.labels)


@dataclass(frozen=True, eq=False)
class FeatureSums:
    """Sums of one feature about some samples' classes; D_i: samples of category i."""

    feature: int
    counts: np.ndarray  # (n_categories, n_classes) intp, rows of D_i by class
    entropies: np.ndarray  # (n_categories,) float64, H(D_i) in bits
    conditional: float  # H(D | A), the entropies weighted with the shares of D_i
    gain: float  # g(D, A) = H(D) - H(D | A)
    information: float  # H_A(D), the entropy of the sizes of D_i (split information)
    gain_ratio: float  # g(D, A) / H_A(D); -inf where H_A(D) is 0
    gain_ratio_entropy: float  # g(D, A) / H(D), the printed (5.10); -inf where H(D) is 0
    gini_in: np.ndarray  # (n_categories,) float64, Gini of D_i and of the other rows
    gini_out: np.ndarray  # (n_categories,) float64, Gini of D_i and of the other rows
    # (n_categories,) float64, Gini(D, A = a): both, weighted with their shares; inf where one side
    # has no row.
    gini: np.ndarray

    @property
    def sizes(self) -> np.ndarray:
        """Number of rows of each D_i."""
        return self.counts.sum(axis=1)


@dataclass(frozen=True, eq=False)
class NodeSums:
    """The sums of all features over the rows of one node."""

    rows: np.ndarray  # intp
    counts: np.ndarray  # (n_classes,) intp
    entropy: float  # H(D) in bits
    gini: float
    features: tuple[FeatureSums, ...]

    def value(self, sums: FeatureSums, by: str) -> float:
        """Value of a feature by the measure `by` (one of :data:`RANKINGS`).

        Of Gini, the smallest over its tests A = a; inf if it has none.
        """
        return float(np.min(sums.gini)) if by == "gini" else float(getattr(sums, by))

    def ranking(self, by: str) -> list[FeatureSums]:
        """Features, best first; of equal ones the first of the table comes first."""
        sign = 1.0 if by == "gini" else -1.0
        values = [round(sign * self.value(sums, by), 12) for sums in self.features]
        return [self.features[i] for i in np.argsort(values, kind="stable")]

    def favourites(self, by: str) -> list[FeatureSums]:
        """Features that tie for the best value; none where no split is possible."""
        ranked = self.ranking(by)
        if not ranked or not np.isfinite(best := self.value(ranked[0], by)):
            return []
        return [s for s in ranked if abs(self.value(s, by) - best) <= best - tie_floors(best)]


def node_sums(
    table: NominalTable, rows: np.ndarray | None = None, features: Sequence[int] | None = None
) -> NodeSums:
    """Sums of algorithm 5.1, of both gain ratios and of (5.25) over some samples.

    Parameters
    ----------
    table : NominalTable
    rows : ndarray of intp, optional
        All rows if None.
    features : sequence of int, optional
        The features still in play; all if None.

    Raises
    ------
    ValueError
        If there is no row.

    Notes
    -----
    Li, Statistical Learning Methods, (5.5)-(5.10) and (5.22)-(5.25); 0 log 0 is 0.
    """
    rows = np.arange(table.n_rows) if rows is None else np.asarray(rows, dtype=np.intp)
    if len(rows) == 0:
        raise ValueError("a table without rows has no sums; give it at least one row")
    chosen = range(len(table.features)) if features is None else features
    counts = np.bincount(table.labels[rows], minlength=len(table.classes))
    return NodeSums(
        rows=rows,
        counts=counts,
        entropy=float(class_entropy(counts)),
        gini=float(gini(counts)),
        features=tuple(_feature_sums(table, rows, counts, f) for f in chosen),
    )


def _feature_sums(
    table: NominalTable, rows: np.ndarray, all_counts: np.ndarray, feature: int
) -> FeatureSums:
    shape = len(table.categories[feature]), len(table.classes)
    counts = np.zeros(shape, dtype=np.intp)
    np.add.at(counts, (table.codes[rows, feature], table.labels[rows]), 1)
    sizes, rest = counts.sum(axis=1), all_counts - counts
    entropies, entropy = class_entropy(counts), float(class_entropy(all_counts))
    conditional = float(sizes @ entropies / len(rows))
    gain, information = max(entropy - conditional, 0.0), float(class_entropy(sizes))
    parted = (sizes > 0) & (sizes < len(rows))
    weighted = float(gini(all_counts)) - impurity_decrease(counts, rest, gini)
    return FeatureSums(
        feature=feature,
        counts=counts,
        entropies=entropies,
        conditional=conditional,
        gain=gain,
        information=information,
        gain_ratio=float(gain_ratio(gain, information)),
        gain_ratio_entropy=float(gain_ratio(gain, entropy)),
        gini_in=gini(counts),
        gini_out=gini(rest),
        gini=np.where(parted, weighted, np.inf),
    )


@dataclass(frozen=True, eq=False)
class ImpurityCurves:
    """Impurities of two classes over the share p of the first, arrays of one shape."""

    p: np.ndarray
    entropy: np.ndarray
    gini: np.ndarray
    error: np.ndarray


def impurity_curves(p: np.ndarray | None = None) -> ImpurityCurves:
    """Entropy (bits), Gini and misclassification error of a Bernoulli variable.

    Parameters
    ----------
    p : ndarray of float64, shape (n,), optional
        Shares of the first class; 201 from 0 to 1 if None.
    """
    p = np.linspace(0.0, 1.0, 201) if p is None else np.asarray(p, dtype=np.float64)
    counts = np.stack([p, 1.0 - p], axis=-1)
    return ImpurityCurves(p, class_entropy(counts), gini(counts), misclassification(counts))


# ---- The space of all combinations of categories, laid out flat, and how a tree parts it


MOST_CELLS = 4096


@dataclass(frozen=True, eq=False)
class Partition:
    """Grid of all combinations of categories, and each cell's last node in a tree."""

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
    """All combinations of codes, the last feature varying fastest.

    Shape (product of sizes, n_features).
    """
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
    """Position of each row along an axis."""
    place = np.zeros(len(codes), dtype=np.intp)
    for feature in features:
        place = place * sizes[feature] + codes[:, feature]
    return place
