"""The page *rules*: headline, rule tree, the card of a node, the sample, the table, exports."""

from __future__ import annotations

from functools import partial
from html import escape

import streamlit as st

from lastviz.export import FORMS
from lastviz.export.code_words import plain as plain_label
from lastviz.plots import number
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache, python_code
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.figures import current_theme
from lastviz.ui.shared.headline import class_sign, show
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.node_card import node_card
from lastviz.ui.state import session
from lastviz.ui.text import percent, plural, t

from . import controls
from .details import rule_rows, sample_card
from .forest import forest_panel
from .scene import MOST, RuleScene, rule_scene
from .table import rule_table
from .words import held_out_words, rule_legend, training_words

__all__ = [
    "ABOUT_CLASSES",
    "MODELS",
    "QUESTION",
    "body",
    "choices",
    "exports",
    "prepared",
    "rule_headline",
    "top",
]

QUESTION = "What does the tree say?"
MODELS = 1
ABOUT_CLASSES = True


def choices() -> None:
    """Draw the sidebar."""
    sidebar.data_chooser()
    sidebar.model_choosers(1, whole=True)
    controls.rule_choices()
    sidebar.seed()
    sidebar.foot(lambda: python_code.python_of(session.current().first_models(MODELS)))


def prepared() -> RuleScene:
    """Work out what the page shows."""
    return rule_scene(session.current())


def top(scene: RuleScene) -> None:
    """Draw the legend, the numbers, and what cannot be shown of the sample."""
    sample = scene.sample is not None
    show(rule_legend(scene.tree, scene.class_names, current_theme(), sample=sample))
    show(rule_headline(scene))
    if scene.problem is not None:
        st.info(scene.problem)
    if getattr(scene.estimator, "monotone", False) or len(scene.trees) > 1:
        st.caption(_who_decides(scene))
    show(_switch())


def _who_decides(scene: RuleScene) -> str:
    if len(scene.trees) > 1:
        which = min(session.current().models[0].tree or 0, len(scene.trees) - 1) + 1
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
        same = int(node) == session.current().models[0].node
        session.select_model(0, node=None if same else int(node))


def body(scene: RuleScene) -> None:
    """Draw the numbers, the tree and all below it; a phone shows the table or the tree."""
    top(scene)
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
                show(node_card(scene.view, scene.class_names, current_theme(), folded=True))
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


def rule_headline(scene: RuleScene) -> str:
    """Return the numbers of the tree and, with a sample, what becomes of it."""
    part, name = scene.told.held_out, t("held-out error")
    if not part.n_samples:
        part, name = scene.told.training, t("training error")
    wrong = part.n_samples - part.n_right
    error = t("{name}, {n} of {all}", name=name, n=number(wrong), all=number(part.n_samples))
    cells = [
        _cell(f"{percent(1.0 - part.accuracy)}<small> %</small>", error),
        _cell(number(scene.tree.n_nodes), t("nodes, {n} rules", n=number(len(scene.told.rules)))),
        _cell(number(scene.tree.max_depth), t("depth")),
    ]
    if scene.sample is not None:
        cells += _sample_cells(scene)
    return f'<div class="lv-strip">{"".join(cells)}</div>'


def _cell(value: str, label: str, mark: str = "") -> str:
    return f"<div{mark}><b>{value}</b><span>{escape(label)}</span></div>"


def _sample_cells(scene: RuleScene) -> list[str]:
    sample, names = scene.sample, scene.class_names
    title, about = t("typed sample"), t("class unknown")
    if sample.row is not None:
        title = t("row {n}", n=number(sample.row + 1))
        true = class_names_of(cache.data(session.current()).dataset)[sample.label]
        part = t("held out") if sample.held_out else t("training")
        about = t("{part}, true {name}", part=part, name=true)
    label = sample.way.prediction
    said = f"{class_sign(label, current_theme())} {escape(names[label])}"
    return [_cell(escape(title), about, ' class="lv-apart"'), _cell(said, _by(scene))]


def _by(scene: RuleScene) -> str:
    """Return which rule decided, or how many did."""
    sample, told = scene.sample, scene.told
    ends, share = sample.way.ends.tolist(), percent(sample.way.shares[sample.way.prediction])
    if len(ends) > 1:
        return t("by {n} rules in parts, class support {share} %", n=len(ends), share=share)
    rows = training_words(told.held.support[ends[0]])
    if ends[0] not in told.numbers:
        return t("stopped at node {n}, class support {share} % of {rows}", n=ends[0],
                 share=share, rows=rows)  # fmt: skip
    about = {"n": told.numbers[ends[0]], "share": share, "rows": rows}
    kept = told.held_out_of(ends[0])
    if kept is None:
        return t("by rule {n}, confidence {share} % of {rows}", **about)
    kept = held_out_words(*kept)
    return t("by rule {n}, confidence {share} % of {rows}; {held_out}", **about, held_out=kept)


def exports(scene: RuleScene) -> None:
    """Draw the downloads; a form is written when it is asked for."""
    st.markdown(f"**{t('Take it with you')}**")
    tree = scene.tree
    labels = [plain_label(label) for label in cache.data(session.current()).dataset.class_order]
    name = f"{session.current().data}-{session.current().models[0].key}"
    judged = {"held_out": scene.told.held_out_counts}
    with st.container(key="rule_exports", horizontal=True, wrap=True, gap="small"):
        for key, form in FORMS.items():
            if len(tree.kernel) and not form.machines:
                continue
            st.download_button(
                t(form.title),
                partial(form.write, tree, labels, **(judged if form.judged else {})),
                file_name=f"{name}.{form.suffix}",
                mime=form.mime,
                on_click="ignore",
                key=f"export_{key}",
                icon=":material/download:",
            )
    if len(tree.kernel):
        st.caption(
            t(
                "A machine is a sum over its support vectors: only the graph can be written. Trees "
                "of thresholds, categories and hyperplanes have all forms."
            )
        )
        return
    st.caption(
        t(
            "All files say the same as the tree, to the last digit, about the columns as the "
            "algorithm reads them. A missing value is treated as each file says in its first lines."
        )
    )
