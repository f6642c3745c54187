"""Progress of compiling the kernels, for all processes on this machine.

Nobody waits for machine code: a kernel without it is interpreted (see ``_tiers.py``). One child
process of low priority compiles meanwhile, for all of them; a lock that it holds as long as it
lives tells that it works. What :mod:`lastviz.warm_up` compiles in parts is noted part by part in
files beside the machine code, so that a part counts as prepared for every process, and for the
next start. Who interprets a kernel for long asks for that one by a file of wishes, and the child
compiles it before all parts.

Nothing here imports numba before the child works: a server that starts need not wait for it.
"""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock, Thread
from typing import TextIO

from ._machine_code import PACKAGE, compiled_folder, digest_of_all, say_once, write
from ._system import end_with_parent, lock, start_beside

CHILD = (sys.executable, "-m", "lastviz.preparation")
WORK = "lastviz.warm_up"  # the module with the child's work
EVERYTHING = "--everything"  # of the child: all parts, not only what is asked for
NICENESS = 10  # of the child
ALL = "all"  # the part that stands for all parts
PATIENCE = 5.0  # seconds for the child to end

log = logging.getLogger("lastviz")


def is_prepared(part: str = ALL) -> bool:
    """Whether a part of the kernels is compiled, by default all of them."""
    folder = _folder()
    return is_switched_off() or (folder is not None and (folder / f"{part}.done").exists())


def note_prepared(part: str = ALL) -> None:
    """Note that a part is compiled."""
    _write(f"{part}.done", b"")


def want(wish: bytes) -> bool:
    """Ask for a kernel before all parts; tell whether a child will see it."""
    name = hashlib.sha256(wish).hexdigest()[:32]
    return _write(f"{name}.wish", wish) and (is_under_way() or start() is not None)


def wishes() -> list[Path]:
    """Files with the wishes for kernels."""
    folder = _folder()
    return [] if folder is None else sorted(folder.glob("*.wish"))


def is_under_way() -> bool:
    """Whether a child of this or another process compiles."""
    if _children and _children[-1].poll() is None:
        return True
    try:
        with _lock_file() as file:
            lock(file, shared=True, wait=False)
    except BlockingIOError:
        return True
    except OSError:
        pass  # where nothing can be locked nobody compiles beside us
    return False


def start(*arguments: str) -> subprocess.Popen | None:
    """Start a child; None where that is not possible.

    One that is not the only one ends at once; it ends with this process, whose end closes its
    input.
    """
    with _starting:
        try:
            _lock_file().close()
            child = start_beside(
                (*CHILD, *arguments), NICENESS, cwd=PACKAGE.parent, stdin=subprocess.PIPE
            )
        except OSError:
            return None
        if not _children:
            atexit.register(_end)
        _children[:] = [child]
    return child


def _end() -> None:
    """Let the child end before this process does, which would leave its pipe open."""
    for child in _children:
        with suppress(OSError, subprocess.TimeoutExpired):
            child.stdin.close()
            child.wait(PATIENCE)


@cache
def begin() -> None:
    """Start the child process if a part is missing, once per process.

    A child that ends too early is logged.
    """
    child = None if is_prepared() else start(EVERYTHING)
    if child is not None:
        Thread(target=_watch, args=(child,), name="preparation", daemon=True).start()


def _watch(child: subprocess.Popen) -> None:
    with child.stdin:  # closed before, it would tell the child to end
        status = child.wait()
    if status:
        log.warning(early_end(status))


def early_end(status: int) -> str:
    """Say of a child that it ended with a status other than 0."""
    how = f"signal {-status}" if status < 0 else f"status {status}"
    return f"compiling beside the server has ended early ({how}); the rest compiles when needed"


def is_switched_off() -> bool:
    """Whether nothing is compiled at all: kernels run as Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def main(arguments: Sequence[str]) -> int:
    """Be the child; the exit status."""
    end_with_parent()
    with _lock_file() as file:
        try:
            lock(file, wait=False)
        except BlockingIOError:
            return 0  # another one works
        sys.modules["pandas"] = None  # 70 MB that scikit-learn imports if it can, no kernel needs
        work = import_module(WORK)  # which knows every algorithm, and stands above this module
        del sys.modules["pandas"]
        return work.compile_beside(everything=EVERYTHING in arguments)


_starting = Lock()
_children: list[subprocess.Popen] = []  # the last one that this process started


def _folder() -> Path | None:
    return compiled_folder(f"prepared-{_named()}")


@cache
def _named() -> str:
    """Name of the machine code of all parts on this processor."""
    from llvmlite.binding import get_host_cpu_name

    of_all = digest_of_all([PACKAGE / "warm_up.py"])
    return f"{of_all}-{sys.implementation.cache_tag}-{get_host_cpu_name()}"


def _lock_file() -> TextIO:
    folder = _folder()
    if folder is None:
        raise OSError("there is no folder of machine code")
    return (folder / "lock").open("a", encoding="utf-8")


def _write(name: str, content: bytes) -> bool:
    folder = _folder()
    try:
        if folder is not None:
            write(folder / name, content)
            return True
    except OSError as error:
        say_once(f"{folder} cannot be written: {error.strerror}")
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
