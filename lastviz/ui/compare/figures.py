"""The pictures of a study; each a function of the scene alone."""

from __future__ import annotations

import numpy as np

from lastviz.plots import (
    Drawing,
    Intervals,
    StudyCurve,
    critical_difference_plot,
    intervals_plot,
    paired_results_plot,
    posterior_plot,
    posterior_triangle_plot,
    size_accuracy_plot,
    time_plot,
)
from lastviz.studies.statistics import (
    CannotTell,
    SignedRankPosterior,
    StudentPosterior,
    StudyScores,
    correlated_posterior,
    signed_rank_posterior,
)
from lastviz.studies.tasks import TIMES
from lastviz.ui.text import number, plural, t

from .scene import CompareScene
from .words import unit_words

LEAVES = "leaves"


def axis_of(scene: CompareScene) -> str:
    """Return what is compared, with its unit."""
    return unit_words(scene, seconds=t("seconds of the processor"))


def intervals_figure(scene: CompareScene) -> Drawing:
    """Return dots and intervals of every algorithm on every data set."""
    found = scene.standings
    return intervals_plot(
        scene.algorithms,
        scene.datasets,
        Intervals(found.mean, found.low, found.high, found.best, found.behind, found.finished),
        theme=scene.theme,
        axis=axis_of(scene),
        notes=[_about(scene, name) for name in scene.datasets],
        absent=_absent(scene),
        narrow=True,
    )


def set_figure(scene: CompareScene, of: int) -> Drawing:
    """Return every algorithm on one data set, where ranks are known the best ones first."""
    found, ranks = scene.standings, scene.ranks
    as_listed = np.arange(len(scene.algorithms))
    order = as_listed if isinstance(ranks, CannotTell) else ranks[0].order
    best = np.flatnonzero(order == found.best[of])
    parts = (found.mean, found.low, found.high, found.behind, found.finished)
    mean, low, high, behind, finished = (part[order][:, [of]] for part in parts)
    return intervals_plot(
        [scene.algorithms[a] for a in order],
        [scene.datasets[of]],
        Intervals(mean, low, high, best, behind, finished),
        theme=scene.theme,
        axis="",
        notes=[_about(scene, scene.datasets[of])],
        narrow=True,
    )


def _about(scene: CompareScene, name: str) -> str:
    size = scene.sizes[name]
    if not size.n_samples:
        return ""
    rows = plural(size.n_samples, "{n} row", "{n} rows")
    return t("{rows}, {n} features", rows=rows, n=number(size.n_features))


def _absent(scene: CompareScene) -> list[list[str]]:
    """Return what stands where there is no result."""
    cells = scene.cells.set_index(["algorithm", "dataset"])["reason"]
    failed = scene.folds[scene.folds["state"] == "failed"]
    fails = set(zip(failed["algorithm"], failed["dataset"], strict=True))
    done = set(zip(scene.runs["algorithm"], scene.runs["dataset"], strict=True))

    def words(cell: tuple[str, str]) -> str:
        if cells[cell]:
            return t("does not fit")
        if cell in fails:
            return t("failed")
        return t("not measured") if cell in done else t("waiting")

    return [[words((a, d)) for d in scene.datasets] for a in scene.algorithms]


def ranks_figure(scene: CompareScene) -> Drawing:
    """Return mean ranks with the critical difference."""
    found, parted = scene.ranks
    return critical_difference_plot(
        found.algorithms,
        found.mean_ranks,
        parted.groups,
        theme=scene.theme,
        difference=parted.critical_difference,
        difference_words=t("critical difference"),
    )


def sizes_of(scene: CompareScene) -> tuple[np.ndarray, np.ndarray]:
    """Return leaves (geometric mean) and score (mean) of each algorithm, (n_algorithms,) each.

    Over the data sets that all trees have results on; NaN for what has no leaves.
    """
    leaves, score = scene.averages(LEAVES), scene.scores.means
    tree = np.isfinite(leaves).any(axis=1)
    both = (np.isfinite(leaves) & np.isfinite(score) & (leaves > 0))[tree].all(axis=0)
    size, value = np.full(len(leaves), np.nan), np.full(len(leaves), np.nan)
    if both.any():
        size[tree] = np.exp(np.log(leaves[tree][:, both]).mean(axis=1))
        value[tree] = score[tree][:, both].mean(axis=1)
    return size, value


