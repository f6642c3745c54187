"""Statements about the figures of a study, and about studies that no test can be made of."""

from functools import cache

import numpy as np
from scipy import stats

from lastviz.studies.statistics import CannotTell, StudyScores
from lastviz.studies.statistics.conclusion import conclusion, describe_posterior
from lastviz.studies.statistics.pairs import (
    compare_pairs,
    correlated_posterior,
    signed_rank_posterior,
)
from lastviz.studies.statistics.ranks import corrected_t, friedman
from lastviz.ui.text import as_plain
from tests.sentences.of_studies import (
    ALPHA,
    BETTER,
    FAR,
    FOLDS,
    MIXED,
    NEAR,
    RANKED,
    ROPE,
    SAME,
    TWO,
    corrected,
    means,
    share,
    short,
    study,
    told,
)
from tests.sentences.rows import Kind

STATISTICS = "studies/statistics/"
ALONE = ((0,), 5, 0.01, ())


def described(describe):
    def told_of(scene):
        try:
            found = describe(scene)
            return [as_plain(getattr(found, "sentence", found))]
        except CannotTell as reason:
            return [as_plain(reason.sentence)]

    return told_of


def kind(made, text, describe, twin, true, never):
    return Kind(STATISTICS + made, text, described(describe), twin, tuple(true), never)


def friedman_of(scene):
    friedman(study(scene))
    return CannotTell("fine", n=0)


def pairs_of(scene):
    compare_pairs(study(scene))
    return CannotTell("fine", n=0)


def ranked(scene):
    """The data sets that all have results on, and each algorithm's rank on them."""
    found = means(scene)
    complete = found[:, np.isfinite(found).all(axis=0)]
    return complete.shape[1], stats.rankdata(-complete, axis=0).mean(axis=1)


def too_few_to_rank(scene):
    k = len(study(scene).algorithms)
    return [{"n": k}] if k < 3 else []


def too_few_sets(scene):
    n = ranked(scene)[0]
    return [{"n": n}] if n < 2 and len(study(scene).algorithms) > 2 else []


def first_of_all(scene):
    return conclusion(study(scene), alpha=ALPHA, rope=ROPE)[0]


def one_algorithm(scene):
    k = len(study(scene).algorithms)
    return [{"n": k}] if k < 2 else []


# Two algorithms: where their difference lies


def differences(scene):
    found = means(scene)
    return found[0] - found[1]


def of_new_sets(scene):
    return describe_posterior(signed_rank_posterior(differences(scene), rope=ROPE), "A", "B")


@cache
def most_probable(scene, places=(0, 1)):
    """Which region holds most of each draw's weight, pair after pair of data sets."""
    found = means(scene)
    away = [0.0, *(found[places[0]] - found[places[1]]).tolist()]
    draws = np.random.default_rng(0).dirichlet([0.5, *[1.0] * (len(away) - 1)], 50_000)
    shares = np.zeros((len(draws), 3))
    for i, a in enumerate(away):
        for j, b in enumerate(away):
            weight, middle = draws[:, i] * draws[:, j], (a + b) / 2
            regions = [middle < -ROPE, -ROPE < middle < ROPE, middle > ROPE]
            if not any(regions):
                regions = [middle < 0, True, middle > 0]
            for region, inside in enumerate(regions):
                shares[:, region] += weight * inside / sum(regions)
    best = np.abs(shares - shares.max(axis=1, keepdims=True)) < 1e-12
    behind, equal, ahead = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    return {"ahead": share(ahead), "equal": share(equal), "behind": share(behind)}


def probable(scene):
    if len(means(scene)[0]) < 2:
        return []
    return [{"first": "A", "second": "B", "rope": short(ROPE)} | most_probable(scene)]


def concluded(scene):
    """The better of two by the middle of their differences, as the conclusion names it first."""
    found = means(scene)
    if len(found) != 2 or found.shape[1] < 2:
        return []
    away = differences(scene)
    middle = np.median([x + y for i, x in enumerate(away) for y in away[i:]])
    first = 0 if middle >= 0 else 1
    places = (first, 1 - first)
    return [{"first": "AB"[first], "rope": short(ROPE)} | most_probable(scene, places)]


