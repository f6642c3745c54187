"""One model on the page: its tree as far as it is shown, its scores, its points, its words."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from lastviz._params import Param, defaults
from lastviz.datasets import DATASETS, LARGE_SETS, Dataset
from lastviz.datasets.column_roles import SENSITIVE
from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.host.jobs import Job, Working
from lastviz.inspection import (
    ForestRegions,
    Regions,
    Scores,
    cut_predictions,
    forest_regions_in_steps,
    is_ensemble,
    predicted_in_steps,
    scores,
    slice_fidelity,
)
from lastviz.plots import Points, class_titles, largest_first, surroundings
from lastviz.tree import Missing, Tree
from lastviz.ui.compute.data import MOST_ROWS, MOST_VALUES
from lastviz.ui.compute.outcome import outcome
from lastviz.ui.compute.work import ModelWork, Work
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, list_names, number, percent, plural, t

from .figures import Plane, regions_in
from .held_out import held_words
from .widgets import put, value_words

MOST_NAMED = 2  # sensitive columns beside a title


def model_title(model: ModelWork) -> str:
    """Title of a model among those of its selection.

    Models of one algorithm are told apart by the parameters in which they differ, equal ones by
    a number.
    """
    place, title = model.place, model.title
    models = {other.place: other.chosen for other in model.work.models}
    alike = [i for i, other in models.items() if other.key == model.chosen.key]
    if len(alike) == 1:
        return title
    declared = model.entry.cls.PARAMS
    values = [defaults(declared) | dict(models[i].params) for i in alike]
    own = values[alike.index(place)]
    parts = [
        t("{param}: {value}", param=_label(param), value=value_words(param, own[param.name]))
        for param in declared
        if any(other[param.name] != own[param.name] for other in values)
    ]
    edits, n = [models[i].edits for i in alike], len(model.chosen.edits)
    if any(other != model.chosen.edits for other in edits):
        parts.append(plural(n, "{n} edit", "{n} edits") if n else t("no edits"))
    equal = [
        i
        for i, other, made in zip(alike, values, edits, strict=True)
        if other == own and len(made) == n
    ]
    if len(equal) > 1:
        parts.append(t("no. {n}", n=number(equal.index(place) + 1)))
    return t("{title} ({parts})", title=title, parts=t(", ").join(parts))


def scene_names(work: Work) -> list[str]:
    """Name of the data, then the titles of the models."""
    return [t(work.dataset.name), *map(model_title, work.models)]


def _label(param: Param) -> str:
    label = t(param.label or param.name)
    return label[:1].lower() + label[1:] if label[1:2].islower() else label


# ---- The choice of a large set of the paper about many rows, among the parameters of its generator


GENERATOR = "monotone_large"
OWN = "own"
KEY = "large_set"


def large_set_of(selection: Selection) -> str | None:
    """Name of the selected large data set, None for other sizes."""
    params = dict(selection.params)
    return next(
        (
            name
            for name, size in LARGE_SETS.items()
            if all(params.get(key, _default(key)) == value for key, value in size.items())
        ),
        None,
    )


def large_set_chooser(selection: Selection) -> None:
    """Draw the choice of a large set with its size, and the effect of the app's limit."""
    put(KEY, large_set_of(selection) or OWN)
    st.selectbox(
        t("As in the paper"),
        [OWN, *LARGE_SETS],
        key=KEY,
        format_func=_words,
        on_change=_choose,
        help=t("The six large sets of Xu, Wang and Ren (2017). The app draws at most {rows} rows "
               "of a set and {all} values.", rows=number(MOST_ROWS), all=number(MOST_VALUES)),
    )  # fmt: skip


def _words(name: str) -> str:
    if name == OWN:
        return t("custom size")
    size = LARGE_SETS[name]
    rows, features = number(size["n_samples"]), number(size["n_features"])
    return t("{name}: {rows} x {features}", name=name, rows=rows, features=features)


