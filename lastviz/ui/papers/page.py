"""The page *papers*: a printed table beside our figures, and what the paper's claims come to."""

from __future__ import annotations

from functools import partial

import streamlit as st

from lastviz.estimators import ESTIMATORS
from lastviz.studies.reproduction import FOLDS, RECIPES, Recipe
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.headline import show
from lastviz.ui.state import session
from lastviz.ui.state.selection import Model, Selection
from lastviz.ui.text import t

from .controls import cell_chooser, protocol_chooser, table_chooser
from .scene import PaperScene, paper_scene
from .words import claims_table, grid, numbers, papers_legend, table_rows

__all__ = ["QUESTION", "body", "choices", "prepared"]

QUESTION = "Does it reproduce?"


def choices() -> None:
    """Draw the sidebar."""
    scene = paper_scene(session.current())
    table_chooser(scene)
    protocol_chooser(scene)
    cell_chooser(scene)
    sidebar.foot()


def prepared() -> PaperScene:
    """Work out the table that is looked at."""
    return paper_scene(session.current())


def body(scene: PaperScene) -> None:
    """Draw the table, what can be done with a cell, and the claims."""
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


def _acts(scene: PaperScene) -> None:
    """Draw the buttons: the cell as a study, the cell as a scene, the table as a file."""
    again, there = _again(scene), _opened(scene)
    with st.container(key="paper_acts", horizontal=True, wrap=True, gap="small"):
        st.button(
            t("Compute this cell again"),
            key="paper_again",
            icon=":material/play_arrow:",
            disabled=again is None,
            help=t("Opens the page Compare with this algorithm, data set and protocol."),
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


def _recipe(scene: PaperScene) -> tuple[Recipe, str, dict[str, object]] | None:
    """Return what the cell is here: recipe, key of the data set, its parameters."""
    cell, known = scene.chosen.cell, scene.set_of(scene.chosen.cell.dataset)
    recipe = RECIPES.get((cell.paper, cell.algorithm))
    if recipe is None or scene.chosen.reason is not None or known.one_class is not None:
        return None
    return recipe, known.key or f"folder.{known.file}", dict(known.params)


def _again(scene: PaperScene) -> Selection | None:
    """Return the selection that has the cell on the page *compare*."""
    found = _recipe(scene)
    if found is None:
        return None
    recipe, key, params = found
    unlabelled = ["unlabelled=true"] if recipe.unlabelled else []
    grid_of = [f"{name}={'|'.join(map(str, values))}" for name, values in recipe.grid]
    algorithm = "~".join([recipe.key, *_pairs(recipe.params), *grid_of, *unlabelled])
    chosen = "best_on_test" if scene.protocol == "paper" else "nested"
    return session.current().change(
        compared=(algorithm,),
        compared_on=("~".join([key, *_pairs(params.items())]),),
        protocol=chosen if recipe.grid else "fixed",
        repeats=recipe.draws,
        study_folds=FOLDS[scene.table.paper],
        study="",
    )


def _pairs(pairs: object) -> list[str]:
    return [f"{name}={value}" for name, value in pairs]


def _opened(scene: PaperScene) -> Selection | None:
    """Return the scene that shows the cell's algorithm on its data set."""
    found = _recipe(scene)
    if found is None or found[0].key not in ESTIMATORS:
        return None
    recipe, key, params = found
    selection = Selection(data=key, params=tuple(sorted(params.items())))
    model = Model(recipe.key, tuple(sorted(recipe.params)))
    return selection.having(models=(model,), unlabelled=recipe.unlabelled)
