"""The page *papers*: a printed table beside our figures, and the outcome of its claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

import streamlit as st

from lastviz.export.blocks import Block as SlideBlock
from lastviz.export.blocks import Heading, Text, Words
from lastviz.plots import ThemeName
from lastviz.studies.published import PAPERS, PrintedCell
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.blocks import PAGE, SLIDE, Block, Chart, Controls, Only, draw, on_slide
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.headline import Say, show
from lastviz.ui.shared.widgets import bound, put, save_table, segments
from lastviz.ui.state import session
from lastviz.ui.text import paragraph, plain, t

from .dots import apart_alt, apart_figure
from .scene import TABLES_BY_NAME, PaperScene, paper_scene, study_of
from .words import (
    LACKING,
    apart_legend,
    claims_list,
    findings,
    grid,
    grid_legend,
    notes_fold,
    table_rows,
    table_title,
)

QUESTION = "Does it reproduce?"
TUNED = {"paper": "as the paper", "nested": "by training rows"}


def choices() -> None:
    """Draw the sidebar: paper, table, and how our parameters were chosen."""
    scene = paper_scene(session.current())
    st.markdown(f"**{t('Paper')}**")
    put("paper_of", scene.paper.key)
    st.selectbox(
        t("Paper"),
        list(PAPERS),
        key="paper_of",
        format_func=lambda key: t(PAPERS[key].title),
        label_visibility="collapsed",
        on_change=lambda: session.select(paper_table=_tables_of(st.session_state["paper_of"])[0]),
    )
    scenes = {
        name: paper_scene(session.current().change(paper_table=name))
        for name in _tables_of(scene.paper.key)
    }
    bound(
        st.selectbox,
        "paper_table",
        t("Table"),
        list(scenes),
        value=scene.name,
        format_func=lambda name: table_title(scenes[name]),
    )
    show(f'<p class="lv-note"><cite lang="en">{escape(scene.paper.citation)}</cite></p>')
    st.caption(plain(t(scene.paper.protocol)))
    if scene.has_nested:  # only there does it make a difference
        st.markdown(f"**{t('Parameters chosen')}**")
        segments("tuned", t("Parameters chosen"), {key: t(word) for key, word in TUNED.items()})


def _tables_of(paper: str) -> list[str]:
    return [name for name, table in TABLES_BY_NAME.items() if table.paper == paper]


def page_scene(work: Work, theme: ThemeName) -> PaperScene:
    """Work out the table that is looked at."""
    return paper_scene(work.selection)


def body(scene: PaperScene) -> None:
    """Draw the table as a picture and in numbers, and the claims."""
    draw(_blocks(scene, page_theme(), lambda cell: _address(cell, scene.protocol)))


def slide_blocks(work: Work, theme: ThemeName) -> Sequence[SlideBlock]:
    """Blocks of a slide: the picture, else the table, and the claims."""
    return on_slide(_blocks(paper_scene(work.selection), theme, lambda _: ""))


def _address(cell: PrintedCell, protocol: str) -> str:
    study = study_of(cell, protocol)
    return "" if study is None else f"compare?{session.link(study)}"


def _blocks(
    scene: PaperScene, theme: ThemeName, link_to: Callable[[PrintedCell], str]
) -> list[Block]:
    links = {place.cell: link_to(place.cell) for place in scene.places if place.ours}
    table = [Words(grid_legend()), Words(grid(scene, links))]
    picture: list[Block] = []
    if scene.compared:
        key = f"{scene.name}-apart"
        picture = [
            Words(f'<div class="lv-over">{apart_legend(theme)}</div>'),
            Chart(apart_figure(scene, theme), apart_alt(scene), key=key, filename=key),
        ]
    about = [
        t(
            "A difference is counted in standard deviations of a fold: the paper's where it prints "
            "them, else ours. A mean over folds varies less than a single fold: it is a wide "
            "yardstick."
        ),
        t(
            "Our figures are computed by {command}; the latest is of {date}.",
            command=f"`python -m lastviz.studies papers --table {scene.name}`",
            date=max((place.ours.date for place in scene.places if place.ours), default=LACKING),
        ),
    ]
    noise = t(
        "A difference of less than two standard errors (of folds that share training rows) is "
        "within noise."
    )
    return [
        Say(*findings(scene), style="lv-judged", lead=True),
        *picture,
        Only((PAGE,) if picture else (PAGE, SLIDE), table),
        Only(
            (PAGE,),
            [
                Words(notes_fold(scene)),
                Controls(partial(st.caption, paragraph(about))),
                Controls(partial(_file, scene)),
            ],
        ),
        Heading(t("What the paper claims")),
        Words(claims_list(scene)),
        Only((PAGE,), [Text(noise)]),
    ]


def _file(scene: PaperScene) -> None:
    """Draw the button that saves the table."""
    name = f"{scene.table.paper}-table-{scene.table.number}"
    save_table(t("This table (CSV)"), partial(table_rows, scene), name, key="paper_csv")