def _choose() -> None:
    name = st.session_state[KEY]
    size = {} if name == OWN else LARGE_SETS[name]
    params = {key: value for key, value in size.items() if value != _default(key)}
    session.select(params=tuple(sorted(params.items())))


def _default(key: str) -> object:
    declared = session.data_params(GENERATOR) or ()
    return next(param.default for param in declared if param.name == key)


# ---- A model that is more than the leaves of one tree: a forest, or the envelope around a tree


Ensemble = ForestClassifier | TreeClassifier


@dataclass(frozen=True, eq=False)
class Priced:
    """Costs that the reader gave the errors."""

    costs: np.ndarray  # (n_classes, n_classes) float64, of a row of class i that is called class j
    names: tuple[str, ...]  # of the classes
    label: int | None  # the rarer of two, which is missed; None of more

    def total(self, part: Scores) -> float:
        """Cost of the errors on some rows."""
        return float((part.confusion * self.costs).sum())

    def cheapest(self, part: Scores) -> tuple[int, float]:
        """Class that costs least as the answer for every row, and that cost."""
        constant = part.confusion.sum(axis=1) @ self.costs
        return int(constant.argmin()), float(constant.min())


def priced_of(model: ModelWork) -> Priced | None:
    """Costs of a model's errors; None where none are given."""
    if model.dataset.n_classes == 2:
        return two_priced(model) if model.selection.rules.is_priced else None
    if model.rule is None:
        return None
    return Priced(np.array(model.rule[1][0]), class_names_of(model.dataset), None)


def two_priced(model: ModelWork) -> Priced:
    """Costs of both errors about two classes, given or not."""
    rules, k = model.selection.rules, model.division.rarer_class
    costs = np.zeros((2, 2))
    costs[k, 1 - k], costs[1 - k, k] = rules.cost_miss, rules.cost_alarm
    return Priced(costs, class_names_of(model.dataset), k)


@dataclass(frozen=True, eq=False)
class EnsembleView:
    """View of a forest or an envelope at one place of a page."""

    title: str  # what the model is called among those of the selection
    # ForestClassifier or TreeClassifier, fitted; a tree has a monotone envelope.
    estimator: Ensemble
    milliseconds: float  # what training took
    predicted: np.ndarray  # (n_samples,) intp, class index of each row
    training: Scores
    held_out: Scores
    # Share of the rows drawn that lie on their own colour; None if nothing is fixed.
    fidelity: float | None
    priced: Priced | None = None
    notes: tuple[str, ...] = ()  # what else stands beside its title

    @property
    def trees(self) -> list[TreeClassifier]:
        """The trees of the forest, or the tree inside the envelope."""
        return trees_of(self.estimator)


def decided_title(model: ModelWork) -> str:
    """Title of a trained model with its decision line, if it has one."""
    title = model_title(model)
    if model.decides_at is None:
        return title
    if len(model.decides_at[1]) == 1:
        return t("{title}, by costs", title=title)
    label, share = model.decides_at[1]
    name = class_names_of(model.dataset)[label]
    return t("{title}, {name} from {share} %", title=title, name=name, share=percent(share))


def model_notes(model: ModelWork) -> tuple[str, ...]:
    """Notes beside a title: sensitive columns and whole units held out, if any."""
    names = model.tested_with(SENSITIVE)
    rows = "" if model.place > 0 else held_words(model.work)  # they are those of all models
    sensitive = t("sensitive: {names}", names=list_names(names, MOST_NAMED)) if names else ""
    return tuple(filter(None, [sensitive, t("held out: {rows}", rows=rows) if rows else ""]))


def trees_of(estimator: Ensemble) -> list[TreeClassifier]:
    """Trees of a forest; a tree is its own only one."""
    return getattr(estimator, "estimators_", [estimator])


