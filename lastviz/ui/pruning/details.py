"""The page *pruning* on paper: the curves as a table of every tree, and the report."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from lastviz.export.html_report import Picture, Section, Text, Words
from lastviz.export.slide_show import Columns
from lastviz.inspection import FAMILIES
from lastviz.ui.compute.jobs import Working
from lastviz.ui.shared.report import scene_report, table_of
from lastviz.ui.text import t

from .figures import curve_figure, plane_figure, tree_figure
from .scene import PruningScene
from .stops import stop_value
from .words import (
    card_words,
    curve_alt,
    decision_table,
    errors_table,
    plane_caption,
    plane_title,
    pruner_title,
    pruning_legend,
    reduced_words,
    tree_alt,
    verdict_words,
)

STYLE = Path(__file__).with_name("page.css")
PLANE = 560  # pixels


def curve_table(scene: PruningScene) -> pd.DataFrame:
    """Return leaves and errors in per cent of all trees, of the reader's pruner first."""
    parts = [_family(scene, scene.pruner)]
    for other in scene.others:
        if other.key in FAMILIES:
            parts.append(_family(scene, other.key))
        else:
            parts.append(
                _rows([pruner_title(other.key)], [None], [other.n_leaves], held_out=[other.error])
            )
    return pd.concat(parts, ignore_index=True)


def _family(scene: PruningScene, key: str) -> pd.DataFrame:
    judged = scene.families[key]
    trees, crossed = judged.trees, None if scene.crossed is None else scene.crossed[key]
    return _rows(
        [pruner_title(key)] * len(trees),
        [stop_value(trees, i) for i in range(len(trees))],
        trees.n_leaves,
        training=judged.training,
        held_out=judged.held_out,
        cross_validated=None if crossed is None else crossed.error,
        standard_error=None if crossed is None else crossed.standard_error,
    )


def _rows(titles: list[str], values: list, leaves: object, **errors: object) -> pd.DataFrame:
    names = {
        "training": t("training error, %"),
        "held_out": t("held-out error, %"),
        "cross_validated": t("cross-validated error, %"),
        "standard_error": t("standard error, %"),
    }
    unknown = np.full(len(titles), np.nan)
    found = {t("pruning"): titles, t("value"): pd.array(values, dtype="Float64"),
             t("leaves"): np.asarray(leaves)}  # fmt: skip
    for key, name in names.items():
        share = errors.get(key)
        share = unknown if share is None else np.asarray(share, dtype=np.float64)
        found[name] = np.round(100 * share, 2)
    return pd.DataFrame(found)


def pruning_slide(scene: PruningScene) -> list[Words | Columns]:
    """Return what a slide shows of a scene: the curve beside the tree after it is cut back."""
    if scene.job is not None:
        raise Working(scene.job)
    after = plane_figure(scene, scene.view(True), cut=True)
    left = [Picture(curve_figure(scene), curve_alt(scene), ""), Text(reduced_words(scene))]
    right = [Words(plane_title(scene, cut=True)), Picture(after, plane_caption(cut=True), "")]
    marks = [verdict_words(scene), pruning_legend(scene), errors_table(scene)]
    return [*map(Words, marks), Columns([left, right], (4, 3))]


def pruning_report(scene: PruningScene, question: str, address: str | None) -> str:
    """Return the report of a scene that was worked out in the light theme."""
    decisions = scene.decisions()
    curve = t("Errors of every tree that the ways to prune go through, by their leaves.")
    blocks = [
        Words(verdict_words(scene)),
        Words(pruning_legend(scene)),
        Words(errors_table(scene)),
        Picture(curve_figure(scene), curve_alt(scene), curve),
        Text(reduced_words(scene)),
        Picture(tree_figure(scene), tree_alt(scene), tree_alt(scene)),
        Words(decision_table(scene, decisions)),
        Words(card_words(scene, decisions[0])),
    ]
    for cut in (False, True):
        figure = plane_figure(scene, scene.view(cut), cut=cut)
        caption = plane_caption(cut=cut)
        blocks.append(Words(plane_title(scene, cut=cut)))
        blocks.append(Picture(figure, caption, caption, width=PLANE))
    return scene_report(
        scene.selection.first_models(1),
        question,
        [Section(scene.title, blocks)],
        address=address,
        caveats=(),
        tables=[table_of(curve_table(scene), t("The curves as a table"))],
        style=STYLE.read_text(encoding="utf-8"),
    )
