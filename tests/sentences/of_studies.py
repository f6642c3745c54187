"""Statements about studies: what may be concluded from scores, worked out by scipy and by hand."""

from functools import cache
from math import sqrt

import numpy as np
from scipy import stats

from lastviz.plots import number
from lastviz.studies.statistics import StudyScores
from lastviz.studies.statistics.conclusion import conclusion
from lastviz.ui.text import as_plain, join_names
from tests.sentences.rows import Kind

ALPHA, ROPE, RUNS, FOLDS = 0.05, 0.01, 10, 10
LEVELS = {"level": 5, "confidence": 95}


@cache
def study(scene):
    """Scores by seed, effects of the algorithms, data sets, noise, and what is missing.

    That is from which run on an algorithm lacks those of a data set.
    """
    seed, effects, n, noise, missing = scene
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.6, 0.8, (1, n, 1))
    values = level + np.reshape(effects, (-1, 1, 1)) + noise * rng.normal(size=(len(effects), n, 1))
    values = values + 0.02 * rng.normal(size=(len(effects), n, RUNS))
    for algorithm, dataset, run in missing:
        values[algorithm, dataset, run:] = np.nan
    names, sets = "ABCDEFG"[: len(effects)], [f"set{i}" for i in range(n)]
    runs = np.full(n, RUNS)
    return StudyScores("accuracy", True, tuple(names), tuple(sets), values.round(12), runs, runs)


def told(scene):
    return [as_plain(statement) for statement in conclusion(study(scene), alpha=ALPHA, rope=ROPE)]


def short(value):
    return number(float(f"{value:.3g}"))


def share(value):
    if value < 0.001 or value > 0.999:
        return "less than 0.001" if value < 0.001 else "more than 0.999"
    return short(value)


def means(scene):
    """The mean of each algorithm over the runs that all have which have any."""
    values = study(scene).values
    found = np.full(values.shape[:2], np.nan)
    for d in range(values.shape[1]):
        has = [a for a in range(len(values)) if np.isfinite(values[a, d]).any()]
        shared = [r for r in range(RUNS) if np.isfinite(values[has, d, r]).all()]
        for a in has:
            found[a, d] = np.mean(values[a, d, shared])
    return found.round(12)


def corrected(away):
    """The t-test of Nadeau and Bengio: p, mean, and its standard error."""
    error = sqrt(np.var(away, ddof=1) * (1 / len(away) + 1 / (FOLDS - 1)))
    return 2 * stats.t.sf(abs(away.mean()) / error, len(away) - 1), away.mean(), error


def of_ranks(scene, found):
    names, whole = study(scene).algorithms, np.isfinite(found).all(axis=0)
    ranks = stats.rankdata(-found[:, whole], axis=0).mean(axis=1)
    k, n = len(names), int(whole.sum())
    quantile = stats.studentized_range.ppf(1 - ALPHA, k, np.inf) / sqrt(2)
    least = quantile * sqrt(k * (k + 1) / (6 * n)) + 0.5 / n
    order = np.argsort(ranks, kind="stable")
    gap = ranks - ranks[order[0]]

    def named(places):
        return join_names([f"{names[a]} (+{gap[a]:.2f})" for a in places])

    behind = [a for a in order if gap[a] >= least]
    level = [a for a in order[1:] if a not in behind]
    truths = {"has the best mean rank": {"best": names[order[0]], "rank": short(ranks[order[0]])}}
    sizes = {"n": n, "difference": short(least), "level": 5}
    if behind:
        truths["Significantly worse"] = {"names": named(behind), **sizes}
        truths |= {"Not significantly different": {"names": named(level)}} if level else {}
    else:
        values = {"last": names[order[-1]], "gap": short(gap[order[-1]])}
        truths["No algorithm is significantly worse"] = values | sizes
    lost = [name for name, ok in zip(study(scene).datasets, whole, strict=True) if not ok]
    return truths | ({"Not ranked": {"names": join_names(lost)}} if lost else {})


