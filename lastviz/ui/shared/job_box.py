"""Stand-in for a result to come: progress of its job, a button to cancel or to begin."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from lastviz.estimators import REFEREE
from lastviz.host import jobs
from lastviz.host.jobs import LONGEST, MOST_AT_ONCE, Job, State, Working
from lastviz.host.turns import TURNS
from lastviz.splitters import Bounds
from lastviz.ui.compute.outcome import viewer
from lastviz.ui.compute.work import ModelWork
from lastviz.ui.sheet import sheet, st
from lastviz.ui.state import session
from lastviz.ui.text import CannotShow, number, ordinal, percent, plain, plural, t, translate

Result = TypeVar("Result")
EVERY = 0.5  # seconds between two looks
REQUESTED, AWAITED = (
    "fold_jobs_requested",
    "fold_jobs_awaited",
)  # the session's: keys of jobs of folds


def limits() -> str:
    """Sentence on the time and number limits of jobs."""
    return t(
        "Long work runs in the background, {most} at a time, visitors in turn, each for at most "
        "{minutes} minutes.",
        most=plural(MOST_AT_ONCE, "one job", "{n} jobs"),
        minutes=number(round(LONGEST / 60)),
    )


def job_box(job: Job, place: str, has_news: Callable[[], bool] = lambda: False) -> None:
    """Draw how a job stands; the page is run anew once it is done.

    `place` names the box among those of the page. `has_news` tells whether a part of the result
    is there that the page does not show: it is run anew for that, too. Nothing leaves before:
    on a sheet, Working is raised.
    """
    if sheet() is not None:
        raise Working(job)
    _box(job, place, has_news)


@st.fragment(run_every=EVERY)
def _box(job: Job, place: str, has_news: Callable[[], bool]) -> None:
    with TURNS.turn():
        _draw(job, place, _followed(job, has_news))


def result_or_reason(
    ask: Callable[[], Result],
    place: str,
    progress: Callable[[Job, str], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> Result | None:
    """Result of some work, None if its progress, or why there is none, is drawn."""
    try:
        return ask()
    except CannotShow as reason:
        (tell or st.info)(plain(translate(reason)))
    except Working as working:
        (progress or job_box)(working.job, place)
    return None


# The job ends once a run of the page no longer requests it.
def box_of_fold(job: Job, place: str) -> None:
    """Draw the status of a fold's job."""
    st.session_state.setdefault(REQUESTED, set()).add(job.key)
    job_box(job, place)


def end_left_behind() -> None:
    """End the jobs of folds that an earlier run requested and this one did not."""
    requested = st.session_state.pop(REQUESTED, set())
    for key in st.session_state.get(AWAITED, set()) - requested:
        job = jobs.JOBS.find(key)
        if job is not None:
            job.leave(viewer())
    st.session_state[AWAITED] = requested


@st.fragment(run_every=EVERY)
def wait_for(job: Job) -> None:
    """Rerun the page once a job is done that the page shows only as running."""
    with TURNS.turn():
        _followed(job)


# If it is no longer running, the page is rerun.
def _followed(job: Job, has_news: Callable[[], bool] = lambda: False) -> State:
    """State of a running job."""
    standing = job.look(viewer())
    over = standing in (State.DONE, State.FAILED) or jobs.JOBS.find(job.key) is not job
    if over or has_news():
        session.unsettle()
        st.rerun()
    return standing


def _draw(job: Job, place: str, standing: State) -> None:
    name = viewer()
    with st.container(key=f"job-{place}"):
        if standing is State.CANCELLED:
            st.markdown(t("**{title}** was cancelled.", title=job.title))
            st.button(t("Train"), key=f"train-{place}", on_click=lambda: _again(job))
        else:
            st.progress(job.share, text=_words(job))
            label = t("Take the best tree so far") if job.is_anytime else t("Cancel")
            end = job.settle if job.is_anytime else job.cancel
            st.button(label, key=f"cancel-{place}", on_click=lambda: end(name))
            if isinstance(job.latest, Bounds):
                st.caption(bounds_words(job.latest))
            st.caption(limits())


def bounds_words(bounds: Bounds) -> str:
    """Bounds of the fewest errors, as far as a search has got."""
    errors = plural(bounds.found, "{n} training error", "{n} training errors")
    least = number(bounds.least)
    if not bounds.least:  # as every tree does: nothing is proved
        return t("Best tree so far: {errors}; no bound yet.", errors=errors)
    return t("Best tree so far: {errors}; no tree makes fewer than {least}.", errors=errors,
             least=least)  # fmt: skip


def proof_words(model: ModelWork) -> str:
    """Proof of an early-ended search for the best tree, "" if it did not end early."""
    tree = model.trained_already()
    if not isinstance(tree, REFEREE.cls) or tree.edits_ or tree.is_optimal_:
        return ""
    if not tree.lower_bound_ or tree.alpha:
        return t("The search for the best tree ended early: a tree of this depth may be better.")
    return t(
        "The search for the best tree ended early: it found one with {errors}, and every tree of "
        "this depth makes at least {least}.",
        errors=plural(tree.n_errors_, "{n} training error", "{n} training errors"),
        least=number(tree.lower_bound_),
    )


# It can go on unless a limit ended it.
def proof_note(model: ModelWork) -> None:
    """Note the proof of a search that ended early."""
    words = proof_words(model)
    if not words:
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"proof-{model.place}"):
        st.caption(plain(words))
        if model.trained_already().time_limit is None:
            st.button(
                t("Search to the end"), key=f"onward_{model.place}", type="tertiary",
                on_click=lambda: jobs.JOBS.forget(model.begin()),
            )  # fmt: skip


def _words(job: Job) -> str:
    if job.state is State.FETCHING:
        return t("**{title}** is on its way", title=job.title)
    if job.state is State.WAITING:
        place = ordinal(max(1, jobs.JOBS.place(job)))
        return t("**{title}** waits for its turn: {place} in line", title=job.title, place=place)
    values = {"title": job.title, "share": percent(job.share, 0)}
    left = job.seconds_left
    if left is None:
        return t("**{title}**: {share} % done", **values)
    return t("**{title}**: {share} % done, about {time} left", time=_rounded(left), **values)


def _rounded(seconds: float) -> str:
    """Time for people who wait: an estimate should not look exact."""
    if seconds < 10:
        return t("{n} s", n=max(1, round(seconds)))
    if seconds < 90:
        return t("{n} s", n=5 * round(seconds / 5))
    return t("{n} min", n=round(seconds / 60))


def _again(job: Job) -> None:
    if job.state is State.CANCELLED:
        jobs.JOBS.forget(job)
    job.accept(viewer())
