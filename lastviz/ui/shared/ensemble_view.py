"""A model that is more than the leaves of one tree: a forest, or the envelope around a tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.inspection import (
    ForestRegions,
    Scores,
    forest_regions_in_steps,
    predicted_in_steps,
    scores,
)
from lastviz.plots import surroundings
from lastviz.ui.compute import cache
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, t

from .model_title import model_title
from .plane import Plane

Ensemble = ForestClassifier | TreeClassifier


@dataclass(frozen=True, eq=False)
class EnsembleView:
    """What a page shows of a forest or an envelope at one place."""

    title: str  # what the model is called among those of the selection
    # ForestClassifier or TreeClassifier, fitted; a tree has a monotone envelope.
    estimator: Ensemble
    milliseconds: float  # what training took
    predicted: np.ndarray  # (n_samples,) intp, class index of each row
    training: Scores
    held_out: Scores
    # Share of the rows drawn that lie on their own colour; None if nothing is fixed.
    fidelity: float | None

    @property
    def trees(self) -> list[TreeClassifier]:
        """The trees of the forest, or the tree inside the envelope."""
        return trees_of(self.estimator)


def trees_of(estimator: Ensemble) -> list[TreeClassifier]:
    """Return the trees of a forest; a tree is its own only one."""
    return getattr(estimator, "estimators_", [estimator])


def ensemble_view(selection: Selection, place: int, plane: Plane) -> EnsembleView:
    """Return the forest or envelope at `place`.

    Raises
    ------
    CannotShow
        If the algorithm cannot learn from the data; the message says why.
    Working
        If it is not trained, or has not been asked about all rows yet.
    """
    model = cache.fitted(selection, place, allow_ensembles=True)
    divided = cache.division(selection, place)
    if plane.is_banded:
        sentence = "{title} reads numbers; beside an algorithm of categories it has no picture."
        raise CannotShow(t(sentence, title=model_title(selection, place)))
    label = predicted(selection, place)
    n_classes = cache.data(selection).dataset.n_classes
    training, held_out = (
        scores(divided.y[rows], label[rows], n_classes)
        for rows in (divided.train_rows, divided.held_out_rows)
    )
    return EnsembleView(
        title=model_title(selection, place),
        estimator=model.estimator,
        milliseconds=model.milliseconds,
        predicted=label,
        training=training,
        held_out=held_out,
        fidelity=_fidelity(model.estimator, divided.values, label, plane),
    )


def predicted(selection: Selection, place: int) -> np.ndarray:
    """Return the class index that a model gives to each row; many rows of many trees are a job."""
    estimator = cache.fitted(selection, place, allow_ensembles=True).estimator
    X = cache.division(selection, place).values
    key = f"{cache.model_key(selection, place)}|predicted"
    title = t("{title}, predictions for all rows", title=model_title(selection, place))
    return cache.outcome(key, title, partial(predicted_in_steps, estimator, X))


def regions_of_ensemble(selection: Selection, place: int, plane: Plane) -> ForestRegions:
    """Return the regions around the view; where they are not exact, finest in the view."""
    estimator = cache.fitted(selection, place, allow_ensembles=True).estimator
    here = f"{plane.view}|{plane.features}|{plane.at.tobytes().hex()}"
    key = f"{cache.model_key(selection, place)}|{here}|whole"
    title = t("The picture of {title}", title=model_title(selection, place))
    around = surroundings(plane.view, equal=plane.equal)
    where = (around, plane.features, plane.at)
    work = partial(forest_regions_in_steps, estimator, *where, focus=plane.view)
    return cache.outcome(key, title, work)


def _fidelity(estimator: Ensemble, X: np.ndarray, label: np.ndarray, plane: Plane) -> float | None:
    """Return the share of the rows drawn that lie on the colour they get; None without a slice."""
    if not plane.is_slice:
        return None
    drawn = plane.drawn
    places = np.tile(plane.at, (len(drawn), 1))
    places[:, list(plane.features)] = X[np.ix_(drawn, plane.features)]
    return float(np.mean(estimator.predict_codes(places) == label[drawn]))
