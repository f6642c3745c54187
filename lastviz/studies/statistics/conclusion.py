"""What may be concluded from a study, in sentences that a page can put into its language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .pairs import (
    SignedRankPosterior,
    StudentPosterior,
    compare_pairs,
    correlated_posterior,
    signed_rank_posterior,
)
from .ranks import FEWEST, friedman, nemenyi, standings
from .study_scores import DIGITS, CannotTell, StudyScores

ON_NEW_SETS = (
    "On a data set like these, the most probable outcome is that {first} is better by more than "
    "{rope} (with probability {ahead}), that it is worse ({behind}), or that they are as good "
    "({equal})."
)
ON_THIS_SET = (
    "On this data set, {first} is better by more than {rope} with probability {ahead}, worse with "
    "{behind}, and they are as good with {equal}."
)


@dataclass(frozen=True)
class Statement:
    """One sentence of a conclusion."""

    # {"so", "not", "settles", "shows"}: what is so; what may not be concluded, or only with a
    # probability; what would settle it; what a figure shows.
    role: str
    text: str  # the English sentence with `{name}` in the place of each value
    # mapping of str to str, int, float or tuple of str, names, counts, numbers, and lists of names.
    values: Mapping[str, object]

    def __str__(self) -> str:
        """Return the English sentence."""
        return self.text.format(**{name: _formatted(value) for name, value in self.values.items()})


def _formatted(value: object) -> str:
    if isinstance(value, tuple):
        return " and ".join(filter(None, (", ".join(value[:-1]), *value[-1:])))
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def conclusion(
    scores: StudyScores, *, alpha: float = 0.05, rope: float = 0.01
) -> tuple[Statement, ...]:
    """Say what the scores show, then what they do not, then what would settle it.

    Parameters
    ----------
    scores : StudyScores
    alpha : float, default 0.05
        Share of studies without any difference that may be said to show one.
    rope : float, default 0.01
        What is too small to matter, in the metric's unit.

    Raises
    ------
    CannotTell
        If there are fewer than two algorithms, or no data set that two have results on.

    Notes
    -----
    Three algorithms and more: ranks. Two: Wilcoxon's test and the posterior over data sets. On
    one data set: the corrected t-test and its posterior, of the two best algorithms. Each says
    how large the difference is; none says how many more data sets would show it, since the
    difference that was seen is too unsure for that (Hoenig and Heisey 2001).

    References
    ----------
    Hoenig, J. M. and Heisey, D. M. (2001). The abuse of power: the pervasive fallacy of power
    calculations for data analysis. The American Statistician 55, 19-24.
    """
    if len(scores.algorithms) < 2:
        raise CannotTell("A comparison needs two algorithms, got {n}.", n=len(scores.algorithms))
    shared = (np.isfinite(scores.means).sum(axis=0) > 1).sum()
    if not shared:
        raise CannotTell("There is nothing to compare yet: no data set has results of two.")
    if shared == 1:
        return _of_one_set(scores, alpha, rope)
    if len(scores.algorithms) == 2:
        return _of_two(scores, alpha, rope)
    if scores.complete.sum() < 2:
        return _of_gaps(scores)
    return _of_ranks(scores, alpha)


def _of_gaps(scores: StudyScores) -> tuple[Statement, ...]:
    lacking = ~np.isfinite(scores.means)
    worst = int(lacking.sum(axis=1).argmax())
    return (
        Statement(
            "not", "Too many results are missing to rank: {n} of {total} data sets have all.",
            {"n": int(scores.complete.sum()), "total": len(scores.datasets)},
        ),
        Statement(
            "settles", "{name} lacks {n} data sets; without it the others may be ranked.",
            {"name": scores.algorithms[worst], "n": int(lacking[worst].sum())},
        ),
    )  # fmt: skip


def _of_ranks(scores: StudyScores, alpha: float) -> tuple[Statement, ...]:
    found = friedman(scores)
    parted = nemenyi(found, alpha=alpha)
    order = found.order
    best, last = int(order[0]), int(order[-1])
    gap = found.mean_ranks - found.mean_ranks[best]
    behind = gap >= parted.critical_difference

    def named(which: np.ndarray) -> tuple[str, ...]:
        return tuple(f"{scores.algorithms[a]} (+{gap[a]:.2f})" for a in order[1:] if which[a])

    sizes = {"n": len(found.datasets), "difference": parted.critical_difference}
    values = {"best": scores.algorithms[best], "rank": float(found.mean_ranks[best])}
    statements = [Statement("so", "{best} has the best mean rank, {rank}.", values)]
    if behind.any():
        text = (
            "Significantly worse at the {level} % level (Nemenyi): {names}; differences of mean "
            "ranks ± {difference} over {n} data sets."
        )
        values = {"level": 100 * alpha, "names": named(behind), **sizes}
        statements.append(Statement("so", text, values))
        if not behind[order[1:]].all():
            text = "Not significantly different from it: {names}."
            statements.append(Statement("not", text, {"names": named(~behind)}))
    else:
        text = (
            "No algorithm is significantly worse at the {level} % level (Nemenyi): the last, "
            "{last}, is {gap} ± {difference} ranks behind over {n} data sets."
        )
        values = {"level": 100 * alpha, "last": scores.algorithms[last], "gap": float(gap[last])}
        statements.append(Statement("so", text, {**values, **sizes}))
    if found.left_out:
        text = "Not ranked, since results are missing: {names}."
        statements.append(Statement("not", text, {"names": found.left_out}))
    return tuple(statements)


def _of_two(scores: StudyScores, alpha: float, rope: float) -> tuple[Statement, ...]:
    tests = compare_pairs(scores, alpha=alpha)
    pair = tests.pairs[0]
    if pair.shift < 0:
        swapped = compare_pairs(scores, against=pair.second, alpha=alpha)
        pair = swapped.pairs[0]
    away = scores.mean_differences(pair.first, pair.second)
    found = signed_rank_posterior(away, rope=rope)
    names = {"first": pair.first, "second": pair.second}
    counts = {"wins": pair.wins, "n": pair.n_datasets, "ties": pair.ties}
    text = "{first} is better than {second} on {wins} of {n} data sets, equal on {ties}."
    statements = [Statement("so", text, {**names, **counts})]
    if tests.least_p >= alpha:
        text = "So few data sets show nothing: with {n}, Wilcoxon's p cannot fall below {least}."
        values: dict[str, object] = {"n": pair.n_datasets, "least": tests.least_p}
        statements.append(Statement("not", text, values))
    else:
        ends = {"shift": pair.shift, "low": pair.low, "high": pair.high}
        values = {"p": pair.p, **ends, **_level(alpha)}
        if pair.is_apart:
            text = (
                "The difference is significant at the {level} % level (Wilcoxon, p = {p}): its "
                "median is {shift}, {confidence} % interval {low} to {high}."
            )
            statements.append(Statement("so", text, values))
        else:
            text = (
                "The difference is not significant at the {level} % level (Wilcoxon, p = {p}): "
                "its median is {shift}, {confidence} % interval {low} to {high}."
            )
            statements.append(Statement("not", text, values))
    statements.append(_probable(found, ON_NEW_SETS, names))
    return tuple(statements)


def _level(alpha: float) -> dict[str, object]:
    return {"level": 100 * alpha, "confidence": 100 * (1 - alpha)}


def _probable(
    found: SignedRankPosterior | StudentPosterior, text: str, names: dict[str, str]
) -> Statement:
    shares = {"ahead": found.ahead, "equal": found.equal, "behind": found.behind}
    return Statement("not", text, {**names, **shares, "rope": found.rope})


def _of_one_set(scores: StudyScores, alpha: float, rope: float) -> tuple[Statement, ...]:
    of = int((np.isfinite(scores.means).sum(axis=0) > 1).argmax())
    mean = np.where(np.isfinite(scores.means[:, of]), scores.sign * scores.means[:, of], -np.inf)
    first, second = np.argsort(-mean, kind="stable")[:2].tolist()
    names = {"first": scores.algorithms[first], "second": scores.algorithms[second]}
    where = {"dataset": scores.datasets[of]}
    both = scores.values[[first, second], of][:, scores.common[of]]  # as their means
    away = np.round(scores.sign * (both[0] - both[1]), DIGITS)
    n_folds = int(scores.n_folds[of])
    text = "On {dataset} {first} has the best mean, {gap} better than {second}."
    gap = float(away.mean()) if len(away) else float("nan")
    statements = [Statement("so", text, {**names, **where, "gap": gap})]
    stand = standings(scores, alpha=alpha)
    p, half = float(stand.p[second, of]), float(stand.half[second, of])
    if not np.isfinite(p):
        text = "A test needs {least} runs, there are {n}: nothing can be concluded."
        statements.append(Statement("not", text, {"least": FEWEST, "n": len(away)}))
        more = "Cross-validate with more folds, on more data sets."
        return (*statements, Statement("settles", more, {}))
    values = {"p": p, "low": gap - half, "high": gap + half, **_level(alpha)}
    if p < alpha:
        text = (
            "The difference is significant at the {level} % level on this data set (corrected "
            "t-test, Bonferroni over all pairs, p = {p}); {confidence} % interval {low} to {high}."
        )
        statements.append(Statement("so", text, values))
    else:
        text = (
            "The difference is not significant at the {level} % level (corrected t-test, "
            "Bonferroni over all pairs, p = {p}); {confidence} % interval {low} to {high}."
        )
        statements.append(Statement("not", text, values))
    posterior = correlated_posterior(away, n_folds, rope=rope)
    statements.append(_probable(posterior, ON_THIS_SET, names))
    statements.append(
        Statement("not", "One data set gives no ranking: it says nothing about others.", {})
    )
    statements.append(
        Statement("settles", "Add data sets; six are the least for Wilcoxon's test.", {})
    )
    return tuple(statements)


# ---- What a posterior shows, in a sentence


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
