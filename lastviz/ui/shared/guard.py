"""One guard around all that a run draws: whatever fails, the rest is drawn, and one sentence.

The frame draws a page part by part. What is meant for the reader, such as why something cannot be
shown, stands where it came up. An error that nobody expected is logged, and the first of a run is
told by its name in the log. So are those that come up outside of any part: in what is before a
page, in a widget's callback, in a fragment that is run by itself. Streamlit would show its own box.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import streamlit as st
from streamlit import error_util
from streamlit.errors import FragmentHandledException
from streamlit.runtime.scriptrunner import (
    RerunData,
    RerunException,
    StopException,
    get_script_run_ctx,
)

from lastviz._deadline import TooLong
from lastviz.host import faults
from lastviz.host.jobs import Working
from lastviz.host.turns import LONGEST
from lastviz.ui.state import resumption, session
from lastviz.ui.text import CannotShow, t

from .example import Pictured, example_instead
from .job_box import job_box

UNTOLD = "fault_untold"  # the session's: the name of an error that ended a run before it drew

Result = TypeVar("Result")


@dataclass
class FaultReport:
    """Record of a run's notices: a fault, and the jobs that have a box."""

    fault: bool = False
    boxes: set[str] = field(default_factory=set)


_REPORT: ContextVar[FaultReport] = ContextVar("report")


def begin() -> None:
    """Begin a run, in which nothing has been told yet."""
    _REPORT.set(FaultReport())


# Beside the reason why something cannot be shown stands the example that `pictured` draws.
def part(
    where: str, draw: Callable[..., object], *args: object, pictured: Pictured | None = None
) -> None:
    """Draw a part of a page, or the message that replaces it."""
    try:
        try:
            draw(*args)
        except Working as working:
            _show_job(working, where)
        except CannotShow as reason:
            st.info(str(reason))
            if pictured is not None:
                example_instead(pictured)
    except (RerunException, StopException):
        raise
    except TooLong:
        st.error(t("This took longer than {n} seconds and was stopped, since others wait.",
                   n=f"{LONGEST:g}"))  # fmt: skip
        raise StopException from None
    except FragmentHandledException:
        pass  # its sentence stands in the fragment
    except BaseException as error:  # a plug-in may end the interpreter, as it thinks
        _tell(faults.note(error, where, session.link))


def try_part(ask: Callable[[], Result]) -> tuple[Result | None, Callable[[], None]]:
    """Result of `ask`, None if it fails, and a part of the page that shows the error."""
    try:
        return ask(), lambda: None
    except (RerunException, StopException):
        raise
    except BaseException as error:
        return None, partial(_raise, error)


def show_pending_error() -> None:
    """Show an error that ended the last run before it drew."""
    if name := st.session_state.pop(UNTOLD, ""):
        _tell(name)


def _report() -> FaultReport:
    if _REPORT.get(None) is None:
        begin()
    return _REPORT.get()


def _raise(error: BaseException) -> None:
    raise error


def _show_job(working: Working, where: str) -> None:
    """Show the progress of long work that delays a part, once on a page."""
    boxes = _report().boxes
    if working.job.key not in boxes:
        boxes.add(working.job.key)
        job_box(working.job, where)


def _tell(name: str) -> None:
    """Show the log's name of an error, unless the run has already shown another one."""
    report = _report()
    if report.fault:
        return
    report.fault, sentence = True, f"Something went wrong here. 这里发生了意外错误。({name})"
    with suppress(Exception):
        sentence = t("Something went wrong here. It is in the log as {name}.", name=name)
    with suppress(Exception):
        st.error(sentence)


# Where nothing has been drawn, or nothing of it reaches the browser, the page is run anew first.
def _uncaught(error: BaseException) -> None:
    """Show an error outside of any part, in place of Streamlit's box."""
    name = faults.note(error, "run", session.link)
    with suppress(Exception):
        run = get_script_run_ctx()
        if run.fragment_ids_this_run:
            begin()  # what the run before this one has told stands elsewhere
        if resumption.give_up() or not run.has_script_started:
            st.session_state[UNTOLD] = name
            run.script_requests.request_rerun(
                RerunData(run.query_string, page_script_hash=run.page_script_hash)
            )
            return
    _tell(name)


error_util.show_uncaught_app_exception = _uncaught
