"""The pictures of a study; each a function of the scene alone."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import dataclass
from functools import partial

import numpy as np

from lastviz.datasets import Dataset
from lastviz.inspection import ForestRegions, feature_gains, sampled_regions
from lastviz.plots import (
    Drawing,
    Intervals,
    Points,
    StudyCurve,
    critical_difference_plot,
    forest_plot,
    intervals_plot,
    paired_results_plot,
    posterior_plot,
    posterior_triangle_plot,
    size_accuracy_plot,
    time_plot,
)
from lastviz.studies.candidates import PEERS, checked_params, features_of, make
from lastviz.studies.statistics import (
    CannotTell,
    SignedRankPosterior,
    StudentPosterior,
    StudyScores,
    correlated_posterior,
    signed_rank_posterior,
)
from lastviz.studies.study import AlgorithmChoice, DataChoice
from lastviz.studies.tasks import TIMES
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute.outcome import outcome
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.headline import legend, show
from lastviz.ui.shared.job_box import result_or_reason
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.sheet import st
from lastviz.ui.text import CannotShow, number, plural, t

from .scene import CompareScene
from .study_data import dataset_of
from .words import unit_words

LEAVES = "leaves"


def axis_of(scene: CompareScene) -> str:
    """Name of the compared quantity, with its unit."""
    return unit_words(scene, seconds=t("seconds of the processor"))


def intervals_figure(scene: CompareScene) -> Drawing:
    """Figure of the means and intervals of every algorithm on every data set."""
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
    """Every algorithm on one data set, where ranks are known the best ones first."""
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
    """Texts in place of missing results."""
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
    """Figure of the mean ranks with the critical difference."""
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
    """Leaves (geometric mean) and score (mean) of each algorithm.

    Each has the shape (n_algorithms,).

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
    """Figure of tree sizes against scores."""
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
    """Training time of each algorithm over the rows; empty where data sets are alike.

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
    """Figure of training times over the rows, or of costs in another unit."""
    axes = (t("training rows"), unit or t("seconds of the processor"))
    return time_plot(curves, theme=scene.theme, axes=axes)


def pairs_figure(scene: CompareScene) -> Drawing:
    """Every algorithm against every other."""
    names = list(scene.algorithms)
    wins, ties, apart = (np.zeros((len(names),) * 2, dtype=kind) for kind in (int, int, bool))
    for pair in scene.pairs.pairs:
        i, j = names.index(pair.first), names.index(pair.second)
        wins[i, j], wins[j, i] = pair.wins, pair.losses
        ties[i, j] = ties[j, i] = pair.ties
        apart[i, j] = apart[j, i] = pair.is_apart
    words = (t("better"), t("equal"), t("worse"))
    return paired_results_plot(names, wins, ties, apart, theme=scene.theme, words=words)


# Over data sets where both have two, else over the runs of the one.
def posterior_of(
    scene: CompareScene,
) -> SignedRankPosterior | StudentPosterior | CannotTell:
    """Posterior of the difference of the two algorithms, or the reason for none."""
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
    """Posterior with the region of practical equivalence."""
    shares = (found.behind, found.equal, found.ahead)
    names = (t("worse"), t("as good"), t("better"))
    if isinstance(found, SignedRankPosterior):
        return posterior_triangle_plot(found.samples, shares, theme=scene.theme, names=names)
    axis = t("difference in {what}", what=axis_of(scene))
    x, density = found.curve()
    return posterior_plot(x, density, found.rope, shares, theme=scene.theme, names=names, axis=axis)


# ---- Regions of a cell whose algorithm the page *boundaries* does not have


DRAWN_FOR = "study_regions_of"  # the session's: study and cell whose regions are asked for
MOST_ROWS = 20_000  # of a data set that a peer learns whole while a reader waits
MOST_POINTS = 1_500  # that are drawn
ROOM = 0.06  # around the rows, of their range


@dataclass(frozen=True, eq=False)
class CellRegions:
    """The regions of an algorithm in the plane of two features, and the rows there."""

    regions: ForestRegions
    dataset: Dataset
    names: tuple[str, str]  # of the features on the axes
    rows: np.ndarray  # intp, those that are drawn
    values: np.ndarray  # (n_samples, 2) float64


def cell_regions(scene: CompareScene, algorithm: AlgorithmChoice, data: DataChoice) -> None:
    """Draw the button for the regions of a peer, and their picture once requested."""
    if algorithm.key not in PEERS:
        return
    st.button(
        t("Draw its regions here"),
        key="study_regions",
        on_click=lambda: st.session_state.update({DRAWN_FOR: (scene.study_id, scene.at)}),
    )
    if st.session_state.get(DRAWN_FOR) != (scene.study_id, scene.at):
        return
    found = result_or_reason(partial(_found, scene, algorithm, data), "regions")
    if found is None:
        return
    figure = regions_figure(scene, found)
    title = t("{algorithm}, {dataset}", algorithm=algorithm.name, dataset=data.name)
    show(legend(class_names_of(found.dataset), scene.theme))
    with st.container(width=560):
        chart(figure, key="study_regions_of_cell", height=figure.height, alt=title,
              filename="study-regions")  # fmt: skip
    st.caption(
        t("Predicted at the centres of 120 x 120 cells; other features at their medians. Trained "
          "on all rows, so these do not test it.")
    )  # fmt: skip


def regions_figure(scene: CompareScene, found: CellRegions) -> Drawing:
    """Regions with the rows over them."""
    x, y = found.values[found.rows].T
    points = Points.plain(x, y, found.dataset.codes[found.rows], found.rows + 1)
    return forest_plot(
        found.regions,
        points,
        theme=scene.theme,
        class_names=class_names_of(found.dataset),
        feature_names=found.names,
        words=words(),
    )


def _found(scene: CompareScene, algorithm: AlgorithmChoice, data: DataChoice) -> CellRegions:
    params = _params_of(scene, algorithm)

    def work() -> Generator[float, None, CellRegions]:
        yield 0.0
        dataset = dataset_of(scene.study_id, data)
        return regions_of(algorithm, params, dataset, scene.study.seed)

    key = f"{scene.study_id}|regions|{scene.at}|{params}"
    return outcome(key, t("Regions of {name}", name=algorithm.name), work)


def _params_of(scene: CompareScene, algorithm: AlgorithmChoice) -> dict[str, object]:
    """Parameters of the cell: of a grid those that most of its folds have."""
    own = scene.runs[scene.runs["cell"] == scene.at]
    texts = own["chosen"].where(own["chosen"].notna(), own["params"])
    if not len(texts):
        return checked_params(algorithm.key, dict(algorithm.params))
    return json.loads(texts.mode().iloc[0])


def regions_of(
    algorithm: AlgorithmChoice, params: dict[str, object], dataset: Dataset, seed: int
) -> CellRegions:
    """Regions of an algorithm that has learnt all rows of a data set.

    Raises
    ------
    CannotShow
        If it learns numbers, there are no two numeric features, or too many rows.
    """
    numeric = [name for name, kind in dataset.kinds.items() if kind != "nominal"]
    if dataset.is_regression or len(numeric) < 2:
        raise CannotShow(t("Regions need classes and two numeric features."))
    if dataset.n_samples > MOST_ROWS:
        sentence = "Regions are drawn for up to {n} rows."
        raise CannotShow(t(sentence, n=MOST_ROWS))
    numbers = dataset.numeric_X
    gains = feature_gains(numbers.to_numpy(np.float64), dataset.codes, dataset.n_classes)
    pair = tuple(sorted(np.argsort(-gains, kind="stable")[:2].tolist()))
    names = tuple(str(numbers.columns[f]) for f in pair)
    features = features_of(algorithm.key, dataset)
    X = np.asarray(features.X, dtype=np.float64)
    columns = dataset.encoded_X.columns
    axes = tuple(columns.get_loc(name) for name in names)
    at = np.nan_to_num(np.nanmedian(X, axis=0))
    model = make(algorithm.key, params, dataset.task, features, seed).fit(X, dataset.codes)
    shown = np.flatnonzero(np.isfinite(X[:, list(axes)]).all(axis=1))
    values = X[:, list(axes)]
    low, high = values[shown].min(axis=0), values[shown].max(axis=0)
    room = np.where(high > low, ROOM * (high - low), 1.0)
    bounds = tuple(np.column_stack([low - room, high + room]).ravel().tolist())
    few = shown[np.linspace(0, len(shown) - 1, min(len(shown), MOST_POINTS)).astype(np.intp)]
    return CellRegions(
        sampled_regions(model.predict, bounds, axes, at), dataset, names, few, values
    )
