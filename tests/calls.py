"""The work that something takes, as a count that is the same on every machine: calls."""

from __future__ import annotations

import sys
import threading
from collections import Counter
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
