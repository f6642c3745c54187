"""The page *compare*: a study's plan, start and progress, and the conclusions it allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic

import streamlit as st

from lastviz.datasets import Dataset
from lastviz.export.blocks import Columns, Words
from lastviz.host import visitor
from lastviz.host.jobs import Working
from lastviz.host.turns import TURNS
from lastviz.plots import ThemeName
from lastviz.studies.example import EXAMPLE
from lastviz.studies.statistics import CannotTell
from lastviz.studies.study import Study
from lastviz.studies.tasks import StudyStanding
from lastviz.ui.compute.outcome import outcome
from lastviz.ui.compute.studies import (
    COMPUTING,
    StudyStore,
    ask,
    begin,
    check_store,
    has_store,
    plan_study,
    refusal,
    time_cells,
    try_study_store,
)
from lastviz.ui.compute.work import Work, current
from lastviz.ui.shared.blocks import Block, NumbersTable, draw, on_slide, when_seen
from lastviz.ui.shared.figures import page_theme
from lastviz.ui.shared.headline import show, strip
from lastviz.ui.shared.job_box import job_box
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, number, plain, plural, t

from .blocks import (
    conclusion_card,
    head,
    intervals,
    more_pictures,
    ranks,
    scores_table,
    set_panels,
    sizes,
)
from .controls import NOTHING_CHOSEN, Draft, draft_of, study_choices, study_of_draft
from .details import cell_details, closely, history, learning_curves, looked_at, metric_chooser
from .example import example_below, example_choices, example_head
from .report import exports, study_report
from .scene import CompareScene, compare_scene, study_opened
from .study_data import Handed
from .words import (
    INTERVALS,
    SHORT,
    cell_grid,
    in_short,
    plan_grid,
    progress_bar,
    reason_list,
    reasons,
    seconds_words,
    standing_words,
    why_not,
)

TIMED = "study_timed"  # the session's: the plan of which one fold of each cell is timed


def plan_panel(draft: Draft, work: Work, token: str | None) -> None:
    """Draw the cells of the plan, their time, and the button that begins them."""
    for problem in draft.problems:
        st.info(plain(problem))
    try:
        study, tables = study_of_draft(draft, work)
        given = {key: dataset for key, (dataset, _) in tables.items()}
        key = f"plan|{study.id_for('')}|{'|'.join(given)}"
        cells, data = outcome(key, t("The plan of the study"), partial(plan_study, study, given))
    except Working as working:
        job_box(working.job, "plan")
        return
    n_folds = sum(len(cell.tasks) for cell in cells)
    runnable = any(not cell.reason for cell in cells)
    st.markdown(
        t("Nothing is computed yet. Begin the study: each algorithm is trained and tested on each "
          "data set.")
    )  # fmt: skip
    show(strip([(number(n_folds), "", t("folds")), *_time_cell(cells)]))
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
        st.caption(t("Allow this site to store data in your browser: a study is found by it."))
    show(plan_grid(study, cells))
    if cannot := reasons((c.algorithm, c.dataset, c.reason) for c in cells):
        show(reason_list(cannot))
    for dataset in data.values():
        _say_rare_class(dataset, study.folds)
    st.caption(t("A study goes on when this page is closed."))


def _timing(key: str, cells: tuple, data: dict[str, Dataset]) -> None:
    """Draw the button that times one fold of each cell, or how far that is."""
    n_unknown = ask(lambda line: line.expected(cells)).n_unknown
    if not n_unknown:
        return
    if st.session_state.get(TIMED) == key:
        try:
            work = partial(time_cells, cells, data)
            outcome(f"time|{key}", t("One fold of each cell"), work)
        except Working as working:
            job_box(working.job, "time")
        except CannotShow as reason:
            st.caption(plain(str(reason)))
        else:
            if ask(lambda line: line.expected(cells)).n_unknown < n_unknown:
                st.rerun()
            st.caption(t("Some cells cannot be timed: their folds fail."))
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
                "{name}: class {label} has {rows} for {folds} folds, so some folds lack it.",
                name=dataset.name,
                label=dataset.class_order[rarest],
                rows=plural(int(dataset.class_counts[rarest]), "{n} row", "{n} rows"),
                folds=n_folds,
            )
        )
    )


def _time_cell(cells: tuple) -> list[tuple[str, str, str]]:
    """Expected time of the study from earlier folds of its cells, nothing without any."""
    found = ask(lambda line: line.expected(cells))
    label = t("about, by earlier folds")
    if found.n_unknown:
        label = t("and {n} folds whose time is not known yet", n=number(found.n_unknown))
    is_known = not found.n_left or found.n_unknown < found.n_left
    return [(seconds_words(found.seconds / COMPUTING.n_workers), "", label)] if is_known else []


def _begin(study: Study, cells: tuple, tables: Handed, token: str) -> None:
    """Keep the study and put it into the line."""
    study_id = begin(study, cells, tables, token)
    if study_id:
        session.select(**NOTHING_CHOSEN, study=study_id)


# ---------------------------------------------------------------- page


QUESTION = "Which one is better, and is it real?"
MOST_NAMED = 3  # algorithms
MOST_PANELS = 6  # data sets with a picture of their own on a slide: their names can be read
EVERY, WAITING_EVERY = 1.0, 3.0  # seconds between two looks at a study that runs, that waits
NEWS_EVERY = 2.0  # seconds after which new results are shown, at the earliest
Act = Callable[[StudyStore], object]
DRAWN = "study_drawn"  # the session's: the folds that the page shows, and when it was drawn


def choices() -> None:
    """Draw the sidebar."""
    work = current()
    study = study_opened(work.selection, visitor.token())
    if work.selection.compare.study == EXAMPLE:
        example_choices(study)
    else:
        study_choices(draft_of(work, study), study)


def subject_names() -> tuple[str, ...]:
    """Subject of the page: the open study, or the one being put together."""
    work = current()
    if work.selection.compare.study:
        with suppress(CannotShow):  # the body says why
            study = study_opened(work.selection, visitor.token())
            return () if study is None else (study.name,)
        return ()
    draft = draft_of(work, None)
    return plural(len(draft.datasets), "one data set", "{n} data sets"), *draft.names()[:MOST_NAMED]


def body() -> None:
    """Draw the study that is open, or the plan of the one that is put together."""
    work, token = current(), visitor.token()
    if work.selection.compare.study != EXAMPLE:  # which needs no store
        check_store()
    if sentence := refusal():
        st.info(plain(sentence))
    wanted = work.selection.compare.study
    study = study_opened(work.selection, token)
    if wanted and study is None:
        st.info(t("This study is not yours, or it has been deleted: links to studies open them "
                  "in the browser that began them alone."))  # fmt: skip
        st.button(t("Set up a study"), on_click=lambda: session.select(study=""))
    scene = study and compare_scene(work.selection, study, token, page_theme())
    if scene:
        _study(scene)
    else:
        plan_panel(draft_of(work, None), work, token)
        example_below(work.selection)
    if has_store():
        history(token, wanted)


def slide_blocks(work: Work, theme: ThemeName) -> Sequence[Block]:
    """Content of a slide on the open study: its intervals and the conclusion.

    Raises
    ------
    CannotShow
        If no study of this reader is open, or it has no result yet.
    """
    scene = _with_results(work.selection, theme)
    shown, further = set_panels(scene), _further_conclusions(scene)
    if not 1 < len(scene.datasets) <= MOST_PANELS:
        shown, further = [Columns([[intervals(scene)], further], (8, 6))], []
    details = looked_at(work.selection, scene)
    return on_slide([*in_short(scene), *head(scene), *shown, *further, *details])


def report(address: str | None) -> str:
    """Report of the study that is open.

    Raises
    ------
    CannotShow
        If there is none, or it has no result yet.
    """
    scene = _with_results(session.current(), "light")
    return study_report(scene, address, looked_at(session.current(), scene)[:1])


def _with_results(selection: Selection, theme: ThemeName) -> CompareScene:
    token = visitor.token()
    study = study_opened(selection, token)
    scene = study and compare_scene(selection, study, token, theme)
    if not scene or scene.scores is None:
        raise CannotShow(t("None of your studies open here has a result yet."))
    return scene


def _study(scene: CompareScene) -> None:
    if scene.study_id == EXAMPLE:
        _example(scene)
        return
    draw(head(scene))
    st.session_state[DRAWN] = scene.standing, monotonic()
    if scene.standing.goes_on:
        COMPUTING.ensure()
        left = scene.seconds_left(COMPUTING.n_workers)
        every = EVERY if scene.standing.place == 1 else WAITING_EVERY
        st.fragment(_progress, run_every=every)(scene.study_id, visitor.token(), left)
    else:
        _standing(scene.study_id, scene.standing)
    if scene.scores is None:
        draw(_cells(scene))
        return
    metric_chooser(scene)
    draw(in_short(scene))
    st.caption(t(INTERVALS))
    table = NumbersTable("study_intervals", t("As a table"), partial(scores_table, scene))
    draw([*set_panels(scene), table, *_together(scene)])
    when_seen("further", t("Cells"), partial(_further, scene))


def _example(scene: CompareScene) -> None:
    example_head(scene)
    draw([*set_panels(scene), *_together(scene)])
    metric_chooser(scene)
    when_seen("further", t("Cells"), partial(_further, scene))


def _together(scene: CompareScene) -> list[Block]:
    """Blocks on all data sets together, with the further conclusions."""
    return [Columns([ranks(scene), sizes(scene)]), *_further_conclusions(scene)]


def _further_conclusions(scene: CompareScene) -> list[Block]:
    found = scene.conclusion
    rest = found if isinstance(found, CannotTell) else found[SHORT:]
    return [conclusion_card(scene, rest)] if rest else []


def _further(scene: CompareScene) -> None:
    st.subheader(t("Cells"), anchor=False)
    draw(_cells(scene))
    cell_details(scene)
    closely(scene)
    draw([more_pictures(scene)])
    exports(scene)
    learning_curves(scene)


def _cells(scene: CompareScene) -> list[Block]:
    """Results of all cells, and why there are none of some."""
    lacks = why_not(scene)
    return [Words(cell_grid(scene)), *([Words(reason_list(lacks))] if lacks else [])]


def _progress(study_id: str, token: str, left: float | None) -> None:
    """Draw how far a study is; the page is run anew once there is something to show."""
    with TURNS.turn():
        try:
            standing = ask(lambda line: line.standing(study_id, token))
        except CannotShow as reason:
            st.info(plain(str(reason)))
            return
        if _is_news(standing):
            session.unsettle()
            st.rerun()
        COMPUTING.ensure()
        _standing(study_id, standing, left)


def _is_news(standing: StudyStanding | None) -> bool:
    """Whether the page shows an older state than it should."""
    drawn, when = st.session_state.get(DRAWN, (None, 0.0))
    if standing is None or drawn is None or not standing.goes_on:
        return True
    if (standing.state, standing.place) != (drawn.state, drawn.place):
        return True
    return standing != drawn and monotonic() - when > NEWS_EVERY


def _standing(study_id: str, standing: StudyStanding, left: float | None = None) -> None:
    with st.container(key="study-standing"):
        st.markdown(standing_words(standing, left))
        show(progress_bar(standing))
        if standing.fault:
            st.info(plain(standing.fault))
        elif standing.goes_on and COMPUTING.fault:
            st.info(plain(t(COMPUTING.fault)))
        with st.container(horizontal=True, gap="small"):
            _buttons(study_id, standing)


def _buttons(study_id: str, standing: StudyStanding) -> None:
    def button(label: str, key: str, act: Act) -> None:
        st.button(label, key=key, on_click=partial(try_study_store, act))

    def stop(state: str, line: StudyStore) -> None:
        line.leave(study_id)
        line.set_state(study_id, state)

    def go_on(line: StudyStore) -> None:
        if standing.state == "done":
            line.forget_failed(study_id)
        line.join(study_id)
        COMPUTING.ensure()

    if standing.goes_on:
        button(t("Pause"), "study_pause", partial(stop, "paused"))
    elif standing.n_done < standing.n_folds:
        words = {"done": t("Run failed folds again"), "cancelled": t("Run")}
        button(words.get(standing.state, t("Continue")), "study_continue", go_on)
    if standing.state not in ("done", "cancelled"):
        button(t("Cancel"), "study_cancel", partial(stop, "cancelled"))
