"""The example study: its part shown first, and the ways between it and the user's own study."""

from __future__ import annotations

from functools import partial
from html import escape

import streamlit as st

from lastviz.studies.example import EXAMPLE
from lastviz.studies.study import Study
from lastviz.ui.compute.work import current
from lastviz.ui.shared.blocks import draw
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.headline import show
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import t

from .blocks import set_panels
from .controls import NOTHING_CHOSEN, draft_of
from .scene import CompareScene, compare_scene, study_opened
from .words import INTERVALS, compare_legend, in_short, unit_words


def example_choices(study: Study) -> None:
    """Draw the study's algorithms and data sets, and the button that makes a draft."""
    st.markdown(f"**{t('This example')}**")
    for title, parts in ((t("Data sets"), study.datasets), (t("Algorithms"), study.algorithms)):
        names = "".join(f"<li>{escape(part.name)}</li>" for part in parts)
        show(f"<div class='lv-chips'>{escape(title)}<ul>{names}</ul></div>")
    words = "{folds} folds, {repeats} repeats, seed {seed}, computed beforehand."
    st.caption(t(words, folds=study.folds, repeats=study.repeats, seed=study.seed))
    with st.container(border=True):
        st.button(
            t("Make it mine"),
            key="study_mine",
            type="primary",
            width="stretch",
            on_click=lambda: session.select(**draft_of(current(), study).fields(())),
        )


def example_head(scene: CompareScene) -> None:
    """Draw the conclusion and its subject."""
    draw(in_short(scene))
    with st.container(key="study_words"):
        sentence = t(
            "Example study, finished: {what}, mean of {n} folds.",
            what=unit_words(scene),
            n=scene.study.repeats * scene.study.folds,
        )
        st.caption(f"{sentence} {t(INTERVALS)}")
    show(compare_legend(scene.theme))


def example_below(selection: Selection) -> None:
    """Draw the finding and first pictures of the example study, and the way to it."""
    finished = {**NOTHING_CHOSEN, "study": EXAMPLE}
    opened = selection.having(**finished, metric="", rope=None, rivals=None)
    scene = compare_scene(opened, study_opened(opened, None), None, page_theme())
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{t('What a finished study says, by an example')}**", width="content")
        st.button(
            t("See a finished study"),
            key="study_example",
            on_click=partial(session.select, **finished),
        )
    draw([*in_short(scene), set_panels(scene)[0]], "example")
    show(compare_legend(scene.theme))
