"""The page *rules*: headline, rule tree, the card of a node, the sample, the table, exports."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from lastviz.export.slide_show import Block
from lastviz.plots import ThemeName
from lastviz.ui.components.chart_host import chart
from lastviz.ui.components.frames import Frame
from lastviz.ui.compute import python_code
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.brushing import passing_rows
from lastviz.ui.shared.figures import current_theme, paper_theme
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.moving import by_depth
from lastviz.ui.shared.node_card import node_card
from lastviz.ui.shared.slider_frames import follow_depth
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from . import controls
from .costs import cost_panel
from .details import (
    legend_of,
    rule_report,
    rule_rows,
    rule_slide,
    sample_card,
    tree_alt,
    tree_exports,
    tree_notes,
)
from .flip_panel import flip_panel
from .forest import forest_panel
from .headline import rule_headline, who_decides
from .lost import lost_panel
from .scene import RuleScene, rule_scene
from .short import short_view
from .table import rule_table
from .views import view_chooser, view_of

QUESTION = "What does the tree say?"
MODELS = 1
moving = by_depth
ABOUT_CLASSES = True


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


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows."""
    return rule_slide(rule_scene(selection, theme))


def prepared() -> RuleScene:
    """Work out what the page shows."""
    return rule_scene(session.current(), current_theme(), controls.new_file())


def is_own() -> bool:
    """Tell whether rows of a file in the visitor's field flow through the tree."""
    return session.current().rules.rows_of == "new" and controls.new_file() is not None


def views() -> None:
    """Draw the choice of a view, beside the question."""
    view_chooser(session.current())


def body(scene: RuleScene) -> None:
    """Draw the view that is chosen; the first is for a reader who decides."""
    view = view_of(scene.selection)
    if scene.problem is not None:
        st.info(scene.problem)
    if view == "short":
        short_view(scene)
    else:
        _whole(scene, view)


def _whole(scene: RuleScene, view: str) -> None:
    """Draw legend and numbers, and the tree or the costs with all that stands below them."""
    show(legend_of(scene))
    show(rule_headline(scene))
    note = who_decides(scene)
    if note:
        st.caption(note)
    if view == "costs":
        cost_panel(scene)
        return
    if view == "rules":
        show(_switch())
    with st.container(key="rule_body"):
        _tree(scene)
        _below(scene)
        if view == "row":
            _change(scene)
        else:
            with st.container(key="rule_table"):
                rule_table(scene)
                lost_panel(scene)
            forest_panel(scene)
        tree_exports(scene)
    follow_depth(scene.selection, scene.theme, partial(_frame, scene.theme, controls.new_file()))


def _frame(theme: ThemeName, new: tuple[bytes, str] | None, selection: Selection) -> Frame:
    """Return what the page would show of a selection; its headline is about the whole tree."""
    return Frame({"rules_plot": rule_scene(selection, theme, new).figure})


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


def _tree(scene: RuleScene) -> None:
    """Draw the tree with its rules and say what of it is closed; the rules are its table."""
    alt, notes = tree_alt(scene), tree_notes(scene)
    with st.container(key="rule_tree"):
        chart(
            scene.figure,
            key="rules_plot",
            height=scene.figure.height,
            alt=alt,
            on_click=_picked,
            texts=scene.texts,
            passing=partial(passing_rows, scene.selection, 0),
            filename="rules",
            note=t(" ").join(notes),
        )
        for note in notes:
            st.caption(note)


def _picked(click: dict) -> None:
    node = click.get("node")
    node = click.get("row") if node is None else node
    if node is not None:
        same = int(node) == session.current().models[0].node
        session.select_model(0, node=None if same else int(node))


def _below(scene: RuleScene) -> None:
    """Draw the card of the picked node, the sample's tests and the rows of its rule."""
    if scene.node is not None or scene.sample is not None:
        left, right = st.columns([3, 2], gap="medium")
        with left:
            if scene.node is not None:
                st.markdown(f"**{_node_title(scene)}**")
                show(node_card(scene.view, scene.class_names, scene.theme, folded=True))
            if scene.sample is not None:
                sample_card(scene)
        with right:
            rule_rows(scene)


def _change(scene: RuleScene) -> None:
    """Draw what would change the class of the sample, or how to choose one."""
    if scene.sample is None and scene.problem is None:
        st.info(t("Choose a row at the left, or click one in a picture of any page."))
    flip_panel(scene)


def _node_title(scene: RuleScene) -> str:
    if scene.node in scene.found.numbers:
        return t("Rule {n}", n=scene.found.numbers[scene.node])
    return t("Node {n}", n=scene.node)
