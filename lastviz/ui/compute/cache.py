"""Data, divisions, models and regions, each computed once per process.

Keys are short texts: what names a data set is the part of the link that describes it. Arrays
are never keys. What is returned is shared between sessions and must not be changed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from inspect import signature
from urllib.parse import urlencode

import numpy as np
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lastviz import splitters
from lastviz._numba import is_interpreting
from lastviz.datasets import Dataset, all_datasets
from lastviz.estimators import ForestClassifier, TreeClassifier, entry_of, is_imported
from lastviz.host import jobs
from lastviz.host.jobs import Failed, Job, State, Work, Working
from lastviz.host.memory import once_a_run, remembered
from lastviz.host.store import Upload
from lastviz.inspection import Band, Regions, banded_regions, feature_gains
from lastviz.inspection import regions as compute_regions
from lastviz.splitters import Presorted, presort
from lastviz.tables import AS_FOUND, Found
from lastviz.ui.state.codec import SEED_NAME, encode
from lastviz.ui.state.edit_codes import Edits
from lastviz.ui.state.selection import DEFAULT, Model, Selection
from lastviz.ui.text import CannotShow, t, translated

from . import uploads
from .availability import available, known_of_data, lost_rows, obstacle, takes_weights
from .data import (
    Loaded,
    fitted_steps,
    found_in,
    has_seed,
    load,
    looked_into,
    prepared,
    read_file,
)
from .edited import full, has_place, without_edits
from .own_model import model_content, own_training
from .training import (
    Division,
    Fitted,
    Table,
    called,
    divide,
    encoded,
    forest_training,
    form_for,
    regrowth,
    table_in,
    training,
    unlabelled,
)

__all__ = [
    "Division",
    "Fitted",
    "Loaded",
    "begin",
    "data",
    "division",
    "division_in",
    "division_key",
    "edits_of",
    "ensemble",
    "fitted",
    "form_of",
    "found",
    "has_seed",
    "in_one_step",
    "looked_into",
    "outcome",
    "read_file",
    "regions",
    "single_trees",
    "sorted_all",
    "sorted_training",
    "takes_unlabelled",
    "trained",
    "trained_already",
    "tree_of",
    "viewer",
    "weights_of",
]


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


@once_a_run
def data(selection: Selection) -> Loaded:
    """Return the data of `selection`; the first scene's if its file is not in this session."""
    selection = available(selection)
    return _data(data_key(selection), selection, _content(selection.upload))


def found(selection: Selection) -> Found | None:
    """Return how the selection's file was read, None if it has none or it is not here."""
    content = _content(available(selection).upload)
    if content is None:
        return None
    as_read = data(selection).full
    for attempt in (selection, replace(selection, reading=AS_FOUND)):
        with suppress(ValueError):
            return found_in(content, selection.upload.name, attempt.reading, str(as_read.y.name))
    return None


@once_a_run
def division(selection: Selection, place: int = 0) -> Division:
    """Return the selection's data divided into rows to learn from and rows held out.

    The columns are in the form that the model at `place` reads. Of a forest of
    :func:`single_trees` its picked tree learnt from the rows that were drawn for it.
    """
    divided = division_in(selection, form_of(selection, place))
    if not selection.models[place].alone:
        return divided
    forest = ensemble(selection, place)
    if not isinstance(forest, ForestClassifier):
        return divided
    drawn = forest.draws_[min(selection.models[place].tree or 0, len(forest.draws_) - 1)]
    return replace(divided, train_rows=divided.train_rows[drawn.rows])


def division_in(selection: Selection, form: str) -> Division:
    """As :func:`division`, in a form of :mod:`lastviz.ui.compute.training`."""
    key = f"{division_key(selection)}|{form}"
    return _division(key, selection, data(selection).dataset, form)


@once_a_run
def form_of(selection: Selection, place: int) -> str:
    """Return the form in which the model at `place` reads the data."""
    return form_for(selection.models[place].key, data(selection).dataset)


