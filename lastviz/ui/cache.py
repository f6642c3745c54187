"""Data, divisions, models and regions, each computed once per process.

Keys are short texts: what names a data set is the part of the link that describes it. Arrays
are never keys. What is returned is shared between sessions and must not be changed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from urllib.parse import urlencode

import numpy as np
import pandas as pd
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lastviz.datasets import Dataset
from lastviz.estimators import ESTIMATORS, ForestClassifier, TreeClassifier
from lastviz.inspection import Regions, feature_gains
from lastviz.inspection import regions as compute_regions
from lastviz.splitters import Presorted, presort

from . import uploads
from .codec import SEED_NAME, encode
from .jobs import Job, Jobs, Work, Working
from .loading import has_seed, load, read_file
from .memory import remembered
from .selection import DEFAULT, Selection, Upload
from .steps import Step, prepared
from .suitability import MOST_INDICATORS, known_of_data, obstacle
from .text import t
from .training import Fitted, forest_training, training

__all__ = [
    "JOBS",
    "Division",
    "Fitted",
    "Loaded",
    "begin",
    "data",
    "division",
    "fitted",
    "has_seed",
    "missing_file",
    "outcome",
    "read_file",
    "regions",
    "sorted_all",
    "sorted_training",
    "takes_unlabelled",
    "trained",
    "tree_of",
    "viewer",
]

JOBS = Jobs()

OF_THE_DATA = (
    "data",
    "params",
    "upload",
    "target",
    "columns",
    "kinds",
    "scaling",
    "classes",
    "one",
)


@dataclass(frozen=True, eq=False)
class Loaded:
    """Data as chosen.

    Attributes
    ----------
    whole : Dataset
        As generated or read: all columns, unscaled, classes in their own order.
    dataset : Dataset
        After the selection's steps.
    steps : tuple
        Those steps, as methods of the data set with their arguments.
    notes : tuple of str
        A sentence for each part of the selection that these data do not allow.
    """

    whole: Dataset
    dataset: Dataset
    steps: tuple[Step, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Division:
    """Rows to learn from and rows held out.

    Attributes
    ----------
    X : DataFrame of float64, shape (n_samples, n_features)
        All rows, as the algorithms take them.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    train_rows, held_out_rows : ndarray of intp
    """

    X: pd.DataFrame
    y: np.ndarray
    train_rows: np.ndarray
    held_out_rows: np.ndarray


def data(selection: Selection) -> Loaded:
    """Return the data of `selection`; the first scene's if its file is not in this session."""
    selection = _available(selection)
    return _data(data_key(selection), selection, _content(selection.upload))


def missing_file(selection: Selection) -> Upload | None:
    """Return the file that the selection is about and that this session does not hold."""
    return selection.upload if _available(selection) is not selection else None


def division(selection: Selection) -> Division:
    """Return the selection's data divided into rows to learn from and rows held out."""
    return _division(division_key(selection), selection, data(selection).dataset)


def fitted(selection: Selection, place: int, *, whole: bool = False) -> Fitted:
    """Return the trained model at `place` (0, 1, ...) of the selection.

    Parameters
    ----------
    whole : bool, default False
        Whether forests and monotone envelopes are welcome, see :func:`.suitability.obstacle`.

    Raises
    ------
    ValueError
        If the algorithm cannot learn from these data; the message says why.
    Working
        If training takes long or was cancelled.
    """
    return begin(selection, place, whole=whole).outcome(viewer())


def begin(selection: Selection, place: int, *, whole: bool = False) -> Job:
    """Return the training of the model at `place`; it begins if it has not.

    Raises
    ------
    ValueError
        If the algorithm cannot learn from these data; the message says why.
    """
    model = selection.models[place]
    dataset = data(selection).dataset
    reason = obstacle(ESTIMATORS[model.key], dataset, model.params, whole=whole)
    if reason is not None:
        raise ValueError(reason)
    key = model_key(selection, place)
    return JOBS.find(key) or JOBS.start(
        key, t(ESTIMATORS[model.key].title), _training(selection, place)
    )


def outcome(key: str, title: str, work: Work) -> object:
    """Return what some work comes to, once per process.

    Raises
    ------
    Working
        If it takes long or was cancelled.
    """
    return (JOBS.find(key) or JOBS.start(key, title, work)).outcome(viewer())


def trained(
    selection: Selection, place: int, *, whole: bool = False
) -> TreeClassifier | ForestClassifier | None:
    """Return the estimator of :func:`fitted`, None where there is none (yet): for choosers."""
    try:
        return fitted(selection, place, whole=whole).estimator
    except (ValueError, Working):
        return None


def tree_of(selection: Selection, place: int) -> TreeClassifier:
    """Return the model at `place` or, of a forest, the tree that is picked, else the first.

    Raises
    ------
    ValueError, Working
        As :func:`fitted`.
    """
    estimator = fitted(selection, place, whole=True).estimator
    trees = getattr(estimator, "estimators_", [estimator])
    return trees[min(selection.models[place].tree or 0, len(trees) - 1)]


