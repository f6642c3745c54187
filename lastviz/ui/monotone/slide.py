"""The page *monotone* on a slide: the part that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lastviz.estimators import ForestClassifier, entry_of
from lastviz.export.html_report import Picture, Text, Words
from lastviz.export.slide_show import Block, Columns
from lastviz.plots import ThemeName
from lastviz.ui.compute import cache
from lastviz.ui.shared.headline import legend
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.plane import plane_of
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, t

from .audit import audit_alt, audit_headline, plane_figure
from .comparison import study_slide
from .data import contradictions_figure, drawn_words, inclusion_figure
from .forest_trees import forest_figure, title_of, trees_figure
from .node import curves_figure, node_headline, node_scene
from .node import plane_figure as node_plane
from .scene import audit_scene, obstacle_of, order_scene
from .short import short_blocks
from .words import (
    audit_legend,
    node_legend,
    one_tree_words,
    order_headline,
    order_legend,
    shades,
)


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows of the part of the page that is chosen.

    Raises
    ------
    CannotShow, Working
        Where nothing can be monotone; while it is being worked out.
    """
    selection, part = selection.first_models(1), selection.monotone.part
    reason = None if part == "comparison" else obstacle_of(selection)
    if reason is not None:
        raise CannotShow(reason)
    return PARTS[part](selection, theme)


def _data(selection: Selection, theme: ThemeName) -> list[Block]:
    scene = order_scene(selection)
    drawn = scene.drawn()
    head = [order_legend(scene, theme, len(drawn)), order_headline(scene)]
    pairs, inclusion = (
        Picture(*make(scene, theme, drawn), "")
        for make in (contradictions_figure, inclusion_figure)
    )
    columns = [[pairs, Text(drawn_words(scene))], [inclusion, Words(shades(theme))]]
    return [*map(Words, head), Columns(columns)]


def _node(selection: Selection, theme: ThemeName) -> list[Block]:
    scene = node_scene(selection)
    names = class_names_of(cache.data(scene.selection).dataset)
    columns = [[Picture(*node_plane(scene, names, theme), "")]]
    if scene.ranked():
        columns.append([Picture(*curves_figure(scene, theme), "")])
    return [Words(node_legend(names, theme)), Words(node_headline(scene)), Columns(columns)]


def _forest(selection: Selection, theme: ThemeName) -> list[Block]:
    title = t(entry_of(selection.models[0].key).title)
    if not issubclass(entry_of(selection.models[0].key).cls, ForestClassifier):
        raise CannotShow(one_tree_words(title))
    forest = cache.fitted(selection, 0, allow_ensembles=True).estimator
    if forest.n_features_in_ < 2:
        raise CannotShow(t("With one feature there is no plane to draw."))
    plane, n_trees = plane_of(selection, alone=True), len(forest.estimators_)
    picked = selection.models[0].tree
    picked = None if picked is None else min(picked, n_trees - 1)
    what = title_of(picked, n_trees)
    large = forest_figure(forest, selection, 0, plane, picked, theme)
    small, first, last = trees_figure(forest, selection, 0, plane, picked, theme)
    names = class_names_of(cache.data(selection).dataset)
    columns = [
        [Text(what), Picture(large, t("The regions of {what}", what=what), "")],
        [
            Text(t("Its trees")),
            Picture(
                small, t("The regions of trees {first} to {last}", first=first + 1, last=last), ""
            ),
        ],
    ]
    return [Words(legend(names, theme)), Columns(columns)]


def _audit(selection: Selection, theme: ThemeName) -> list[Block]:
    scene = audit_scene(selection)
    head = [
        audit_legend(scene.class_names, theme, held_out=selection.held > 0),
        audit_headline(scene),
    ]
    if len(scene.names) < 2:
        return [*map(Words, head)]
    return [*map(Words, head), Picture(plane_figure(scene, theme), audit_alt(scene), "")]


PARTS: dict[str, Callable[[Selection, ThemeName], list[Block]]] = {
    "short": short_blocks,
    "data": _data,
    "node": _node,
    "forest": _forest,
    "audit": _audit,
    "comparison": study_slide,
}
