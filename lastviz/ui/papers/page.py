"""The page *papers*: a printed table beside our figures, and what the paper's claims come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from html import escape

import streamlit as st

from lastviz._citation import as_bibtex, in_words
from lastviz._csv_writer import as_csv
from lastviz.estimators import ESTIMATORS
from lastviz.export.html_report import Picture, Text, Words
from lastviz.export.slide_show import Block, Columns
from lastviz.plots import ThemeName
from lastviz.studies.published import CHAPTER, EXAMPLES, PAPERS, TABLES, Claim
from lastviz.studies.reproduction import RECIPES, SVM, PaperRecipe
from lastviz.studies.svm_divisions import machine_of
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.compute.studies import refusal
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.headline import legend, show
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.widgets import bound, put, save_button, segments
from lastviz.ui.state import session
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.text import plain, t

from .claims import (
    ChapterScene,
    chapter_numbers,
    chapter_scene,
    chapter_table,
    claims_table,
    deciding_table,
    example_title,
    has_own,
    own_figures,
    run_buttons,
    run_progress,
    scene_of_set,
)
from .dots import apart_alt, apart_figure
from .figures import (
    against_figures,
    best_figures,
    class_figures,
    model_figures,
    space_figures,
    strips_of,
)
from .scene import (
    FIGURES_BY_NAME,
    TABLES_BY_NAME,
    FigureScene,
    PaperScene,
    figure_scene,
    machine_rows,
    pair_table,
    paper_scene,
)
from .words import (
    apart_legend,
    best_legend,
    cell_words,
    column_title,
    empty_cells,
    grid,
    numbers,
    papers_legend,
    statements_table,
    table_rows,
    table_title,
    verdict,
)

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


# ---------------------------------------------------------------- page


QUESTION = "Does it reproduce?"
PICTURES = {
    "models": model_figures,
    "classes": class_figures,
    "spaces": space_figures,
    "best": best_figures,
    "against": against_figures,
}
ABOUT_CLASSES = ("models", "classes", "spaces")
MOST_ACROSS = 4
COUNTED = {
    "pairs": ("How far apart two classes are", pair_table),
    "machines": ("Its cost compared with other ways to separate many classes", machine_rows),
}
"""Tables beside figures: what they say, and how they are worked out."""


def choices() -> None:
    """Draw the sidebar."""
    scene = prepared()
    table_chooser(scene)
    if isinstance(scene, PaperScene):
        protocol_chooser(scene)
        cell_chooser(scene)
    sidebar.foot()


def prepared() -> PaperScene | FigureScene | ChapterScene:
    """Work out the table, the figure or the example that is looked at."""
    selection = session.current()
    shown = chapter_scene(selection) or figure_scene(selection)
    return shown or paper_scene(selection, own_figures)


def is_own() -> bool:
    """Tell whether figures that the visitor has computed may stand in the table."""
    return has_own()


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows: a table with our figures and the claims, a figure, an example."""
    scene = chapter_scene(selection) or figure_scene(selection) or paper_scene(selection)
    if isinstance(scene, ChapterScene):
        return [Words(chapter_numbers(scene)), Words(chapter_table(scene))]
    if isinstance(scene, PaperScene):
        claims = Words(claims_table(scene))
        if scene.compared and selection.papers.paper_view == "picture":
            shown = Picture(apart_figure(scene, theme), t("Picture"), apart_alt(scene))
            return [Words(verdict(scene)), Words(apart_legend(theme)), shown, claims]
        parts = (verdict(scene), papers_legend(), numbers(scene), grid(scene))
        return [*map(Words, parts), claims]
    scene = replace(scene, theme=theme)
    columns = [
        [Text(title), Picture(figure, title, "")]
        for title, figure in PICTURES[scene.figure.kind](scene)
    ]
    statements = [Words(statements_table(scene))] if scene.figure.says else []
    head = [Text(t(scene.figure.shows)), *map(Words, _legend_of(scene))]
    return [*head, *([Columns(columns)] if columns else []), *statements]


def _legend_of(scene: FigureScene) -> list[str]:
    """Return the legend of a figure; nothing where it needs none."""
    if scene.figure.kind in ABOUT_CLASSES:
        names = class_names_of(cache.data(scene.scenes[-1][1]).dataset)
        return [legend(names, scene.theme)]
    return [best_legend(scene)] if scene.figure.kind == "best" else []


def body(scene: PaperScene | FigureScene | ChapterScene) -> None:
    """Draw a figure with its numbers, an example, or a table, what it allows and the claims."""
    if isinstance(scene, ChapterScene):
        _example(scene)
        return
    if isinstance(scene, FigureScene):
        _figure(scene)
        return
    if sentence := refusal():
        st.info(plain(sentence))
    _table(scene)
    if empty := empty_cells(scene):
        show("".join(f"<p class='lv-note'>{escape(sentence)}</p>" for sentence in empty))
    st.caption(
        t(
            "A difference is counted in standard deviations of a fold: the paper's where it prints "
            "them, else ours."
        )
    )
    _acts(scene)
    st.subheader(t("What the paper claims"), anchor=False)
    show(claims_table(scene, partial(_link_to, scene)))
    if scene.claim is not None:
        st.markdown(f"**{plain(t(scene.claim.sentence))}**")
        show(deciding_table(scene))
    st.caption(
        t(
            "A difference of less than two standard errors (of folds that share training rows) is "
            "within noise."
        )
    )
    _cited()


