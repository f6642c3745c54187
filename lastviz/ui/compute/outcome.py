"""Result of long work for any caller: at once, from a job, or the reason for its absence."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable

from streamlit.runtime.scriptrunner import get_script_run_ctx

from lastviz import splitters
from lastviz._numba import is_interpreting
from lastviz.host import jobs
from lastviz.host.jobs import Failed, Job, Steps
from lastviz.host.memory import remembered
from lastviz.ui.text import CannotShow, translate


def outcome(key: Hashable, title: str, steps: Steps, *, at_once: bool = False) -> object:
    """Result of some work, computed once per process.

    What takes a few milliseconds is done `at_once`, unless kernels are interpreted: to hand it to a
    thread and wait for that takes longer.

    Raises
    ------
    Working
        If it takes long or was cancelled.
    """
    if at_once and not is_interpreting():
        return _done_at_once(key, steps)
    return result_of(job_of(key, title, lambda: steps), viewer())


def in_one_step(ask: Callable[[], object]) -> Steps:
    """Make a question to the library a job that cannot say how far it is."""

    def steps() -> Generator[float, None, object]:
        yield 0.0
        return ask()

    return steps


@remembered
def _done_at_once(key: Hashable, steps: Steps) -> object:
    return splitters.result_of(steps())


def result_of(job: Job, viewer: str) -> object:
    """Result of a job for a viewer; see :meth:`lastviz.host.jobs.Job.outcome`.

    Raises
    ------
    CannotShow
        If it failed; the message says why.
    Working
        If it takes long or was cancelled.
    """
    try:
        return job.outcome(viewer)
    except Failed as failure:
        raise CannotShow(translate(failure)) from None


def job_of(key: Hashable, title: str, steps_of: Callable[[], Steps]) -> Job:
    """Job of a key; it begins if there is none."""
    job = jobs.JOBS.find(key)
    if job is None:
        return jobs.JOBS.start(key, title, steps_of())
    job.call(title)
    return job


def viewer() -> str:
    """Name of the session that asks."""
    run = get_script_run_ctx()
    return "" if run is None else run.session_id