def of_two(scene, found):
    away = (found[0] - found[1])[np.isfinite(found).all(axis=0)]
    pairs = sorted((a + b) / 2 for i, a in enumerate(away) for b in away[i:])
    first, second = "AB" if np.median(pairs) >= 0 else "BA"
    away = away if first == "A" else -away
    n, p = len(away), stats.wilcoxon(away, zero_method="zsplit").pvalue
    counts = {"wins": int((away > 0).sum()), "n": n, "ties": int((away == 0).sum())}
    truths = {"is better than {second} on": {"first": first, "second": second, **counts}}
    if 2.0 ** (1 - n) >= ALPHA:
        return truths | {"So few data sets": {"n": n, "least": short(2.0 ** (1 - n))}}
    pairs = pairs if first == "A" else [-x for x in pairs]
    low, high = (  # the shifts that the test does not contradict, just inside their ends
        pick(x for x in pairs if stats.wilcoxon(away - x + side).pvalue >= ALPHA)
        for pick, side in ((min, -1e-9), (max, 1e-9))
    )
    ends = {"shift": short(np.median(pairs)), "low": short(low), "high": short(high)}
    text = "difference is significant" if p < ALPHA else "difference is not significant"
    return truths | {text: {"p": share(p), **ends, **LEVELS}}


def of_one(scene, found):
    names, values = study(scene).algorithms, study(scene).values[:, 0]
    values = values[:, np.isfinite(values).all(axis=0)]
    first, second = np.argsort(-values.mean(axis=1), kind="stable")[:2]
    p, mean, error = corrected((values[first] - values[second]).round(12))
    pair = {"first": names[first], "second": names[second]}
    spread = stats.t(RUNS - 1, mean, error)
    ahead, behind = spread.sf(ROPE), spread.cdf(-ROPE)
    shares = {"ahead": share(ahead), "behind": share(behind), "equal": share(1 - ahead - behind)}
    n_pairs = len(values) * (len(values) - 1) // 2
    half = stats.t.ppf(1 - ALPHA / 2 / n_pairs, RUNS - 1) * error
    p = min(1.0, p * n_pairs)
    ends = {"low": short(mean - half), "high": short(mean + half)}
    text = "difference is significant" if p < ALPHA else "difference is not significant"
    return {
        "has the best mean,": {**pair, "dataset": "set0", "gap": short(mean)},
        text: {"p": share(p), **ends, **LEVELS},
        "On this data set, {first}": {**pair, **shares, "rope": short(ROPE)},
    }  # fmt: skip


def of_gaps(scene, found):
    lacking = (~np.isfinite(found)).sum(axis=1)
    whole, worst = int(np.isfinite(found).all(axis=0).sum()), int(lacking.argmax())
    return {
        "Too many results are missing": {"n": whole, "total": found.shape[1]},
        "the others may be ranked": {"name": study(scene).algorithms[worst], "n": lacking[worst]},
    }


@cache
def truths(scene):
    found = means(scene)
    k, n = found.shape
    if n == 1:
        return of_one(scene, found)
    if k == 2:
        return of_two(scene, found)
    if np.isfinite(found).all(axis=0).sum() < 2:
        return of_gaps(scene, found)
    return of_ranks(scene, found)


def kind(function, text, true, never):
    def twin(scene):
        return [truths(scene)[text]] if text in truths(scene) else []

    constant = text.startswith("On this data set, {first}")
    made = f"studies/statistics/conclusion.py::{'ON_THIS_SET' if constant else function}"
    return Kind(made, text, told, twin, true, never)


