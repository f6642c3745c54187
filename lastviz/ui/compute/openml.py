"""Fetching a data set of OpenML as a job: the page goes on meanwhile, and it can be given up."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial

from lastviz.datasets import all_datasets, fetch_openml, openml_key
from lastviz.host import jobs
from lastviz.host.jobs import Job, State
from lastviz.ui.text import CannotShow, t, translate

from .outcome import result_of


def ask(wanted: str) -> Job:
    """Job that fetches `wanted`; one that failed or was given up begins anew."""
    key, job = _key(wanted), under_way(wanted)
    if job is not None and (
        job.state in (State.FAILED, State.CANCELLED)
        or (job.state is State.DONE and job.outcome() not in all_datasets())  # deleted since
    ):
        jobs.JOBS.forget(job)
    return jobs.JOBS.start(key, t("Data set {name} of OpenML", name=wanted), partial(_work, wanted))


def under_way(wanted: str) -> Job | None:
    """Job that fetches or has fetched `wanted`, None if there is none."""
    return jobs.JOBS.find(_key(wanted))


def fetched_key(job: Job, viewer: str) -> str | None:
    """Key of the data set that has come, None while it is on its way.

    Raises
    ------
    CannotShow
        If it cannot be had; the message says why.
    """
    return result_of(job, viewer) if job.state in (State.DONE, State.FAILED) else None


def _key(wanted: str) -> str:
    return f"openml|{wanted}"


def _work(wanted: str) -> Generator[None, None, str]:
    steps = fetch_openml(wanted)
    try:
        while True:
            next(steps)
            yield None
    except StopIteration as end:
        return openml_key(end.value)
    except ValueError as error:
        raise CannotShow(translate(error)) from None
    finally:
        steps.close()
