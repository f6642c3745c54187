"""The page *monotone*: its parts, one at a time, and its content for data without an order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from lastviz.plots import ThemeName
from lastviz.ui.compute.work import Work, current
from lastviz.ui.shared import column_editors, controls, order_editor
from lastviz.ui.shared.blocks import Block, draw, on_slide, report_of
from lastviz.ui.shared.example import example_instead
from lastviz.ui.shared.figures import current_theme, paper_theme
from lastviz.ui.shared.widgets import segments
from lastviz.ui.state import session
from lastviz.ui.state.lessons import steps_on
from lastviz.ui.text import CannotShow, t

from .audit import audit_part
from .data import data_part
from .scene import obstacle_of
from .short import short_part

QUESTION = "Is it monotone?"
MODELS = 1
ABOUT_CLASSES = True


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(MODELS, allow_ensembles=True)
    controls.more_settings(MODELS)


# The choice stands while what a part needs is still worked out, so that the reader can leave.
def body() -> None:
    """Draw the choice of the part and the part that was chosen."""
    work, theme = current().first_models(MODELS), current_theme()
    part = segments("part", t("Part of the page"), _titles())
    reason = obstacle_of(work)
    if reason is not None:
        _ask_for_an_order(work, reason)
        return
    draw(PARTS[part](work, theme), part)


def slide_blocks(work: Work, theme: ThemeName) -> Sequence[Block]:
    """Blocks of a slide for the chosen part of the page.

    Raises
    ------
    CannotShow, Working
        Where nothing can be monotone; while it is being worked out.
    """
    work = work.first_models(MODELS)
    reason = obstacle_of(work)
    if reason is not None:
        raise CannotShow(reason)
    return on_slide(PARTS[work.selection.monotone.part](work, theme))


def _titles() -> dict[str, str]:
    return {"short": t("In short"), "data": t("Data"), "audit": t("Audit")}


# Raises the errors of `slide_blocks`.
def report(address: str | None) -> str:
    """Chosen part of the page as one HTML file."""
    work = current().first_models(MODELS)
    shown = slide_blocks(work, paper_theme())
    title = _titles()[work.selection.monotone.part]
    return report_of(work, t(QUESTION), title, shown, address)


def _ask_for_an_order(work: Work, reason: str) -> None:
    """Explain why nothing can be monotone here, offer a remedy and show the example."""
    st.info(reason, icon=":material/info:")
    loaded = work.data
    has_no_order = not loaded.dataset.ordered and work.selection.one is None
    if has_no_order:
        order_editor.meaning_of_the_order(loaded.full, "asked")
    example_instead(slide_blocks)
    if has_no_order:
        column_editors.class_editor(loaded.full)
    for scene, n in steps_on("monotone"):
        st.page_link(
            "pages/monotone.py",
            label=t(scene.question),
            icon="",
            query_params=scene.query_of(n) | session.language_link(),
        )


PARTS: dict[str, Callable[[Work, ThemeName], list[Block]]] = {
    "short": short_part,
    "data": data_part,
    "audit": audit_part,
}