def size_figure(scene: CompareScene) -> Drawing:
    """Return how large the trees are against how well they do."""
    size, value = sizes_of(scene)
    return size_accuracy_plot(
        scene.algorithms,
        size,
        value,
        theme=scene.theme,
        larger_is_better=scene.metric.larger_is_better,
        axes=(t("leaves, geometric mean"), axis_of(scene)),
        width_hint=340,  # a phone's, so that no name is cut there
    )


def time_curves(scene: CompareScene, key: str = TIMES[0]) -> list[StudyCurve]:
    """Return how long each algorithm learns over the rows; none where data sets are alike.

    `key` names another cost that is asked for, such as memory.
    """
    n = np.array([scene.sizes[name].n_samples for name in scene.datasets], dtype=np.float64)
    n *= (scene.study.folds - 1) / scene.study.folds
    seconds = scene.averages(key, "median")  # the first fold of a process loads libraries
    curves = []
    for name, own in zip(scene.algorithms, seconds, strict=True):
        known = np.isfinite(own) & (n > 0)
        rows = np.unique(n[known])
        means = np.array([own[known & (n == row)].mean() for row in rows])
        curves.append(StudyCurve(name, rows, means))
    return [curve for curve in curves if len(curve.n_samples) > 1]


def time_figure(scene: CompareScene, curves: list[StudyCurve], unit: str = "") -> Drawing:
    """Return how long algorithms learn over the rows, or what they cost in another unit."""
    axes = (t("training rows"), unit or t("seconds of the processor"))
    return time_plot(curves, theme=scene.theme, axes=axes)


def pairs_figure(scene: CompareScene) -> Drawing:
    """Return every algorithm against every other."""
    names = list(scene.algorithms)
    wins, ties, apart = (np.zeros((len(names),) * 2, dtype=kind) for kind in (int, int, bool))
    for pair in scene.pairs.pairs:
        i, j = names.index(pair.first), names.index(pair.second)
        wins[i, j], wins[j, i] = pair.wins, pair.losses
        ties[i, j] = ties[j, i] = pair.ties
        apart[i, j] = apart[j, i] = pair.is_apart
    words = (t("better"), t("equal"), t("worse"))
    return paired_results_plot(names, wins, ties, apart, theme=scene.theme, words=words)


def posterior_of(
    scene: CompareScene,
) -> SignedRankPosterior | StudentPosterior | CannotTell:
    """Return how probable it is that the first of two is better, or why that is not known.

    Over data sets where both have two, else over the runs of the one.
    """
    first, second = scene.two

    def posterior(scores: StudyScores) -> SignedRankPosterior | StudentPosterior:
        away = scores.mean_differences(first, second)
        shared = np.flatnonzero(np.isfinite(away))
        if len(shared) > 1:
            return signed_rank_posterior(away, rope=scene.rope)
        if not len(shared):
            raise CannotTell("There is no data set that both have results on.")
        of = int(shared[0])
        runs = scores.differences(first, second, scene.datasets[of])
        return correlated_posterior(runs, int(scores.n_folds[of]), rope=scene.rope)

    return scene.verdict(posterior)


def posterior_figure(scene: CompareScene, found: SignedRankPosterior | StudentPosterior) -> Drawing:
    """Return the posterior with the region of practical equivalence."""
    shares = (found.behind, found.equal, found.ahead)
    names = (t("worse"), t("as good"), t("better"))
    if isinstance(found, SignedRankPosterior):
        return posterior_triangle_plot(found.samples, shares, theme=scene.theme, names=names)
    axis = t("difference in {what}", what=axis_of(scene))
    x, density = found.curve()
    return posterior_plot(x, density, found.rope, shares, theme=scene.theme, names=names, axis=axis)
