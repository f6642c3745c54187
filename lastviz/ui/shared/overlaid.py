"""Two models of the selection over each other: their nodes, their regions in the window."""

from __future__ import annotations

from functools import partial

import numpy as np

from lastviz.host.memory import remembered, remembered_by
from lastviz.inspection import (
    MOST_PAIRS,
    Overlay,
    TreeDiff,
    class_borders,
    grid_borders,
    grid_overlay,
    is_ensemble,
    plane_nodes,
    predicted_in_steps,
    regions_overlay,
    tree_diff,
)
from lastviz.tree import Tree
from lastviz.ui.compute.outcome import outcome
from lastviz.ui.compute.selected import Key
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.text import CannotShow, t

from .figures import Plane, regions_in
from .model_view import model_title

SIDE, SIDE_OF_FORESTS = 200, 100  # squares along each axis


def difference(work: Work, first: int, second: int) -> TreeDiff:
    """Difference between the trees at two places over all rows.

    Of a forest it is the picked tree.

    Raises
    ------
    CannotShow
        If the trees are too large to be compared, or a model cannot learn from the data.
    Working
        If a model is not trained.
    """
    places = (first, second)
    trees = [work.models[place].picked.tree_ for place in places]
    if trees[0].n_nodes * trees[1].n_nodes > MOST_PAIRS:
        sentence = (
            "These trees have {a} and {b} nodes, too many to match: limit their depth or prune "
            "them."
        )
        raise CannotShow(t(sentence, a=trees[0].n_nodes, b=trees[1].n_nodes))
    values = [work.models[place].division.values for place in places]
    return _matched(_names(work, places), trees, values)


@remembered
def _matched(key: Key, trees: list[Tree], values: list[np.ndarray]) -> TreeDiff:
    return tree_diff(*trees, *values)


def overlay_of(work: Work, places: tuple[int, int], plane: Plane) -> Overlay:
    """Agreement of two models in the window: exact, unless a grid is necessary.

    Raises
    ------
    CannotShow
        If no grid can be laid over the plane.
    Working
        If a forest has not been asked about its places yet.
    """
    if not any(_needs_grid(work.models[place]) for place in places):
        return _overlay(work, places, plane)
    side = SIDE_OF_FORESTS if any(shows_ensemble(work.models[place]) for place in places) else SIDE
    labels = [model_label(work.models[place], plane, side) for place in places]
    return grid_overlay(labels, plane.within)


def model_borders(model: ModelWork, plane: Plane) -> np.ndarray:
    """Borders between the classes of a model as segments, shape (n, 4)."""
    if shows_ensemble(model):
        label = model_label(model, plane, SIDE_OF_FORESTS)
        return grid_borders(label, plane.within)
    return _borders(model.work, (model.place,), plane)


def _names(work: Work, places: tuple[int, ...]) -> Key:
    return tuple((*work.models[p].cache_key, work.models[p].chosen.tree) for p in places)


def _key(work: Work, places: tuple[int, ...], plane: Plane) -> Key:
    return *_names(work, places), plane.view, plane.features, plane.at.tobytes()


@remembered_by(_key)
def _overlay(work: Work, places: tuple[int, int], plane: Plane) -> Overlay:
    pair = [regions_in(work.models[place], plane, wide=False) for place in places]
    return regions_overlay(*pair, bounds=plane.within)


@remembered_by(_key)
def _borders(work: Work, places: tuple[int], plane: Plane) -> np.ndarray:
    return class_borders(regions_in(work.models[places[0]], plane, wide=False))


def _needs_grid(model: ModelWork) -> bool:
    """Whether a model's regions are no polygons with straight sides."""
    return shows_ensemble(model) or len(model.picked.tree_.kernel) > 0


def shows_ensemble(model: ModelWork) -> bool:
    """Whether the model decides as a forest or an envelope, not as one tree."""
    estimator = model.fitted_any.estimator
    return is_ensemble(estimator) and model.chosen.tree is None


def model_label(model: ModelWork, plane: Plane, side: int) -> np.ndarray:
    """Class of a model at the middles of a grid's squares, shape (side, side)."""
    estimator = model.fitted_any.estimator
    if shows_ensemble(model):
        here = places_in(model, plane, side)
        key = (*_key(model.work, (model.place,), plane), "labels", side)
        title = t("The picture of {title}", title=model_title(model))
        found = outcome(key, title, partial(predicted_in_steps, estimator, here))
        return found.reshape(side, side)
    tree = model.picked.tree_
    if len(tree.kernel):
        _refuse_bands(model, plane)
        form = model.form
        columns = plane.columns_in(form)
        axes = (columns[0], columns[-1])
        return tree.prediction[plane_nodes(tree, plane.within, axes, plane.at_in(form), side)]
    return tree.predict(places_in(model, plane, side)).reshape(side, side)


def places_in(model: ModelWork, plane: Plane, side: int) -> np.ndarray:
    """Middles of the squares of a grid over the window as rows that a model reads.

    Raises
    ------
    CannotShow
        If categories stand on an axis.
    """
    _refuse_bands(model, plane)
    form = model.form
    columns = plane.columns_in(form)
    x0, x1, y0, y1 = plane.within
    steps = (np.arange(side) + 0.5) / side
    places = np.tile(plane.at_in(form), (side * side, 1))
    places[:, columns[-1]] = np.repeat(y0 + (y1 - y0) * steps, side)
    places[:, columns[0]] = np.tile(x0 + (x1 - x0) * steps, side)
    return places


def _refuse_bands(model: ModelWork, plane: Plane) -> None:
    if plane.is_banded:
        sentence = (
            "{title} is evaluated on a grid of numbers: put two numeric columns without "
            "missing values on the axes."
        )
        raise CannotShow(t(sentence, title=model_title(model)))
