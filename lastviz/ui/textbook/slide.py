"""The page *textbook* on a slide: the sums of the chosen part, and its picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lastviz.export.html_report import Picture, Text, Words
from lastviz.export.slide_show import Block, Columns
from lastviz.inspection import priced, rule_cover
from lastviz.plots import Curve, ThemeName
from lastviz.pruning import cost_complexity_path, prune_cost_complexity
from lastviz.tree import Tree
from lastviz.ui.shared.headline import legend, strip
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from .controls import GROWN_BY, leaves_in
from .pruning import cost_cells
from .regression import no_cut_words, squares_headline, steps_figure
from .root import curves_figure, entropy_curves, impurities
from .scene import LoanScene, PointsScene, loan_scene, points_scene
from .trees import cover_cells, picture_of, rules_table, single_words, tree_alt
from .words import cuts_table, gains_table, gini_table, headline, ratios_table


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows of the part of the chapter that is chosen."""
    view = selection.textbook
    if view.lesson == "squares":
        return _squares(points_scene(view, theme), view.pieces)
    scene = loan_scene(view, theme)
    marks = legend(scene.table.classes, theme)
    return [Words(marks), Words(headline(scene)), *LESSONS[view.lesson](scene)]


def _gini(scene: LoanScene) -> list[Block]:
    left, right = [Words(gini_table(scene, scene.root))], [_curves(scene, impurities())]
    return [Columns([left, right])]


def _curves(scene: LoanScene, shown: tuple[Curve, ...]) -> Picture:
    figure, alt = curves_figure(scene, shown)
    return Picture(figure, alt, "")


def _tree(scene: LoanScene) -> list[Block]:
    if scene.single is not None:
        return [Text(single_words(scene))]
    tree, how = scene.tree(scene.view.grown), t(GROWN_BY[scene.view.grown])
    return [Text(t("the tree of {how}", how=how)), _picture(tree, scene, 860)]


def _rules(scene: LoanScene) -> list[Block]:
    if scene.single is not None:
        return [Text(single_words(scene))]
    tree = scene.tree(scene.view.grown)
    cover = rule_cover(tree)
    return [Words(strip(cover_cells(cover))), Words(rules_table(scene, tree, cover))]


def _pruning(scene: LoanScene) -> list[Block]:
    if scene.single is not None:
        return [Text(single_words(scene))]
    grown = scene.tree(scene.view.grown)
    optimal, literal = (priced(grown, scene.view.alpha, literal=word) for word in (False, True))
    columns = [
        [Text(words), _picture(tree, scene, 440)]
        for words, tree in ((t("before pruning"), grown), (t("after pruning"), optimal.tree))
    ]
    return [Words(strip(cost_cells(grown, optimal, literal))), Columns(columns)]


def _picture(tree: Tree, scene: LoanScene, width: int) -> Picture:
    figure = picture_of(tree, scene.table.classes, theme=scene.theme, width=width)
    return Picture(figure, tree_alt(tree), "")


def _squares(scene: PointsScene, pieces: int | None) -> list[Block]:
    if scene.cuts.best < 0:
        return [Text(no_cut_words())]
    grown = scene.tree()
    path = cost_complexity_path(grown, "squared_error")
    step = int((path.n_leaves == leaves_in(path, pieces)).argmax())
    tree, _ = prune_cost_complexity(grown, path, step)
    alt = t("The points, the steps of the tree and its nodes below them")
    left = [Picture(steps_figure(scene, tree), alt, "")]
    return [
        Words(squares_headline(scene)),
        Columns([left, [Words(cuts_table(scene.cuts))]], (3, 2)),
    ]


LESSONS: dict[str, Callable[[LoanScene], list[Block]]] = {
    "entropy": lambda scene: [_curves(scene, entropy_curves())],
    "gain": lambda scene: [Words(gains_table(scene, scene.root))],
    "ratio": lambda scene: [Words(ratios_table(scene, scene.root))],
    "tree": _tree,
    "rules": _rules,
    "pruning": _pruning,
    "gini": _gini,
}
