"""What may be concluded from a study, in sentences that a page can put into its language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, isfinite

import numpy as np

from .pairs import PairTest, compare_pairs
from .posteriors import (
    SignedRankPosterior,
    StudentPosterior,
    correlated_posterior,
    signed_rank_posterior,
)
from .ranks import Friedman, Nemenyi, critical_quantile, friedman, nemenyi
from .single_sets import corrected_t, standings
from .study_scores import DIGITS, CannotTell, StudyScores

SURE = 0.95  # a posterior that says so much is sure
ON_NEW_SETS = (
    "On a data set like these, the most probable outcome is that {first} is better by more than "
    "{rope} (with probability {ahead}), that it is worse ({behind}), or that they are as good "
    "({equal})."
)
ON_THIS_SET = (
    "On this data set, {first} is better by more than {rope} with probability {ahead}, worse with "
    "{behind}, and they are as good with {equal}."
)
HOPELESS = 10_000  # data sets; more will never be had


@dataclass(frozen=True)
class Statement:
    """One sentence of a conclusion.

    Attributes
    ----------
    role : {"so", "not", "settles", "shows"}
        What is so, what may not be concluded, what would settle it; what a figure shows.
    text : str
        The English sentence with ``{name}`` in the place of each value.
    values : mapping of str to str, int, float or tuple of str
        Names, counts, numbers, and lists of names.
    """

    role: str
    text: str
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
        Of all comparisons of one kind together.
    rope : float, default 0.01
        What is too small to matter, in the metric's unit.

    Raises
    ------
    CannotTell
        If there are fewer than two algorithms, or no data set that two have results on.

    Notes
    -----
    Three algorithms and more: ranks. Two: Wilcoxon's test and the posterior over data sets. On
    one data set: the corrected t-test and its posterior, of the two best algorithms.
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
    best = int(order[0])
    gap = found.mean_ranks - found.mean_ranks[best]
    behind = [int(a) for a in order if gap[a] >= parted.critical_difference]
    values = {"best": scores.algorithms[best], "rank": float(found.mean_ranks[best])}
    statements = [Statement("so", "{best} has the best mean rank, {rank}.", values)]
    if behind:
        names = tuple(scores.algorithms[a] for a in behind)
        text = (
            "Certainly worse: {names}. {n} data sets separate mean ranks that are {difference} "
            "or more apart."
        )
        statements.append(Statement("so", text, {"names": names, **_parts(found, parted)}))
    if len(behind) < len(order) - 1:
        statements += _not_parted(scores, found, parted, behind)
    statements.append(_within_sets(scores, alpha))
    if found.left_out:
        text = "Not ranked, since results are missing: {names}."
        statements.append(Statement("not", text, {"names": found.left_out}))
    if len(behind) < len(order) - 1:
        statements.append(_to_part(scores, found, alpha, behind))
    return tuple(sorted(statements, key=lambda each: ("so", "not", "settles").index(each.role)))


def _parts(found: Friedman, parted: Nemenyi) -> dict[str, object]:
    return {"n": len(found.datasets), "difference": parted.critical_difference}


def _not_parted(
    scores: StudyScores, found: Friedman, parted: Nemenyi, behind: list[int]
) -> list[Statement]:
    best, last = int(found.order[0]), int(found.order[-1])
    gap = found.mean_ranks - found.mean_ranks[best]
    parts = _parts(found, parted)
    if behind:
        level = tuple(scores.algorithms[a] for a in found.order[1:] if int(a) not in behind)
        text = "It cannot be distinguished from {names}: the differences are smaller than that."
        return [Statement("not", text, {"names": level})]
    text = (
        "No algorithm is certainly worse: the last, {last}, is {gap} ranks behind, and {n} data "
        "sets separate only differences of {difference} or more."
    )
    values = {"last": scores.algorithms[last], "gap": float(gap[last]), **parts}
    statements = [Statement("so", text, values)]
    if found.p < parted.alpha:
        text = "Yet it is unlikely that all have the same rank (Friedman, p = {p})."
        statements.append(Statement("so", text, {"p": found.p}))
    return statements


def _within_sets(scores: StudyScores, alpha: float) -> Statement:
    stand = standings(scores, alpha=alpha)
    values = {"n": int(stand.behind.sum()), "total": stand.n_tested}
    text = (
        "Within single data sets {n} of {total} differences from the best are real (corrected "
        "t-test, Holm within a data set)."
    )
    if not stand.n_tested:
        return Statement("not", "A single fold cannot show differences within a data set.", {})
    return Statement("so", text, values)


def _to_part(scores: StudyScores, found: Friedman, alpha: float, behind: list[int]) -> Statement:
    """Say how many data sets would part the furthest that is not parted yet."""
    best = int(found.order[0])
    other = int(next(a for a in found.order[::-1] if int(a) not in behind))
    gap = float(found.mean_ranks[other] - found.mean_ranks[best])
    values: dict[str, object] = {"best": scores.algorithms[best], "other": scores.algorithms[other]}
    if gap <= 0:
        text = (
            "{best} and {other} have the same mean rank: more data sets of this kind would not "
            "separate them."
        )
        return Statement("settles", text, values)
    k = len(scores.algorithms)
    needed = ceil(k * (k + 1) / 6 * (critical_quantile(k, alpha) / gap) ** 2)
    text = "About {needed} data sets like these would separate {best} from {other}."
    return Statement("settles", text, {"needed": needed, **values})


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
    if pair.is_apart:
        text = (
            "That is more than chance (Wilcoxon, p = {p}): the median difference is {low} to "
            "{high}."
        )
        ends = {"low": pair.low, "high": pair.high}
        statements.append(Statement("so", text, {"p": pair.p, **ends}))
    else:
        statements.append(_not_apart(pair, tests.least_p, alpha))
    statements.append(_probable(found, ON_NEW_SETS, names))
    if not pair.is_apart:
        statements.append(_needed(pair, names))
    return tuple(sorted(statements, key=lambda each: ("so", "not", "settles").index(each.role)))


def _not_apart(pair: PairTest, least: float, alpha: float) -> Statement:
    if least >= alpha:
        text = "So few data sets show nothing: with {n}, Wilcoxon's p cannot fall below {least}."
        return Statement("not", text, {"n": pair.n_datasets, "least": least})
    return Statement("not", "This may be chance (Wilcoxon, p = {p}).", {"p": pair.p})


def _needed(pair: PairTest, names: dict[str, str]) -> Statement:
    if not isfinite(pair.needed) or pair.needed > HOPELESS:
        text = (
            "More data sets like these would not separate {first} from {second}: they are balanced."
        )
        return Statement("settles", text, names)
    text = (
        "About {needed} data sets like these would show such a difference in four of five studies."
    )
    return Statement("settles", text, {"needed": int(pair.needed)})


def _probable(
    found: SignedRankPosterior | StudentPosterior, text: str, names: dict[str, str]
) -> Statement:
    """Say the three probabilities; a sure one is what is so, others are what is not."""
    shares = {"ahead": found.ahead, "equal": found.equal, "behind": found.behind}
    role = "so" if max(shares.values()) >= SURE else "not"
    return Statement(role, text, {**names, **shares, "rope": found.rope})


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
    if len(away) < 2 or n_folds < 2:
        statements.append(
            Statement("not", "A single fold has no spread, so nothing can be concluded.", {})
        )
        more = "Cross-validate with more folds, on more data sets."
        return (*statements, Statement("settles", more, {}))
    test = corrected_t(away, n_folds)
    if test.p < alpha:
        text = "The difference is real on this data set (corrected t-test, p = {p})."
        statements.append(Statement("so", text, {"p": test.p}))
    else:
        text = "The difference may be chance (corrected t-test, p = {p})."
        statements.append(Statement("not", text, {"p": test.p}))
    posterior = correlated_posterior(away, n_folds, rope=rope)
    statements.append(_probable(posterior, ON_THIS_SET, names))
    statements.append(
        Statement("not", "One data set gives no ranking: it says nothing about others.", {})
    )
    statements.append(
        Statement("settles", "Add data sets; six are the least for Wilcoxon's test.", {})
    )
    return tuple(sorted(statements, key=lambda each: ("so", "not", "settles").index(each.role)))
