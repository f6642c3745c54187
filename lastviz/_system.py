"""Differences between operating systems: locks, processes, owners of folders.

Here alone stands what Windows lacks, with what is done there instead; where the system gives no
such thing at all, nothing is done.
"""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from multiprocessing import parent_process
from pathlib import Path
from threading import Thread
from typing import IO

try:
    import fcntl
    import resource
except ModuleNotFoundError:  # Windows
    fcntl = resource = None

LARGE = 2**40  # bytes of memory, where nobody tells how many there are
GROUPS = (  # of processes: folder, most, used, what the system gives back of it; two ways of Linux
    ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
    (
        *("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
        "total_inactive_file",
    ),
)
LOOK = 0.1  # seconds between two tries to lock, where the system does not wait


def lock(file: IO, *, shared: bool = False, wait: bool = True) -> None:
    """Lock an open file among all processes until it is closed.

    On Windows a shared lock is as exclusive as any other, and no child process inherits one.

    Raises
    ------
    BlockingIOError
        If another one has it, and `wait` is false.
    OSError
        If nothing can be locked there.
    """
    if fcntl is not None:
        how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        fcntl.flock(file, how if wait else how | fcntl.LOCK_NB)
        return
    import msvcrt

    while True:
        os.lseek(file.fileno(), 0, os.SEEK_SET)  # it locks one byte from where the file stands
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            return
        except PermissionError as error:
            if not wait:
                raise BlockingIOError(*error.args) from None
        time.sleep(LOOK)


def start_beside(command: Sequence[str], niceness: int, **options: object) -> subprocess.Popen:
    """Start a process that lets this one go first: one of so much lower priority."""
    flags = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    child = subprocess.Popen(command, creationflags=flags, **options)
    if hasattr(os, "setpriority"):
        with suppress(OSError):  # it may have ended
            own = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, child.pid, own + niceness)
    return child


def end_with_parent() -> None:
    """End this process as soon as its input is closed.

    The parent closes it, or the parent's end does.

    The parent holds the other end of a pipe, and writes no more into it.
    """

    def wait() -> None:
        # Not by sys.stdin: its lock would be held while the interpreter ends, which then aborts.
        while os.read(0, 4096):
            pass
        os._exit(0)

    Thread(target=wait, name="parent", daemon=True).start()


def end_with_coordinator() -> None:
    """End this process of a pool once the process that started it has ended.

    A coordinator that is killed cannot announce its end.
    """

    def wait() -> None:
        parent_process().join()
        os._exit(1)

    Thread(target=wait, name="coordinator", daemon=True).start()


def n_processors() -> int:
    """Number of processors available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def user_number() -> int | None:
    """Number of the user whose rights this process has; Windows has none."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def is_root() -> bool:
    """Whether this process runs as root.

    Browsers then refuse to be sandboxed.
    """
    return user_number() == 0


def make_own_folder(folder: Path) -> None:
    """Make a folder that nobody but this user may look into.

    On Windows it is as private as the one that it lies in.

    Raises
    ------
    OSError
        If it cannot be made, or belongs to somebody else.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not hasattr(os, "getuid"):
        return
    found = folder.stat()
    if found.st_uid != os.getuid():
        raise PermissionError(f"the folder belongs to another user: {folder}")
    if stat.S_IMODE(found.st_mode) != 0o700:
        folder.chmod(0o700)


def make_own_database(file: Path) -> None:
    """Make a database file, if need be, that only this user can read or write.

    What SQLite puts beside it is as private. On Windows all are as private as their folder.
    """
    if not file.exists():
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    for each in (file, *(file.with_name(f"{file.name}-{part}") for part in ("wal", "shm"))):
        with suppress(FileNotFoundError, PermissionError):  # one that belongs to another user
            if hasattr(os, "getuid") and stat.S_IMODE(each.stat().st_mode) != 0o600:
                each.chmod(0o600)


def limit(seconds: int, n_bytes: int) -> None:
    """Limit this process to some processor seconds and bytes of further address space."""
    if resource is None:
        return
    with suppress(OSError, ValueError):  # where there is no such limit
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        room = pages * os.sysconf("SC_PAGESIZE") + n_bytes
        resource.setrlimit(resource.RLIMIT_AS, (room, resource.getrlimit(resource.RLIMIT_AS)[1]))


def has_fork_server() -> bool:
    """Whether processes are forked from a clean one.

    Only on Linux; other systems do not support it.
    """
    return sys.platform == "linux"


def begin_fork_server(modules: Sequence[str]) -> None:
    """Begin the process that others are forked from, which imports modules once.

    Ctrl-C in a terminal does not reach it: it ends with this process.
    """
    if not has_fork_server():
        return
    from multiprocessing import forkserver

    forkserver.set_forkserver_preload(list(modules))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def free_memory() -> int:
    """Bytes of memory left to this process and its children."""
    found = [LARGE]
    with suppress(OSError, KeyError, ValueError):
        found.append(1024 * _numbers("/proc/meminfo")["MemAvailable"])
    for group, (root, most, used, unused) in product(_groups(), GROUPS):
        with suppress(OSError, KeyError, ValueError):  # no such group, or "max"
            folder = Path(f"{root}{group}")
            limit, taken = (int(_text(folder / name)) for name in (most, used))
            found.append(limit - taken + _numbers(folder / "memory.stat")[unused])
    return max(0, min(found))


def _groups() -> set[str]:
    """Paths of the groups of processes to which this one belongs, as of a root."""
    found = {""}  # what a container sees of its own
    with suppress(OSError):
        found |= {line.split(":", 2)[2] for line in _text("/proc/self/cgroup").splitlines()}
    return found


def memory_in_use() -> int:
    """Bytes of memory held by this process, 0 where the system does not report it."""
    with suppress(OSError):
        return int(_text("/proc/self/statm").split()[1]) * os.sysconf("SC_PAGESIZE")
    return 0


def _text(file: str | Path) -> str:
    return Path(file).read_text(encoding="ascii")


def _numbers(file: str | Path) -> dict[str, int]:
    """Numbers of a file with a name and a number in each line."""
    lines = (line.replace(":", " ").split() for line in _text(file).splitlines())
    return {name: int(value) for name, value, *_ in lines}
