"""Conclusions from a study, in sentences that a page can put into its language.

Their roles: "so" is what is so, "not" what may not be concluded, or only with a probability,
"settles" what would settle it, "shows" what a figure shows.
"""

from __future__ import annotations

import numpy as np

from lastviz._sentences import Statement

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
    "{rope:rounded} (with probability {ahead:chance}), that it is worse ({behind:chance}), or that "
    "they are as good ({equal:chance})."
)
ON_THIS_SET = (
    "On this data set, {first} is better by more than {rope:rounded} with probability "
    "{ahead:chance}, worse with {behind:chance}, and they are as good with {equal:chance}."
)


def conclusion(
    scores: StudyScores, *, alpha: float = 0.05, rope: float = 0.01
) -> tuple[Statement, ...]:
    """Conclusions from the scores.

    First the findings, then the open questions, then the evidence that would settle them.

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
            "Too many results are missing to rank: {n} of {total} data sets have all.",
            role="not",
            n=int(scores.complete.sum()),
            total=len(scores.datasets),
        ),
        Statement(
            "{name} lacks {n} data sets; without it the others may be ranked.",
            role="settles",
            name=scores.algorithms[worst],
            n=int(lacking[worst].sum()),
        ),
    )


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
    statements = [Statement("{best} has the best mean rank, {rank:rounded}.", role="so", **values)]
    if behind.any():
        text = (
            "Significantly worse at the {level:rounded} % level (Nemenyi): {names:list}; "
            "differences of mean ranks ± {difference:rounded} over {n} data sets."
        )
        values = {"level": 100 * alpha, "names": named(behind), **sizes}
        statements.append(Statement(text, role="so", **values))
        if not behind[order[1:]].all():
            text = "Not significantly different from it: {names:list}."
            statements.append(Statement(text, role="not", names=named(~behind)))
    else:
        text = (
            "No algorithm is significantly worse at the {level:rounded} % level (Nemenyi): the "
            "last, {last}, is {gap:rounded} ± {difference:rounded} ranks behind over {n} data sets."
        )
        values = {"level": 100 * alpha, "last": scores.algorithms[last], "gap": float(gap[last])}
        statements.append(Statement(text, role="so", **values, **sizes))
    if found.left_out:
        text = "Not ranked, since results are missing: {names:list}."
        statements.append(Statement(text, role="not", names=found.left_out))
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
    statements = [Statement(text, role="so", **names, **counts)]
    if tests.least_p >= alpha:
        text = (
            "So few data sets show nothing: with {n}, Wilcoxon's p cannot fall below "
            "{least:chance}."
        )
        values: dict[str, object] = {"n": pair.n_datasets, "least": tests.least_p}
        statements.append(Statement(text, role="not", **values))
    else:
        ends = {"shift": pair.shift, "low": pair.low, "high": pair.high}
        values = {"p": pair.p, **ends, **_level(alpha)}
        if pair.is_apart:
            text = (
                "The difference is significant at the {level:rounded} % level (Wilcoxon, p = "
                "{p:chance}): its median is {shift:rounded}, {confidence:rounded} % interval "
                "{low:rounded} to {high:rounded}."
            )
            statements.append(Statement(text, role="so", **values))
        else:
            text = (
                "The difference is not significant at the {level:rounded} % level (Wilcoxon, p = "
                "{p:chance}): its median is {shift:rounded}, {confidence:rounded} % interval "
                "{low:rounded} to {high:rounded}."
            )
            statements.append(Statement(text, role="not", **values))
    statements.append(_probable(found, ON_NEW_SETS, names))
    return tuple(statements)


def _level(alpha: float) -> dict[str, object]:
    return {"level": 100 * alpha, "confidence": 100 * (1 - alpha)}


def _probable(
    found: SignedRankPosterior | StudentPosterior, text: str, names: dict[str, str]
) -> Statement:
    shares = {"ahead": found.ahead, "equal": found.equal, "behind": found.behind}
    return Statement(text, role="not", **names, **shares, rope=found.rope)


def _of_one_set(scores: StudyScores, alpha: float, rope: float) -> tuple[Statement, ...]:
    of = int((np.isfinite(scores.means).sum(axis=0) > 1).argmax())
    mean = np.where(np.isfinite(scores.means[:, of]), scores.sign * scores.means[:, of], -np.inf)
    first, second = np.argsort(-mean, kind="stable")[:2].tolist()
    names = {"first": scores.algorithms[first], "second": scores.algorithms[second]}
    where = {"dataset": scores.datasets[of]}
    both = scores.values[[first, second], of][:, scores.common[of]]  # as their means
    away = np.round(scores.sign * (both[0] - both[1]), DIGITS)
    n_folds = int(scores.n_folds[of])
    text = "On {dataset} {first} has the best mean, {gap:rounded} better than {second}."
    gap = float(away.mean()) if len(away) else float("nan")
    statements = [Statement(text, role="so", **names, **where, gap=gap)]
    stand = standings(scores, alpha=alpha)
    p, half = float(stand.p[second, of]), float(stand.half[second, of])
    if not np.isfinite(p):
        text = "A test needs {least} runs, there are {n}: nothing can be concluded."
        statements.append(Statement(text, role="not", least=FEWEST, n=len(away)))
        more = "Cross-validate with more folds, on more data sets."
        return (*statements, Statement(more, role="settles"))
    values = {"p": p, "low": gap - half, "high": gap + half, **_level(alpha)}
    if p < alpha:
        text = (
            "The difference is significant at the {level:rounded} % level on this data set "
            "(corrected t-test, Bonferroni over all pairs, p = {p:chance}); {confidence:rounded} % "
            "interval {low:rounded} to {high:rounded}."
        )
        statements.append(Statement(text, role="so", **values))
    else:
        text = (
            "The difference is not significant at the {level:rounded} % level (corrected t-test, "
            "Bonferroni over all pairs, p = {p:chance}); {confidence:rounded} % interval "
            "{low:rounded} to {high:rounded}."
        )
        statements.append(Statement(text, role="not", **values))
    posterior = correlated_posterior(away, n_folds, rope=rope)
    statements.append(_probable(posterior, ON_THIS_SET, names))
    statements.append(
        Statement("One data set gives no ranking: it says nothing about others.", role="not")
    )
    statements.append(
        Statement("Add data sets; six are the least for Wilcoxon's test.", role="settles")
    )
    return tuple(statements)


# ---- What a posterior shows, in a sentence


def describe_posterior(
    found: StudentPosterior | SignedRankPosterior, first: str, second: str
) -> Statement:
    """Statement of the posterior."""
    text = (
        "{first} against {second}: better by more than {rope:rounded} with probability "
        "{ahead:chance}, as good with {equal:chance}, worse with {behind:chance}."
    )
    if isinstance(found, SignedRankPosterior):
        text = (
            "{first} against {second}, the most probable outcome on a data set like these: better "
            "by more than {rope:rounded} with probability {ahead:chance}, as good with "
            "{equal:chance}, worse with {behind:chance}."
        )
    shares = {"ahead": found.ahead, "equal": found.equal, "behind": found.behind}
    return Statement(text, role="shows", first=first, second=second, rope=found.rope, **shares)
