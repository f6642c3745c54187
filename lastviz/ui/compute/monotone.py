"""What is known of the order in the data and of a model's monotonicity, each worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from lastviz.estimators import entry_of
from lastviz.host.memory import remembered_by
from lastviz.inspection import (
    ForestRegions,
    MonotonicityAudit,
    SuggestedDirections,
    Violations,
    forest_regions_in_steps,
    monotonicity_audit_in_steps,
    suggest_directions,
    violations_in_steps,
)
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from . import cache

LISTED = 20_000  # contradicting pairs that are found one by one; all are counted
MOST_FOR_TAU = 20_000  # rows from which directions are suggested
PAIRS = 10_000  # comparable pairs of points that are drawn where no proof is possible


def directions(selection: Selection) -> np.ndarray:
    """Return the direction of each numeric feature, (n_features,): 1, -1 or 0.

    Data that say nothing of any feature are taken to rise with all.
    """
    dataset = cache.data(selection).dataset
    known = np.array([dataset.directions[c] for c in dataset.numeric_X.columns], dtype=np.intp)
    return known if known.any() else np.ones(len(known), dtype=np.intp)


def comparable_rows(selection: Selection) -> np.ndarray:
    """Return the rows without a missing value in any numeric feature; others have no place."""
    X = cache.data(selection).dataset.numeric_X
    return np.flatnonzero(~X.isna().to_numpy().any(axis=1))


def contradictions(selection: Selection) -> Violations:
    """Return which of the :func:`comparable_rows` contradict each other, numbered among them.

    Raises
    ------
    Working
        If counting takes long or was cancelled.
    """
    return _counted(selection, 1, LISTED)


def contradicted(selection: Selection) -> np.ndarray:
    """Return for each comparable row how many rows that it dominates are higher in class.

    Raises
    ------
    Working
        If counting takes long or was cancelled.
    """
    return _counted(selection, -1, 0).n_contradicting


def _counted(selection: Selection, sense: int, limit: int) -> Violations:
    """Count contradictions from below, or with `sense` -1 from above; list `limit` of them."""
    rows = comparable_rows(selection)
    dataset = cache.data(selection).dataset
    X, y = dataset.numeric_X.to_numpy()[rows], sense * dataset.codes[rows]
    work = partial(
        violations_in_steps, X, y - y.min(initial=0), sense * directions(selection), limit=limit
    )
    key = f"{cache.data_key(selection)}|contradictions|{sense}"
    return cache.outcome(key, t("Counting contradicting pairs"), work)


@remembered_by(cache.division_key)
def suggested(selection: Selection) -> SuggestedDirections:
    """Return which way each numeric feature seems to point, from at most 20,000 training rows.

    The rows held out take no part: the directions are a parameter of the model.
    """
    rows = np.intersect1d(comparable_rows(selection), cache.division(selection).train_rows)
    places = np.linspace(0, len(rows) - 1, min(len(rows), MOST_FOR_TAU)).astype(np.intp)
    dataset = cache.data(selection).dataset
    X = dataset.numeric_X.to_numpy()[rows[places]]
    return suggest_directions(X, dataset.codes[rows[places]])


@dataclass(frozen=True)
class DoubtedDirection:
    """A feature of which the training rows say the opposite of the direction in force."""

    feature: str
    # {1, -1}: in force: chosen, known of the data or, where they say nothing, taken to rise.
    direction: int
    tau: float  # Kendall's tau-b of feature and class, of the other sign and unlikely to be chance


def doubted_directions(selection: Selection) -> tuple[DoubtedDirection, ...]:
    """Return the features whose direction the training rows contradict, the strongest first.

    None where the classes have no order.
    """
    dataset = cache.data(selection).dataset
    if not dataset.ordered or not dataset.numeric_X.shape[1]:
        return ()
    found, known = suggested(selection), directions(selection)
    names = dataset.numeric_X.columns
    doubted = np.flatnonzero(found.direction * known < 0)
    order = doubted[np.argsort(-np.abs(found.tau[doubted]), kind="stable")]
    return tuple(DoubtedDirection(str(names[f]), int(known[f]), float(found.tau[f])) for f in order)


def audit(selection: Selection, place: int) -> MonotonicityAudit:
    """Return whether the model at `place` is monotone.

    Raises
    ------
    ValueError, Working
        As :func:`lastviz.ui.compute.cache.fitted`; or if the audit takes long or was cancelled.
    """
    estimator = cache.fitted(selection, place, allow_ensembles=True).estimator
    key = f"{cache.model_key(selection, place)}|audit"
    X = cache.division(selection).X.to_numpy()
    known = directions(selection)
    if len(known) != X.shape[1]:  # columns of 0 and 1 for nominal features have no direction
        numeric = list(cache.data(selection).dataset.numeric_X.columns)
        by_name = dict(zip(numeric, known.tolist(), strict=True))
        known = np.array([by_name.get(c, 0) for c in cache.division(selection).X.columns])
    work = partial(
        monotonicity_audit_in_steps, estimator, X, directions=known, n_pairs=PAIRS, random_state=0
    )
    title = t("The audit of {title}", title=t(entry_of(selection.models[place].key).title))
    return cache.outcome(key, title, work)


def regions(
    selection: Selection,
    place: int,
    bounds: tuple[float, float, float, float],
    features: tuple[int, int],
    at: np.ndarray,
) -> ForestRegions:
    """Return what a model of thresholds predicts in a plane, as rectangles.

    Raises
    ------
    ValueError, Working
        As :func:`lastviz.ui.compute.cache.fitted`; or if drawing takes long.
    """
    plane = f"{bounds}|{features}|{np.asarray(at, dtype=np.float64).tobytes().hex()}"
    key = f"{cache.model_key(selection, place)}|{plane}|audit"
    estimator = cache.fitted(selection, place, allow_ensembles=True).estimator
    title = t("The picture of {title}", title=t(entry_of(selection.models[place].key).title))
    work = partial(forest_regions_in_steps, estimator, bounds, features, at)
    return cache.outcome(key, title, work)
