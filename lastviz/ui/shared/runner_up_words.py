"""By how much a split won over whom and what a selection rule keeps, in words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from lastviz.criteria.ties_kernels import TIE
from lastviz.inspection import NEAR, RunnerUp
from lastviz.plots import number
from lastviz.splitters import Blend, Stage
from lastviz.ui.text import plural, t

from .figures import column_title

TELLING = 1.01  # ratios below it say less than a difference


def runner_up_words(found: RunnerUp | Stage | None, names: Sequence[str]) -> str:
    """Return by how much a split won, over whom, and how many came close, as html.

    Parameters
    ----------
    found : RunnerUp or Stage or None
        See :func:`lastviz.inspection.runner_up`.
    names : sequence of str
        Of the features.
    """
    if found is None:
        return t("No other feature has an admissible candidate here.")
    if isinstance(found, Stage):
        sentence = "The other features were excluded by this stage of the rule: {step}."
        return t(sentence, step=stage_words(found))
    test = found.axis_name or names[found.feature]
    if np.isfinite(found.threshold):
        test = f"{test} ≤ {number(found.threshold)}"
    score, other = number(found.winner_score), number(found.score)
    values = {"test": escape(test), "score": score, "other": other}
    if isinstance(found.column, Blend):
        won = t("It scores {score}; the runner-up, {test}, scores {other}", **values)
    else:
        title = escape(column_title(found.column))
        sentence = "By {criterion} it scores {score}; the runner-up, {test}, scores {other}"
        won = t(sentence, criterion=title, **values)
    return f"{_apart_words(found, won)} {_near_words(found)}"


def _apart_words(found: RunnerUp, won: str) -> str:
    """Return how far apart two scores are, whichever of them is better."""
    if np.isclose(found.score, found.winner_score, rtol=1e-9, atol=TIE):
        return t("{won}: a tie, decided by the order of the candidates.", won=won)
    if not found.times >= TELLING:
        apart = number(float(f"{abs(found.winner_score - found.score):.3g}"))
        return t("{won}: {apart} apart.", won=won, apart=apart)
    less = "{won}: {n} times less."
    more = "{won}: {n} times more, and less is better."
    n = number(float(f"{found.times:.3g}"))
    return t(less if found.score < found.winner_score else more, won=won, n=n)


def _near_words(found: RunnerUp) -> str:
    share = number(100 * NEAR)
    if not found.n_near:
        return t("No other feature came within {share} % of it.", share=share)
    return plural(
        found.n_near,
        "{n} other feature came within {share} % of it: a near-tie.",
        "{n} other features came within {share} % of it: near-ties.",
        share=share,
    )


def stage_words(stage: Stage, *, components: bool = False) -> str:
    """Return what a stage of a rule keeps, as html.

    `components` says that candidates lie along components instead of features.
    """
    sentences = {
        "best_within_feature": "keep each component's best by {score}"
        if components
        else "keep each feature's best by {score}",
        "positive": "keep those with {score} above 0",
        "at_least": "keep those with {score} of at least {floor}",
        "at_least_mean": "keep those with at least the mean {score}",
        "argmax": "take the largest {score}",
        "argmin": "take the smallest {score}",
        "largest": "keep the largest {score}",
        "minima": "keep the smallest {score}",
        "top_k": "keep the best {k} by {score}",
    }
    return t(
        sentences[stage.keeps],
        score=_score_words(stage.column),
        k=stage.k,
        floor=number(stage.floor),
    )


def _score_words(column: str | Blend) -> str:
    """Return what a stage reads, in words."""
    if not isinstance(column, Blend):
        return escape(column_title(column))
    parts = []
    for term in column.terms:
        weight = "" if abs(term.weight) == 1 else f"{number(abs(term.weight))} · "
        sign = "− " if term.weight < 0 else ("+ " if parts else "")
        parts.append(f"{sign}{weight}{escape(column_title(term.column))}")
    return " ".join(parts)
