"""The work that something takes, as a count that is the same on every machine: calls."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

import lastviz

PACKAGE = str(Path(lastviz.__file__).parent)


@contextmanager
def calls_counted(calls: Counter):
    """Count the calls of lastviz's own functions by name, in this thread and those that begin."""

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE) and code.co_name[0] != "<":
            calls[code.co_name] += 1

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def files_entered(call: Callable[[], object]) -> set[Path]:
    """Files of lastviz whose code a call runs; a compiled kernel counts by its dispatcher."""
    entered = set()

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            entered.add(Path(frame.f_code.co_filename))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return entered