@once_a_run
def fitted(selection: Selection, place: int, *, allow_ensembles: bool = False) -> Fitted:
    """Return the trained model at `place` (0, 1, ...) of the selection.

    Parameters
    ----------
    allow_ensembles : bool, default False
        Whether forests and monotone envelopes are welcome, see :func:`.suitability.obstacle`.

    Raises
    ------
    CannotShow
        If the algorithm cannot learn from these data; the message says why.
    Working
        If training takes long or was cancelled.
    """
    if selection.models[place].alone:
        scene = _as_it_decides(selection, place)
        decides = fitted(scene, place, allow_ensembles=True)
        return replace(decides, estimator=tree_of(scene, place))
    job = begin(selection, place, allow_ensembles=allow_ensembles)
    found = result_of(job, viewer())
    model = called(model_key(selection, place), found, division(selection, place))
    if isinstance(model.estimator, ForestClassifier) and not allow_ensembles:
        raise CannotShow(
            t("This model is a forest, and this page is about single trees; the page Boundaries "
              "shows forests.")
        )  # fmt: skip
    reason = lost_rows(model.estimator, division(selection, place).has_missing)
    if reason is not None:
        raise CannotShow(reason)
    return model


def begin(selection: Selection, place: int, *, allow_ensembles: bool = False) -> Job:
    """Return the training of the model at `place`; it begins if it has not.

    Raises
    ------
    CannotShow
        If the algorithm cannot learn from these data; the message says why.
    Working
        If its tree is edited and the one without edits takes long.
    """
    model = selection.models[place]
    dataset = data(selection).dataset
    reason = obstacle(entry_of(model.key), dataset, model.params, allow_ensembles=allow_ensembles)
    if reason is not None:
        raise CannotShow(reason)
    key = model_key(unlabelled(selection), place)
    job = _begun(key, t(entry_of(model.key).title), lambda: _training(selection, place))
    job.is_anytime = getattr(entry_of(model.key).cls, "IS_ANYTIME", False) and not model.edits
    return job


def outcome(key: str, title: str, work: Work, *, at_once: bool = False) -> object:
    """Return what some work comes to, once per process.

    What takes a few milliseconds is done `at_once`, unless kernels are interpreted: to hand it to a
    thread and wait for that takes longer.

    Raises
    ------
    Working
        If it takes long or was cancelled.
    """
    if at_once and not is_interpreting():
        return _done_at_once(key, work)
    return result_of(_begun(key, title, lambda: work), viewer())


def in_one_step(ask: Callable[[], object]) -> Work:
    """Make a question to the library a job that cannot say how far it is."""

    def work() -> Generator[float, None, object]:
        yield 0.0
        return ask()

    return work


@remembered
def _done_at_once(key: str, work: Work) -> object:
    return splitters.result_of(work())


def result_of(job: Job, viewer: str) -> object:
    """Return what a job comes to for a viewer; see :meth:`lastviz.host.jobs.Job.outcome`.

    Raises
    ------
    CannotShow
        If it failed; the message says why.
    Working
        If it takes long or was cancelled.
    """
    try:
        return job.outcome(viewer)
    except Failed as failure:
        raise CannotShow(translated(failure)) from None


def _begun(key: str, title: str, work_of: Callable[[], Work]) -> Job:
    """Return the job of that key; begin it if there is none."""
    job = jobs.JOBS.find(key)
    if job is None:
        return jobs.JOBS.start(key, title, work_of())
    job.call(title)
    return job


def trained(
    selection: Selection, place: int, *, allow_ensembles: bool = False
) -> TreeClassifier | ForestClassifier | None:
    """Return the estimator of :func:`fitted`, None where there is none (yet): for choosers."""
    try:
        return fitted(selection, place, allow_ensembles=allow_ensembles).estimator
    except (CannotShow, Working):
        return None


