"""The page *rules*: headline, rule tree, the card of a node, the sample, the table, exports."""

from __future__ import annotations

import streamlit as st

from lastviz.plots import number

from . import frame, state
from .components.chart_host import chart
from .headline import show
from .node_card import node_card
from .rule_details import rule_rows, sample_card
from .rule_exports import exports
from .rule_forest import forest_panel
from .rule_head import rule_headline
from .rule_scene import MOST, RuleScene, rule_scene
from .rule_table import rule_table
from .rule_texts import rule_legend
from .text import plural, t

__all__ = ["body", "prepared", "top"]


def prepared() -> RuleScene | None:
    """Work out what the page shows; None, with a sentence, if the model cannot be trained."""
    try:
        return rule_scene(state.current())
    except ValueError as error:
        st.info(str(error))
        return None


def top(scene: RuleScene) -> None:
    """Draw the legend, the numbers, and what cannot be shown of the sample."""
    show(rule_legend(scene.class_names, frame.theme(), sample=scene.sample is not None))
    show(rule_headline(scene))
    if scene.problem is not None:
        st.info(scene.problem)
    if getattr(scene.estimator, "monotone", False) or len(scene.trees) > 1:
        st.caption(_who_decides(scene))
    show(_switch())


def _who_decides(scene: RuleScene) -> str:
    if len(scene.trees) > 1:
        which = min(state.current().models[0].tree or 0, len(scene.trees) - 1) + 1
        return t(
            "Errors and rules of tree {n} of {all}, supports on the rows that it was grown on. The "
            "forest itself decides by the votes of all trees.",
            n=number(which),
            all=number(len(scene.trees)),
        )
    return t("These are the leaves of the tree. Its truly monotone envelope may decide otherwise.")


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


def _pictures(scene: RuleScene) -> None:
    """Draw the tree with its rules and say what of it is closed."""
    with st.container(key="rule_tree"):
        chart(
            scene.figure,
            key="rules_plot",
            height=scene.figure.layout.height,
            alt=_alt(scene),
            on_click=lambda click: _picked(scene, click),
            filename="rules",
        )
        sentence = _closed(scene)
        if sentence:
            st.caption(sentence)


def _alt(scene: RuleScene) -> str:
    return t(
        "The tree of {title} as a flow of rows from left to right, {n}; beside each the support, "
        "the class supports, the confidence and the coverage.",
        title=scene.title,
        n=plural(len(scene.told.rules), "{n} rule", "{n} rules"),
    )


def _closed(scene: RuleScene) -> str | None:
    """Return what is not drawn, and how to see it."""
    layout, drawn = scene.layout, scene.layout.n_leaves
    n_rules = len(scene.told.rules)
    if drawn == n_rules:
        return None
    whole = sum(scene.tree.is_leaf(node) for node in layout.node[layout.leaf].tolist())
    said = t(
        "{whole} of {all} rules are drawn one by one; the others stand closed in {n} nodes.",
        whole=number(whole),
        all=number(n_rules),
        n=number(drawn - whole),
    )
    if layout.hidden_leaves:
        said += " " + t(
            "Nodes with fewer than {rows} rows are closed; +n says how many rules one holds. Click "
            "it to open it, or move the slider. At most {most} rows are drawn.",
            rows=number(float(f"{layout.least_rows:.6g}")),
            most=MOST,
        )
    return said


def _picked(scene: RuleScene, click: dict) -> None:
    node = click.get("node")
    node = click.get("row") if node is None else node
    if node is not None:
        same = int(node) == state.current().models[0].node
        state.select_model(0, node=None if same else int(node))


def body(scene: RuleScene) -> None:
    """Draw the tree and all that stands below it; a phone shows the table or the tree."""
    with st.container(key="rule_body"):
        _pictures(scene)
        _below(scene)


def _below(scene: RuleScene) -> None:
    """Draw the card of the picked node, the sample's tests, the table and the exports."""
    if scene.node is not None or scene.sample is not None:
        left, right = st.columns([3, 2], gap="medium")
        with left:
            if scene.node is not None:
                st.markdown(f"**{_node_title(scene)}**")
                show(node_card(scene.view, scene.class_names, frame.theme(), folded=True))
            if scene.sample is not None:
                sample_card(scene)
        with right:
            rule_rows(scene)
    with st.container(key="rule_table"):
        rule_table(scene)
    if len(scene.trees) > 1:
        forest_panel()
    exports(scene)


def _node_title(scene: RuleScene) -> str:
    if scene.node in scene.told.numbers:
        return t("Rule {n}", n=scene.told.numbers[scene.node])
    return t("Node {n}", n=scene.node)
