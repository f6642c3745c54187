"""Python as lastviz would find it on Windows; the interpreter imports this if its folder is asked.

What asks decides: lastviz's own modules see neither the modules and names that Windows lacks nor
the files of Linux, and find its rules for links, names of files and children. The libraries below,
which know Windows, go on with what there is here; nothing forks.
"""

from __future__ import annotations

import builtins
import ctypes
import fcntl
import os
import re
import subprocess
import sys
import warnings
from types import ModuleType

from absent import MODULES, is_absent

NOT_YET: frozenset[str] = frozenset()
"""Modules of lastviz that are not held to this."""
PASSED = ("pathlib", "shutil", "tempfile", "contextlib", "glob", "io")  # lastviz's errands
LINUX = re.compile(r"/(proc|sys|dev|etc)\b")
WRONG_NAME = re.compile(r'[<>:"|?*\\]|[. ]$')


def is_ours(name: str) -> bool:
    return name.partition(".")[0] == "lastviz" and name not in NOT_YET


def asks(frames: object) -> bool:
    """Tell whether one of lastviz's modules does what is being done, perhaps by an errand."""
    while frames is not None:
        name = frames.f_globals.get("__name__", "")
        if name == "__main__":
            name = getattr(frames.f_globals.get("__spec__"), "name", None) or ""
        if is_ours(name):
            return True
        if name.partition(".")[0] not in PASSED:
            return False
        frames = frames.f_back
    return False


class Seen(ModuleType):
    """A module as Windows has it: without some names, with others in their place."""

    def __init__(self, module: ModuleType, **instead: object) -> None:
        self.__dict__.update(_module=module, _instead=instead)

    def __getattr__(self, name: str) -> object:
        module, instead = self.__dict__["_module"], self.__dict__["_instead"]
        if name in instead:
            return instead[name]
        if is_absent(module.__name__, name):
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r} on Windows")
        return getattr(module, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self.__dict__["_module"], name, value)


def no_links(*_: object, **__: object) -> None:
    raise OSError(1314, "A required privilege is not held by the client")


def kill(pid: int, number: int) -> None:
    raise AssertionError("os.kill ends the process there, whatever the number")


class Popen(subprocess.Popen):
    def __init__(self, *args: object, creationflags: int = 0, **options: object) -> None:
        if options.get("pass_fds") or options.get("preexec_fn"):
            raise ValueError("pass_fds and preexec_fn are not supported on Windows platforms")
        super().__init__(*args, **options)


class CDLL(ctypes.CDLL):
    def __init__(self, name: str, *args: object) -> None:
        if name is None:
            raise TypeError("argument of type 'NoneType' is not iterable")
        super().__init__(name, *args)


def get_context(method: str | None = None) -> object:
    import multiprocessing

    if method not in (None, "spawn"):
        raise ValueError(f"cannot find context for {method!r}")
    return multiprocessing.get_context("spawn")


def locking(descriptor: int, mode: int, n_bytes: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PermissionError(13, "Permission denied") from None


msvcrt = ModuleType("msvcrt")
msvcrt.locking, msvcrt.LK_NBLCK = locking, 2
INSTEAD = {
    "os": {"name": "nt", "symlink": no_links, "kill": kill},
    "sys": {"platform": "win32"},
    "subprocess": {
        "Popen": Popen, "BELOW_NORMAL_PRIORITY_CLASS": 0x4000,
    },
    "ctypes": {"CDLL": CDLL},
    "multiprocessing": {"get_context": get_context},
    "signal": {}, "socket": {}, "time": {}, "select": {},
}  # fmt: skip
SEEN: dict[str, ModuleType] = {}
import_here = builtins.__import__


def import_as_there(
    name: str,
    globals: dict | None = None,
    locals: dict | None = None,
    fromlist: tuple = (),
    level: int = 0,
) -> ModuleType:
    first = name.partition(".")[0]
    if level == 0 and first == "uvloop":
        raise ModuleNotFoundError("No module named 'uvloop'")
    if level or not asks(sys._getframe().f_back):
        return import_here(name, globals, locals, fromlist, level)
    if first in MODULES or any(is_absent(name, each) for each in fromlist or ()):
        raise ModuleNotFoundError(f"No module named {name!r} on Windows", name=name)
    if first == "msvcrt":
        return msvcrt
    found = import_here(name, globals, locals, fromlist, level)
    if found.__name__ in INSTEAD:
        instead = INSTEAD[found.__name__]
        return SEEN.setdefault(found.__name__, Seen(found, **instead))
    return found


def refuse(event: str, given: tuple) -> None:
    """Refuse what Windows would: forks to anybody, links, Linux's files and some names to us."""
    if event in ("os.fork", "os.forkpty"):
        raise AssertionError("nothing forks on Windows")
    if event not in ("open", "os.symlink", "os.mkdir", "os.rename") or not given:
        return
    path = given[1] if event in ("os.rename", "os.symlink") else given[0]
    if not isinstance(path, str | os.PathLike) or not asks(sys._getframe().f_back):
        return
    path = os.fspath(path)
    if event == "os.symlink":
        no_links()
    if LINUX.match(path):
        raise FileNotFoundError(2, "No such file or directory", path)
    if any(WRONG_NAME.search(part) for part in path.split("/") if part not in (".", "..")):
        raise OSError(22, "Invalid argument", path)


warnings.filterwarnings("ignore", category=EncodingWarning)
warnings.filterwarnings("error", category=EncodingWarning, module=r"lastviz(\.|$)")
builtins.__import__ = import_as_there
sys.addaudithook(refuse)
