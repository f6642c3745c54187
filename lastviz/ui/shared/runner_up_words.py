"""By how much a split won over whom, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import NEAR, RunnerUp
from lastviz.plots import number
from lastviz.splitters import Blend
from lastviz.ui.text import percent, plural, t

from .figures import column_title

__all__ = ["runner_up_words"]


def runner_up_words(found: RunnerUp | None, names: Sequence[str]) -> str:
    """Return by how much a split won, over whom, and how many came close.

    Parameters
    ----------
    found : RunnerUp or None
        None: no other feature came so far.
    names : sequence of str
        Of the features.
    """
    if found is None:
        return t("No other feature was left to be asked.")
    test = found.axis_name or names[found.feature]
    if np.isfinite(found.threshold):
        test = f"{test} ≤ {number(found.threshold)}"
    values = {"test": test, "score": number(found.winner_score), "other": number(found.score)}
    if isinstance(found.column, Blend):
        won = t("It won over {test}, {score} to {other}", **values)
    else:
        title = column_title(found.column)
        won = t("It won over {test} by {criterion}, {score} to {other}", criterion=title, **values)
    if found.lead > 0:
        won = t("{won}: ahead by {share} %.", won=won, share=percent(found.lead))
    else:
        won = t("{won}: only the order of the candidates decided.", won=won)
    return f"{won} {_near_words(found)}"


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
