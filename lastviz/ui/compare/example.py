"""The example study: its part shown first, and the way from it to the user's own study."""

from __future__ import annotations

from html import escape

import streamlit as st

from lastviz.studies.study import Study
from lastviz.ui.compute.work import current
from lastviz.ui.shared.blocks import draw
from lastviz.ui.shared.headline import show
from lastviz.ui.state import session
from lastviz.ui.text import t

from .controls import draft_of
from .scene import CompareScene
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
