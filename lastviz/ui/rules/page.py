"""The page *rules*: headline, rule tree, the card of a node, the sample, the table, exports.

Each view is a list of blocks; a slide and a report show the tree, whatever the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from lastviz.export.html_report import Picture, Text, Words
from lastviz.inspection import Costs
from lastviz.plots import ThemeName, flow_tree_plot
from lastviz.ui.components.frames import Frame
from lastviz.ui.compute import cache, python_code
from lastviz.ui.compute.data import KINDS, MEGABYTES
from lastviz.ui.compute.training import Division
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.blocks import Block, Box, Chart, Controls, draw, on_slide
from lastviz.ui.shared.brushing import passing_rows
from lastviz.ui.shared.edit_box import edit_box
from lastviz.ui.shared.exports import exports
from lastviz.ui.shared.figures import current_theme, paper_theme, words
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.new_table import reading_of_rows
from lastviz.ui.shared.report import Pictured, model_section, scene_report, summary_of
from lastviz.ui.shared.view_controls import (
    by_depth,
    depth_slider,
    follow_depth,
    node_chooser,
    tree_choosers,
)
from lastviz.ui.shared.widgets import put, segments
from lastviz.ui.state import session
from lastviz.ui.state.codec import without_private
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, plain, t

from .costs import cost_fields, costs_view, rarer_class
from .details import details
from .flip_panel import flip_panel
from .groups import forest_blocks
from .headline import rule_headline, rule_legend, tree_alt, tree_notes, who_decides
from .sample import texts_of, used_features, value_text, with_value
from .scene import MOST, RuleScene, rule_scene, view_of
from .short import short_view
from .tables import lost_panel, rule_table
from .votes import votes

MOST_TYPED = 40  # fields; a tree that asks for more features shows the most asked ones
CLOSED = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
READABLE = "readable"
NOT_FOUND = "row_not_found"  # the session's: the field whose value no row has
NEW_ROWS = "new_rows"  # the key of the field for a file


def view_chooser(selection: Selection) -> None:
    """Draw the choice of a view."""
    titles = {
        "short": t("In short"),
        "rules": t("Tree and rules"),
        "row": t("One row"),
        "costs": t("Costs"),
    }
    segments("rule_view", t("View"), titles, chosen=view_of(selection))


def rule_choices() -> None:
    """Draw the choices that follow those of data and model."""
    selection = session.current().first_models(1)
    if cache.trained(selection, 0, allow_ensembles=True) is None:
        return
    tree_choosers(selection)
    view = view_of(selection)
    if view == "short":
        _costs(selection)
    _sample(selection)
    if view in ("rules", "row"):
        _picture(selection)
    edit_box(session.current(), 0)


def _costs(selection: Selection) -> None:
    """Draw what errors about two classes cost."""
    names, division = class_names_of(cache.data(selection).dataset), cache.division(selection)
    if len(names) != 2:
        return
    st.markdown(f"**{t('Errors cost')}**")
    label = rarer_class(division)
    costs = Costs(selection.rules.cost_miss, selection.rules.cost_alarm)
    cost_fields(costs, plain(names[label]), plain(names[1 - label]), st)


def _picture(selection: Selection) -> None:
    """Draw how much of the tree is shown, and how."""
    st.markdown(f"**{t('Picture')}**")
    titles = {"flow": t("Flow"), "icicle": t("Icicle"), "node-link": t("Node-link")}
    segments("drawing", t("Layout of the tree"), titles)
    _rows_of(selection)
    depth_slider(selection)
    _least(selection)
    node_chooser()


def new_file() -> tuple[bytes, str] | None:
    """Return the file with new rows that was handed in, and its name; None without one."""
    file = st.session_state.get(NEW_ROWS)
    return (file.getvalue(), file.name) if isinstance(file, UploadedFile) else None


def _rows_of(selection: Selection) -> None:
    """Draw the choice of the rows that flow through the tree, and the field for new ones."""
    parts = {"training": t("Training"), "held_out": t("Held out"), "new": t("New")}
    if not len(cache.division(selection).held_out_rows):
        del parts["held_out"]
    chosen = selection.rules.rows_of if selection.rules.rows_of in parts else "training"
    help = t("Whose rows flow through the tree: those that grew it, held-out ones, or a file's.")
    segments("rows_of", t("Rows in the tree"), parts, chosen=chosen, seen=True, help=help)
    if chosen == "new":
        st.file_uploader(
            t("New rows, with their classes"),
            type=KINDS,
            key=NEW_ROWS,
            max_upload_size=MEGABYTES,
        )
        if (new := new_file()) is not None:
            with suppress(CannotShow):  # the page says it
                reading_of_rows(selection, *new)


def _sample(selection: Selection) -> None:
    """Draw the choice of a row, and the fields in which a sample is typed."""
    division = cache.division(selection)
    st.markdown(f"**{t('One sample')}**")
    put("lit", None if selection.view.highlighted is None else selection.view.highlighted + 1)
    st.number_input(
        t("Row"),
        min_value=1,
        max_value=len(division.y),
        step=1,
        value=None,
        placeholder=t("typed below") if selection.rules.typed else t("none"),
        key="lit",
        help=t("A row of the data, counted from one: its path is highlighted."),
        on_change=_set_row,
    )
    _finder(selection)
    if without_private(selection) != selection:
        st.caption(t("A copied link leaves out the values that you typed; a saved scene has them."))
    box = st.expander(t("Type a sample"), key="fold.typed", on_change="rerun")
    if box.open:
        with box:
            _fields(selection, division)


def ask_for_row(selection: Selection) -> None:
    """Draw the ways to a row where none is chosen: one that is misclassified, or any."""
    st.info(t("Choose a row at the left, or click one in a picture of any page."))
    divided = cache.division(selection)
    rows = divided.held_out_rows if len(divided.held_out_rows) else divided.train_rows
    predicted = cache.tree_of(selection, 0).tree_.predict(divided.values[rows])
    wrong = rows[predicted != divided.y[rows]]
    row = int((wrong if len(wrong) else rows)[0])
    words = "Row {n}, misclassified" if len(wrong) else "Row {n}"
    st.button(
        t(words, n=row + 1),
        key="first_row",
        type="primary",
        on_click=lambda: session.select(highlighted=row, typed=""),
    )


def _finder(selection: Selection) -> None:
    """Draw a field for each column of names that was left out of the features: it finds a row."""
    loaded = cache.data(selection)
    X, used = loaded.full.X, loaded.dataset.X
    if len(X) != len(used):
        return
    for name in X.columns.difference(used.columns, sort=False):
        if not X[name].is_unique:
            continue
        key = f"find_row.{name}"
        st.text_input(
            t("Row by {name}", name=plain(str(name))),
            key=key,
            on_change=lambda name=name, key=key: _find(selection, str(name), key),
        )
        if st.session_state.get(NOT_FOUND) == key:
            st.caption(t("No row has this {name}.", name=plain(str(name))))


def _find(selection: Selection, name: str, key: str) -> None:
    asked = str(st.session_state[key]).strip()
    found = [i for i, own in enumerate(map(value_text, cache.data(selection).full.X[name]))
             if own == asked]  # fmt: skip
    st.session_state[NOT_FOUND] = key if asked and not found else None
    if found:
        session.select(highlighted=found[0], typed="")


def _set_row() -> None:
    row = st.session_state["lit"]
    session.select(highlighted=None if row is None else int(row) - 1, typed="")


def _fields(selection: Selection, division: Division) -> None:
    """Draw one field for each feature that the tree asks for."""
    tree = cache.tree_of(selection, 0).tree_
    used = used_features(tree)
    texts = texts_of(selection, division)
    st.caption(
        t(
            "The features that the tree tests, the most tested first. Empty means unknown. A "
            "copied link does not contain what you type here; a saved scene does."
        )
    )
    for feature in used[:MOST_TYPED]:
        key = f"typed.{feature}"
        text = texts[feature] if texts else ""
        put(key, text)
        change, name = partial(_type, division, feature, key), tree.feature_names[feature]
        known = tree.feature_categories[feature]
        if known is None:
            st.text_input(name, key=key, placeholder=t("unknown"), on_change=change)
            continue
        st.selectbox(
            name,
            list(dict.fromkeys(["", *map(str, known), text])),
            key=key,
            format_func=lambda label: label or t("unknown"),
            on_change=change,
        )
    if len(used) > MOST_TYPED:
        sentence = "The {n} features that it asks for least keep the values of the row."
        st.caption(t(sentence, n=number(len(used) - MOST_TYPED)))


def _type(division: Division, feature: int, key: str) -> None:
    changes = with_value(session.current(), division, feature, st.session_state[key])
    session.select(**changes)


def _least(selection: Selection) -> None:
    """Draw the slider that closes small nodes."""
    tree = cache.tree_of(selection, 0).tree_
    stops = [n for n in CLOSED if n <= max(tree.weighted_n_node_samples[0] / 2, 1)]
    least = selection.rules.least
    options = sorted({*stops, *([] if least is None else [least])})
    put("least", READABLE if least is None else least)
    st.select_slider(
        t("Open nodes from (rows)"),
        [READABLE, *options],
        key="least",
        format_func=lambda stop: t("readable") if stop == READABLE else number(stop),
        help=t(
            "Nodes with fewer rows stay closed. “Readable” opens as many as can be read; at most "
            "{n} rules are drawn.",
            n=MOST,
        ),
        on_change=_set_least,
    )


def _set_least() -> None:
    least = st.session_state["least"]
    session.select(least=None if least == READABLE else int(least))


# ---------------------------------------------------------------- page


QUESTION = "What does the tree say?"
MODELS = 1
moving = by_depth
ABOUT_CLASSES = True
SHEET, SMALL = 640, 260  # pixels: a picture that stands on one page, one that shows the whole


def choices() -> None:
    """Draw the sidebar."""
    sidebar.data_chooser()
    sidebar.model_choosers(MODELS, allow_ensembles=True)
    rule_choices()
    sidebar.seed()
    sidebar.foot(lambda: python_code.python_of(session.current().first_models(MODELS)), report)


def report(address: str | None) -> str:
    """Return the page as one file of html."""
    scene = rule_scene(session.current(), paper_theme(), new_file())
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
    return rule_scene(session.current(), current_theme(), new_file())


def is_own() -> bool:
    """Tell whether rows of a file in the visitor's field flow through the tree."""
    return session.current().rules.rows_of == "new" and new_file() is not None


def views() -> None:
    """Draw the choice of a view, beside the question."""
    view_chooser(session.current())


def body(scene: RuleScene) -> None:
    """Draw the view that is chosen; its tree follows the slider of the depth shown."""
    draw(blocks(scene))
    if view_of(scene.selection) in ("rules", "row"):
        frame = partial(_frame, scene.theme, new_file())
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
        return [*_top(scene), Controls(partial(ask_for_row, scene.selection))]
    return [*_top(scene), *votes(scene), _body(scene, [Controls(partial(flip_panel, scene))])]


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
