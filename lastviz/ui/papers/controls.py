"""The sidebar of the page *papers*: paper, table, how ours were found, the cell looked at."""

from __future__ import annotations

from html import escape

import streamlit as st

from lastviz.studies.published import CHAPTER, EXAMPLES, PAPERS, TABLES
from lastviz.ui.shared.headline import show
from lastviz.ui.shared.widgets import bound, put, segments
from lastviz.ui.state import session
from lastviz.ui.text import plain, t

from .chapter import ChapterScene, example_title
from .figure_scene import FIGURES_BY_NAME, FigureScene
from .scene import TABLES_BY_NAME, PaperScene
from .words import cell_words, column_title, table_title

CHOICES = {**PAPERS, CHAPTER.key: CHAPTER}
TUNED = {"paper": "as the paper", "nested": "by training rows"}


def table_chooser(scene: PaperScene | FigureScene | ChapterScene) -> None:
    """Draw the choice of paper, and of one of its tables, figures or examples."""
    st.markdown(f"**{t('Paper')}**")
    put("paper_of", scene.paper.key)
    st.selectbox(
        t("Paper"),
        list(CHOICES),
        key="paper_of",
        format_func=lambda key: t(CHOICES[key].title),
        label_visibility="collapsed",
        on_change=lambda: session.select(paper_table=_first(st.session_state["paper_of"])),
    )
    is_chapter = scene.paper is CHAPTER
    bound(
        st.selectbox,
        "paper_table",
        t("Worked example") if is_chapter else t("Table or figure"),
        list(EXAMPLES) if is_chapter else _printed_in(scene.paper.key),
        value=scene.name,
        format_func=_title_of,
    )
    show(f'<p class="lv-note"><cite lang="en">{escape(scene.paper.citation)}</cite></p>')
    st.caption(plain(t(scene.paper.protocol)))


def _printed_in(paper: str) -> list[str]:
    printed = {**TABLES_BY_NAME, **FIGURES_BY_NAME}
    return [name for name, each in printed.items() if each.paper == paper]


def _title_of(name: str) -> str:
    if name in EXAMPLES:
        return example_title(EXAMPLES[name])
    is_figure = name in FIGURES_BY_NAME
    printed = FIGURES_BY_NAME[name] if is_figure else TABLES_BY_NAME[name]
    return table_title(printed.number, printed.title, is_figure=is_figure)


def _first(paper: str) -> str:
    if paper == CHAPTER.key:
        return next(iter(EXAMPLES))
    return next(f"{name}{number}" for name, number in TABLES if name == paper)


def protocol_chooser(scene: PaperScene) -> None:
    """Draw the choice of how our parameters were found, where it makes a difference."""
    if scene.has_nested:
        st.markdown(f"**{t('Parameters chosen')}**")
        segments("tuned", t("Parameters chosen"), {key: t(word) for key, word in TUNED.items()})


def cell_chooser(scene: PaperScene) -> None:
    """Draw the choice of a cell, and what is known of it."""
    st.markdown(f"**{t('Cell')}**")
    cell = scene.chosen.cell
    put("paper_row", cell.dataset)
    st.selectbox(
        t("Data set"),
        scene.rows,
        key="paper_row",
        format_func=scene.title_of,
        on_change=lambda: _choose(scene),
    )
    put("paper_column", (cell.algorithm, cell.metric, cell.setting))
    st.selectbox(
        t("Column"),
        scene.columns,
        key="paper_column",
        format_func=lambda column: column_title(scene, column),
        on_change=lambda: _choose(scene),
    )
    for line in cell_words(scene):
        st.caption(plain(line))


def _choose(scene: PaperScene) -> None:
    key = (st.session_state["paper_row"], *st.session_state["paper_column"])
    place = scene.by_cell.get(key)
    if place is not None:
        session.select(paper_cell=place.name)
