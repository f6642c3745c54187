"""How far the compiling of the kernels is, for all processes on this machine.

What :mod:`lastviz.warm_up` compiles in parts is noted part by part in files beside the machine
code, so that a part counts as prepared for every process, and for the next start. One child
process of low priority compiles what is missing while servers answer already; a lock that it
holds as long as it lives tells all of them that it still works. Who waits for a part says so, and
the child takes that part next.

Nothing here imports numba: a server that starts need not wait for it.
"""

from __future__ import annotations

import fcntl
import logging
import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Thread
from time import sleep
from typing import TextIO

from llvmlite.binding import get_host_cpu_name

from ._machine_code import PACKAGE, brought, digest_of_all

CHILD = (sys.executable, "-m", "lastviz.warm_up", "--beside")
NICENESS = 10  # of the child
ALL = "all"  # the part that stands for all parts
TRIES, PAUSE = 10, 0.02  # of taking the lock while others look whether it is taken; seconds

log = logging.getLogger("lastviz")


def is_prepared(part: str = ALL) -> bool:
    """Tell whether a part of the kernels is compiled, by default all of them."""
    return is_switched_off() or _note(part).exists()


def note_prepared(part: str = ALL) -> None:
    """Note that a part is compiled."""
    _touch(_note(part))


def want(part: str) -> None:
    """Ask the child for a part before all others."""
    _touch(_wish(part))


def is_wanted(part: str) -> bool:
    """Tell whether somebody waits for a part."""
    return _wish(part).exists()


def is_under_way() -> bool:
    """Tell whether a child of this or another process compiles."""
    try:
        with _lock_file() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass  # where nothing can be locked nobody compiles beside us
    return False


def start() -> subprocess.Popen | None:
    """Start the child; None if nothing is missing or another one is under way.

    It inherits the lock, which nobody else can take until it has ended, and it ends with this
    process, whose end closes its input.
    """
    if is_prepared():
        return None
    try:
        with _lock_file() as file:
            _take(file)
            child = subprocess.Popen(
                CHILD, cwd=PACKAGE.parent, stdin=subprocess.PIPE, pass_fds=[file.fileno()]
            )
    except OSError:
        return None
    with suppress(OSError):  # it may have ended
        own = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, child.pid, own + NICENESS)
    return child


@cache
def begin() -> None:
    """Start the child, once a process, and log it if it ends before its work does."""
    child = start()
    if child is not None:
        Thread(target=_watch, args=(child,), name="preparation", daemon=True).start()


def _watch(child: subprocess.Popen) -> None:
    with child.stdin:  # closed before, it would tell the child to end
        status = child.wait()
    if status:
        log.warning(early_end(status))


def early_end(status: int) -> str:
    """Return what to say of a child that ended with a status other than 0."""
    how = f"signal {-status}" if status < 0 else f"status {status}"
    return f"compiling beside the server has ended early ({how}); the rest compiles when needed"


def _take(file: TextIO) -> None:
    """Lock the file; who only looks whether it is locked holds it for a moment."""
    for _ in range(TRIES):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            sleep(PAUSE)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_switched_off() -> bool:
    """Tell whether nothing is compiled at all: kernels run as Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def _folder() -> Path:
    return brought(f"prepared-{_named()}")


@cache
def _named() -> str:
    """Return what names the machine code of all parts on this processor."""
    of_all = digest_of_all([PACKAGE / "warm_up.py"])
    return f"{of_all}-{sys.implementation.cache_tag}-{get_host_cpu_name()}"


def _note(part: str) -> Path:
    return _folder() / f"{part}.done"


def _wish(part: str) -> Path:
    return _folder() / f"{part}.wanted"


def _lock_file() -> TextIO:
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    return (folder / "lock").open("a", encoding="utf-8")


def _touch(file: Path) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    except OSError as error:
        log.warning("%s cannot be written: %s", file, error)
