"""Refits of a model on resampled rows, as a job whose first results can be seen while it works."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from lastviz.estimators import entry_of
from lastviz.host.jobs import Job, Working
from lastviz.host.memory import remembered
from lastviz.inspection import Stability, stability_in_steps
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from . import cache
from .training import explained_refusals

MANY, FEW = 100, 20
STAGES = (5, 10, 25, 50, MANY)  # refits after which there is a picture
LONG_SEARCH = 1000  # rows from which a search for hyperplanes is refitted a few times only
LONG_TRAINING = 1000.0  # milliseconds; the same for whatever takes so long


@dataclass(frozen=True, eq=False)
class Refits:
    """What is known so far."""

    found: Stability | None  # after the last stage that was reached; None before the first
    job: Job | None  # which works on, waits or was cancelled; None once all refits are done
    n_refits: int  # how many there will be
    stages: list[Stability]  # what the job has come to; it grows while the job works

    def has_news(self) -> bool:
        """Tell whether more is known by now than `found`."""
        return bool(self.stages) and self.stages[-1] is not self.found


def n_refits_of(selection: Selection, place: int) -> int:
    """Return how many refits a model gets: fewer if one of them takes long."""
    model = cache.fitted(selection, place)
    n_rows = len(cache.division(selection, place).train_rows)
    searches = model.estimator.TAGS.hyperplanes and n_rows > LONG_SEARCH
    return FEW if searches or model.milliseconds > LONG_TRAINING else MANY


def refits(selection: Selection, place: int, at: np.ndarray | None, where: str) -> Refits:
    """Return how stable the tree at `place` is, as far as it is known; the work begins.

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
    model = selection.models[place]
    title = t("Refits of {title}", title=t(entry_of(model.key).title))
    many = n_refits_of(selection, place)
    key = f"{cache.model_key(selection, place)}|{where}|refits{many}"
    stages = _stages(key)
    estimator = cache.fitted(selection, place).estimator
    divided = cache.division(selection, place)
    X, y = divided.learnt
    beside = {}
    if selection.unlabelled and cache.takes_unlabelled(model.key):
        beside["unlabelled"] = divided.X.iloc[divided.held_out_rows]
    seed, weights = selection.seed, cache.weights_of(selection, place)

    def work() -> Generator[float, None, Stability]:
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
        return Refits(cache.outcome(key, title, work), None, many, stages)
    except Working as working:
        return Refits(stages[-1] if stages else None, working.job, many, stages)


@remembered
def _stages(key: str) -> list[Stability]:
    """Return where the job of that key puts what it knows at each stage."""
    return []
