"""What is known of a model's latent spaces, each computed once per process."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lastviz.estimators import entry_of
from lastviz.host.memory import remembered_by
from lastviz.inspection import (
    LatentView,
    Projection,
    Regions,
    Scores,
    best_projection,
    latent_regions,
    latent_view,
    projection_fidelity,
    scores,
)
from lastviz.ui.state.selection import Model, Selection

from . import cache

Bounds = tuple[float, float, float, float]


def has_space(key: str) -> bool:
    """Tell whether the algorithm `key` looks for a space to split in."""
    return any(param.name == "latent" for param in entry_of(key).cls.PARAMS)


def without_space(selection: Selection) -> Selection:
    """Return the selection with what its first model is without a space of its own, alone."""
    plain = entry_of(selection.models[0].key).cls.TAGS.plain
    return replace(selection, models=(Model(plain),))


def rows_in_sight(selection: Selection) -> np.ndarray:
    """Return the rows that the page looks at: those learnt from, or all if all take part."""
    divided = cache.division(selection)
    return np.arange(len(divided.y)) if selection.unlabelled else divided.train_rows


def _node_key(selection: Selection, place: int, node: int) -> str:
    return f"{cache.model_key(selection, place)}|{node}"


def _sight_key(selection: Selection, place: int, node: int, *shown: object) -> str:
    return f"{_node_key(selection, place, node)}|{selection.unlabelled}|{shown}"


def _plane_key(*about: object) -> str:
    return _sight_key(*about[:-1])  # where the other components are fixed, the node says


@remembered_by(_node_key)
def view(selection: Selection, place: int, node: int) -> LatentView:
    """Return all rows in the space of a node."""
    X = cache.division(selection).values
    return latent_view(cache.fitted(selection, place).estimator, X, node)


@remembered_by(_sight_key)
def best_components(selection: Selection, place: int, node: int) -> Projection:
    """Return how well each pair of components parts the classes of the node's rows in sight."""
    rows = inside(selection, place, node)
    coordinates = view(selection, place, node).coordinates
    return best_projection(coordinates[rows], cache.division(selection).y[rows])


@remembered_by(_sight_key)
def best_features(selection: Selection, place: int, node: int) -> Projection:
    """Return the same for pairs of features."""
    rows, divided = inside(selection, place, node), cache.division(selection)
    return best_projection(divided.values[rows], divided.y[rows])


@remembered_by(_plane_key)
def regions(
    selection: Selection,
    place: int,
    node: int,
    bounds: Bounds,
    components: tuple[int, int],
    at: np.ndarray,
) -> Regions:
    """Return what the model says in a plane of the node's space, see inspection."""
    estimator = cache.fitted(selection, place).estimator
    return latent_regions(estimator, view(selection, place, node), bounds, components, at)


@remembered_by(_plane_key)
def fidelity(
    selection: Selection, place: int, node: int, components: tuple[int, int], at: np.ndarray
) -> float:
    """Return the share of the node's rows in sight whose colour there is the prediction."""
    rows = inside(selection, place, node)
    X = cache.division(selection).values[rows]
    tree = cache.fitted(selection, place).estimator.tree_
    return projection_fidelity(tree, X, view(selection, place, node).basis, components, at)


@remembered_by(cache.model_key)
def held_out_scores(selection: Selection, place: int) -> Scores:
    """Return how the model does on the rows held out; on those learnt from if there are none."""
    divided = cache.division(selection)
    rows = divided.held_out_rows if len(divided.held_out_rows) else divided.train_rows
    tree = cache.fitted(selection, place).estimator.tree_
    predicted = tree.predict(divided.values[rows])
    return scores(divided.y[rows], predicted, cache.data(selection).dataset.n_classes)


def inside(selection: Selection, place: int, node: int) -> np.ndarray:
    """Return the rows of the data that are in sight and reach the node."""
    rows = rows_in_sight(selection)
    return rows[view(selection, place, node).inside[rows]]
