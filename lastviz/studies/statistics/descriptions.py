"""What the figures of a study show, in a sentence each, for those who do not see them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .conclusion import Statement
from .pairs import PairTests
from .posteriors import SignedRankPosterior, StudentPosterior
from .ranks import Friedman, Nemenyi
from .single_sets import Standings
from .study_scores import StudyScores


def describe_ranks(found: Friedman, parted: Nemenyi) -> Statement:
    """Return what the critical-difference diagram shows."""
    ranks = [f"{found.algorithms[a]} {found.mean_ranks[a]:.2f}" for a in found.order]
    text = (
        "Mean ranks over {n} data sets, the best first: {ranks}. Critical difference {difference}."
    )
    values = {"n": len(found.datasets), "ranks": tuple(ranks)}
    return Statement("shows", text, {**values, "difference": parted.critical_difference})


def describe_standings(scores: StudyScores, found: Standings) -> Statement:
    """Return what the dots and intervals show."""
    best = [
        f"{scores.algorithms[a]} ({scores.datasets[d]})" for d, a in enumerate(found.best) if a >= 0
    ]
    if not best:
        return Statement("shows", "No results yet.", {})
    text = (
        "{metric} of {n} algorithms on {total} data sets, each with its interval. The best: "
        "{best}; {behind} are significantly behind at the {level} % level."
    )
    values = {"metric": scores.metric, "n": len(scores.algorithms), "total": len(scores.datasets)}
    behind = int(found.behind.sum())
    level = {"level": 100 * found.alpha}
    return Statement("shows", text, {**values, "best": tuple(best), "behind": behind, **level})


def describe_pairs(tests: PairTests) -> Statement:
    """Return what the matrix of pairs shows."""
    apart = []
    for pair in tests.pairs:
        if pair.is_apart:
            names = (pair.first, pair.second)
            apart.append(" > ".join(names if pair.shift > 0 else names[::-1]))
    values = {"n": len(tests.pairs), "level": 100 * tests.alpha, "apart": tuple(apart)}
    if not apart:
        text = "Of {n} pairs of algorithms none differs significantly at the {level} % level."
        return Statement("shows", text, values)
    text = "Of {n} pairs of algorithms these differ significantly at the {level} % level: {apart}."
    return Statement("shows", text, values)


def describe_posterior(
    found: StudentPosterior | SignedRankPosterior, first: str, second: str
) -> Statement:
    """Return what the posterior shows."""
    text = (
        "{first} against {second}: better by more than {rope} with probability {ahead}, as good "
        "with {equal}, worse with {behind}."
    )
    if isinstance(found, SignedRankPosterior):
        text = (
            "{first} against {second}, the most probable outcome on a data set like these: better "
            "by more than {rope} with probability {ahead}, as good with {equal}, worse with "
            "{behind}."
        )
    shares = {"ahead": found.ahead, "equal": found.equal, "behind": found.behind}
    return Statement(
        "shows", text, {"first": first, "second": second, "rope": found.rope, **shares}
    )


def describe_sizes(names: Sequence[str], unbeaten: np.ndarray) -> Statement:
    """Return what size against accuracy shows; `unbeaten` as :func:`lastviz.plots.unbeaten`."""
    best = tuple(name for name, own in zip(names, unbeaten, strict=True) if own)
    if not best:
        return Statement("shows", "No sizes yet.", {})
    text = "Size against accuracy of {n} algorithms. Nothing beats in both: {best}."
    return Statement("shows", text, {"n": len(names), "best": best})


def describe_curves(
    what: str, names: Sequence[str], n_samples: np.ndarray, ends: np.ndarray
) -> Statement:
    """Return what curves over the number of rows show: `ends` are their last values."""
    if not len(names):
        return Statement("shows", "No results yet.", {})
    text = "{what} over {low} to {high} rows. At the end: {ends}."
    end_words = tuple(f"{name} {end:.3g}" for name, end in zip(names, ends, strict=True))
    low, high = int(np.min(n_samples)), int(np.max(n_samples))
    return Statement("shows", text, {"what": what, "low": low, "high": high, "ends": end_words})