def _cited() -> None:
    """Draw how lastviz is cited."""
    st.subheader(t("How to cite"), anchor=False)
    show(f'<p class="lv-note"><cite lang="en">{escape(in_words())}</cite></p>')
    st.caption(
        t("Cite the papers of its algorithms, too; the page compare saves a study's as BibTeX.")
    )
    name = "lastviz.bib"
    save_button(t("BibTeX"), lambda: as_bibtex().encode(), name, mime="text/plain", key="cite")


def _table(scene: PaperScene) -> None:
    """Draw the table as a picture or in numbers; the latter alone where nothing can be compared."""
    view = "numbers"
    if scene.compared:
        titles = {"picture": t("Picture"), "numbers": t("Numbers")}
        view = segments("paper_view", t("View of the table"), titles)
    show(verdict(scene))
    if view == "numbers":
        show(papers_legend())
        show(numbers(scene))
        show(grid(scene))
        return
    theme = page_theme()
    left, right = st.columns([5, 2], gap="medium")
    with left:
        show(f'<div class="lv-over">{apart_legend(theme)}</div>')
        figure = apart_figure(scene, theme)
        key = f"{scene.name}-apart"
        chart(figure, key=key, height=figure.height, alt=apart_alt(scene), filename=key)
    with right:
        show(strips_of(session.current(), theme))


def _example(scene: ChapterScene) -> None:
    """Draw the sums of a worked example, and the way to where they are written out."""
    show(chapter_numbers(scene))
    show(chapter_table(scene))
    there = session.current().change(lesson=scene.example.lesson)
    with st.container(key="paper_acts", horizontal=True, wrap=True, gap="small"):
        show_it = partial(session.open_scene, there, page="textbook")
        st.button(t("Open in Textbook"), key="paper_open", on_click=show_it)


def _link_to(scene: PaperScene, claim: Claim) -> str:
    """Return the address that shows the figures which decide a claim."""
    selection = session.current().change(paper_table=scene.name, paper_cell="")
    return session.link(selection.change(paper_claim=claim.key))


def _figure(scene: FigureScene) -> None:
    """Draw what the print shows, from our own figures and models; then its numbers."""
    st.caption(plain(t(scene.figure.shows)))
    pictures = PICTURES[scene.figure.kind](scene)
    for html in _legend_of(scene):
        show(html)
    for first in range(0, len(pictures), MOST_ACROSS):
        row = pictures[first : first + MOST_ACROSS]
        for place, (column, (title, figure)) in enumerate(
            zip(st.columns(len(row)), row, strict=True), first
        ):
            with column:
                st.markdown(f"**{plain(title)}**")
                key = f"{scene.name}-{place}"
                chart(figure, key=key, height=figure.height, alt=title, filename=key)
    if scene.figure.says:
        show(statements_table(scene))
    if scene.figure.counted:
        title, rows = COUNTED[scene.figure.counted]
        st.markdown(f"**{t(title)}**")
        st.dataframe(rows(scene), hide_index=True)
    if scene.scenes:
        with st.container(key="paper_acts", horizontal=True, wrap=True, gap="small"):
            for place, (title, selection) in enumerate(scene.scenes):
                st.button(
                    t("Open {title} in Boundaries", title=t(title)),
                    key=f"paper_open_{place}",
                    on_click=partial(session.open_scene, selection, page="boundaries"),
                )


def _acts(scene: PaperScene) -> None:
    """Draw the buttons: cell, row or table as studies, the cell as a scene, the table as a file."""
    there = _opened(scene)
    with st.container(key="paper_acts", horizontal=True, wrap=True, gap="small"):
        run_buttons(scene)
        st.button(
            t("Open in Boundaries"),
            key="paper_open",
            disabled=there is None,
            on_click=there and partial(session.open_scene, there, page="boundaries"),
        )
        save_button(
            t("This table (CSV)"),
            lambda: as_csv(table_rows(scene)),
            f"{scene.table.paper}-table-{scene.table.number}.csv",
            key="paper_csv",
        )
    run_progress(scene, _open_study)


def _open_study(study_id: str) -> None:
    session.open_scene(session.current().change(study=study_id), page="compare")


def _opened(scene: PaperScene) -> Selection | None:
    """Return the scene that shows the cell's algorithm on its data set."""
    cell = scene.chosen.cell
    recipe = RECIPES.get((cell.paper, cell.algorithm))
    if cell.paper == SVM:
        recipe = PaperRecipe(SVM, tuple(machine_of(cell).items()))
    if recipe is None or scene.chosen.reason is not None or recipe.key not in ESTIMATORS:
        return None
    model = Model(recipe.key, tuple(sorted(recipe.params)))
    return scene_of_set(cell).having(models=(model,), unlabelled=recipe.unlabelled)
