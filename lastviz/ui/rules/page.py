"""The page *rules*: headline, rule tree, the card of a node, the sample, the table, exports.

Each view is a list of blocks; a slide and a report show the view that is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from lastviz.export.blocks import Picture, Text, Words
from lastviz.plots import ThemeName, flow_tree_plot
from lastviz.ui.components.frames import Frame
from lastviz.ui.compute.data import KINDS, MEGABYTES
from lastviz.ui.compute.work import Work, current
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.blocks import (
    PAGE,
    REPORT,
    SLIDE,
    Block,
    Box,
    Chart,
    Controls,
    Detail,
    Only,
    draw,
    on_slide,
    report_blocks,
    tables_in,
)
from lastviz.ui.shared.brushing import passing_rows
from lastviz.ui.shared.edit_box import edit_box
from lastviz.ui.shared.exports import exports
from lastviz.ui.shared.figures import paper_theme, words
from lastviz.ui.shared.headline import Say
from lastviz.ui.shared.new_table import reading_of_rows
from lastviz.ui.shared.page_file import below_finding, finding_in
from lastviz.ui.shared.report import Pictured, model_section, scene_report, summary_of
from lastviz.ui.shared.view_controls import (
    by_depth,
    depth_slider,
    follow_depth,
    node_chooser,
    tree_choosers,
)
from lastviz.ui.shared.widgets import bound, segments
from lastviz.ui.state import session
from lastviz.ui.text import CannotShow, as_plain, number, paragraph, t

from .flip import flip_panel, saved_change
from .row import ask_for_row, sample_fields, votes
from .scene import RuleScene, rule_scene, view_of
from .short import finding, row_findings, short_view
from .tables import forest_blocks, lost_panel, rule_table
from .tree import about_tree, details, rule_headline, rule_legend, tree_alt, tree_notes

CLOSED = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
READABLE = "readable"
NEW_ROWS = "new_rows"  # the key of the field for a file
# The choice between table and tree that a phone shows.
SWITCH = (
    '<fieldset class="lv-switch lv-rule-switch" aria-label="{}"><label><input type="radio" '
    'name="lv-rules" value="table" checked><span>{}</span></label><label><input type="radio" '
    'name="lv-rules" value="tree"><span>{}</span></label></fieldset>'
)


def new_file() -> tuple[bytes, str] | None:
    """File with new rows that was handed in, and its name; None without one."""
    file = st.session_state.get(NEW_ROWS)
    return (file.getvalue(), file.name) if isinstance(file, UploadedFile) else None


# The field is for new rows.
def _rows_of(work: Work) -> None:
    """Draw the choice of the rows that flow through the tree, and the upload field."""
    parts = {"training": t("Training"), "held_out": t("Held out"), "new": t("New")}
    if not len(work.first.division.held_out_rows):
        del parts["held_out"]
    chosen = work.selection.rules.rows_of if work.selection.rules.rows_of in parts else "training"
    segments("rows_of", t("Rows in the tree"), parts, chosen=chosen, seen=True)
    if chosen == "new":
        st.file_uploader(
            t("New rows, with their classes"), type=KINDS, key=NEW_ROWS, max_upload_size=MEGABYTES
        )
        if (new := new_file()) is not None:
            with suppress(CannotShow):  # the page says it
                reading_of_rows(work, *new)


def _least(work: Work) -> None:
    """Draw the slider that closes small nodes."""
    tree = work.first.picked.tree_
    stops = [n for n in CLOSED if n <= max(tree.weighted_n_node_samples[0] / 2, 1)]
    least = work.selection.rules.least
    options = sorted({*stops, *([] if least is None else [least])})
    bound(
        st.select_slider,
        "least",
        t("Open nodes from (rows)"),
        [READABLE, *options],
        none=READABLE,
        format_func=lambda stop: t("readable") if stop == READABLE else number(stop),
    )


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
    work = current().first_models(1)
    if work.first.trained_any() is not None:
        tree_choosers(work)
        sample_fields(work)
        if view_of(work.selection) != "short":
            _rows_of(work)
            depth_slider(work)
            node_chooser()
        edit_box(current().first)
    more = sidebar.more_settings(MODELS)
    if more and work.first.trained_any() is not None and view_of(work.selection) != "short":
        with more:
            titles = {"flow": t("Flow"), "icicle": t("Icicle"), "node-link": t("Node-link")}
            segments("drawing", t("Layout of the tree"), titles, seen=True)
            _least(work)


def report(address: str | None) -> str:
    """Page as one file of html."""
    scene = rule_scene(current(), paper_theme(), new_file())
    return rule_report(scene, t(QUESTION), address)


def rule_report(scene: RuleScene, question: str, address: str | None) -> str:
    """Report of a scene in the light theme: its view, then the model."""
    notes = [note for note in (about_tree(scene), scene.problem) if note]
    if view_of(scene.work.selection) == "rules":
        return _report_of_all(scene, question, address, notes)
    view = blocks(scene)
    section = model_section(scene.work.first, scene.view, [], notes)
    summary = below_finding(report_blocks(view))
    return scene_report(
        scene.work, question, [section], address=address, summary=summary,
        tables=tables_in(view), finding=finding_in(view),
    )  # fmt: skip


def _report_of_all(
    scene: RuleScene, question: str, address: str | None, notes: Sequence[str]
) -> str:
    """Report of the whole tree; one too large for its first page is drawn small there."""
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
        pictured, more = Pictured(Picture(overview, tree_alt(scene)), marks), [pictured]
    section = model_section(scene.work.first, scene.view, more, notes)
    section = replace(section, blocks=[*section.blocks, *report_blocks([_rules(scene)])])
    first, *rest = map(as_plain, finding(scene))
    summary = [*map(Text, rest), Words(rule_headline(scene)),
               *summary_of(scene.work.first, scene.view, pictured)[1:]]  # fmt: skip
    about = {"address": address, "summary": summary, "finding": first}
    return scene_report(scene.work, question, [section], **about)


def slide_blocks(work: Work, theme: ThemeName) -> Sequence[Block]:
    """Blocks of a slide: the view that is chosen."""
    return on_slide(blocks(rule_scene(work, theme)))


def page_scene(work: Work, theme: ThemeName) -> RuleScene:
    """Compute the scene of the page."""
    return rule_scene(work, theme, new_file())


def is_own() -> bool:
    """Whether rows of a file in the visitor's field flow through the tree."""
    return session.current().rules.rows_of == "new" and new_file() is not None


