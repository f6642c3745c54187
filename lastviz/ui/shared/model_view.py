"""One model on the page: its tree as far as it is shown, its scores, its points, its words."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from lastviz.datasets import DATASETS, Dataset
from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.host.jobs import Job, Working
from lastviz.inspection import Regions, Scores, cut_predictions, is_ensemble, scores, slice_fidelity
from lastviz.plots import Points, class_titles, largest_first, number
from lastviz.tree import Missing, Tree
from lastviz.ui.compute import cache
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, plural, t

from .ensemble_view import EnsembleView, ensemble_view, trees_of
from .model_title import model_title
from .plane import Plane
from .plane_view import regions_in

BUILT_IN = {entry.title for entry in DATASETS.values()}


@dataclass(frozen=True, eq=False)
class ModelView:
    """What the page shows of the model at one place."""

    title: str  # what the model is called among those of the selection
    estimator: TreeClassifier  # fitted
    milliseconds: float | None  # what training took; None for a tree of a forest
    depth: int | None  # where the tree is cut for the picture; None shows all of it
    node: int  # the picked node; the root if none was picked
    representative: np.ndarray  # (n_nodes,) intp, which node stands for each node in the cut tree
    predicted: np.ndarray  # (n_samples,) intp, class index that the tree as shown gives to each row
    training: Scores  # of the tree as shown
    held_out: Scores  # of the tree as shown
    # Share of all rows drawn in the colour that they get; None if nothing is fixed.
    fidelity: float | None

    @property
    def tree(self) -> Tree:
        """The whole tree."""
        return self.estimator.tree_

    @property
    def shown(self) -> np.ndarray:
        """Nodes of the tree as shown."""
        return np.unique(self.representative)

    @property
    def leaves(self) -> np.ndarray:
        """Leaves of the tree as shown."""
        return np.unique(self.representative[self.tree.n_children == 0])


def model_views(
    selection: Selection, plane: Plane
) -> tuple[dict[int, ModelView | EnsembleView], dict[int, str], dict[int, Job]]:
    """Return the models by place; of the others why they cannot learn, or the jobs they wait for.

    Once one takes long, the others begin beside it.
    """
    views, obstacles, jobs = {}, {}, {}
    places = range(len(selection.models))
    for place in places:
        try:
            views[place] = view_of(selection, place, plane)
        except CannotShow as reason:
            obstacles[place] = str(reason)
        except Working as working:
            jobs[place] = working.job
            for other in places[place + 1 :]:
                with suppress(CannotShow, Working):
                    cache.begin(selection, other, allow_ensembles=True)
    return views, obstacles, jobs


def view_of(selection: Selection, place: int, plane: Plane) -> ModelView | EnsembleView:
    """Return the model at `place`: what decides as a whole, or the tree that is picked.

    Raises
    ------
    CannotShow, Working
        As :func:`model_view`.
    """
    estimator = cache.fitted(selection, place, allow_ensembles=True).estimator
    if is_ensemble(estimator) and selection.models[place].tree is None:
        return ensemble_view(selection, place, plane)
    return model_view(selection, place, plane)


def model_view(selection: Selection, place: int, plane: Plane) -> ModelView:
    """Return the model at `place` as the selection wants it shown.

    Raises
    ------
    CannotShow
        If the algorithm cannot learn from the data; the message says why.
    Working
        If it is not trained yet.
    """
    model = cache.fitted(selection, place, allow_ensembles=True)
    estimator = cache.tree_of(selection, place)
    tree = estimator.tree_
    division = cache.division(selection, place)
    representative = tree.at_depth(selection.view.depth)
    predicted = cut_predictions(tree, division.values, representative)
    picked = selection.models[place].node_in(tree)
    n_classes = cache.data(selection).dataset.n_classes
    parts = [
        scores(division.y[rows], predicted[rows], n_classes)
        for rows in (division.train_rows, division.held_out_rows)
    ]
    fidelity = None
    if plane.is_slice:
        on_axes, at = plane.columns_in(division.form), plane.at_in(division.form)
        fidelity = slice_fidelity(tree, division.values, on_axes, at)
    return ModelView(
        title=_title(selection, place, model.estimator),
        estimator=estimator,
        milliseconds=model.milliseconds if estimator is model.estimator else None,
        depth=selection.view.depth,
        node=0 if picked is None else int(representative[picked]),
        representative=representative,
        predicted=predicted,
        training=parts[0],
        held_out=parts[1],
        fidelity=fidelity,
    )


def _title(selection: Selection, place: int, estimator: TreeClassifier | ForestClassifier) -> str:
    model = selection.models[place]
    title, trees = model_title(selection, place), trees_of(estimator)
    if trees[0] is estimator:
        return title
    n = min(model.tree or 0, len(trees) - 1) + 1
    return t("{title}, tree {n} of {all}", title=title, n=number(n), all=number(len(trees)))


def class_names_of(dataset: Dataset) -> tuple[str, ...]:
    """Return what people call the classes: a bare number gets the word class before it.

    Names in built-in data are translated; those in anybody's own data stay as they are.
    """
    titles = class_titles(dataset.class_order, t("class {name}"))
    return tuple(map(t, titles)) if dataset.name in BUILT_IN else titles


def points_of(
    view: ModelView | EnsembleView,
    selection: Selection,
    plane: Plane,
    beside: Iterable[ModelView | EnsembleView] = (),
) -> Points:
    """Return the rows drawn in the plane, counted from one, with what the model makes of them.

    `beside` are the models of the pictures beside this one.
    """
    division, drawn = cache.division(selection), plane.drawn
    held_out = np.zeros(len(division.y), dtype=bool)
    held_out[division.held_out_rows] = True
    return Points(
        x=plane.x[drawn],
        y=plane.y[drawn],
        label=division.y[drawn],
        held_out=held_out[drawn],
        wrong=(view.predicted != division.y)[drawn],
        row=drawn + 1,
        texts=plane.texts(drawn),
        most_wrong=max(
            (np.count_nonzero((other.predicted != division.y)[drawn]) for other in beside),
            default=0,
        ),
    )


def regions_of(selection: Selection, place: int, plane: Plane) -> Regions:
    """Return the model's regions around the view, so that zooming out shows more of them."""
    return regions_in(selection, place, plane, depth=selection.view.depth)


def counts_words(tree: Tree, node: int, class_names: tuple[str, ...]) -> str:
    """Return how many rows of which class a node holds, the most frequent first."""
    counts = tree.value[node]
    top, others = largest_first(counts, 5)
    named = [f"{class_names[k]} {number(round(float(counts[k]), 6))}" for k in top]
    return t(", ").join(named + [f"{t('other classes')} {number(others)}"] * bool(others))


def held_rows(tree: Tree, node: int) -> float:
    """Return how many rows a node holds, parts of rows added up where values are missing."""
    if tree.missing == Missing.FRACTIONS:
        return round(float(tree.weighted_n_node_samples[node]), 6)  # shares add up with an error
    return float(tree.n_node_samples[node])


def rows_words(tree: Tree, node: int) -> str:
    """Return the same in words."""
    rows = held_rows(tree, node)
    if rows.is_integer():
        return plural(int(rows), "{n} row", "{n} rows")
    return t("{n} rows", n=number(rows))
