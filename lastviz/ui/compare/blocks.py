"""Blocks of a study, defined once: the page draws them, the report prints them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from lastviz.export.blocks import Columns, Picture, Text, Words
from lastviz.studies.memory import MEMORY
from lastviz.studies.statistics import CannotTell, Statement, describe_posterior
from lastviz.studies.tasks import TIMES
from lastviz.ui.shared.blocks import PAGE, Block, Chart, Controls, NumbersTable, Only
from lastviz.ui.text import as_plain, plural, t

from .figures import (
    intervals_figure,
    pairs_figure,
    posterior_figure,
    posterior_of,
    ranks_figure,
    set_figure,
    size_figure,
    sizes_of,
    time_curves,
    time_figure,
)
from .scene import CompareScene
from .words import card, compare_legend, sizes_legend, unit_words

PANELS = 3  # data sets beside each other
WIDTH = 620  # pixels on paper


def head(scene: CompareScene) -> list[Block]:
    """Legend of the dots and intervals."""
    return [Words(compare_legend(scene.theme))]


def intervals(scene: CompareScene) -> Picture:
    """Every algorithm on every data set."""
    words = t("Each algorithm on each data set, with its interval: {what}.", what=unit_words(scene))
    return Picture(intervals_figure(scene), words, words)


def scores_table(scene: CompareScene) -> pd.DataFrame:
    """Scores of all cells with their intervals, as numbers."""
    stand, rows = scene.standings, []
    for of, dataset in enumerate(scene.datasets):
        for a, algorithm in enumerate(scene.algorithms):
            rows.append(
                {
                    t("Data set"): dataset,
                    t("Algorithm"): algorithm,
                    unit_words(scene): stand.mean[a, of],
                    t("low"): stand.low[a, of],
                    t("high"): stand.high[a, of],
                    t("behind the best"): stand.gap[a, of],
                    t("p against the best"): stand.p[a, of],
                    t("Folds"): int(stand.n_done[a, of]),
                }
            )
    return pd.DataFrame(rows)


def conclusion_card(scene: CompareScene, sentences: Sequence[Statement] | CannotTell) -> Words:
    """Card of the conclusions."""
    unit = {"share": t("percentage points")}.get(scene.metric.unit, t(scene.metric.title))
    return Words(card(sentences, t("Differences in {unit}.", unit=unit)))


def set_panels(scene: CompareScene) -> list[Block]:
    """Algorithms on each data set, three beside each other."""
    panels = [[_panel(scene, of)] for of in range(len(scene.datasets))]
    panels += [[]] * (-len(panels) % PANELS)
    return [Columns(panels[first : first + PANELS]) for first in range(0, len(panels), PANELS)]


def _panel(scene: CompareScene, of: int) -> Chart:
    words, dataset = "Each algorithm on {dataset}, with its interval: {what}.", scene.datasets[of]
    alt = t(words, dataset=dataset, what=unit_words(scene))
    figure, name = set_figure(scene, of), f"study-set-{of + 1}"
    return Chart(figure, alt, key=f"study_set_{of}", filename=name)


def ranks(scene: CompareScene) -> list[Block]:
    """Mean ranks, on the page why there are none."""
    title = _title(t("Mean ranks"))
    if isinstance(scene.ranks, CannotTell):
        return [title, Only((PAGE,), [Text(as_plain(scene.ranks.sentence))])]
    n = plural(len(scene.ranks[0].datasets), "one data set", "{n} data sets")
    alt = t(
        "Mean ranks over {n}; a bar joins algorithms that do not differ significantly (5 %).", n=n
    )
    figure = ranks_figure(scene)
    return [title, Chart(figure, alt, alt, WIDTH, key="study_ranks", filename="study-ranks")]


def sizes(scene: CompareScene) -> list[Block]:
    """Chart of tree sizes against scores, where trees have leaves."""
    if not (sizes_of(scene)[0] > 0).any():
        return []
    figure, words = size_figure(scene), t("Leaves against {what}", what=unit_words(scene))
    return [
        _title(words),
        Words(sizes_legend(scene.theme)),
        Chart(figure, words, words, WIDTH, key="study_sizes", filename="study-sizes"),
    ]


def posterior(scene: CompareScene) -> Chart | Text:
    """Chart of the probability that one of two is better, or the reason for none."""
    found = posterior_of(scene)
    if isinstance(found, CannotTell):
        return Text(as_plain(found.sentence))
    figure, (first, second) = posterior_figure(scene, found), scene.two
    words = as_plain(describe_posterior(found, first, second))
    names = t("{first} against {second}", first=first, second=second)
    return Chart(figure, words, names, WIDTH, key="study_posterior", filename="posterior")


# Costs are shown where data sets differ in size.
def more_pictures(scene: CompareScene) -> Columns:
    """Charts of wins and losses, and of costs over the rows."""
    costs = []
    about = t("Over different data sets: their features and noise differ, too.")
    peak = t("Peak memory of the process, above what it used before the fold.")
    for name, key, unit, title, note in (
        ("time", TIMES[0], "", t("Training time by number of rows"), about),
        ("memory", MEMORY, "MB", t("Memory by number of rows"), peak),
    ):
        if curves := time_curves(scene, key):
            figure = time_figure(scene, curves, unit)
            chart = Chart(figure, title, key=f"study_{name}", filename=f"study-{name}")
            costs += [_title(title), chart, Text(note)]
    return Columns([_pairs(scene), costs])


def _pairs(scene: CompareScene) -> list[Block]:
    if isinstance(scene.pairs, CannotTell) or len(scene.algorithms) < 3:
        return []
    title = t("Data sets on which the row is better, equal, worse")
    return [
        _title(title),
        Chart(pairs_figure(scene), title, key="study_pairs", filename="study-pairs"),
        Text(
            t("Framed: significantly different at the 5 % level (Wilcoxon, Holm over all pairs).")
        ),
        NumbersTable("study_pairs", t("As a table"), partial(_pairs_table, scene)),
    ]


def _pairs_table(scene: CompareScene) -> pd.DataFrame:
    return pd.DataFrame(
        {
            t("first"): pair.first,
            t("second"): pair.second,
            t("better"): pair.wins,
            t("equal"): pair.ties,
            t("worse"): pair.losses,
            t("p (Wilcoxon)"): pair.p,
            t("p after Holm"): pair.p_holm,
            t("difference"): pair.shift,
            t("low"): pair.low,
            t("high"): pair.high,
            t("effect, standard deviations"): pair.effect,
            t("effect, low"): pair.effect_low,
            t("effect, high"): pair.effect_high,
        }
        for pair in scene.pairs.pairs
    )


def _title(words: str) -> Controls:
    return Controls(partial(st.markdown, f"**{words}**"))
