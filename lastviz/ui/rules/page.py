"""The page *rules*: headline, rule tree, the card of a node, the sample, the table, exports.

Each view is a list of blocks; a slide and a report show the tree, whatever the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from lastviz.export.html_report import Picture, Text, Words
from lastviz.plots import ThemeName, flow_tree_plot
from lastviz.ui.components.frames import Frame
from lastviz.ui.compute import cache, python_code
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.blocks import Block, Box, Chart, Controls, draw, on_slide
from lastviz.ui.shared.brushing import passing_rows
from lastviz.ui.shared.exports import exports
from lastviz.ui.shared.figures import current_theme, paper_theme, words
from lastviz.ui.shared.moving import by_depth
from lastviz.ui.shared.report import Pictured, model_section, scene_report, summary_of
from lastviz.ui.shared.slider_frames import follow_depth
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from . import controls
from .costs import costs_view
from .details import details
from .flip_panel import flip_panel
from .forest import forest_blocks
from .headline import rule_headline, rule_legend, tree_alt, tree_notes, who_decides
from .scene import RuleScene, rule_scene, view_of
from .short import short_view
from .tables import lost_panel, rule_table

QUESTION = "What does the tree say?"
MODELS = 1
moving = by_depth
ABOUT_CLASSES = True
SHEET, SMALL = 640, 260  # pixels: a picture that stands on one page, one that shows the whole


def choices() -> None:
    """Draw the sidebar."""
    sidebar.data_chooser()
    sidebar.model_choosers(MODELS, allow_ensembles=True)
    controls.rule_choices()
    sidebar.seed()
    sidebar.foot(lambda: python_code.python_of(session.current().first_models(MODELS)), report)


def report(address: str | None) -> str:
    """Return the page as one file of html."""
    scene = rule_scene(session.current(), paper_theme(), controls.new_file())
    return rule_report(scene, t(QUESTION), address)


def rule_report(scene: RuleScene, question: str, address: str | None) -> str:
    """Return the report of a scene that was worked out in the light theme."""
    marks = rule_legend(scene)
    pictured, more = Pictured(_tree(scene), marks, tree_notes(scene)), []
    if scene.figure.height > SHEET:
        overview = flow_tree_plot(
            scene.tree,
            theme=scene.theme,
            height=SMALL,
            width_hint=900,
            class_names=scene.class_names,
            words=words(),
        )
        alt = t("The tree of {title} as a flow of rows from left to right.", title=scene.title)
        pictured, more = Pictured(Picture(overview, alt), marks), [pictured]
    notes = [note for note in (who_decides(scene), scene.problem) if note]
    section = model_section(scene.selection, 0, scene.view, more, notes)
    summary = summary_of(scene.selection, 0, scene.view, pictured)
    return scene_report(scene.selection, question, [section], address=address, summary=summary)


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows: the numbers, the tree with its rules."""
    scene = rule_scene(selection, theme)
    about = [*tree_notes(scene), *filter(None, (who_decides(scene), scene.problem))]
    top = [Words(rule_legend(scene)), Words(rule_headline(scene))]
    return on_slide([*top, _tree(scene, fixed=True), *map(Text, about)])


def prepared() -> RuleScene:
    """Work out what the page shows."""
    return rule_scene(session.current(), current_theme(), controls.new_file())


def is_own() -> bool:
    """Tell whether rows of a file in the visitor's field flow through the tree."""
    return session.current().rules.rows_of == "new" and controls.new_file() is not None


def views() -> None:
    """Draw the choice of a view, beside the question."""
    controls.view_chooser(session.current())


def body(scene: RuleScene) -> None:
    """Draw the view that is chosen; its tree follows the slider of the depth shown."""
    draw(blocks(scene))
    if view_of(scene.selection) in ("rules", "row"):
        frame = partial(_frame, scene.theme, controls.new_file())
        follow_depth(scene.selection, scene.theme, frame)


def _frame(theme: ThemeName, new: tuple[bytes, str] | None, selection: Selection) -> Frame:
    """Return what the page would show of a selection; its headline is about the whole tree."""
    return Frame({"rules_plot": rule_scene(selection, theme, new).figure})


def blocks(scene: RuleScene) -> list[Block]:
    """Return the view that is chosen; the first is for a reader who decides."""
    problem = [Controls(partial(st.info, scene.problem))] if scene.problem is not None else []
    return [*problem, *VIEWS[view_of(scene.selection)](scene)]


def _rules_view(scene: RuleScene) -> list[Block]:
    """Return the tree with all that stands below it: its rules, what it gets wrong, its forest."""
    tables = [Controls(partial(rule_table, scene)), Controls(partial(lost_panel, scene))]
    return [
        *_top(scene),
        Words(_switch()),
        _body(scene, [Box("rule_table", tables), *forest_blocks(scene)]),
    ]


def _row_view(scene: RuleScene) -> list[Block]:
    """Return the way of one row through the tree, and what would change its class.

    Without a row nothing but the ways to one: all rules would be in the way of them.
    """
    if scene.sample is None and scene.problem is None:
        return [*_top(scene), Controls(partial(controls.ask_for_row, scene.selection))]
    return [*_top(scene), _body(scene, [Controls(partial(flip_panel, scene))])]


VIEWS = {
    "short": short_view,
    "rules": _rules_view,
    "row": _row_view,
    "costs": lambda scene: [*_top(scene), *costs_view(scene)],
}


def _top(scene: RuleScene) -> list[Block]:
    lines = [Words(rule_legend(scene)), Words(rule_headline(scene))]
    return [*lines, *map(Text, filter(None, [who_decides(scene)]))]


def _body(scene: RuleScene, more: Sequence[Block]) -> Box:
    """Return the tree, what is known of the picked node and the sample, `more`, and the files."""
    tree = Box("rule_tree", [_tree(scene), *map(Text, tree_notes(scene))])
    files = Controls(partial(_exports, scene))
    return Box("rule_body", [tree, *details(scene), *more, files])


def _tree(scene: RuleScene, *, fixed: bool = False) -> Chart:
    """Return the tree with its rules, which are its table; `fixed`: as high as those."""
    return Chart(
        scene.figure,
        tree_alt(scene),
        t("The tree with its rules."),
        fixed=fixed,
        key="rules_plot",
        on_click=_picked,
        texts=scene.texts,
        passing=partial(passing_rows, scene.selection, 0),
        filename="rules",
        note=t(" ").join(tree_notes(scene)),
    )


def _picked(click: dict) -> None:
    node = click.get("node")
    node = click.get("row") if node is None else node
    if node is not None:
        same = int(node) == session.current().models[0].node
        session.select_model(0, node=None if same else int(node))


def _switch() -> str:
    """Return the choice between table and tree that a phone shows."""
    titles = (("table", t("Rules")), ("tree", t("Tree")))
    choices = "".join(
        f'<label><input type="radio" name="lv-rules" value="{value}"'
        f"{' checked' if value == 'table' else ''}><span>{title}</span></label>"
        for value, title in titles
    )
    return (
        f'<fieldset class="lv-switch lv-rule-switch" aria-label="{t("Shown")}">{choices}</fieldset>'
    )


def _exports(scene: RuleScene) -> None:
    """Draw the downloads of the shown tree; of a forest, all its trees judge the rows held out."""
    loaded, selection = cache.data(scene.selection), scene.selection
    name = f"{selection.data}-{selection.models[0].key}"
    counts = scene.found.held_out_counts
    exports(scene.tree, name, loaded, scene.division, scene.model, counts)
