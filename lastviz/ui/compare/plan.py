"""The study that is put together: its cells, how long they take, the button that begins it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from lastviz.datasets import Dataset
from lastviz.host import visitor
from lastviz.host.jobs import Working
from lastviz.studies.study import Study
from lastviz.ui.compute import cache
from lastviz.ui.compute.studies import (
    COMPUTING,
    MOST_FOLDS,
    MOST_STUDIES,
    ask,
    begin,
    planned,
    timed,
)
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, plain, plural, t

from .draft import NOTHING_CHOSEN, Draft, study_of_draft
from .study_data import Handed
from .words import plan_grid, reason_list, reasons, seconds_words

TIMED = "study_timed"  # the session's: the plan of which one fold of each cell is timed


def plan_panel(draft: Draft, selection: Selection, token: str | None) -> None:
    """Draw which cells there will be, how long they take, and the button that begins them."""
    for problem in draft.problems:
        st.info(plain(problem))
    try:
        study, tables = study_of_draft(draft, selection)
        given = {key: dataset for key, (dataset, _) in tables.items()}
        key = f"plan|{study.id_for('')}|{'|'.join(given)}"
        cells, data = cache.outcome(key, t("The plan of the study"), partial(planned, study, given))
    except Working as working:
        job_box(working.job, "plan")
        return
    n_folds = sum(len(cell.tasks) for cell in cells)
    runnable = sum(not cell.reason for cell in cells)
    show(
        strip(
            [
                (number(runnable), t("of {n}", n=number(len(cells))), t("cells can be computed")),
                (number(n_folds), "", t("folds")),
                _time_cell(cells),
            ]
        )
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            t("Begin the study"),
            type="primary",
            key="study_begin",
            disabled=not runnable or not token,
            on_click=partial(_begin, study, cells, tables, token),
        )
        _timing(key, cells, data)
    if visitor.is_known() and not token:
        st.caption(t("This browser stores nothing for this site, so a study could not be found "
                     "again. Allow it to store data for this site."))  # fmt: skip
    show(plan_grid(study, cells))
    if cannot := reasons((c.algorithm, c.dataset, c.reason) for c in cells):
        show(reason_list(cannot))
    for dataset in data.values():
        _say_rare_class(dataset, study.folds)
    st.caption(_limits())


def _timing(key: str, cells: tuple, data: dict[str, Dataset]) -> None:
    """Draw the button that times one fold of each cell, or how far that is."""
    n_unknown = ask(lambda line: line.expected(cells)).n_unknown
    if not n_unknown:
        return
    if st.session_state.get(TIMED) == key:
        try:
            work = partial(timed, cells, data)
            cache.outcome(f"time|{key}", t("One fold of each cell"), work)
        except Working as working:
            job_box(working.job, "time")
        except CannotShow as reason:
            st.caption(plain(str(reason)))
        else:
            if ask(lambda line: line.expected(cells)).n_unknown < n_unknown:
                st.rerun()
            st.caption(t("Some cells cannot be timed: their folds fail, or others compute them."))
        return
    st.button(
        t("Time one fold of each cell"),
        key="study_time",
        on_click=lambda: st.session_state.update({TIMED: key}),
    )


def _say_rare_class(dataset: Dataset, n_folds: int) -> None:
    """Say which class has too few rows to be in every fold."""
    too_few = dataset.n_samples < 2 * n_folds  # its cells say so
    if dataset.is_regression or too_few or dataset.class_counts.min() >= n_folds:
        return
    rarest = int(dataset.class_counts.argmin())
    st.caption(
        plain(
            t(
                "{name}: the class {label} has {rows}, fewer than the {folds} folds, so that some "
                "folds are without it; accuracy counts all the same.",
                name=dataset.name,
                label=dataset.class_order[rarest],
                rows=plural(int(dataset.class_counts[rarest]), "{n} row", "{n} rows"),
                folds=n_folds,
            )
        )
    )


def _limits() -> str:
    return t(
        "Studies are computed apart from this page, first come first served, and go on when it is "
        "closed. This server takes up to {folds} folds a study and {studies} studies a visitor; "
        "more is for the command line.",
        folds=number(MOST_FOLDS),
        studies=number(MOST_STUDIES),
    )


def _time_cell(cells: tuple) -> tuple[str, str, str]:
    """Return how long the study will take, from earlier folds of its cells."""
    found = ask(lambda line: line.expected(cells))
    n = COMPUTING.n_workers
    if found.n_unknown == found.n_left and found.n_left:
        return "?", "", t("no fold of these cells was timed yet")
    if found.n_unknown:
        label = t("and {n} folds of cells that were not timed yet", n=number(found.n_unknown))
        return seconds_words(found.seconds / n), "", label
    if not found.n_left:
        return "0 s", "", t("all known from earlier studies")
    return seconds_words(found.seconds / n), "", t("about, by earlier folds")


def _begin(study: Study, cells: tuple, tables: Handed, token: str) -> None:
    """Keep the study and put it into the line."""
    study_id = begin(study, cells, tables, token)
    if study_id:
        session.select(**NOTHING_CHOSEN, study=study_id)