def ensemble_view(model: ModelWork, plane: Plane) -> EnsembleView:
    """Forest or envelope at `place`.

    Raises
    ------
    CannotShow
        If the algorithm cannot learn from the data; the message says why.
    Working
        If it is not trained, or has not been asked about all rows yet.
    """
    fitted = model.fitted_any
    divided = model.division
    if plane.is_banded:
        sentence = "{title} reads numbers; beside an algorithm of categories it has no picture."
        raise CannotShow(t(sentence, title=model_title(model)))
    label = predictions_of(model)
    n_classes = model.dataset.n_classes
    training, held_out = (
        scores(divided.y[rows], label[rows], n_classes)
        for rows in (divided.train_rows, divided.held_out_rows)
    )
    return EnsembleView(
        title=model_title(model),
        estimator=fitted.estimator,
        milliseconds=fitted.milliseconds,
        predicted=label,
        training=training,
        held_out=held_out,
        fidelity=_fidelity(fitted.estimator, divided.values, label, plane),
        priced=priced_of(model),
        notes=model_notes(model),
    )


def predictions_of(model: ModelWork) -> np.ndarray:
    """Class index that a model gives to each row; many rows of many trees are a job."""
    estimator = model.fitted_any.estimator
    X = model.division.values
    key = (*model.cache_key, "predicted")
    title = t("{title}, predictions for all rows", title=model_title(model))
    return outcome(key, title, partial(predicted_in_steps, estimator, X))


def regions_of_ensemble(model: ModelWork, plane: Plane) -> ForestRegions:
    """Regions around the view; where they are not exact, finest in the view."""
    estimator = model.fitted_any.estimator
    here = plane.view, plane.features, plane.at.tobytes()
    key = (*model.cache_key, *here, "whole")
    title = t("The picture of {title}", title=model_title(model))
    around = surroundings(plane.view, equal=plane.equal)
    where = (around, plane.features, plane.at)
    steps = partial(forest_regions_in_steps, estimator, *where, focus=plane.view)
    return outcome(key, title, steps)


def _fidelity(estimator: Ensemble, X: np.ndarray, label: np.ndarray, plane: Plane) -> float | None:
    """Share of the rows drawn that lie on the colour they get; None without a slice."""
    if not plane.is_slice:
        return None
    drawn = plane.drawn
    places = np.tile(plane.at, (len(drawn), 1))
    places[:, list(plane.features)] = X[np.ix_(drawn, plane.features)]
    return float(np.mean(estimator.predict_codes(places) == label[drawn]))


# ---------------------------------------------------------------- model view


BUILT_IN = {entry.title for entry in DATASETS.values()}


@dataclass(frozen=True, eq=False)
class ModelView:
    """View of the model at one place of a page."""

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
    priced: Priced | None = None
    notes: tuple[str, ...] = ()  # what else stands beside its title

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


# Once one takes long, the others begin beside it.
def model_views(
    work: Work, plane: Plane
) -> tuple[dict[int, ModelView | EnsembleView], dict[int, str], dict[int, Job]]:
    """Models by place; of the others why they cannot learn, or the jobs they wait for."""
    views, obstacles, jobs = {}, {}, {}
    places = range(len(work.selection.models))
    for place in places:
        try:
            views[place] = view_of(work.models[place], plane)
        except CannotShow as reason:
            obstacles[place] = str(reason)
        except Working as working:
            jobs[place] = working.job
            for other in places[place + 1 :]:
                with suppress(CannotShow, Working):
                    work.models[other].begin(allow_ensembles=True)
    return views, obstacles, jobs


def view_of(model: ModelWork, plane: Plane) -> ModelView | EnsembleView:
    """View of the model: of the whole ensemble, or of the picked tree.

    Raises
    ------
    CannotShow, Working
        As :func:`model_view`.
    """
    estimator = model.fitted_any.estimator
    if is_ensemble(estimator) and model.chosen.tree is None:
        return ensemble_view(model, plane)
    return model_view(model, plane)