def viewer() -> str:
    """Return what names the session that asks."""
    run = get_script_run_ctx()
    return "" if run is None else run.session_id


def sorted_all(selection: Selection) -> Presorted:
    """Return the sorted columns of all rows."""
    return _sorted(data_key(selection), division(selection).X)


def sorted_training(selection: Selection) -> Presorted:
    """Return the sorted columns of the rows to learn from."""
    rows = division(selection).train_rows
    return _sorted_part(division_key(selection), sorted_all(selection), rows)


def gains(selection: Selection) -> np.ndarray:
    """Return how well each feature tells the classes apart by itself, see inspection."""
    loaded = data(selection).dataset
    return _gains(data_key(selection), sorted_all(selection), loaded.codes, loaded.n_classes)


def regions(
    selection: Selection,
    place: int,
    bounds: tuple[float, float, float, float],
    features: tuple[int, int],
    at: np.ndarray,
) -> Regions:
    """Return the regions of a trained tree, see :func:`lastviz.inspection.regions`."""
    plane = f"{bounds}|{features}|{np.asarray(at, dtype=np.float64).tobytes().hex()}"
    key = f"{model_key(selection, place)}|{selection.models[place].tree}|{plane}"
    return _regions(key, tree_of(selection, place), bounds, features, at)


def _available(selection: Selection) -> Selection:
    if selection.upload is None or uploads.content(selection.upload) is not None:
        return selection
    return selection.change(data=DEFAULT.data, upload=None)


def _content(upload: Upload | None) -> bytes | None:
    return None if upload is None else uploads.content(upload)


def data_key(selection: Selection) -> str:
    """Return what names the data of `selection`: the part of the link that describes them."""
    selection = _available(selection)
    kept = {name: getattr(selection, name) for name in OF_THE_DATA}
    if has_seed(selection.data):
        kept["seed"] = selection.seed
    return urlencode(encode(replace(DEFAULT, **kept)))


def division_key(selection: Selection) -> str:
    return f"{data_key(selection)}|{selection.held}|{selection.seed}"


def model_key(selection: Selection, place: int) -> str:
    model = replace(selection.models[place], node=None, move=None, tree=None)
    beside = selection.unlabelled and takes_unlabelled(model.key)
    query = urlencode(encode(replace(DEFAULT, models=(model,), unlabelled=beside)))
    return f"{division_key(selection)}|{query}"


def takes_unlabelled(key: str) -> bool:
    """Tell whether the algorithm `key` can learn from rows without classes, too."""
    return "unlabelled" in signature(ESTIMATORS[key].cls.fit).parameters


@remembered(12)
def _data(key: str, selection: Selection, content: bytes | None) -> Loaded:
    whole, notes = load(selection, content)
    dataset, steps, left_out = prepared(whole, selection)
    return Loaded(whole, dataset, steps, (*notes, *left_out))


@remembered(8)
def _division(key: str, selection: Selection, dataset: Dataset) -> Division:
    train_rows, held_out_rows = dataset.split(selection.held, selection.seed)
    few = dataset.n_indicators <= MOST_INDICATORS
    X = dataset.encoded_X if few else dataset.numeric_X
    return Division(X, dataset.codes, train_rows, held_out_rows)


@remembered(4)
def _sorted(key: str, X: pd.DataFrame) -> Presorted:
    return presort(X.to_numpy())


@remembered(4)
def _sorted_part(key: str, whole: Presorted, rows: np.ndarray) -> Presorted:
    return whole.take(rows)


@remembered(8)
def _gains(key: str, presorted: Presorted, y: np.ndarray, n_classes: int) -> np.ndarray:
    return feature_gains(presorted, y, n_classes)


def _training(selection: Selection, place: int) -> Work:
    """Return the work of training a model; all that needs the session is looked up now."""
    model = selection.models[place]
    cls = ESTIMATORS[model.key].cls
    params = dict(model.params)
    if any(param.name == SEED_NAME for param in cls.PARAMS):
        params[SEED_NAME] = selection.seed
    divided = division(selection)
    params |= known_of_data(ESTIMATORS[model.key], data(selection).dataset)
    rows = divided.train_rows
    X, y = divided.X.iloc[rows], divided.y[rows]
    if cls.TAGS.forest:
        return partial(forest_training, cls(**params), X, y)
    beside = {"presorted": sorted_training(selection)}
    if selection.unlabelled and takes_unlabelled(model.key):
        beside["unlabelled"] = divided.X.iloc[divided.held_out_rows]
    return partial(training, cls(**params), X, y, **beside)


@remembered(64)
def _regions(
    key: str,
    estimator: TreeClassifier,
    bounds: tuple[float, float, float, float],
    features: tuple[int, int],
    at: np.ndarray,
) -> Regions:
    return compute_regions(estimator, bounds, features, at)