def begun(selection: Selection, place: int) -> Job | None:
    """Return the training of the model at `place` if it has begun, whatever came of it."""
    return jobs.JOBS.find(model_key(unlabelled(selection), place))


def trained_already(selection: Selection, place: int) -> TreeClassifier | ForestClassifier | None:
    """Return the estimator at `place` if it has been trained; nothing begins."""
    job = begun(selection, place)
    if job is None or job.state is not State.DONE:
        return None
    divided = division(selection, place)
    return called(model_key(selection, place), job.outcome(viewer()), divided).estimator


def tree_of(selection: Selection, place: int) -> TreeClassifier:
    """Return the model at `place` or, of a forest, the tree that is picked, else the first.

    Raises
    ------
    CannotShow, Working
        As :func:`fitted`.
    """
    estimator = fitted(selection, place, allow_ensembles=True).estimator
    trees = getattr(estimator, "estimators_", [estimator])
    return trees[min(selection.models[place].tree or 0, len(trees) - 1)]


def single_trees(selection: Selection) -> Selection:
    """The scene with the picked tree in place of each forest that votes, or envelope."""
    known = selection.__dict__.setdefault("_single_trees", [])  # one object: it is resolved once
    if not known:
        models = tuple(
            replace(model, alone=True, tree=model.tree or 0) if _decides_as_more(model) else model
            for model in selection.models
        )
        known.append(selection if models == selection.models else replace(selection, models=models))
    return known[0]


def _decides_as_more(model: Model) -> bool:
    """Whether a model that is grown here has trees that stand behind what it decides."""
    cls = entry_of(model.key).cls
    votes = cls.TAGS.forest and not cls.adds_scores
    return not is_imported(model.key) and (votes or bool(dict(model.params).get("monotone")))


@once_a_run
def _as_it_decides(selection: Selection, place: int) -> Selection:
    """The scene in which the model at `place` is the forest or envelope again."""
    models = list(selection.models)
    models[place] = replace(models[place], alone=False)
    return replace(selection, models=tuple(models))


def ensemble(selection: Selection, place: int) -> TreeClassifier | ForestClassifier:
    """The model at `place` as it decides, whatever tree of it is shown.

    Raises
    ------
    CannotShow, Working
        As :func:`fitted`.
    """
    if selection.models[place].alone:
        selection = _as_it_decides(selection, place)
    return fitted(selection, place, allow_ensembles=True).estimator


def viewer() -> str:
    """Return what names the session that asks."""
    run = get_script_run_ctx()
    return "" if run is None else run.session_id


@once_a_run
def sorted_all(selection: Selection, place: int = 0) -> Presorted:
    """Return the sorted columns of all rows; there must be no categories."""
    divided = division(selection, place)
    return _sorted(f"{data_key(selection)}|{divided.form}", divided.values)


@once_a_run
def sorted_training(selection: Selection, place: int = 0) -> Presorted | None:
    """Return the sorted columns of the rows to learn from; None unless all are plain numbers."""
    divided = division(selection, place)
    if not divided.is_plain:
        return None
    return _sorting(selection, place)()


def _sorting(selection: Selection, place: int) -> Callable[[], Presorted]:
    """Return what sorts the columns of the rows to learn from, and asks no session for it."""
    divided = division(selection, place)
    if selection.models[place].alone:  # rows that are drawn may repeat
        values = divided.values[divided.train_rows]
        key = f"{model_key(selection, place)}|sorted"
        return lambda: _sorted(key, values)
    of_all = f"{data_key(selection)}|{divided.form}"
    part = f"{division_key(selection)}|{divided.form}"
    return lambda: _sorted_part(part, _sorted(of_all, divided.values), divided.train_rows)


