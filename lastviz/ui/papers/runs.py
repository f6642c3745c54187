"""Cells of a table computed for a visitor, and what that gave.

Most are studies at the paper's protocol, which open on the page *compare*; the SVM tree's divisions
are worked out while the reader looks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from lastviz.host import visitor
from lastviz.host.jobs import Working
from lastviz.host.memory import remembered
from lastviz.studies.paper_data import ORDERED
from lastviz.studies.paper_runs import (
    PlannedStudy,
    can_run_here,
    figure_in,
    is_study,
    run_name,
    studies_in_steps,
)
from lastviz.studies.published import PrintedCell, printed_set
from lastviz.studies.published.cells import CellKey
from lastviz.studies.study import Study
from lastviz.studies.svm_divisions import svm_figures_in_steps
from lastviz.ui.compute import cache
from lastviz.ui.compute.studies import MOST_FOLDS, ask, begin, refuse
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.state.codec import encode
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, t

from .scene import PaperScene, Run
from .words import table_title

MOST_LOOKED_AT = 5  # of a visitor's latest studies of a table
TO_RUN = "paper_to_run"  # the session's: cells that a button asked for, and the protocol
DIVIDED = "paper_divided"  # the session's: what divisions of the SVM tree gave, by cell


def run_buttons(scene: PaperScene) -> None:
    """Draw the buttons that compute the cell, its row or the table."""
    row = [place for place in scene.places if place.cell.dataset == scene.chosen.cell.dataset]
    for key, words, places in (
        ("paper_run", t("Run this cell"), [scene.chosen]),
        ("paper_run_row", t("Run this row"), row),
        ("paper_run_table", t("Run this table"), scene.places),
    ):
        can = tuple(place.cell for place in places if can_run_here(place.cell))
        studies = all(map(is_study, can))
        st.button(
            words,
            key=key,
            icon=":material/play_arrow:",
            disabled=not can or (studies and not visitor.token()),
            help=t("Begins studies at the chosen protocol; one opens on Compare.")
            if studies
            else t("Divides the rows as the paper does and puts the figures into the table."),
            on_click=partial(st.session_state.update, {TO_RUN: (can, scene.protocol)}),
        )


def run_progress(scene: PaperScene, open_study: Callable[[str], None]) -> None:
    """Draw how far it is what a button asked for; once it is there, show it or open the study."""
    cells, protocol = st.session_state.get(TO_RUN, ((), ""))
    if not cells or run_name(cells[0]) != run_name(scene.chosen.cell):
        return
    title = table_title(scene.table.number, scene.table.title)
    work = partial(studies_in_steps, cells, protocol)
    if not is_study(cells[0]):
        work = partial(svm_figures_in_steps, cells)
    names = "~".join("~".join(cell.key) for cell in cells)
    try:
        found = cache.outcome(f"papers|{scene.name}|{protocol}|{names}", title, work)
    except Working as working:
        job_box(working.job, "papers")
        return
    except CannotShow as reason:
        refuse(str(reason))
    else:
        if not is_study(cells[0]):
            known = st.session_state.get(DIVIDED, {})
            st.session_state[DIVIDED] = known | {each.key: ("", each) for each in found}
        elif study_id := _begun(cells[0], found):
            open_study(study_id)
    del st.session_state[TO_RUN]
    st.rerun()


def _begun(like: PrintedCell, studies: Sequence[PlannedStudy]) -> str | None:
    """Begin the studies and return the name of the first; None where that is refused."""
    n_folds = max(sum(len(cell.tasks) for cell in each.cells) for each in studies)
    if n_folds > MOST_FOLDS:
        sentence = "These cells have {n} folds; this server takes at most {most} at once."
        refuse(t(sentence, n=number(n_folds), most=number(MOST_FOLDS)))
        return None
    begun = []
    for each in studies:
        tables = {key: (data, _link(like, name)) for key, (data, name) in each.tables.items()}
        begun.append(begin(each.study, each.cells, tables, visitor.token()))
    return begun[0]


def scene_of_set(cell: PrintedCell) -> Selection:
    """Return the scene of the data set of a cell."""
    known = printed_set(cell.paper, cell.dataset)
    scene = Selection(data=known.key or f"folder.{known.file}",
                      params=tuple(sorted(known.params.items())))  # fmt: skip
    if known.one_class is not None:
        scene = scene.having(one=known.one_class)
    return scene.having(ordered=True) if cell.paper in ORDERED else scene


def _link(like: PrintedCell, name: str) -> str:
    return urlencode(encode(scene_of_set(replace(like, dataset=name)), named=False))


def has_own() -> bool:
    """Tell whether the visitor may have computed cells: what they gave is for no other's eyes."""
    return visitor.token() is not None or DIVIDED in st.session_state


def own_figures(cells: Sequence[PrintedCell]) -> dict[CellKey, Run]:
    """Return what the visitor has computed of a table's cells, the latest of each."""
    token = visitor.token()
    if cells and not is_study(cells[0]):
        divided = st.session_state.get(DIVIDED, {})
        return {cell.key: divided[cell.key] for cell in cells if cell.key in divided}
    if not token or not cells:
        return {}
    begins, found = run_name(cells[0]), {}
    try:
        names = ask(lambda line: line.names(token))
        ids = [study_id for study_id, name, _ in names if name.startswith(begins)]
        for study_id in ids[:MOST_LOOKED_AT]:
            standing = ask(lambda line, study_id=study_id: line.standing(study_id, token))
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
    return ask(
        lambda line: (line.study(study_id, token, line.tables(study_id)), line.folds(study_id))
    )
