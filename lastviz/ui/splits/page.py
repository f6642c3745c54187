"""The page *splits*: all candidates of a node, whatever was searched, and the rule that chose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from lastviz.estimators import TreeClassifier
from lastviz.export.slide_show import Columns
from lastviz.plots import ThemeName
from lastviz.ui.compute import cache, nodes, python_code
from lastviz.ui.shared import controls, view_controls
from lastviz.ui.shared.blocks import (
    PAGE,
    REPORT,
    SLIDE,
    Block,
    Controls,
    Only,
    draw,
    on_slide,
    printed,
    report_of,
)
from lastviz.ui.shared.edit_box import edit_box
from lastviz.ui.shared.figures import current_theme, paper_theme
from lastviz.ui.shared.moving import Moving
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import plural, t

from .classes import class_scene
from .controls import curves_chooser, distances_chooser, own_rule
from .hyperplane import hyperplane_scene
from .node import NodeScene, NodeView, node_view
from .node_rows import node_rows
from .nominal import test_scene
from .threshold import threshold_scene

QUESTION = "Why this split?"
MODELS = 2
NAMED = 1
REPLAYS = True
ABOUT_CLASSES = True


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(MODELS)
    view_controls.node_chooser()
    selection = session.current()
    edit_box(selection, 0)
    estimator = cache.trained(selection, 0)
    if estimator is not None and _search(selection, estimator) is threshold_scene:
        curves_chooser()
        distances_chooser()
        own_rule()
    controls.seed()
    controls.foot(lambda: python_code.python_of(session.current().first_models(MODELS)), report)


def _search(selection: Selection, estimator: TreeClassifier) -> Callable[[NodeView], NodeScene]:
    """Return what works out the scene of a node, by what an algorithm searches there."""
    if not cache.division(selection).is_plain or cache.weights_of(selection, 0) is not None:
        return test_scene
    if nodes.searches_for_hyperplanes(estimator):
        return hyperplane_scene
    if nodes.parts_classes(estimator):
        return class_scene
    return threshold_scene


def scene_of(selection: Selection, theme: ThemeName) -> NodeScene:
    """Return the node of a selection with what was searched there."""
    at = node_view(selection, theme)
    return _search(selection, at.estimator)(at)


def report(address: str | None) -> str:
    """Return the page as one file of html."""
    scene = scene_of(session.current(), paper_theme())
    at = scene.at
    rows = plural(len(at.rows), "{n} row", "{n} rows")
    title = t("{title}, node {node} with {rows}", title=at.title, node=at.node, rows=rows)
    selection = at.selection.first_models(1)
    return report_of(selection, t(QUESTION), title, blocks(scene), address)


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows: what was searched beside what was chosen and why."""
    return on_slide(blocks(scene_of(selection, theme)))


def moving(selection: Selection) -> Moving | None:
    """Return what an offline page's slider goes through: thresholds, where they were searched."""
    return scene_of(selection, "light").moving()


def prepared() -> NodeScene:
    """Work out what the page shows."""
    return scene_of(session.current(), current_theme())


def body(scene: NodeScene) -> None:
    """Draw what the page shows."""
    draw(blocks(scene))


def blocks(scene: NodeScene) -> list[Block]:
    """Return what there is to see: what was searched, what was chosen and why, the node's rows."""
    pictures, explanations = scene.pictures(), scene.explanations()
    return [
        Only((PAGE, REPORT), lambda: [scene.legend(printed(pictures))]),
        Only((SLIDE,), lambda: [scene.legend(on_slide(pictures))]),
        Only((PAGE, SLIDE), [Columns([pictures, explanations], (3, 2))]),
        Only((REPORT,), lambda: [*explanations, *pictures, scene.tree_in_report()]),
        Only((PAGE, REPORT), scene.details),
        Controls(partial(node_rows, scene.at)),
    ]
