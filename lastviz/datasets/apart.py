"""A separate process for one task with a user's file: its resources end with it.

Whatever a file makes a reader do, the interpreter that asks goes on, and no more memory or time
is taken than is left to the process. One process waits ready, its libraries imported. Task and
answer go through its standard input and output, piece by piece: who takes a large answer out of
one piece of bytes keeps all threads waiting meanwhile.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import BoundedSemaphore, Lock, Timer
from typing import BinaryIO

from lastviz._sentences import Refusal
from lastviz._system import end_with_parent, limit, start_beside

ROOM = 3_000_000_000  # bytes of addresses for one file; the largest table takes half of it
LONGEST = 120.0  # seconds for one file
MOST_AT_ONCE = 2  # files
NICENESS = 5  # who only looks at pages goes first
COMMAND = [sys.executable, "-m", "lastviz.datasets.apart"]
PACKAGE = Path(__file__).resolve().parents[2]

_SPARE: list[subprocess.Popen[bytes]] = []
_LOCK = Lock()
_PLACES = BoundedSemaphore(MOST_AT_ONCE)


def done_apart(name: str, task: Callable, /, *args: object, **more: object) -> object:
    """Result of `task` run in another process; its errors are raised here.

    Parameters
    ----------
    name : str
        What a message calls the file.
    task : callable
        A function of a module.
    *args, **more : object
        Its values.

    Raises
    ------
    ValueError
        If it takes too much memory or time, or the process ends without an answer.
    """
    with _PLACES:
        try:
            with _process() as process:
                timer = Timer(LONGEST, process.kill)
                timer.start()
                try:
                    pickle.dump((task, args, more), process.stdin)
                    process.stdin.flush()
                    error, answer = pickle.load(process.stdout)
                finally:
                    timer.cancel()
                    process.kill()
        except (EOFError, OSError, pickle.UnpicklingError):  # it has ended
            error, answer = MemoryError(), None
        with _LOCK, suppress(OSError):
            _SPARE[:] = _SPARE or [_started()]
    if isinstance(error, MemoryError):
        raise Refusal(
            "{name} takes more memory or time than a file may, or is damaged; use a part of its "
            "rows or columns, or save it again as CSV",
            name=name,
        )
    if error is not None:
        raise error
    return answer


def _process() -> subprocess.Popen[bytes]:
    """Process for one task: the one that waits if it still does."""
    with _LOCK:
        process = _SPARE.pop() if _SPARE else None
    if process and process.poll() is not None:
        process.communicate()  # closes what leads to it
        process = None
    return process or _started()


def _started() -> subprocess.Popen[bytes]:
    return start_beside(
        COMMAND,
        NICENESS,
        cwd=PACKAGE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # a Ctrl-C is meant for who began it; it ends with that one
    )


def _answer(asker: BinaryIO, out: BinaryIO) -> None:
    """Do the one task that comes, once all is imported that reads files."""
    import pyarrow.compute
    import pyarrow.parquet  # noqa: F401 (they take most of the time)

    import lastviz.datasets  # noqa: F401

    with suppress(EOFError):  # who began this has ended
        task, args, more = pickle.load(asker)
        end_with_parent()  # whatever it is doing
        limit(int(LONGEST) + 1, ROOM)
        try:
            answer = (None, task(*args, **more))
        except Exception as error:
            answer = (error, None)
        pickle.dump(answer, out)
        out.flush()


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    _answer(sys.stdin.buffer, answers)
    os._exit(0)
