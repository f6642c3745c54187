"""The report of the page *splits*: a node, what was searched there, and what was chosen."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from lastviz.export.html_report import Picture, Section, Words
from lastviz.plots import Drawing
from lastviz.ui.shared.figures import arrow_table
from lastviz.ui.shared.headline import legend
from lastviz.ui.shared.report import scene_report, table_of
from lastviz.ui.text import number, plural, t

from . import classes, hyperplanes, nominal
from .details import candidate_columns, listed_candidates
from .scene import SplitScene
from .words import both_sides, favourites, reasons, split_headline

STYLE = Path(__file__).with_name("page.css")

AnyScene = SplitScene | nominal.TestScene | hyperplanes.HyperplaneScene | classes.ClassScene


def split_report(
    scene: AnyScene,
    pictures: list[tuple[Drawing, str, str]],
    tree: Drawing,
    question: str,
    address: str | None,
) -> str:
    """Return the report of a scene that was worked out in the light theme.

    Parameters
    ----------
    scene : SplitScene, TestScene, HyperplaneScene or ClassScene
    pictures : list of (Drawing, str, str)
        What the page draws of the search, each with its alternative text and its caption.
    tree : Drawing
        The tree with the node in question.
    question : str
        Of the page.
    address : str or None
        Of the scene in the app.
    """
    at = scene.at
    blocks = [Words(node_legend(scene, [figure for figure, _, _ in pictures]))]
    blocks += map(Words, explanations(scene))
    blocks += [Picture(figure, alt, caption) for figure, alt, caption in pictures]
    alt = t("The tree of {title}; node {node} is framed.", title=at.title, node=at.node)
    blocks.append(Picture(tree, alt, t("Where the node stands in its tree.")))
    rows = plural(len(at.rows), "{n} row", "{n} rows")
    title = t("{title}, node {node} with {rows}", title=at.title, node=at.node, rows=rows)
    return scene_report(
        at.selection.first_models(1),
        question,
        [Section(title, blocks)],
        address=address,
        caveats=(),
        tables=_tables(scene),
        style=STYLE.read_text(encoding="utf-8"),
    )


def node_legend(scene: AnyScene, pictures: list[Drawing]) -> str:
    """Return the legend of the page, in which the marks are called as in the pictures."""
    at, words = scene.at, {}
    if isinstance(scene, SplitScene):
        words = {"chosen": scene.chosen_word, "picked": scene.picked_word}
    elif at.forced is not None:
        words = {"chosen_split": t("without the edit")}
    return legend(at.class_names, at.theme, pictures, words)


def brief(scene: AnyScene) -> list[str]:
    """Return as html what was chosen and why, as far as it fits on a slide."""
    if not isinstance(scene, SplitScene):
        return explanations(scene)[:2]
    if not scene.n_candidates or scene.is_pure:
        return [split_headline(scene)]
    return [split_headline(scene), *reasons(scene)]


def explanations(scene: AnyScene) -> list[str]:
    """Return as html what was chosen, why, and what it does to the rows."""
    if isinstance(scene, nominal.TestScene):
        return nominal.explanations(scene)
    if isinstance(scene, hyperplanes.HyperplaneScene):
        return hyperplanes.explanations(scene)
    if isinstance(scene, classes.ClassScene):
        return classes.explanations(scene)
    if not scene.n_candidates or scene.is_pure:
        return [split_headline(scene)]
    return [split_headline(scene), *reasons(scene), favourites(scene), both_sides(scene)]


def _tables(scene: AnyScene) -> list:
    """Return what was searched, as rows."""
    if isinstance(scene, classes.ClassScene):
        if scene.step is None:
            return []
        return [table_of(classes.between_classes(scene), t("Between all classes in play"))]
    if isinstance(scene, hyperplanes.HyperplaneScene):
        if scene.search is None:
            return []
        rows = hyperplanes.moves_table(scene, hyperplanes.ranked_starts(scene))
        return [table_of(rows, t("The best hyperplane of each start"))]
    if not scene.n_candidates:
        return []
    if isinstance(scene, nominal.TestScene):
        return [table_of(nominal.ranked_tests(scene)[0], t("The tests of this node"))]
    if scene.is_pure:
        return []
    shown, _ = listed_candidates(scene, None)
    rows: pd.DataFrame = arrow_table(candidate_columns(scene, shown)).to_pandas()
    title = t("The best of each feature, of {n} candidates", n=number(scene.n_candidates))
    if scene.basis is not None:
        title = t("The best of each component, of {n} candidates", n=number(scene.n_candidates))
    return [table_of(rows.rename(columns={"mark": ""}), title)]
