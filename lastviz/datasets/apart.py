"""A process of its own for one task with somebody's file: what it takes ends with it.

Whatever a file makes a reader do, the interpreter that asks goes on, and no more memory or time
is taken than is left to the process. One process waits ready, its libraries imported.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from threading import BoundedSemaphore, Event, Lock, Thread
from time import monotonic

from lastviz._sentences import Refusal

__all__ = ["done_apart", "make_ready"]

ROOM = 3_000_000_000  # bytes of addresses for one file; the largest table takes half of it
LONGEST = 180.0  # seconds for one file
MOST_AT_ONCE = 2  # files
NICENESS = 5  # who only looks at pages goes first
NAP = 0.2  # seconds between two looks whether the answer is still wanted
COMMAND = [sys.executable, "-m", "lastviz.datasets.apart"]
PACKAGE = Path(__file__).resolve().parents[2]

_SPARE: list[tuple[subprocess.Popen, Connection]] = []
_LOCK = Lock()
_PLACES = BoundedSemaphore(MOST_AT_ONCE)


def make_ready() -> None:
    """Begin the process for the next task, unless one waits."""
    with _LOCK:
        if not _SPARE:
            ours, theirs = Pipe()
            with theirs:
                end = theirs.fileno()
                command = [*COMMAND, str(end)]
                child = subprocess.Popen(
                    command, cwd=PACKAGE, pass_fds=[end], stdin=subprocess.DEVNULL
                )
            _SPARE.append((child, ours))


def done_apart(
    name: str,
    task: Callable,
    /,
    *args: object,
    wanted: Callable[[], bool] = lambda: True,
    **more: object,
) -> object:
    """Return what `task` returns for these values, or raise what it raises, in another process.

    Parameters
    ----------
    name : str
        What a message calls the file.
    task : callable
        A function of a module.
    *args, **more : object
        Its values.
    wanted : callable
        Tells whether somebody still waits for the answer.

    Raises
    ------
    ValueError
        If it takes too much memory or time, or nobody waits any more.
    """
    with _PLACES:
        make_ready()
        with _LOCK:
            child, end = _SPARE.pop()
        answered = Event()
        Thread(target=_watch, args=(child, answered, wanted), daemon=True).start()
        try:
            end.send((task, args, more))
            is_done, answer = end.recv()
        except (EOFError, OSError):
            is_done, answer = False, MemoryError()
        finally:
            answered.set()
            child.kill()
            child.wait()
            end.close()
            make_ready()
    if isinstance(answer, MemoryError) and not is_done:
        raise Refusal(
            "{name} takes more memory or time than a file may; use a part of its rows or columns",
            name=name,
        )
    if not is_done:
        raise answer
    return answer


def _watch(child: subprocess.Popen, answered: Event, wanted: Callable[[], bool]) -> None:
    """End a process that takes too long, or whose answer nobody waits for."""
    end = monotonic() + LONGEST
    while not answered.wait(NAP):
        if monotonic() > end or not wanted():
            child.kill()
            return


def _limit_room() -> None:
    """Leave this process so many more addresses; without them it fails, and nobody else."""
    with suppress(ImportError, OSError, ValueError):  # where there is no such limit
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        room = pages * os.sysconf("SC_PAGESIZE") + ROOM
        resource.setrlimit(resource.RLIMIT_AS, (room, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _answer(end: Connection) -> None:
    """Do the one task that comes, once all is imported that reads files."""
    import pyarrow.compute
    import pyarrow.feather
    import pyarrow.parquet  # noqa: F401 (they take most of the time)

    import lastviz.datasets  # noqa: F401

    try:
        task, args, more = end.recv()
    except EOFError:  # who began this has ended
        return
    _limit_room()
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    try:
        answer = (True, task(*args, **more))
    except Exception as error:
        answer = (False, error)
    end.send(answer)


if __name__ == "__main__":
    _answer(Connection(int(sys.argv[1])))
