"""Cells of a table as studies of the visitor: begun at the paper's protocol, and what they gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from lastviz.studies.paper_data import ORDERED
from lastviz.studies.paper_runs import can_run_here, figure_in, run_name, studies_of
from lastviz.studies.published import Cell, printed_set
from lastviz.studies.published.cells import CellKey
from lastviz.studies.study import Study
from lastviz.studies.tasks import plan
from lastviz.ui.compute.memory import remembered
from lastviz.ui.compute.studies import MOST_FOLDS, asked, begin, refuse
from lastviz.ui.compute.turns import TURNS
from lastviz.ui.state import session, visitor
from lastviz.ui.state.codec import encode
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, t

from .scene import PaperScene, Run

__all__ = ["command_for", "own_figures", "run_buttons", "scene_of_set"]

MOST_LOOKED_AT = 5  # of a visitor's latest studies of a table


def run_buttons(scene: PaperScene) -> None:
    """Draw the buttons that compute the cell, its row or the table."""
    row = [place for place in scene.places if place.cell.dataset == scene.chosen.cell.dataset]
    for key, words, places in (
        ("paper_run", t("Run this cell"), [scene.chosen]),
        ("paper_run_row", t("Run this row"), row),
        ("paper_run_table", t("Run this table"), scene.places),
    ):
        can = [place.cell for place in places if can_run_here(place.cell)]
        st.button(
            words,
            key=key,
            icon=":material/play_arrow:",
            disabled=not can or not visitor.token(),
            help=t("Begins studies at the chosen protocol; one opens on Compare."),
            on_click=partial(_begin, can, scene.protocol),
        )


def command_for(scene: PaperScene) -> str:
    """Return the command that computes the row of the cell that is looked at."""
    dataset = scene.chosen.cell.dataset
    return f"python -m lastviz.studies papers --table {scene.name} --sets {dataset}"


def _begin(cells: Sequence[Cell], protocol: str) -> None:
    """Begin the studies, and show the first one on the page *compare*."""
    begun = []
    with TURNS.away():
        studies = studies_of(cells, protocol)
        plans = [plan(study, {k: d for k, (d, _) in given.items()})[0] for study, given in studies]
    for (study, given), planned in zip(studies, plans, strict=True):
        n_folds = sum(len(cell.tasks) for cell in planned)
        if n_folds > MOST_FOLDS:
            sentence = "These cells have {n} folds; this server takes at most {most} at once."
            refuse(t(sentence, n=number(n_folds), most=number(MOST_FOLDS)))
            return
        tables = {key: (data, _link(cells[0], name)) for key, (data, name) in given.items()}
        begun.append(begin(study, planned, tables, visitor.token()))
    if begun and begun[0]:
        session.open_scene(session.current().change(study=begun[0]), page="compare")


def scene_of_set(cell: Cell) -> Selection:
    """Return the scene of the data set of a cell."""
    known = printed_set(cell.paper, cell.dataset)
    scene = Selection(data=known.key or f"folder.{known.file}",
                      params=tuple(sorted(known.params.items())))  # fmt: skip
    if known.one_class is not None:
        scene = scene.having(one=known.one_class)
    return scene.having(ordered=True) if cell.paper in ORDERED else scene


def _link(like: Cell, name: str) -> str:
    return urlencode(encode(scene_of_set(replace(like, dataset=name)), named=False))


def own_figures(cells: Sequence[Cell]) -> dict[CellKey, Run]:
    """Return what the visitor's studies of a table say of its cells, the latest of each."""
    token = visitor.token()
    if not token or not cells:
        return {}
    begins, found = run_name(cells[0]), {}
    try:
        names = asked(lambda line: line.names(token))
        ids = [study_id for study_id, name, _ in names if name.startswith(begins)]
        for study_id in ids[:MOST_LOOKED_AT]:
            standing = asked(lambda line, study_id=study_id: line.standing(study_id, token))
            study, folds = _results(f"{study_id}|{standing}", study_id, token)
            for cell in cells:
                figure = None if cell.key in found else figure_in(folds, study, cell)
                if figure is not None:
                    found[cell.key] = study_id, figure
    except CannotShow:  # the table is shown without them
        return {}
    return found


@remembered
def _results(key: str, study_id: str, token: str) -> tuple[Study, pd.DataFrame]:
    return asked(
        lambda line: (line.study(study_id, token, line.tables(study_id)), line.folds(study_id))
    )
