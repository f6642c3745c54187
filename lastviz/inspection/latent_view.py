"""A node in the space where it splits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lastviz.estimators import TreeClassifier
from lastviz.inspection.regions.regions import Regions, plane_regions
from lastviz.latent import LATENT_SPACES, LatentBasis
from lastviz.splitters import ObliqueSplit, stored_split
from lastviz.tree import Kind, Tree


@dataclass(frozen=True, eq=False)
class LatentView:
    """A node and some rows in the node's own space."""

    node: int  # a node of `tree_`
    # The node of `tree_` where this space begins: the node itself, or the highest of its ancestors
    # that share the space.
    begins: int
    basis: LatentBasis
    feature_names: tuple[str, ...]
    coordinates: np.ndarray  # (n_samples, n_components), all rows
    inside: np.ndarray  # (n_samples,) bool, which rows reach the node
    # (n_components, n_features), the weights of the features in each component.
    loadings: np.ndarray
    # The component that the node's split looks at; -1 at a leaf, and where a split made by hand
    # lies along none.
    component: int
    # Rows with `coordinates[:, component] <= threshold` go to the first child; NaN without.
    threshold: float
    # weights, offset: ndarray (n_features,), float, the same split in the original features: `x @
    # weights <= offset`; NaN at a leaf
    weights: np.ndarray
    offset: float
    # split_nodes, split_components, split_thresholds: (n_splits,), all splits of the tree along
    # components of this space, in latent coordinates
    split_nodes: np.ndarray
    split_components: np.ndarray
    split_thresholds: np.ndarray

    @property
    def singular_values(self) -> np.ndarray:
        """Length of each component over the rows that gave the basis."""
        return self.basis.singular_values

    @property
    def explained_share(self) -> np.ndarray:
        """Each component's share of the squared distance from the centre."""
        return self.basis.explained_share

    def heaviest(self, component: int, count: int = 2) -> np.ndarray:
        """Features with the largest loadings of a component, the largest first."""
        return np.argsort(-np.abs(self.loadings[component]), kind="stable")[:count]


def latent_view(estimator: TreeClassifier, X: ArrayLike, node: int = 0) -> LatentView:
    """Node of a fitted tree in the space where it splits.

    Parameters
    ----------
    estimator : TreeClassifier
        Fitted; a tree of thresholds without latent bases splits in the features themselves.
    X : array-like, shape (n_samples, n_features)
        The rows to look at, which need not be those of the fit.
    node : int, default 0
        A node of ``estimator.tree_``.

    Raises
    ------
    ValueError
        If there is no such node, or the tree has oblique splits of another origin.

    Notes
    -----
    O(n_samples n_features n_components).
    """
    tree = getattr(estimator, "tree_", None)
    if tree is None or len(tree.kernel) or (tree.kind == Kind.CATEGORIES).any():
        raise ValueError(f"the splits of a {type(estimator).__name__} lie in no latent space")
    if not 0 <= node < tree.n_nodes:
        raise ValueError(f"node must be from 0 to {tree.n_nodes - 1}, got {node}")
    X = np.asarray(X, dtype=np.float64)
    basis = _basis_of(tree, node, X)
    same = np.flatnonzero((tree.basis_id == tree.basis_id[node]) & (tree.n_children > 0))
    components, thresholds = _splits_in(basis, tree, same)
    same, components, thresholds = (
        part[components >= 0] for part in (same, components, thresholds)
    )
    at = np.searchsorted(same, node)
    splits = node in same
    weights, offset = _in_features(tree, node)
    return LatentView(
        node=node,
        begins=_begins(tree, node),
        basis=basis,
        feature_names=tree.feature_names,
        coordinates=basis.coordinates(X),
        inside=np.isin(tree.apply(X), tree.subtree(node)),
        loadings=basis.directions.T,
        component=int(components[at]) if splits else -1,
        threshold=float(thresholds[at]) if splits else float("nan"),
        weights=weights,
        offset=offset,
        split_nodes=same,
        split_components=components,
        split_thresholds=thresholds,
    )