def gains(selection: Selection, form: str | None = None) -> np.ndarray:
    """Return how well each feature tells the classes apart by itself, see inspection.

    In the form of the first model, unless another is named.
    """
    dataset = data(selection).dataset
    divided = division_in(selection, form or form_of(selection, 0))
    key = f"{data_key(selection)}|{divided.form}"
    if divided.is_plain:
        return _gains(key, _sorted(key, divided.values), divided, dataset.n_classes)
    return _gains(key, divided.values, divided, dataset.n_classes)


def regions(
    selection: Selection,
    place: int,
    bounds: tuple[float, float, float, float],
    features: tuple[int | None, int | None],
    at: np.ndarray,
    bands: tuple[list[Band], list[Band]] | None = None,
    depth: int | None = None,
    other: tuple[str, TreeClassifier] | None = None,
) -> Regions:
    """Return the regions of a trained tree, see :func:`lastviz.inspection.regions`.

    With `bands` as :func:`lastviz.inspection.banded_regions` does. `other`: those of another tree
    made of it, and what that is called beside it.
    """
    plane = f"{bounds}|{features}|{np.asarray(at, dtype=np.float64).tobytes().hex()}"
    key = f"{model_key(selection, place)}|{selection.models[place].tree}|{plane}"
    tree = tree_of(selection, place)
    if other is not None:
        key, tree = f"{key}|{other[0]}", other[1]
    if bands is None:
        return _regions(key, partial(compute_regions, tree, bounds, features, at))
    ask = partial(banded_regions, tree, bounds, features, at, bands, depth)
    return _regions(f"{key}|{bands}|{depth}", ask)


def _content(upload: Upload | None) -> bytes | None:
    return None if upload is None else uploads.content(upload)


@once_a_run
def data_key(selection: Selection) -> str:
    """Return what names the data of `selection`: their part of the link, and which file it is."""
    selection = available(selection)
    entry = all_datasets().get(selection.data)
    version = "" if entry is None else entry.version
    if selection.upload is not None:
        version = uploads.identity(selection.upload)
    return _noted(selection, "data", _link_of_data) + version


@once_a_run
def division_key(selection: Selection) -> str:
    """Return what names the selection's data and their division into rows, as a key."""
    return f"{data_key(selection)}|{selection.held}|{selection.seed}"


@once_a_run
def model_key(selection: Selection, place: int) -> str:
    """Return what names the trained model at `place`, whatever is picked in it."""
    link = _noted(selection, f"model{place}", partial(_link_of_model, place=place))
    own = selection.models[place].key
    upload = uploads.model_named(own) if is_imported(own) else None
    # A file that another session stored is held here once its content has been asked for.
    here = upload is not None and uploads.content(upload) is not None
    version = uploads.identity(upload) if here else ""
    return f"{division_key(selection)}|{link}{version}"


def _link_of_data(selection: Selection) -> str:
    fields = {name: getattr(selection, name) for name in OF_THE_DATA}
    if has_seed(selection.data):
        fields["seed"] = selection.seed
    if fitted_steps(selection):  # the data know which rows are held out
        fields |= {"held": selection.held, "seed": selection.seed}
    return urlencode(encode(replace(DEFAULT, **fields)))


def _link_of_model(selection: Selection, place: int) -> str:
    model = selection.models[place]
    model = replace(model, node=None, move=None, tree=model.tree if model.alone else None)
    beside = selection.unlabelled and takes_unlabelled(model.key)
    return urlencode(encode(replace(DEFAULT, models=(model,), unlabelled=beside)))


def _noted(selection: Selection, name: str, text_of: Callable[[Selection], str]) -> str:
    """Return a text that the selection alone determines; a run asks for it dozens of times."""
    notes = selection.__dict__.setdefault("_notes", {})
    if name not in notes:
        notes[name] = text_of(selection)
    return notes[name]


def takes_unlabelled(key: str) -> bool:
    """Tell whether the algorithm `key` can learn from rows without classes, too."""
    return "unlabelled" in signature(entry_of(key).cls.fit).parameters


