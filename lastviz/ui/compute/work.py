"""The selection and all its results, resolved once a run.

A page asks the same of its selection in dozens of places. It asks a :class:`Work`, which keeps
the answers as long as the run lasts; the next run resolves anew, and so sees a file that was
replaced or a data set that has come. Behind it lies the memory that all visitors share. Its keys
are made here alone: tuples that name data, division and model, and never hold an array. What is
returned is shared and must not be changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from inspect import signature

import numpy as np

from lastviz.datasets import Dataset, all_datasets
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
from lastviz.inspection import Band, Regions, banded_regions, feature_gains
from lastviz.inspection import regions as compute_regions
from lastviz.splitters import Presorted, presort
from lastviz.tables import AS_FOUND, Found
from lastviz.tree import Tree
from lastviz.ui.state import session
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.edit_codes import Edits, write_edits
from lastviz.ui.state.selection import AT_NUMBERS, Model, Selection
from lastviz.ui.text import CannotShow, t

from . import uploads
from .availability import available, known_of_data, lost_rows, obstacle, takes_weights
from .data import Loaded, apply_steps, fitted_steps, found_in, has_seed, load
from .edited import full, has_place
from .nodes import NodeWork
from .outcome import job_of, result_of, viewer
from .own_model import model_content, own_training
from .training import (
    Division,
    FeatureTable,
    Fitted,
    divide,
    encode_table,
    forest_training,
    form_for,
    regrowth,
    table_in,
    training,
    with_labels_of,
)

OF_THE_DATA = (
    "data",
    "painted",
    "params",
    "upload",
    "target",
    "reading",
    "columns",
    "kinds",
    "levels",
    "bins",
    "scaling",
    "classes",
    "ordered",
    "directions",
    "one",
    "weight",
    "class_weight",
    "labels",
)

Key = tuple[object, ...]


class Work:
    """A selection, and its data.

    Parameters
    ----------
    selection : Selection
    """

    def __init__(self, selection: Selection) -> None:
        self.selection = selection

    @resolved
    def models(self) -> tuple[ModelWork, ...]:
        """The models that learn from the data; nothing of them is resolved yet.

        Of numbers there is one: a tree that was brought, else the regressor.
        """
        if self.dataset.is_regression and self.selection.models:
            is_own = is_imported(self.selection.models[0].key)
            return (ModelWork(self, 0 if is_own else AT_NUMBERS),)
        return tuple(ModelWork(self, place) for place in range(len(self.selection.models)))

    @resolved
    def first(self) -> ModelWork:
        """The first model."""
        return self.models[0]

    def having(self, **fields: object) -> Work:
        """The selection with other fields, see :meth:`.Selection.having`."""
        return Work(self.selection.having(**fields))

    def change(self, **fields: object) -> Work:
        """The selection with other fields, see :meth:`.Selection.change`."""
        return Work(self.selection.change(**fields))

    def change_model(self, place: int, **fields: object) -> Work:
        """Work of the selection with one model changed.

        See :meth:`.Selection.change_model`.
        """
        return Work(self.selection.change_model(place, **fields))

    def first_models(self, n: int) -> Work:
        """The selection with its first models alone."""
        if n >= len(self.selection.models):
            return self
        return self._first_models.setdefault(n, Work(self.selection.first_models(n)))

    @resolved
    def _first_models(self) -> dict[int, Work]:
        return {}

    @resolved
    def _available(self) -> Selection:
        return available(self.selection)

    @property
    def _content(self) -> bytes | None:
        upload = self._available.upload
        return None if upload is None else uploads.content(upload)

    @resolved
    def data(self) -> Loaded:
        """The data; the first scene's if their file is not in this session."""
        return _data(self.data_key, self._available, self._content)

    @resolved
    def dataset(self) -> Dataset:
        """The data as the algorithms are given them."""
        return self.data.dataset

    @property
    def found(self) -> Found | None:
        """Findings on the file as it was read, None without a file or if it is not here."""
        content, name = self._content, self.selection.upload and self.selection.upload.name
        if content is None:
            return None
        target = str(self.data.full.y.name)
        for reading in (self.selection.reading, AS_FOUND):
            with suppress(ValueError):
                return found_in(content, name, reading, target)
        return None

    @resolved
    def data_key(self) -> Key:
        """The fields that describe the data, as one text, and which version of them it is."""
        here = self._available
        entry = all_datasets().get(here.data)
        version = "" if entry is None else entry.version
        if here.upload is not None:
            version = uploads.identity(here.upload)
        about = [getattr(here, name) for name in OF_THE_DATA]
        if has_seed(here.data):
            about.append(here.seed)
        if fitted_steps(here):  # the data know which rows are held out
            about += [here.held, here.seed]
        return str(about), version

    @resolved
    def division_key(self) -> Key:
        """Key of the data and of their division into rows."""
        return *self.data_key, self.selection.held, self.selection.seed

    def division_in(self, form: str) -> Division:
        """Rows to learn from and rows held out, in a form of :mod:`.training`."""
        return _division((*self.division_key, form), self, form)

    def gains(self, form: str | None = None) -> np.ndarray:
        """Gain of each feature by itself, shape (n_features,); see inspection.

        In the form of the first model, unless another is named.
        """
        divided = self.division_in(form or self.first.form)
        key, columns = (*self.data_key, divided.form), divided.values
        if divided.is_plain:
            columns = _sorted(key, columns)
        return _gains(key, columns, divided, self.dataset.n_classes)

    @resolved
    def single_trees(self) -> Work:
        """The scene with the picked tree in place of each forest that votes, or envelope."""
        models = tuple(
            replace(model, alone=True, tree=model.tree or 0) if _decides_as_more(model) else model
            for model in self.selection.models
        )
        if models == self.selection.models:
            return self
        return Work(replace(self.selection, models=models))

    @resolved
    def unlabelled(self) -> Work:
        """Scene without the user's labels, which names its trained models."""
        return Work(replace(self.selection, labels="")) if self.selection.labels else self


