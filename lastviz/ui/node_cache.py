"""What is known of one node of a trained model, each computed once per process."""

from __future__ import annotations

import hashlib
from functools import partial

import numpy as np

from lastviz.estimators import TreeClassifier
from lastviz.estimators.hyperplane_search import HyperplaneSearchClassifier
from lastviz.inspection import (
    TABLE_PARAMS,
    CandidateTable,
    SplitGeometry,
    candidate_table,
    split_geometry,
    split_search,
    split_search_in_steps,
)
from lastviz.splitters import ObliqueSearch, Search

from . import cache
from .memory import remembered
from .selection import Selection
from .text import t

__all__ = [
    "candidates",
    "geometry",
    "grown_node",
    "hyperplanes",
    "rows_of",
    "search",
    "searches_for_hyperplanes",
]

MOST_EXACT = 1500  # rows; the exact penalty takes their square


def grown_node(selection: Selection, place: int, node: int) -> int:
    """Return the node of the grown tree that became `node` of the tree that predicts.

    A leaf made by pruning keeps its key, so it is found by that.
    """
    estimator = cache.fitted(selection, place).estimator
    tree, grown = estimator.tree_, estimator.grown_tree_
    if tree.grown_node[node] >= 0:
        return int(tree.grown_node[node])
    return int(np.flatnonzero(grown.key == tree.key[node])[0])


def rows_of(selection: Selection, place: int, node: int) -> np.ndarray:
    """Return the training rows on which a node's split was searched, as rows of the data."""
    grown = cache.fitted(selection, place).estimator.grown_tree_
    rows, _ = grown.node_samples(grown_node(selection, place, node))
    return cache.division(selection).train_rows[rows]


def search(selection: Selection, place: int, node: int) -> Search | None:
    """Return the algorithm's own search of a node; None if it has none over single features."""
    if searches_for_hyperplanes(cache.fitted(selection, place).estimator):
        return None
    key = f"{cache.model_key(selection, place)}|{node}"
    found = _search(key, selection, place, grown_node(selection, place, node))
    return found if isinstance(found, Search) else None


def searches_for_hyperplanes(estimator: TreeClassifier) -> bool:
    """Tell whether the nodes of a model have a search that :func:`hyperplanes` can show."""
    return isinstance(estimator, HyperplaneSearchClassifier)


def hyperplanes(selection: Selection, place: int, node: int) -> ObliqueSearch:
    """Return the search for the hyperplane of an inner node, move by move.

    Raises
    ------
    Working
        If it takes long or was cancelled.
    """
    estimator = cache.fitted(selection, place).estimator
    key = f"{cache.model_key(selection, place)}|{node}|hyperplanes"
    divided = cache.division(selection)
    X, y = divided.X.iloc[divided.train_rows], divided.y[divided.train_rows]
    grown = grown_node(selection, place, node)
    title = t("The search of node {node}", node=node)
    work = partial(split_search_in_steps, estimator, X, y, grown)
    job = cache.JOBS.find(key) or cache.JOBS.start(key, title, work)
    return job.outcome(cache.viewer())


def candidates(selection: Selection, place: int, node: int) -> CandidateTable:
    """Return every threshold of every feature of a node with all criteria."""
    rows = rows_of(selection, place, node)
    digest = hashlib.sha256(rows.tobytes()).hexdigest()[:16]
    options = _options(selection, place)
    key = f"{cache.data_key(selection)}|{digest}|{options}"
    return _candidates(key, selection, rows, options)


def _options(selection: Selection, place: int) -> dict[str, object]:
    """Return how the model measures BNM, CSN and segments, where it says so."""
    names = {param.name for param in TABLE_PARAMS} - {"min_samples_leaf"}
    estimator = cache.fitted(selection, place).estimator
    given = {k: v for k, v in estimator.get_params().items() if k in names}
    if len(rows_of(selection, place, 0)) > MOST_EXACT and given.get("penalty") == "exact":
        given["penalty"] = "approximate"
    return given


def geometry(
    selection: Selection, place: int, rows: np.ndarray, feature: int, threshold: float
) -> SplitGeometry:
    """Return what BNM and CSN measure at one candidate of a node."""
    divided = cache.division(selection)
    options = {k: v for k, v in _options(selection, place).items() if k != "segments"}
    return split_geometry(divided.X.to_numpy(), divided.y, rows, feature, threshold, **options)


@remembered(32)
def _search(key: str, selection: Selection, place: int, node: int) -> object:
    divided = cache.division(selection)
    rows = divided.train_rows
    model = cache.fitted(selection, place)
    X, y = divided.X.iloc[rows], divided.y[rows]
    return split_search(model.estimator, X, y, node, presorted=cache.sorted_training(selection))


@remembered(16)
def _candidates(
    key: str, selection: Selection, rows: np.ndarray, options: dict[str, object]
) -> CandidateTable:
    divided = cache.division(selection)
    n_classes = cache.data(selection).dataset.n_classes
    return candidate_table(cache.sorted_all(selection), divided.y, rows, n_classes, **options)