def latent_splits(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Component and threshold of every split of a tree with bases, in its own space.

    Two arrays of shape (n_nodes,); -1 and NaN at leaves, and where a split made by hand lies
    along no component.
    """
    components = np.full(tree.n_nodes, -1, dtype=np.intp)
    thresholds = np.full(tree.n_nodes, np.nan)
    for number, basis in enumerate(tree.bases):
        nodes = np.flatnonzero((tree.basis_id == number) & (tree.n_children > 0))
        components[nodes], thresholds[nodes] = _splits_in(basis, tree, nodes)
    return components, thresholds


def latent_regions(
    estimator: TreeClassifier,
    view: LatentView,
    bounds: tuple[float, float, float, float],
    components: tuple[int, int],
    at: np.ndarray | None = None,
) -> Regions:
    """Exact regions of the whole tree in a plane of a node's latent space.

    Parameters
    ----------
    estimator : TreeClassifier
    view : LatentView
        Of a node of `estimator`.
    bounds : tuple of float
        (x_min, x_max, y_min, y_max) in latent coordinates.
    components : tuple of int
        Two different components, across and up.
    at : ndarray, shape (n_components,), optional
        Where the other components are fixed; by default at the mean of the view's rows.
    """
    if components[0] == components[1]:
        raise ValueError(f"components must be two different ones, got {components}")
    basis = view.basis
    back = np.linalg.pinv(basis.directions)
    fixed = view.coordinates.mean(axis=0) if at is None else np.array(at, dtype=np.float64)
    fixed[list(components)] = 0.0
    return plane_regions(
        estimator,
        bounds,
        origin=basis.centre + fixed @ back,
        across=back[components[0]],
        up=back[components[1]],
        axes=components,
        names=(basis.names[components[0]], basis.names[components[1]]),
    )


def _basis_of(tree: Tree, node: int, X: np.ndarray) -> LatentBasis:
    if tree.bases:
        return tree.bases[tree.basis_id[node]]
    if len(tree.oblique):
        raise ValueError("the splits of this tree were not chosen in a latent space")
    return LATENT_SPACES["none"].basis(X)


def _begins(tree: Tree, node: int) -> int:
    path = tree.path(node)
    other = [n for n in path if tree.basis_id[n] != tree.basis_id[node]]
    return path[path.index(other[-1]) + 1] if other else path[0]


def _splits_in(basis: LatentBasis, tree: Tree, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Component and threshold, in latent coordinates, of the splits of some nodes.

    -1 and NaN where a split lies along no component.
    """
    if basis.space == "none":
        return tree.feature[nodes], tree.threshold[nodes]
    number = {column.tobytes(): c for c, column in enumerate(basis.directions.T)}
    rows = tree.split_row[nodes]
    found = [number.get(tree.oblique.weights[row].tobytes(), -1) for row in rows]
    components = np.array(found, dtype=np.intp)
    thresholds = tree.oblique.threshold[rows] - basis.origin[components]
    return components, np.where(components >= 0, thresholds, np.nan)


def _in_features(tree: Tree, node: int) -> tuple[np.ndarray, float]:
    split = stored_split(tree, node)
    if isinstance(split, ObliqueSplit):
        return split.weights, split.threshold
    weights = np.full(tree.n_features, np.nan if split is None else 0.0)
    if tree.kind[node] == Kind.THRESHOLD:
        weights[split.feature] = 1.0
    return weights, float("nan") if split is None else split.threshold


# ---- Which two components show the classes best, and how far such a picture can be trusted


_TIE = 1e-9  # distances closer than this, in units of a standard deviation, are equal
_MOST_WORK = 3e8  # rows x classes x pairs; of more rows, some evenly spaced ones are looked at


@dataclass(frozen=True, eq=False)
class Projection:
    """The pair of components that separates the classes best."""

    # Across and up, the lower one first; the same twice if there is only one.
    components: tuple[int, int]
    separation: float  # of that pair, from 0 to 1 (perfect)
    # (n_components, n_components), of every pair, symmetric; on the diagonal that of the component
    # alone.
    separations: np.ndarray


def best_projection(coordinates: np.ndarray, y: np.ndarray) -> Projection:
    """Pair of columns in which the classes lie furthest apart.

    Parameters
    ----------
    coordinates : array-like, shape (n_samples, n_components)
        Latent coordinates, or the features themselves.
    y : array-like, shape (n_samples,)
        Classes.

    Raises
    ------
    ValueError
        If there is no component.

    Notes
    -----
    The measure is the leave-one-out accuracy of the nearest class mean: the share of rows that
    lie nearer to the mean of their own class, the row itself left out, than to that of any other;
    where k means are equally near, a row counts 1 / k. Each component is taken in units of its
    standard deviation. Ties go to the lower components. O(n_samples n_classes n_components^2).
    """
    Z, y = np.asarray(coordinates, dtype=np.float64), np.unique(y, return_inverse=True)[1]
    k = Z.shape[1]
    if k == 0:
        raise ValueError("there is no component to look at: all rows are the same")
    apart = _distances(Z, y)
    most = max(int(_MOST_WORK / (apart.shape[1] * k * k)), 100)
    rows = np.linspace(0, len(y) - 1, min(len(y), most)).astype(np.intp)
    apart, y = apart[rows], y[rows]
    separations = np.empty((k, k))
    for i in range(k):
        pairs = apart[:, :, i, None] + apart[:, :, i:]
        pairs[:, :, 0] = apart[:, :, i]
        separations[i, i:] = separations[i:, i] = _nearest(pairs, y)
    if k == 1:
        return Projection((0, 0), float(separations[0, 0]), separations)
    across, up = np.triu_indices(k, 1)
    best = separations[across, up].argmax()
    pair = (int(across[best]), int(up[best]))
    return Projection(pair, float(separations[pair]), separations)


def _distances(Z: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Squared distance of each row to each class mean along each component.

    Shape (n_samples, n_classes, n_components). The row itself is in no mean: that moves its own
    class's away from it by n / (n - 1); a class of one row has no mean for it.
    """
    spread = Z.std(axis=0)
    Z = (Z - Z.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    sizes = np.bincount(y)
    means = np.stack([Z[y == label].mean(axis=0) for label in range(len(sizes))])
    apart = (Z[:, None, :] - means) ** 2
    of_row = sizes[y].astype(np.float64)
    apart[np.arange(len(y)), y] *= (of_row / np.maximum(of_row - 1.0, 1.0))[:, None] ** 2
    apart[of_row == 1, y[of_row == 1]] = np.inf
    return apart


def _nearest(apart: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Share of rows nearest to their own class, shape (n_pairs,)."""
    near = apart <= apart.min(axis=1, keepdims=True) + _TIE
    return (near[np.arange(len(y)), y] / near.sum(axis=1)).mean(axis=0)


def projection_fidelity(
    tree: Tree,
    X: np.ndarray,
    basis: LatentBasis,
    components: tuple[int, int],
    at: np.ndarray | None = None,
) -> float:
    """Share of rows whose colour in a latent plane is the model's own prediction.

    Parameters
    ----------
    tree : Tree
    X : array-like, shape (n_samples, n_features)
        The rows to be drawn; n_samples >= 1.
    basis : LatentBasis
    components : tuple of int
        The components on the two axes.
    at : ndarray, shape (n_components,), optional
        Where the other components are fixed; by default at the mean of the rows.

    Notes
    -----
    Each row is moved onto the drawn plane, by fixing its other components, and predicted
    there; that is the region it is seen to lie in. 1 where the model looks at these two
    components alone.
    """
    X = np.asarray(X, dtype=np.float64)
    Z = basis.coordinates(X)
    drawn = np.tile(Z.mean(axis=0) if at is None else np.asarray(at, dtype=np.float64), (len(X), 1))
    drawn[:, list(components)] = Z[:, list(components)]
    moved = X + (drawn - Z) @ np.linalg.pinv(basis.directions)
    return float(np.mean(tree.predict(moved) == tree.predict(X)))
