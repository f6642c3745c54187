"""The page *papers*: a printed table beside our figures, and what the paper's claims come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from lastviz.estimators import ESTIMATORS
from lastviz.export.html_report import Picture, Text, Words
from lastviz.export.slide_show import Block, Columns
from lastviz.plots import ThemeName
from lastviz.studies.reproduction import FOLDS, RECIPES, Recipe
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute import cache
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.headline import legend, show
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.state import session
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.text import plain, t

from .controls import cell_chooser, protocol_chooser, table_chooser
from .figure_scene import FigureScene, figure_scene, machine_rows, pair_table
from .figures import against_figures, best_figures, class_figures, model_figures, space_figures
from .scene import PaperScene, Place, paper_scene
from .words import (
    best_legend,
    claims_table,
    grid,
    numbers,
    papers_legend,
    statements_table,
    table_rows,
)

__all__ = ["QUESTION", "body", "choices", "pictured", "prepared"]

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
    "machines": ("What it costs beside other ways to part many classes", machine_rows),
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


def prepared() -> PaperScene | FigureScene:
    """Work out the table or the figure that is looked at."""
    return _scene(session.current())


def _scene(selection: Selection) -> PaperScene | FigureScene:
    return figure_scene(selection) or paper_scene(selection)


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows: a table with our figures and the claims, or a figure."""
    scene = _scene(selection)
    if isinstance(scene, PaperScene):
        parts = (papers_legend(), numbers(scene), grid(scene), claims_table(scene))
        return [*map(Words, parts)]
    scene = replace(scene, theme=theme)
    columns = [
        [Text(title), Picture(figure, title, "")]
        for title, figure in PICTURES[scene.figure.kind](scene)
    ]
    said = [Words(statements_table(scene))] if scene.figure.says else []
    head = [Text(t(scene.figure.shows)), *map(Words, _legend_of(scene))]
    return [*head, *([Columns(columns)] if columns else []), *said]


def _legend_of(scene: FigureScene) -> list[str]:
    """Return the legend of a figure; nothing where it needs none."""
    if scene.figure.kind in ABOUT_CLASSES:
        names = class_names_of(cache.data(scene.scenes[-1][1]).dataset)
        return [legend(names, scene.theme, held_out=False, marks=False)]
    return [best_legend(scene)] if scene.figure.kind == "best" else []


def body(scene: PaperScene | FigureScene) -> None:
    """Draw a figure with its numbers, or a table with what can be done with it and the claims."""
    if isinstance(scene, FigureScene):
        _figure(scene)
        return
    show(papers_legend())
    show(numbers(scene))
    show(grid(scene))
    st.caption(
        t(
            "A difference is counted in standard deviations of a fold: the paper's where it prints "
            "them, else ours."
        )
    )
    _acts(scene)
    st.subheader(t("What the paper claims"), anchor=False)
    show(claims_table(scene))
    st.caption(
        t(
            "A difference of less than two standard errors (of folds that share training rows) is "
            "within noise: it decides nothing."
        )
    )


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
                    on_click=partial(_open, selection, "boundaries"),
                )


def _acts(scene: PaperScene) -> None:
    """Draw the buttons: cell, row or table as a study, the cell as a scene, the table as a file."""
    there = _opened(scene)
    row = [place for place in scene.places if place.cell.dataset == scene.chosen.cell.dataset]
    with st.container(key="paper_acts", horizontal=True, wrap=True, gap="small"):
        for key, words, places in (
            ("paper_again", t("Compute this cell again"), [scene.chosen]),
            ("paper_again_row", t("Compute this row again"), row),
            ("paper_again_table", t("Compute this table again"), scene.places),
        ):
            again = _again(scene, places)
            st.button(
                words,
                key=key,
                icon=":material/play_arrow:",
                disabled=again is None,
                help=t("Opens the page Compare with these algorithms, data sets and the protocol."),
                on_click=partial(_open, again, "compare"),
            )
        st.button(
            t("Open in Boundaries"),
            key="paper_open",
            disabled=there is None,
            on_click=partial(_open, there, "boundaries"),
        )
        st.download_button(
            t("This table (CSV)"),
            lambda: table_rows(scene).to_csv(index=False),
            file_name=f"{scene.table.paper}-table-{scene.table.number}.csv",
            mime="text/csv",
            on_click="ignore",
            key="paper_csv",
            icon=":material/download:",
        )


def _open(selection: Selection | None, page: str) -> None:
    if selection is not None:
        session.open_scene(selection, page=page)


def _recipe(scene: PaperScene, place: Place) -> tuple[Recipe, str, Mapping[str, object]] | None:
    """Return what a cell is here: recipe, key of the data set, its parameters."""
    cell, known = place.cell, scene.set_of(place.cell.dataset)
    recipe = RECIPES.get((cell.paper, cell.algorithm))
    if recipe is None or place.reason is not None or known.one_class is not None:
        return None
    return recipe, known.key or f"folder.{known.file}", known.params


def _again(scene: PaperScene, places: Sequence[Place]) -> Selection | None:
    """Return the selection that has cells on the page *compare*, None where none can be run."""
    found = [each for place in places if (each := _recipe(scene, place)) is not None]
    if not found:
        return None
    recipes = [recipe for recipe, _, _ in found]
    chosen = "best_on_test" if scene.protocol == "paper" else "nested"
    return session.current().change(
        compared=tuple(dict.fromkeys(map(_algorithm, recipes))),
        compared_on=tuple(
            dict.fromkeys("~".join([key, *_pairs(params.items())]) for _, key, params in found)
        ),
        protocol=chosen if any(recipe.grid for recipe in recipes) else "fixed",
        repeats=min(recipe.draws for recipe in recipes),
        study_folds=FOLDS[scene.table.paper],
        study="",
    )


def _algorithm(recipe: Recipe) -> str:
    """Return a recipe as a link of the page *compare* says it."""
    unlabelled = ["unlabelled=true"] if recipe.unlabelled else []
    grid_of = [f"{name}={'|'.join(map(str, values))}" for name, values in recipe.grid]
    return "~".join([recipe.key, *_pairs(recipe.params), *grid_of, *unlabelled])


def _pairs(pairs: object) -> list[str]:
    return [f"{name}={value}" for name, value in pairs]


def _opened(scene: PaperScene) -> Selection | None:
    """Return the scene that shows the cell's algorithm on its data set."""
    found = _recipe(scene, scene.chosen)
    if found is None or found[0].key not in ESTIMATORS:
        return None
    recipe, key, params = found
    selection = Selection(data=key, params=tuple(sorted(params.items())))
    model = Model(recipe.key, tuple(sorted(recipe.params)))
    return selection.having(models=(model,), unlabelled=recipe.unlabelled)
