"""Refits of a model on resampled rows, as a job whose first results can be seen while it works."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from sklearn.model_selection import StratifiedKFold

from lastviz.estimators import TreeClassifier, entry_of
from lastviz.host.jobs import Job, Working
from lastviz.host.memory import remembered
from lastviz.inspection import Stability, stability_in_steps
from lastviz.tree import Tree
from lastviz.ui.state.selection import AT_NUMBERS, Model, Pairs, is_table, with_param
from lastviz.ui.text import CannotShow, t

from .models import takes_unlabelled
from .outcome import outcome
from .selected import Key
from .training import explained_refusals
from .work import ModelWork, Work

MANY, FEW = 100, 20
STAGES = (5, 10, 25, 50, MANY)  # refits after which there is a picture
LONG_SEARCH = 1000  # rows from which a search for hyperplanes is refitted a few times only
LONG_TRAINING = 1000.0  # milliseconds; the same for whatever takes so long


@dataclass(frozen=True, eq=False)
class Refits:
    """Results of the refits so far, and the job that continues them."""

    found: Stability | None  # after the last stage that was reached; None before the first
    job: Job | None  # which works on, waits or was cancelled; None once all refits are done
    stages: list[Stability]  # what the job has come to; it grows while the job works

    def has_news(self) -> bool:
        """Whether more is known by now than `found`."""
        return bool(self.stages) and self.stages[-1] is not self.found


def refits(model: ModelWork, at: np.ndarray | None, where: str) -> Refits:
    """Stability of a model's tree, as far as it is known.

    Starts the refits.

    Parameters
    ----------
    at : ndarray, shape (n_places, n_features), or None
        Places that the refits are asked about, as the tree reads them.
    where : str
        Names those places.

    Raises
    ------
    CannotShow
        If the algorithm cannot learn from the data.
    Working
        If the model itself is not trained.
    """
    chosen = model.chosen
    title = t("Refits of {title}", title=t(entry_of(chosen.key).title))
    fitted = model.fitted
    searches = fitted.estimator.TAGS.hyperplanes and len(model.division.train_rows) > LONG_SEARCH
    many = FEW if searches or fitted.milliseconds > LONG_TRAINING else MANY
    key = (*model.cache_key, *where, "refits", many)
    stages = _stages(key)
    estimator = model.fitted_any.estimator  # refits decide as it does
    divided = model.division
    X, y = divided.learnt
    beside = {}
    if model.selection.unlabelled and takes_unlabelled(chosen.key):
        beside["unlabelled"] = divided.X.iloc[divided.held_out_rows]
    seed, weights = model.selection.seed, model.weights

    def steps() -> Generator[float, None, Stability]:
        steps = stability_in_steps(
            estimator, X, y, many, at, random_state=seed, beside=beside, sample_weight=weights
        )
        done, last = 0, None
        for found in explained_refusals(steps):
            if found is not None:
                done, last = found.n_refits, found
                if done in STAGES:
                    stages.append(found)
            yield done / many
        return last

    try:
        return Refits(outcome(key, title, steps), None, stages)
    except Working as working:
        return Refits(stages[-1] if stages else None, working.job, stages)


@remembered
def _stages(key: Key) -> list[Stability]:
    """List to which the job of that key appends its result at each stage."""
    return []


# ---- Parameters that cross-validation chooses on the data at hand, where an algorithm asks for it


FOLDS = 5
MOST_ROWS = 5000  # of more rows the choice would be felt as a pause


@dataclass(frozen=True)
class Tuned:
    """Number of rows that each setting predicts correctly in the folds left out."""

    n_rows: int
    names: tuple[str, ...]  # the parameters
    settings: tuple[tuple[float, ...], ...]  # their values
    own: int  # the setting that the model has
    right: tuple[int, ...]  # rows predicted rightly, summed over the folds, of each setting
    trees: tuple[Tree, ...]  # what each setting grows of all rows

    # If no row is wrong, the standard error is that of two wrong rows of n + 4.
    @property
    def least_right(self) -> float:
        """One standard error below the largest number of correct rows."""
        share = (max(self.right) + 2) / (self.n_rows + 4)
        return max(self.right) - float(np.sqrt(self.n_rows * share * (1.0 - share)))

    # Of equally small ones that right most often, then the model's own, then the first.
    @cached_property
    def best(self) -> int:
        """The smallest tree within one standard error of the most rows right."""
        as_right = [i for i, right in enumerate(self.right) if right >= self.least_right]
        fewest = min(self.trees[i].n_leaves for i in as_right)
        small = [i for i in as_right if self.trees[i].n_leaves == fewest]
        return self.own if self.own in small else max(small, key=self.right.__getitem__)


# Clusters are seen in a plane of two features.
def settings_of(work: Work, key: str) -> Mapping[str, tuple]:
    """Values of parameters to compare by cross-validation, for most models none."""
    data, grid = work.dataset, getattr(entry_of(key).cls, "TUNED", {})
    if not grid or data.is_regression or data.n_features != 2:
        return {}
    divided = work.first.division
    y = divided.y[divided.train_rows]
    is_fit = divided.is_plain and len(y) <= MOST_ROWS and np.bincount(y).min() >= FOLDS
    return grid if is_fit else {}


def tune(work: Work, key: str, given: Pairs = ()) -> Tuned | None:
    """Cross-validation results of an algorithm's settings, on the training rows.

    Those of `given` are one of them. None where there is nothing to compare.
    """
    grid = settings_of(work, key)
    if not grid:
        return None
    cls, divided = entry_of(key).cls, work.first.division
    y = divided.y[divided.train_rows]
    names, settings = tuple(grid), list(product(*grid.values()))
    own = tuple(dict(given).get(name, values[0]) for name, values in grid.items())
    settings += [own] if own not in settings else []
    X, about = divided.values[divided.train_rows], (*work.division_key, key)
    found = [
        _tried((*about, setting), cls, dict(zip(names, setting, strict=True)), X, y)
        for setting in settings
    ]
    right, trees = zip(*found, strict=True)
    return Tuned(len(y), names, tuple(settings), settings.index(own), right, trees)


# The first tree of a table that somebody brings can be read.
def usual_model(work: Work, key: str) -> Model:
    """Initial model of an algorithm on the data: at its defaults, tuned or limited."""
    found = tune(work, key)
    if found is not None:
        return Model(key, pairs_of(found, key, found.best))
    cls = entry_of(key).cls
    limits = dict(getattr(cls, "READABLE", {})) if is_table(work.selection.data) else {}
    by_folds = {"ccp_cv", "ccp_rule"} & limits.keys()
    if by_folds and not _leaves_a_split(work, Model(key, tuple(sorted(limits.items())))):
        limits = {name: value for name, value in limits.items() if name not in by_folds}
    return Model(key, tuple(sorted(limits.items())))


def _leaves_a_split(work: Work, model: Model) -> bool:
    """Whether a model chosen by folds has more leaves than its root, as far as known."""
    place = AT_NUMBERS if work.dataset.is_regression else 0
    try:
        changed = work.change_model(place, key=model.key, params=model.params)
        return ModelWork(changed, place).tree.n_leaves > 1
    except Working:  # the page says how far it is
        return True
    except CannotShow:
        return False


def pairs_of(found: Tuned, key: str, setting: int) -> Pairs:
    """Setting as the parameters of a model."""
    params: Pairs = ()
    chosen = dict(zip(found.names, found.settings[setting], strict=True))
    first = dict(zip(found.names, found.settings[0], strict=True))  # that of the defaults
    for param in entry_of(key).cls.PARAMS:
        if param.name in chosen and chosen[param.name] != first[param.name]:
            params = with_param(params, param, chosen[param.name])
    return params


@remembered
def _tried(
    key: Key, cls: type[TreeClassifier], setting: Mapping[str, float], X: np.ndarray, y: np.ndarray
) -> tuple[int, Tree]:
    """Rows that a setting is right about when they are left out, and its tree."""
    model, right = cls(**setting), 0
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y):
        right += int((model.fit(X[train], y[train]).predict(X[test]) == y[test]).sum())
    return right, model.fit(X, y).tree_
