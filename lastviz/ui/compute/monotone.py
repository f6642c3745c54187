"""Facts about the order in the data and a model's monotonicity, each computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

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
from lastviz.ui.text import t

from .outcome import outcome
from .work import ModelWork, Work

LISTED = 20_000  # contradicting pairs that are found one by one; all are counted
MOST_FOR_TAU = 20_000  # rows from which directions are suggested
PAIRS = 10_000  # comparable pairs of points that are drawn where no proof is possible


# Data that say nothing of any feature are taken to rise with all.
def directions(work: Work) -> np.ndarray:
    """Direction of each numeric feature, (n_features,): 1, -1 or 0."""
    dataset = work.dataset
    known = np.array([dataset.directions[c] for c in dataset.numeric_X.columns], dtype=np.intp)
    return known if known.any() else np.ones(len(known), dtype=np.intp)


def comparable_rows(work: Work) -> np.ndarray:
    """Rows without a missing value in any numeric feature; others have no place."""
    X = work.dataset.numeric_X
    return np.flatnonzero(~X.isna().to_numpy().any(axis=1))


def contradictions(work: Work) -> Violations:
    """Contradicting pairs of the :func:`comparable_rows`, numbered among them.

    Raises
    ------
    Working
        If counting takes long or was cancelled.
    """
    rows = comparable_rows(work)
    X, y = work.dataset.numeric_X.to_numpy()[rows], work.dataset.codes[rows]
    steps = partial(violations_in_steps, X, y, directions(work), limit=LISTED)
    return outcome((*work.data_key, "contradictions"), t("Counting contradicting pairs"), steps)


# The rows held out take no part: the directions are a parameter of the model.
@remembered_by(lambda work: work.division_key)
def suggested_directions(work: Work) -> SuggestedDirections:
    """Suggested direction of each numeric feature, from at most 20,000 training rows."""
    rows = np.intersect1d(comparable_rows(work), work.first.division.train_rows)
    places = np.linspace(0, len(rows) - 1, min(len(rows), MOST_FOR_TAU)).astype(np.intp)
    dataset = work.dataset
    X = dataset.numeric_X.to_numpy()[rows[places]]
    return suggest_directions(X, dataset.codes[rows[places]])


@dataclass(frozen=True)
class DoubtedDirection:
    """A feature of which the training rows say the opposite of the direction in force."""

    feature: str
    # {1, -1}: in force: chosen, known of the data or, where they say nothing, taken to rise.
    direction: int
    tau: float  # Kendall's tau-b of feature and class, of the other sign and unlikely to be chance


# None where the classes have no order.
def doubted_directions(work: Work) -> tuple[DoubtedDirection, ...]:
    """Features whose direction the training rows contradict, the strongest first."""
    dataset = work.dataset
    if not dataset.ordered or not dataset.numeric_X.shape[1]:
        return ()
    found, known = suggested_directions(work), directions(work)
    names = dataset.numeric_X.columns
    doubted = np.flatnonzero(found.direction * known < 0)
    order = doubted[np.argsort(-np.abs(found.tau[doubted]), kind="stable")]
    return tuple(DoubtedDirection(str(names[f]), int(known[f]), float(found.tau[f])) for f in order)


def audit(model: ModelWork) -> MonotonicityAudit:
    """Audit of the monotonicity of a model.

    Raises
    ------
    ValueError, Working
        As :attr:`.ModelWork.fitted`; or if the audit takes long or was cancelled.
    """
    estimator = model.fitted_any.estimator
    X = model.work.first.division.X.to_numpy()
    known = directions(model.work)
    if len(known) != X.shape[1]:  # columns of 0 and 1 for nominal features have no direction
        numeric = list(model.dataset.numeric_X.columns)
        by_name = dict(zip(numeric, known.tolist(), strict=True))
        known = np.array([by_name.get(c, 0) for c in model.work.first.division.X.columns])
    steps = partial(
        monotonicity_audit_in_steps, estimator, X, directions=known, n_pairs=PAIRS, random_state=0
    )
    title = t("The audit of {title}", title=model.title)
    return outcome((*model.cache_key, "audit"), title, steps)


def regions(
    model: ModelWork,
    bounds: tuple[float, float, float, float],
    features: tuple[int, int],
    at: np.ndarray,
) -> ForestRegions:
    """Predictions of a model of thresholds in a plane, as rectangles.

    Raises
    ------
    ValueError, Working
        As :attr:`.ModelWork.fitted`; or if drawing takes long.
    """
    plane = bounds, features, np.asarray(at, dtype=np.float64).tobytes()
    estimator = model.fitted_any.estimator
    title = t("The picture of {title}", title=model.title)
    steps = partial(forest_regions_in_steps, estimator, bounds, features, at)
    return outcome((*model.cache_key, *plane, "audit"), title, steps)
