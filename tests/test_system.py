"""What systems do differently: locks between processes, children that end with their parent."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from lastviz import _system

ROOT = Path(__file__).resolve().parent.parent
BEGIN = "from lastviz._system import end_with_parent; end_with_parent()\n"


def started(code: str) -> subprocess.Popen[str]:
    """A process that this one has on a pipe."""
    return subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_a_child_comes_to_its_normal_end_while_its_parent_lives():
    children = [started(BEGIN + "print('done')") for _ in range(5)]
    for child in children:
        with child:
            assert child.stdout.read() == "done\n"
            assert (child.stderr.read(), child.wait()) == ("", 0)


def test_a_child_ends_with_its_parent():
    child = f"{BEGIN}import time; time.sleep(600)"
    parent = f"""
import os, subprocess, sys
subprocess.Popen([sys.executable, "-c", {child!r}], stdin=subprocess.PIPE)
os._exit(7)
"""
    with started(parent) as process:
        assert process.stdout.read() == ""  # to its end: the child, which has it too, is no more
        assert process.wait() == 7


class Msvcrt(ModuleType):
    """What Windows locks a byte of a file with, made of what there is here."""

    LK_NBLCK = 2

    @staticmethod
    def locking(descriptor: int, mode: int, n_bytes: int) -> None:
        assert (mode, n_bytes) == (Msvcrt.LK_NBLCK, 1)
        assert os.lseek(descriptor, 0, os.SEEK_CUR) == 0
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PermissionError(13, "Permission denied") from None


@pytest.fixture(params=["POSIX", "Windows"])
def system(request, monkeypatch):
    if request.param == "Windows":
        monkeypatch.setattr(_system, "fcntl", None)
        monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt("msvcrt"))
    return request.param


def test_one_has_the_lock_until_its_file_is_closed_and_who_waits_has_it_next(system, tmp_path):
    path = tmp_path / "lock"
    with path.open("ab") as mine:
        mine.write(b"some")
        _system.lock(mine)
        with path.open("ab") as other, pytest.raises(BlockingIOError):
            _system.lock(other, wait=False)
        with path.open("ab") as other, pytest.raises(BlockingIOError):
            _system.lock(other, wait=False, shared=True)
    with path.open("ab") as other:
        _system.lock(other, wait=False)
    code = f"""
from lastviz._system import lock
with open({str(path)!r}, "ab") as file:
    lock(file)
    print("locked", flush=True)
    input()
"""
    with started(code) as holder:
        assert holder.stdout.readline() == "locked\n"
        with path.open("ab") as mine:
            with pytest.raises(BlockingIOError):
                _system.lock(mine, wait=False)
            holder.stdin.write("\n")
            holder.stdin.flush()
            _system.lock(mine)
        assert holder.wait() == 0


def test_many_look_at_once_where_the_system_can_share(tmp_path):
    path = tmp_path / "lock"
    with path.open("ab") as one, path.open("ab") as two:
        _system.lock(one, shared=True)
        _system.lock(two, shared=True, wait=False)


def test_a_process_beside_lets_this_one_go_first():
    code = "import os; print(os.getpriority(os.PRIO_PROCESS, 0))"
    own = os.getpriority(os.PRIO_PROCESS, 0)
    with _system.start_beside(
        [sys.executable, "-c", f"input(); {code}"], 3,
        text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        said, _ = process.communicate("\n")
    assert int(said) == min(own + 3, 19)


@pytest.mark.parametrize(("limit", "most"), [("700", 550), ("max", 10**6)])
def test_the_memory_that_is_left_is_that_of_the_closest_limit(tmp_path, monkeypatch, limit, most):
    group = tmp_path / "here"
    group.mkdir()
    for name, text in {
        "max": limit,
        "current": "200",
        "stat": "anon 150\ninactive_file 50",
    }.items():
        (group / f"memory.{name}").write_text(text)
    monkeypatch.setattr(_system, "GROUPS", ((tmp_path, *_system.GROUPS[0][1:]),))
    monkeypatch.setattr(_system, "_groups", lambda: {"", "/here"})
    monkeypatch.setattr(_system, "LARGE", 10**6)
    assert _system.free_memory() == most