class ModelWork:
    """Model of a selection, and the results of its training.

    Parameters
    ----------
    work : Work
    place : int
        Which of the selection's models, see :meth:`.Selection.model`.
    """

    def __init__(self, work: Work, place: int) -> None:
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
        """Key of the trained model, whatever is picked in it."""
        chosen = self.chosen
        upload = uploads.model_named(chosen.key) if is_imported(chosen.key) else None
        # A file that another session stored is held here once its content has been asked for.
        here = upload is not None and uploads.content(upload) is not None
        version = uploads.identity(upload) if here else ""
        about = str((chosen.params, chosen.alone and chosen.tree, self._learns_unlabelled))
        edits = write_edits(chosen.edits) if chosen.edits else ""
        return *self.work.division_key, chosen.key, about, edits, version

    @resolved
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
        """As :attr:`fitted`, where forests and monotone envelopes are welcome."""
        return self._fitted(allow_ensembles=True)

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

    @resolved
    def _job_key(self) -> Key:
        return ModelWork(self.work.unlabelled, self.place).cache_key

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
    def _as_it_decides(self) -> ModelWork:
        """The model as the forest or envelope again."""
        return self.having(alone=False)

    @resolved
    def without_edits(self) -> ModelWork:
        """The model as its algorithm grows it."""
        return self.having(edits=()) if self.chosen.edits else self

    def having(self, **fields: object) -> ModelWork:
        """The model with other fields, and nothing reset."""
        models, changed = list(self.selection.models), replace(self.chosen, **fields)
        if self.place == AT_NUMBERS:
            return ModelWork(Work(replace(self.selection, regressor=changed)), self.place)
        models[self.place] = changed
        return ModelWork(Work(replace(self.selection, models=tuple(models))), self.place)

    @property
    def ensemble(self) -> TreeClassifier | ForestClassifier:
        """The model as it decides, whatever tree of it is shown."""
        model = self._as_it_decides if self.chosen.alone else self
        return model.fitted_any.estimator

    def node(self, node: int) -> NodeWork:
        """A node of the tree that predicts."""
        return self._nodes.setdefault(node, NodeWork(self, node))

    @resolved
    def _nodes(self) -> dict[int, NodeWork]:
        return {}

    @resolved
    def sorted_all(self) -> Presorted:
        """Sorted columns of all rows; there must be no categories."""
        return _sorted((*self.work.data_key, self.division.form), self.division.values)

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
            return partial(_sorted, self.cache_key, divided.values[divided.train_rows])
        of_all = (*self.work.data_key, divided.form)
        part = (*self.work.division_key, divided.form)
        return lambda: _sorted_part(part, _sorted(of_all, divided.values), divided.train_rows)

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
            return partial(own_training, content, self.selection, self.dataset, divided.X)
        if edits and cls.TAGS.forest:
            raise CannotShow(t("A forest cannot be edited by hand: remove the edits to see it."))
        X, y = divided.learnt
        if edits:
            before = self.without_edits.fitted_any.estimator
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


# ---- the work of a run


_RUN: ContextVar[list[Work]] = ContextVar("run")  # its newest work


@contextmanager
def one_run() -> Iterator[None]:
    """Resolve the selection only once within the block."""
    token = _RUN.set([])
    try:
        yield
    finally:
        _RUN.reset(token)


def current() -> Work:
    """Work of the current selection.

    One object a run, and a new one outside of runs.
    """
    return work_of(session.current())


def work_of(selection: Selection) -> Work:
    """Work of a selection, in a run the same for the same one."""
    known = _RUN.get(None)
    if known is None:
        return Work(selection)
    for work in known:
        if work.selection is selection:
            return work
    known.append(Work(selection))
    return known[-1]


# ---- what all visitors share


@remembered
def _data(key: Key, selection: Selection, content: bytes | None) -> Loaded:
    as_read, notes = load(selection, content)
    after = apply_steps(as_read, selection)
    sentences = (*notes, *after.notes)
    return Loaded(as_read, after.dataset, after.plain, after.steps, after.fitted_steps, sentences)


@remembered
def _division(key: Key, work: Work, form: str) -> Division:
    table = _table((*work.data_key, form), work.dataset, form)
    return divide(work.dataset, work.selection.held, work.selection.seed, table)


@remembered
def _table(key: Key, dataset: Dataset, form: str) -> FeatureTable:
    X = table_in(form, dataset)
    return FeatureTable(X, form, encode_table(X))  # with all that takes room, which is measured now


@remembered
def _sorted(key: Key, values: np.ndarray) -> Presorted:
    return presort(values)


@remembered
def _sorted_part(key: Key, presorted: Presorted, rows: np.ndarray) -> Presorted:
    return presorted.take(rows)


@remembered
def _gains(
    key: Key, columns: Presorted | np.ndarray, divided: Division, n_classes: int
) -> np.ndarray:
    return feature_gains(columns, divided.y, n_classes, divided.categories)


@remembered
def _regions(key: Key, ask: Callable[[], Regions]) -> Regions:
    return ask()


def takes_unlabelled(key: str) -> bool:
    """Whether the algorithm `key` can learn from rows without classes, too."""
    return "unlabelled" in signature(entry_of(key).cls.fit).parameters


def _decides_as_more(model: Model) -> bool:
    """Whether a model grown here decides by the votes or envelope of its trees."""
    cls = entry_of(model.key).cls
    votes = cls.TAGS.forest and not cls.adds_scores
    return not is_imported(model.key) and (votes or bool(dict(model.params).get("monotone")))
