"""The page *textbook*: the table at the left, a part of the chapter at the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from lastviz.export.blocks import Words
from lastviz.plots import ThemeName
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.blocks import Block, Detail, draw, on_slide
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.headline import Say, legend
from lastviz.ui.shared.widgets import segments
from lastviz.ui.state import session
from lastviz.ui.text import t

from .controls import price_slider, row_editor
from .figure_tables import rules_lesson, tree_lesson
from .pruning import pruning_lesson
from .regression import (
    entropy_lesson,
    gain_lesson,
    gini_lesson,
    ratio_lesson,
    squares_lesson,
)
from .scene import LoanScene, PointsScene, loan_scene, points_editor, points_scene, rows_editor
from .words import cut_finding, root_finding

QUESTION = "How is it calculated?"
BOOK = (
    "The book is Li Hang, *Statistical Learning Methods*, 1st edition, chapter 5: "
    "tables, figures, examples, exercises and formulas have its numbers."
)
TITLES = {
    "entropy": "Entropy",
    "gain": "Gain",
    "ratio": "Gain ratio",
    "tree": "Tree",
    "rules": "Rules",
    "pruning": "Pruning",
    "gini": "Gini",
    "squares": "Regression",
}
LESSONS: dict[str, Callable[[LoanScene | PointsScene], None]] = {
    "entropy": entropy_lesson,
    "gain": gain_lesson,
    "ratio": ratio_lesson,
    "tree": tree_lesson,
    "rules": rules_lesson,
    "pruning": pruning_lesson,
    "gini": gini_lesson,
    "squares": squares_lesson,
}


def page_scene(work: Work, theme: ThemeName) -> LoanScene | PointsScene:
    """Work out the sums of the table that the chosen part is about."""
    view = work.selection.textbook
    return points_scene(view, theme) if view.lesson == "squares" else loan_scene(view, theme)


def body(scene: LoanScene | PointsScene) -> None:
    """Draw the choice of a part, the table and the part."""
    titles = {key: t(title) for key, title in TITLES.items()}
    lesson = segments("lesson", t("Part of the chapter"), titles)
    draw(_head(scene))
    st.caption(t(BOOK))
    left, right = st.columns([8, 10], gap="medium")
    with left, st.container(key="book-table"):
        if isinstance(scene, LoanScene):
            st.markdown(f"**{t('Table {n}', n='5.1')}** · {t('loan applications')}")
            rows_editor(scene.shown, scene.problem)
        else:
            st.markdown(f"**{t('Table {n}', n='5.2')}** · {t('points')}")
            points_editor(scene.shown, scene.problem)
    with right, st.container(key="lesson-body"):
        LESSONS[lesson](scene)


def slide_blocks(work: Work, theme: ThemeName) -> Sequence[Block]:
    """Blocks of a slide: the chosen part of the chapter."""
    scene, chosen = page_scene(work, theme), work.selection
    drawn = Detail(chosen, (), partial(LESSONS[chosen.textbook.lesson], scene))
    return on_slide([*_head(scene), drawn])


def _head(scene: LoanScene | PointsScene) -> list[Words]:
    """Sentence and legend."""
    if isinstance(scene, PointsScene):
        return [Say(cut_finding(scene))]
    return [Say(root_finding(scene)), Words(legend(scene.table.classes, scene.theme))]


def choices() -> None:
    """Draw the sidebar."""
    view = session.current().textbook
    if view.lesson != "squares":
        scene = loan_scene(view, page_theme())
        if view.lesson == "pruning":
            price_slider(scene)
        row_editor(scene.shown)
