"""The report of the page *pruning*: the curves, what goes, who would cut, before and after."""

from __future__ import annotations

from pathlib import Path

from lastviz.export.html_report import Picture, Section, Text, Words
from lastviz.ui.shared.report import scene_report, table_of
from lastviz.ui.text import t

from .details import curve_table
from .figures import curve_figure, plane_figure, tree_figure
from .scene import PruningScene
from .words import (
    card_words,
    curve_alt,
    decision_table,
    numbers_strip,
    plane_alt,
    plane_title,
    pruning_legend,
    reduced_words,
    tree_alt,
)

__all__ = ["pruning_report"]

STYLE = Path(__file__).with_name("page.css")
PLANE = 560  # pixels


def pruning_report(scene: PruningScene, question: str, address: str | None) -> str:
    """Return the report of a scene that was worked out in the light theme."""
    decisions = scene.decisions()
    curve = t("Errors of every tree that the ways to prune go through, by their leaves.")
    blocks = [
        Words(pruning_legend(scene)),
        Words(numbers_strip(scene)),
        Picture(curve_figure(scene), curve_alt(scene), curve),
        Text(reduced_words(scene)),
        Picture(tree_figure(scene), tree_alt(scene), t("The tree with what goes.")),
        Words(decision_table(scene, decisions)),
        Words(card_words(scene, decisions[0])),
    ]
    for cut in (False, True):
        figure = plane_figure(scene, scene.view(cut), cut=cut)
        caption = t("After the tree is cut back") if cut else t("As the tree was grown")
        blocks.append(Words(plane_title(scene, cut=cut)))
        blocks.append(Picture(figure, plane_alt(cut=cut), caption, width=PLANE))
    return scene_report(
        scene.selection.first_models(1),
        question,
        [Section(scene.title, blocks)],
        address=address,
        caveats=(),
        tables=[table_of(curve_table(scene), t("The curves as a table"))],
        style=STYLE.read_text(encoding="utf-8"),
    )