def views() -> None:
    """Draw the choice of a view, beside the question."""
    titles = {"short": t("In short"), "rules": t("Tree and rules"), "row": t("One row")}
    segments("rule_view", t("View"), titles, chosen=view_of(session.current()))


def body(scene: RuleScene) -> None:
    """Draw the view that is chosen; its tree follows the slider of the depth shown."""
    draw(blocks(scene))
    theme, new = scene.theme, new_file()

    def frame(work: Work) -> Frame:
        """Frame of the tree for another setting; its headline is about the whole tree."""
        return Frame({"rules_plot": rule_scene(work, theme, new).figure})

    if view_of(scene.work.selection) != "short":
        follow_depth(scene.work, theme, frame)


def blocks(scene: RuleScene) -> list[Block]:
    """View that is chosen; the first is for a reader who decides."""
    problem = [Controls(partial(st.info, scene.problem))] if scene.problem is not None else []
    view = view_of(scene.work.selection)
    if view == "short":
        return [*problem, *short_view(scene)]
    opening = Say(*(row_findings if view == "row" else finding)(scene))
    top = [*problem, opening, Words(rule_legend(scene)), Words(rule_headline(scene))]
    top += map(Text, filter(None, [about_tree(scene)]))
    if view == "rules":
        tables = [_rules(scene), Controls(partial(lost_panel, scene))]
        below = [Box("rule_table", tables), *forest_blocks(scene)]
        switch = Words(SWITCH.format(t("Shown"), t("Rules"), t("Tree")))
        return [*top, Only((PAGE,), [switch]), _body(scene, below)]
    if scene.sample is None and scene.problem is None:  # all rules would be in the way of a row
        return [*top, Controls(partial(ask_for_row, scene.work))]
    change = [Controls(partial(flip_panel, scene)), Only((REPORT, SLIDE), saved_change(scene))]
    return [*top, *votes(scene), _body(scene, change)]


def _rules(scene: RuleScene) -> Detail:
    """Table of the rules, which leaves where the reader filters or orders it."""
    chosen = ("order", "only", "from_rows", "from_confidence")
    return Detail(scene.work.selection, chosen, partial(rule_table, scene))


# The details are those of the picked node and of the sample.
def _body(scene: RuleScene, more: Sequence[Block]) -> Box:
    """Box of the tree, its details, `more`, and the files."""
    drawn = [Only((PAGE, REPORT), [_tree(scene)]), Only((SLIDE,), [_tree(scene, fixed=True)])]
    tree = Box("rule_tree", [*drawn, *map(Text, tree_notes(scene))])
    loaded, selection = scene.work.data, scene.work.selection
    name = f"{selection.data}-{selection.models[0].key}"
    about = (scene.tree, name, loaded, scene.division, scene.model, scene.found.held_out_counts)
    files = Controls(partial(exports, *about))  # of a forest all trees judge the rows held out
    return Box("rule_body", [tree, *details(scene), *more, files])


def _tree(scene: RuleScene, *, fixed: bool = False) -> Chart:
    """Tree with its rules, which are its table; `fixed`: as high as those."""
    return Chart(
        scene.figure,
        tree_alt(scene),
        tree_alt(scene),
        fixed=fixed,
        key="rules_plot",
        on_click=_picked,
        texts=scene.texts,
        passing=partial(passing_rows, scene.work.first),
        filename="rules",
        note=paragraph(tree_notes(scene)),
    )


def _picked(click: dict) -> None:
    node = click.get("node")
    node = click.get("row") if node is None else node
    if node is not None:
        same = int(node) == session.current().models[0].node
        session.select_model(0, node=None if same else int(node))