def model_view(model: ModelWork, plane: Plane) -> ModelView:
    """Model at `place` as the selection wants it shown.

    Raises
    ------
    CannotShow
        If the algorithm cannot learn from the data; the message says why.
    Working
        If it is not trained yet.
    """
    fitted = model.fitted_any
    estimator = model.picked
    tree = estimator.tree_
    division = model.division
    representative = tree.at_depth(model.selection.view.depth)
    predicted = cut_predictions(tree, division.values, representative)
    picked = model.chosen.node_in(tree)
    n_classes = model.dataset.n_classes
    parts = [
        scores(division.y[rows], predicted[rows], n_classes)
        for rows in (division.train_rows, division.held_out_rows)
    ]
    fidelity = None
    if plane.is_slice:
        on_axes, at = plane.columns_in(division.form), plane.at_in(division.form)
        fidelity = slice_fidelity(tree, division.values, on_axes, at)
    return ModelView(
        title=with_tree(decided_title(model), model),
        estimator=estimator,
        milliseconds=fitted.milliseconds if estimator is fitted.estimator else None,
        depth=model.selection.view.depth,
        node=0 if picked is None else int(representative[picked]),
        representative=representative,
        predicted=predicted,
        training=parts[0],
        held_out=parts[1],
        fidelity=fidelity,
        priced=priced_of(model),
        notes=model_notes(model),
    )


def envelope_words(estimator: TreeClassifier) -> str:
    """Note that the leaves of a tree are not its predictions, "" if they are."""
    if not getattr(estimator, "monotone", False):
        return ""
    return t("These are the leaves of the tree. Its monotone envelope may decide otherwise.")


def with_tree(title: str, model: ModelWork) -> str:
    """The title of the model at `place` and, of a forest, which of its trees is shown."""
    forest = model.ensemble
    if not isinstance(forest, ForestClassifier):
        return title
    trees = forest.estimators_
    n = min(model.chosen.tree or 0, len(trees) - 1) + 1
    return t("{title}, tree {n} of {all}", title=title, n=number(n), all=number(len(trees)))


# Names in built-in data are translated; those in anybody's own data stay as they are.
def class_names_of(dataset: Dataset) -> tuple[str, ...]:
    """Displayed names of the classes; a bare number is preceded by the word class."""
    titles = class_titles(dataset.class_order, t("class {name}"))
    return tuple(map(t, titles)) if dataset.name in BUILT_IN else titles


def points_of(
    view: ModelView | EnsembleView,
    work: Work,
    plane: Plane,
    beside: Iterable[ModelView | EnsembleView] = (),
) -> Points:
    """Rows drawn in the plane, counted from one, with the results of the model.

    `beside` are the models of the pictures beside this one.
    """
    division, drawn = work.first.division, plane.drawn
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


def regions_of(model: ModelWork, plane: Plane) -> Regions:
    """Model's regions around the view, so that zooming out shows more of them."""
    return regions_in(model, plane, depth=model.selection.view.depth)


def counts_words(tree: Tree, node: int, class_names: tuple[str, ...]) -> str:
    """Number of rows of each class in a node, the most frequent first."""
    counts = tree.value[node]
    top, others = largest_first(counts, 5)
    named = [f"{class_names[k]} {number(round(float(counts[k]), 6))}" for k in top]
    return t(", ").join(named + [f"{t('other classes')} {number(others)}"] * bool(others))


def held_rows(tree: Tree, node: int) -> float:
    """Number of rows in a node, summing shares of rows if values are missing."""
    if tree.missing == Missing.FRACTIONS:
        return round(float(tree.weighted_n_node_samples[node]), 6)  # shares add up with an error
    return float(tree.n_node_samples[node])


def rows_words(tree: Tree, node: int) -> str:
    """Same in words."""
    rows = held_rows(tree, node)
    if rows.is_integer():
        return plural(int(rows), "{n} row", "{n} rows")
    return t("{n} rows", n=number(rows))