def of_one_set(scene):
    values = study(scene).values[:, 0]
    return describe_posterior(correlated_posterior(values[0] - values[1], FOLDS, rope=ROPE), *"AB")


def of_its_folds(scene):
    if means(scene).shape != (2, 1):
        return []
    _, mean, error = corrected(study(scene).values[0, 0] - study(scene).values[1, 0])
    spread = stats.t(9, mean, error)
    ahead, behind = spread.sf(ROPE), spread.cdf(-ROPE)
    shares = {"ahead": share(ahead), "behind": share(behind), "equal": share(1 - ahead - behind)}
    return [{"first": "A", "second": "B", "rope": short(ROPE)} | shares]


def posterior_of(scene):
    if len(means(scene)) != 2:
        raise CannotTell("a pair is two")
    return of_one_set(scene) if len(means(scene)[0]) == 1 else of_new_sets(scene)


# What no test can be made of, and figures of sizes and rows


def of_few_runs(n):
    values, runs = np.arange(2.0 * n).reshape(2, 1, n) ** 2, np.array([n])
    scores = StudyScores("accuracy", True, ("A", "B"), ("set0",), values, runs, runs)
    return [as_plain(each) for each in conclusion(scores, alpha=ALPHA, rope=ROPE)]


def few_runs(n):
    return [{"least": 5, "n": n}] if n < 5 else []


def spread_of(scene):
    values, n_folds = scene
    corrected_t(np.asarray(values), n_folds)
    return CannotTell("fine", n=0)


def too_few_folds(scene):
    return [{"n": scene[1]}] if scene[1] < 2 else []


def far_apart(scene):
    signed_rank_posterior(np.asarray(scene))
    return CannotTell("fine", n=0)


def single(scene):
    n = sum(x == x for x in scene)
    return [{"n": n}] if n < 2 else []


PAIR = ((1, BETTER, 8, 0.03, ()), (2, SAME, 6, 0.03, ()), (3, BETTER, 5, 0.01, ()))
SINGLE = ((1, BETTER, 1, 0.01, ()), (2, SAME, 1, 0.03, ()), (3, BETTER, 1, 0.02, ()))
ONE_ALGORITHM = tuple((seed, (0,), n, 0.01, ()) for seed, n in ((1, 5), (2, 8), (3, 2)))
FEW = tuple((seed, effects, 1, 0.01, ()) for seed, effects in ((1, FAR), (2, MIXED), (3, NEAR)))
ROWS = [
    kind("ranks.py::friedman", "ranks at least three algorithms", friedman_of,
         too_few_to_rank, PAIR, RANKED[0]),
    kind("ranks.py::friedman", "Ranks need at least two data sets", friedman_of,
         too_few_sets, FEW, RANKED[0]),
    kind("pairs.py::compare_pairs", "A comparison needs two algorithms", pairs_of, one_algorithm,
         ONE_ALGORITHM, (1, BETTER, 8, 0.03, ())),
    kind("conclusion.py::conclusion", "A comparison needs two algorithms", first_of_all,
         one_algorithm, ONE_ALGORITHM, TWO),
    kind("conclusion.py::describe_posterior", "the most probable outcome", posterior_of, probable,
         PAIR, SINGLE[0]),
    kind("conclusion.py::describe_posterior", "{first} against {second}: better", posterior_of,
         of_its_folds, SINGLE, RANKED[0]),
    Kind(f"{STATISTICS}conclusion.py::ON_NEW_SETS", "the most probable outcome is", told, concluded,
         PAIR, SINGLE[0]),
    Kind(f"{STATISTICS}conclusion.py::_of_one_set", "A test needs {least} runs", of_few_runs,
         few_runs, (1, 2, 4), 5),
    kind("ranks.py::corrected_t", "A spread needs at least two folds", spread_of,
         too_few_folds, (((0.1, 0.2), 1), ((0.3, 0.1, 0.2), 0), ((0.0, 0.5), 0)),
         ((0.1, 0.2), 2)),
    kind("pairs.py::signed_rank_posterior", "A posterior over data sets needs", far_apart,
         single, ((0.1,), (), (0.2, np.nan)), (0.1, 0.2)),
]  # fmt: skip
