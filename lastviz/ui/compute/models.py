"""A model of a selection, resolved once a run: its training, its rows, its tree."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Self

import numpy as np

from lastviz.datasets import Dataset
from lastviz.estimators import (
    EstimatorEntry,
    ForestClassifier,
    TreeClassifier,
    entry_of,
    is_imported,
)
from lastviz.host import jobs
from lastviz.host.jobs import Job, State, Steps, Working
from lastviz.host.language import LANGUAGE_USES
from lastviz.host.memory import remembered, resolved
from lastviz.inspection import Band, Regions, banded_regions, tells_certainty
from lastviz.inspection import regions as compute_regions
from lastviz.inspection.rules.explanation import used_features
from lastviz.splitters import Presorted
from lastviz.tree import Tree
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.edit_codes import Edits, write_edits
from lastviz.ui.state.selection import AT_NUMBERS
from lastviz.ui.text import CannotShow, t

from . import uploads
from .availability import known_of_data, lost_rows, obstacle, takes_weights
from .edited import full, has_place
from .outcome import job_of, result_of, viewer
from .own_model import model_content, own_training
from .selected import Key, SelectedData, sort_columns, sort_rows
from .training import (
    Division,
    Fitted,
    forest_training,
    form_for,
    regrowth,
    training,
    with_labels_of,
)


class TrainedModel:
    """Model of a selection, and the results of its training.

    Parameters
    ----------
    work : SelectedData
    place : int
        Which of the selection's models, see :meth:`.Selection.model`.
    """

    def __init__(self, work: SelectedData, place: int) -> None:
        self.work, self.place = work, place
        self.selection, self.chosen = work.selection, work.selection.model(place)

    @resolved
    def entry(self) -> EstimatorEntry:
        """The algorithm."""
        return entry_of(self.chosen.key)

    @resolved
    def title(self) -> str:
        """Title of the algorithm, translated."""
        return t(self.entry.title)

    @resolved
    def dataset(self) -> Dataset:
        """The data as the algorithms are given them."""
        return self.work.dataset

    @resolved
    def form(self) -> str:
        """The form in which the model reads the data, see :mod:`.training`."""
        return form_for(self.chosen.key, self.dataset)

    @resolved
    def division(self) -> Division:
        """The data in the model's form, divided into rows to learn from and rows held out.

        A tree of a forest, see :attr:`Work.single_trees`, learnt from the rows drawn for it.
        """
        divided = self.work.division_in(self.form)
        if not self.chosen.alone or not isinstance(self.ensemble, ForestClassifier):
            return divided
        draws = self.ensemble.draws_
        drawn = draws[min(self.chosen.tree or 0, len(draws) - 1)]
        return replace(divided, train_rows=divided.train_rows[drawn.rows])

    @resolved
    def cache_key(self) -> Key:
        """Key of the trained model and its decision rule, whatever is picked in it."""
        return self._trained_key if self.rule is None else (*self._trained_key, self.rule)

    @resolved
    def _trained_key(self) -> Key:
        chosen = self.chosen
        upload = uploads.model_named(chosen.key) if is_imported(chosen.key) else None
        # A file that another session stored is held here once its content has been asked for.
        here = upload is not None and uploads.content(upload) is not None
        version = uploads.identity(upload) if here else ""
        about = str((chosen.params, chosen.alone and chosen.tree, self._learns_unlabelled))
        edits = write_edits(chosen.edits) if chosen.edits else ""
        return *self.work.division_key, chosen.key, about, edits, version

    @property
    def rule(self) -> tuple[str, tuple] | None:
        """Method and arguments by which the model decides; None as it was grown.

        That is the share from which a leaf is given the rarer of two classes, or the costs of
        errors between more.
        """
        rules, n = self.selection.rules, self.dataset.n_classes
        if n == 2 and rules.cut != 50.0:
            return "with_threshold", (self.division.rarer_class, rules.cut / 100.0)
        if n > 2 and len(rules.costs) == n * n:
            return "with_costs", (tuple(rules.costs[i * n : i * n + n] for i in range(n)),)
        return None

    @property
    def _learns_unlabelled(self) -> bool:
        return self.selection.unlabelled and takes_unlabelled(self.chosen.key)

    @property
    def beside(self) -> dict[str, object]:
        """Further arguments of ``fit``: the held-out rows, without classes.

        Empty unless the algorithm learns from unlabelled rows.
        """
        if not self._learns_unlabelled:
            return {}
        return {"unlabelled": self.division.X.iloc[self.division.held_out_rows]}

    @resolved
    def fitted(self) -> Fitted:
        """The trained model, one of a single tree.

        Raises
        ------
        CannotShow
            If the algorithm cannot learn from these data, or grows a forest; the message says why.
        Working
            If training takes long or was cancelled.
        """
        model = self._fitted(allow_ensembles=False)
        if isinstance(model.estimator, ForestClassifier):
            raise CannotShow(
                t("This model is a forest, and this page is about single trees; the page "
                  "Boundaries shows forests.")
            )  # fmt: skip
        return model

    @resolved
    def fitted_any(self) -> Fitted:
        """As :attr:`fitted`, where forests and monotone envelopes are welcome.

        A tree that tells shares decides by the scene's rule.
        """
        model = self._fitted(allow_ensembles=True)
        if self.rule is None or not tells_certainty(model.estimator):
            return model
        return _by_rule(self.cache_key, model, *self.rule)

    @property
    def decides_at(self) -> tuple[str, tuple] | None:
        """Rule that the model keeps, None if none or not trained."""
        estimator = None if self.rule is None else self.trained_any()
        keeps = estimator is not None and tells_certainty(estimator)
        return self.rule if keeps else None

    def _fitted(self, *, allow_ensembles: bool) -> Fitted:
        if self.chosen.alone:
            return replace(self._as_it_decides.fitted_any, estimator=self._as_it_decides.picked)
        uses = LANGUAGE_USES.count
        job = self.begin(allow_ensembles=allow_ensembles)
        LANGUAGE_USES.count = uses  # the title of its training is no part of it
        found = result_of(job, viewer())
        model = with_labels_of(self.cache_key, found, self.division)
        reason = lost_rows(model.estimator, self.division.has_missing)
        if reason is not None:
            raise CannotShow(reason)
        return model

    @resolved
    def estimator(self) -> TreeClassifier:
        """The trained tree, see :attr:`fitted`."""
        return self.fitted.estimator

    @resolved
    def tree(self) -> Tree:
        """The tree that predicts."""
        return self.fitted.estimator.tree_

    @resolved
    def features_tested(self) -> set[int]:
        """Features of the division that any test of the model's trees looks at."""
        return _tested(self.cache_key, self.fitted_any.estimator)

    def features_with(self, role: str) -> dict[int, str]:
        """Features of the division in a role, each with the name of its column.

        Those of 0 and 1 are in the role of the nominal column that they encode.
        """
        dataset, wanted = self.dataset, self.work.columns_with(role)
        stored = zip(self.work.data.plain.feature_names, dataset.feature_names, strict=True)
        called = {shown: shown for name, shown in stored if name in wanted}
        for name in filter(lambda name: dataset.kinds[name] == "nominal", [*called]):
            called |= {f"{name} = {value}": name for value in dataset.orders[name]}
        columns = enumerate(self.division.X.columns)
        return {place: called[column] for place, column in columns if column in called}

    def tested_with(self, role: str) -> tuple[str, ...]:
        """Columns in a role that any test of the model's trees looks at."""
        places = self.features_with(role)
        names = (name for place, name in places.items() if place in self.features_tested)
        return tuple(dict.fromkeys(names))

    @resolved
    def grown(self) -> Tree:
        """The tree before pruning."""
        return self.fitted.estimator.grown_tree_

    def begin(self, *, allow_ensembles: bool = False) -> Job:
        """Training of the model; it begins if it has not.

        Raises
        ------
        CannotShow
            If the algorithm cannot learn from these data; the message says why.
        Working
            If its tree is edited and the one without edits takes long.
        """
        reason = obstacle(
            self.entry, self.dataset, self.chosen.params, allow_ensembles=allow_ensembles
        )
        if reason is not None:
            raise CannotShow(reason)
        job = job_of(self._job_key, self.title, self._training)
        job.is_anytime = getattr(self.entry.cls, "IS_ANYTIME", False) and not self.chosen.edits
        return job

    @property
    def _job_key(self) -> Key:
        """Key of the training, which no other question about the model can have."""
        model = type(self)(self.work.unlabelled, self.place) if self.selection.labels else self
        return *model._trained_key, "training"

    def begun(self) -> Job | None:
        """Training of the model if it has begun, whatever came of it."""
        return jobs.JOBS.find(self._job_key)

    def trained(self) -> TreeClassifier | None:
        """Estimator of :attr:`fitted`, None where there is none (yet): for choosers."""
        with suppress(CannotShow, Working):
            return self.fitted.estimator
        return None

    def trained_any(self) -> TreeClassifier | ForestClassifier | None:
        """As :meth:`trained`, of :attr:`fitted_any`."""
        with suppress(CannotShow, Working):
            return self.fitted_any.estimator
        return None

    def trained_already(self) -> TreeClassifier | ForestClassifier | None:
        """Estimator if it has been trained; nothing begins."""
        job = self.begun()
        if job is None or job.state is not State.DONE:
            return None
        return with_labels_of(self.cache_key, job.outcome(viewer()), self.division).estimator

    @property
    def picked(self) -> TreeClassifier:
        """The model or, of a forest, the tree that is picked, else the first."""
        estimator = self.fitted_any.estimator
        trees = getattr(estimator, "estimators_", [estimator])
        return trees[min(self.chosen.tree or 0, len(trees) - 1)]

    @resolved
    def _as_it_decides(self) -> Self:
        """The model as the forest or envelope again."""
        return self.having(alone=False)

    @resolved
    def without_edits(self) -> Self:
        """The model as its algorithm grows it."""
        return self.having(edits=()) if self.chosen.edits else self

    def having(self, **fields: object) -> Self:
        """The model with other fields, and nothing reset."""
        changed = replace(self.chosen, **fields)
        if self.place == AT_NUMBERS:
            return type(self)(self.work.having(regressor=changed), self.place)
        models = list(self.selection.models)
        models[self.place] = changed
        return type(self)(self.work.having(models=tuple(models)), self.place)

    @property
    def ensemble(self) -> TreeClassifier | ForestClassifier:
        """The model as it decides, whatever tree of it is shown."""
        model = self._as_it_decides if self.chosen.alone else self
        return model.fitted_any.estimator

    @resolved
    def sorted_all(self) -> Presorted:
        """Sorted columns of all rows; there must be no categories."""
        return sort_columns((*self.work.data_key, self.division.form), self.division.values)

    @resolved
    def sorted_training(self) -> Presorted | None:
        """Sorted columns of the training rows of a classification.

        None for a regression, or unless all columns are numeric and complete.
        """
        is_plain = self.division.is_plain and not self.dataset.is_regression
        return self._sorting() if is_plain else None

    @property
    def _sorting(self) -> Callable[[], Presorted]:
        """Sort the columns of the rows to learn from, in any thread."""
        divided = self.division
        if self.chosen.alone:  # rows that are drawn may repeat
            return partial(sort_columns, self.cache_key, divided.values[divided.train_rows])
        of_all = (*self.work.data_key, divided.form)
        part = (*self.work.division_key, divided.form)
        return lambda: sort_rows(part, sort_columns(of_all, divided.values), divided.train_rows)

    @property
    def weights(self) -> np.ndarray | None:
        """Weights of the training rows.

        None if each row counts once, or if the algorithm takes no weights.
        """
        weights = self.dataset.weights
        if weights is None or not takes_weights(self.entry.cls):
            return None
        return weights[self.division.train_rows]

    @property
    def _n_classes(self) -> int:
        return 0 if self.dataset.is_regression else self.dataset.n_classes

    @property
    def placed_edits(self) -> Edits:
        """Edits as ``fit`` takes them, without those that refer to absent data."""
        edits, divided = self.chosen.edits, self.division
        return full([edit for edit in edits if has_place(edit, divided, self._n_classes)], divided)

    def _training(self) -> Steps:
        """Training as steps; all that needs the session is looked up now."""
        cls, edits, divided = self.entry.cls, self.chosen.edits, self.division
        if is_imported(self.chosen.key):
            if edits:
                raise CannotShow(t("A model that was not grown here cannot be edited by hand."))
            content = model_content(self.chosen.key)
            X, rows = divided.X, divided.train_rows
            return partial(own_training, content, self.selection, self.dataset, X, rows)
        if edits and cls.TAGS.forest:
            raise CannotShow(t("A forest cannot be edited by hand: remove the edits to see it."))
        X, y = divided.learnt
        if edits:
            before = self.without_edits._fitted(allow_ensembles=True).estimator
            return partial(regrowth, before, X, y, self.placed_edits, self.sorted_training)
        params = dict(self.chosen.params)
        if any(param.name == SEED_NAME for param in cls.PARAMS):
            params[SEED_NAME] = self.selection.seed
        if self.dataset.is_regression:
            self._check_numbers(y)
        else:
            params |= known_of_data(self.entry, self.dataset)
        unfitted = cls(**params)
        if cls.TAGS.forest:
            return partial(forest_training, unfitted, X, y)
        beside = self.beside
        if divided.is_plain and not self.dataset.is_regression:
            beside["sort"] = self._sorting
        if self.weights is not None:
            beside["sample_weight"] = self.weights
        return partial(training, unfitted, X, y, **beside)

    def _check_numbers(self, y: np.ndarray) -> None:
        if np.ptp(y) == 0:
            sentence = (
                "All training rows have the same {target} ({value}), so there is nothing to learn: "
                "hold out fewer rows, or choose other data."
            )
            raise CannotShow(t(sentence, target=str(self.dataset.y.name), value=f"{y[0]:g}"))

    def regions(
        self,
        bounds: tuple[float, float, float, float],
        features: tuple[int | None, int | None],
        at: np.ndarray,
        bands: tuple[list[Band], list[Band]] | None = None,
        depth: int | None = None,
        other: tuple[str, TreeClassifier] | None = None,
    ) -> Regions:
        """Regions of the picked tree, see :func:`lastviz.inspection.regions`.

        With `bands` as :func:`lastviz.inspection.banded_regions` does. `other`: those of another
        tree made of it, and what that is called beside it.
        """
        name, tree = (None, self.picked) if other is None else other
        plane = bounds, features, np.asarray(at, dtype=np.float64).tobytes()
        key = (*self.cache_key, self.chosen.tree, *plane, name)
        if bands is None:
            return _regions(key, partial(compute_regions, tree, bounds, features, at))
        ask = partial(banded_regions, tree, bounds, features, at, bands, depth)
        return _regions((*key, str(bands), depth), ask)


@remembered
def _tested(key: Key, model: TreeClassifier | ForestClassifier) -> set[int]:
    trees = [each.tree_ for each in getattr(model, "estimators_", [model])]
    return {feature for tree in trees for feature in used_features(tree)}


@remembered
def _by_rule(key: Key, model: Fitted, method: str, how: tuple) -> Fitted:
    return replace(model, estimator=getattr(model.estimator, method)(*how))


@remembered
def _regions(key: Key, ask: Callable[[], Regions]) -> Regions:
    return ask()


def takes_unlabelled(key: str) -> bool:
    """Whether the algorithm `key` can learn from rows without classes, too."""
    return "unlabelled" in signature(entry_of(key).cls.fit).parameters