NEAR, FAR, MIXED, EQUAL = (0, 0.004, 0.008), (0, 0.02, 0.05), (0, 0.0, 0.1, 0.12), (0, 0, 0)
BETTER, SAME = (0, 0.03), (0, 0.0)
RANKED = ((1, FAR, 5, 0.01, ()), (2, NEAR, 8, 0.01, ()), (3, MIXED, 8, 0.03, ()))
TWO, ONE = (1, BETTER, 8, 0.03, ()), (1, FAR, 1, 0.03, ())
ROWS = [
    kind("_of_ranks", "has the best mean rank", RANKED, TWO),
    kind("_of_ranks", "Significantly worse",
         ((1, FAR, 8, 0.01, ()), (2, FAR, 8, 0.03, ()), (3, MIXED, 20, 0.03, ())),
         (1, EQUAL, 5, 0.03, ())),
    kind("_of_ranks", "Not significantly different",
         ((1, FAR, 4, 0.01, ()), (2, FAR, 8, 0.03, ()), (1, FAR, 5, 0.01, ())),
         (1, EQUAL, 5, 0.03, ())),
    kind("_of_ranks", "No algorithm is significantly worse",
         ((1, EQUAL, 3, 0.01, ()), (1, EQUAL, 5, 0.03, ()), (1, NEAR, 3, 0.01, ())),
         (1, FAR, 5, 0.01, ())),
    kind("_of_ranks", "Not ranked",
         ((1, FAR, 8, 0.02, ((0, 2, 0),)), (2, NEAR, 6, 0.02, ((0, 2, 0), (1, 3, 0))),
          (3, MIXED, 9, 0.02, ((3, 8, 0),))), (1, FAR, 8, 0.02, ((0, 2, 4),))),
    kind("_of_two", "is better than {second} on",
         ((1, BETTER, 3, 0.01, ()), TWO, (2, SAME, 20, 0.03, ())), ONE),
    kind("_of_two", "difference is significant",
         ((1, BETTER, 20, 0.03, ()), (2, BETTER, 8, 0.01, ()), (3, (0.03, 0), 20, 0.03, ())),
         (1, SAME, 20, 0.03, ())),
    kind("_of_two", "So few data sets",
         ((1, BETTER, 3, 0.01, ()), (1, SAME, 5, 0.03, ()), (2, BETTER, 5, 0.01, ())),
         (1, SAME, 20, 0.03, ())),
    kind("_of_two", "difference is not significant",
         ((1, SAME, 8, 0.01, ()), (1, SAME, 20, 0.03, ()), (2, SAME, 20, 0.03, ())),
         (1, BETTER, 20, 0.03, ())),
    kind("_of_one_set", "has the best mean,",
         (ONE, (1, EQUAL, 1, 0.01, ()), (1, FAR, 1, 0.02, ((0, 0, 3),))), TWO),
    kind("_of_one_set", "difference is significant",
         ((1, MIXED, 1, 0.03, ()), (1, BETTER, 1, 0.01, ()), (3, BETTER, 1, 0.01, ())),
         (1, EQUAL, 1, 0.01, ())),
    kind("_of_one_set", "difference is not significant",
         ((1, EQUAL, 1, 0.01, ()), (1, EQUAL, 1, 0.03, ()), (1, FAR, 1, 0.01, ())),
         (1, BETTER, 1, 0.01, ())),
    kind("", "On this data set, {first}",
         (ONE, (1, EQUAL, 1, 0.01, ()), (2, BETTER, 1, 0.02, ())), TWO),
    kind("_of_gaps", "Too many results are missing",
         ((1, FAR, 3, 0.02, ((0, 0, 0), (0, 1, 0))), (2, FAR, 3, 0.02, ((1, 0, 0), (0, 2, 0))),
          (3, MIXED, 2, 0.02, ((2, 0, 0), (2, 1, 0)))), (1, FAR, 3, 0.02, ())),
    kind("_of_gaps", "the others may be ranked",
         ((1, FAR, 3, 0.02, ((0, 0, 0), (0, 1, 0))), (2, NEAR, 3, 0.02, ((1, 0, 0), (1, 2, 0))),
          (3, MIXED, 2, 0.02, ((2, 0, 0), (2, 1, 0)))), (1, FAR, 3, 0.02, ())),
]  # fmt: skip
