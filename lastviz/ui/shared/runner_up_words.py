"""By how much a split won over whom and what a selection rule keeps, in words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.criteria.ties_kernels import TIE
from lastviz.inspection import NEAR, RunnerUp, Won
from lastviz.plots import number
from lastviz.splitters import Blend, Stage
from lastviz.ui.text import percent, plural, t

from .figures import column_title

TELLING = 1.01  # ratios below it say less than a difference
DOUBLE = 2.0  # from here on a ratio is easier to read than per cent


def runner_up_words(won: Won, names: Sequence[str]) -> str:
    """Return why a split was selected: its score, of how many, over whom, as html.

    `names` are those of the features.
    """
    found, stage = won.over, won.stage
    first = _first_words(won)
    alone = t("{reason}.", reason=first)
    if found is None:
        return t(" ").join([alone, t("No other feature has an admissible candidate here.")])
    if isinstance(found, Stage):
        sentence = "The other features were excluded by this step of the rule: {step}."
        return t(" ").join([alone, t(sentence, step=stage_words(found))])
    test = found.axis_name or names[found.feature]
    if np.isfinite(found.threshold):
        test = f"{test} ≤ {number(found.threshold, found.decimals)}"
    second = t("runner-up {test}, {score}", test=escape(test), score=number(found.score))
    apart = _apart_words(found, is_lower=stage.keeps != "argmin")
    words = [t("{won}; {second} ({apart}).", won=first, second=second, apart=apart)]
    return t(" ").join([*words, _near_words(found)] if found.n_near else words)


def _first_words(won: Won) -> str:
    """Return the score of the winner, and of how many candidates it is the best."""
    column, is_smallest = won.stage.column, won.stage.keeps == "argmin"
    values = {
        "criterion": t("score")
        if isinstance(column, Blend)
        else escape(t(CRITERIA[column].title) if column in CRITERIA else column_title(column)),
        "n": number(won.n_candidates),
        "score": number(won.score),
    }
    if won.n_judged == won.n_candidates:
        return t(
            "Smallest {criterion} of {n} candidates, {score}"
            if is_smallest
            else "Largest {criterion} of {n} candidates, {score}",
            **values,
        )
    return plural(
        won.n_judged,
        "The only one of {all} candidates that was shortlisted; {criterion} {score}",
        "Smallest {criterion} of {n} shortlisted candidates ({all} in all), {score}"
        if is_smallest
        else "Largest {criterion} of {n} shortlisted candidates ({all} in all), {score}",
        criterion=values["criterion"],
        score=values["score"],
        all=values["n"],
    )


def _apart_words(found: RunnerUp, *, is_lower: bool) -> str:
    """Return how far the runner-up is behind the winner: a tie, a difference, a ratio."""
    if np.isclose(found.score, found.winner_score, rtol=1e-9, atol=TIE):
        return t("a tie, decided by the order of the candidates")
    if not found.times >= TELLING:
        apart = number(float(f"{abs(found.winner_score - found.score):.3g}"))
        return t("{apart} apart", apart=apart)
    if is_lower:
        return t("{share} % lower", share=percent(1 - 1 / found.times, 0))
    if found.times >= DOUBLE:
        times = number(float(f"{found.times:.3g}"))
        return t("{n} times as large; small is good", n=times)
    return t("{share} % higher; small is good", share=percent(found.times - 1, 0))


def _near_words(found: RunnerUp) -> str:
    return plural(
        found.n_near,
        "{n} other feature came within {share} % of it: a near-tie.",
        "{n} other features came within {share} % of it: near-ties.",
        share=number(100 * NEAR),
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
