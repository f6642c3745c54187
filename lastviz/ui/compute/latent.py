"""Known facts about a model's latent spaces, each computed once per process."""

from __future__ import annotations

import numpy as np

from lastviz.estimators import entry_of
from lastviz.host.memory import remembered_by, shared
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
from lastviz.ui.state.selection import Model

from .nodes import NodeWork
from .selected import Key
from .work import ModelWork, Work

Bounds = tuple[float, float, float, float]


def has_space(key: str) -> bool:
    """Whether the algorithm `key` looks for a space to split in."""
    return any(param.name == "latent" for param in entry_of(key).cls.PARAMS)


def without_space(work: Work) -> ModelWork:
    """The first model without a space of its own, alone."""
    plain = work.first.entry.cls.TAGS.plain
    return work.having(models=(Model(plain),)).first


def rows_in_sight(work: Work) -> np.ndarray:
    """Rows that the page looks at: those learnt from, or all if all take part."""
    divided = work.first.division
    return np.arange(len(divided.y)) if work.selection.unlabelled else divided.train_rows


def inside(node: NodeWork) -> np.ndarray:
    """Rows of the data that are in sight and reach the node."""
    rows = rows_in_sight(node.model.work)
    return rows[view(node).inside[rows]]


def _sight_key(node: NodeWork, *shown: object) -> Key:
    return *node.cache_key, node.model.selection.unlabelled, str(shown)


def _plane_key(*about: object) -> Key:
    return _sight_key(*about[:-1])  # where the other components are fixed, the node says


@shared
def view(node: NodeWork) -> LatentView:
    """All rows in the space of a node."""
    return latent_view(node.estimator, node.model.division.values, node.index)


# The rows are the node's rows in sight.
@remembered_by(_sight_key)
def best_components(node: NodeWork) -> Projection:
    """Separation of the classes by each pair of components."""
    rows = inside(node)
    return best_projection(view(node).coordinates[rows], node.model.division.y[rows])


@remembered_by(_sight_key)
def best_features(node: NodeWork) -> Projection:
    """The same for pairs of features."""
    rows, divided = inside(node), node.model.division
    return best_projection(divided.values[rows], divided.y[rows])


# See inspection.
@remembered_by(_plane_key)
def regions(node: NodeWork, bounds: Bounds, components: tuple[int, int], at: np.ndarray) -> Regions:
    """Regions of the model's predictions in a plane of the node's space."""
    return latent_regions(node.estimator, view(node), bounds, components, at)


@remembered_by(_plane_key)
def fidelity(node: NodeWork, components: tuple[int, int], at: np.ndarray) -> float:
    """Share of the node's rows in sight whose colour there is the prediction."""
    X = node.model.division.values[inside(node)]
    return projection_fidelity(node.model.tree, X, view(node).basis, components, at)


@shared
def held_out_scores(model: ModelWork) -> Scores:
    """Scores of the model on held-out rows, on training rows if there are none."""
    divided = model.division
    rows = divided.held_out_rows if len(divided.held_out_rows) else divided.train_rows
    predicted = model.tree.predict(divided.values[rows])
    return scores(divided.y[rows], predicted, model.dataset.n_classes)