@remembered
def _data(key: str, selection: Selection, content: bytes | None) -> Loaded:
    as_read, notes = load(selection, content)
    after = prepared(as_read, selection)
    sentences = (*notes, *after.notes)
    return Loaded(as_read, after.dataset, after.plain, after.steps, after.fitted_steps, sentences)


@remembered
def _division(key: str, selection: Selection, dataset: Dataset, form: str) -> Division:
    table = _table(f"{data_key(selection)}|{form}", dataset, form)
    return divide(dataset, selection.held, selection.seed, table)


@remembered
def _table(key: str, dataset: Dataset, form: str) -> Table:
    X = table_in(form, dataset)
    return Table(X, form, encoded(X))  # with all that takes room, which is measured now


@remembered
def _sorted(key: str, values: np.ndarray) -> Presorted:
    return presort(values)


@remembered
def _sorted_part(key: str, presorted: Presorted, rows: np.ndarray) -> Presorted:
    return presorted.take(rows)


@remembered
def _gains(
    key: str, columns: Presorted | np.ndarray, divided: Division, n_classes: int
) -> np.ndarray:
    return feature_gains(columns, divided.y, n_classes, divided.categories)


def _training(selection: Selection, place: int) -> Work:
    """Return the work of training a model; all that needs the session is looked up now."""
    model = selection.models[place]
    cls = entry_of(model.key).cls
    if is_imported(model.key):
        if model.edits:
            raise CannotShow(t("A model that was not grown here cannot be edited by hand."))
        table, dataset = division(selection, place).X, data(selection).dataset
        content = model_content(model.key)
        return partial(own_training, content, selection, dataset, table)
    if model.edits and cls.TAGS.forest:
        raise CannotShow(t("A forest cannot be edited by hand: remove the edits to see it."))
    if model.edits:
        return _regrowth(selection, place)
    params = dict(model.params)
    plain = division(selection, place).is_plain
    weights = weights_of(selection, place)
    if any(param.name == SEED_NAME for param in cls.PARAMS):
        params[SEED_NAME] = selection.seed
    divided = division(selection, place)
    params |= known_of_data(entry_of(model.key), data(selection).dataset)
    rows = divided.train_rows
    X, y = divided.X.iloc[rows], divided.y[rows]
    if cls.TAGS.forest:
        return partial(forest_training, cls(**params), X, y)
    beside = {}
    if selection.unlabelled and takes_unlabelled(model.key):
        beside["unlabelled"] = divided.X.iloc[divided.held_out_rows]
    if plain:
        beside["sort"] = _sorting(selection, place)
    if weights is not None:
        beside["sample_weight"] = weights
    return partial(training, cls(**params), X, y, **beside)


def weights_of(selection: Selection, place: int) -> np.ndarray | None:
    """Return how often the rows to learn from count for the model at `place`.

    None where all count once, or the algorithm takes no weights.
    """
    weights = data(selection).dataset.weights
    if weights is None or not takes_weights(entry_of(selection.models[place].key).cls):
        return None
    return weights[division(selection, place).train_rows]


def _regrowth(selection: Selection, place: int) -> Work:
    """Return the work of growing an edited tree, from the one without edits."""
    divided = division(selection, place)
    before = fitted(without_edits(selection, place), place, allow_ensembles=True).estimator
    rows, presorted = divided.train_rows, sorted_training(selection, place)
    X, y = divided.X.iloc[rows], divided.y[rows]
    edits = edits_of(selection, place)
    return partial(regrowth, before, X, y, edits, presorted)


def edits_of(selection: Selection, place: int) -> Edits:
    """Return the edits of the model at `place` as its ``fit`` takes them.

    Those that name what the data lack are left out.
    """
    divided, n_classes = division(selection, place), data(selection).dataset.n_classes
    edits = selection.models[place].edits
    return full([edit for edit in edits if has_place(edit, divided, n_classes)], divided)


@remembered
def _regions(key: str, ask: Callable[[], Regions]) -> Regions:
    return ask()
