"""Kernels that run as Python until their machine code is there."""

import importlib
import sys
import threading

import numba
import numpy as np
import pytest

from lastviz import _numba, _tiers, preparation
from lastviz._numba import is_interpreting, wait_for_machine_code
from lastviz._tiers import TIERS, WATCH, Tiers, compile_wish

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")

KERNELS = """
from lastviz._numba import inline_kernel, kernel
from lastviz_test_hooks import between

@inline_kernel
def doubled(x):
    return 2 * x

@kernel
def step(x):
    return doubled(x) + 1

@kernel
def steps(n, x):
    for i in range(n):
        x = step(x)
    return x

@kernel
def watched(n, x):
    for i in range(n):
        between(i)
        x = step(x)
    return x
"""


@pytest.fixture
def tiers(monkeypatch):
    """Calls wait for no machine code, nothing is asked for, and the watch has seen nothing."""
    monkeypatch.setattr(Tiers, "always", False)
    monkeypatch.setattr(_tiers, "WATCH", _tiers.Watch())
    monkeypatch.setattr(_tiers, "EVERY", 1e9)  # tests look themselves
    wishes = []
    monkeypatch.setattr(preparation, "want", lambda wish: wishes.append(wish) or True)
    return wishes


@pytest.fixture
def kernels(tiers, tmp_path, monkeypatch):
    """A module of kernels that are new to this machine."""
    hooks = type(sys)("lastviz_test_hooks")
    hooks.between = lambda i: None
    monkeypatch.setitem(sys.modules, hooks.__name__, hooks)
    (tmp_path / "new_kernels.py").write_text(KERNELS)
    monkeypatch.setenv("LASTVIZ_CACHE", str(tmp_path / "kernels"))
    monkeypatch.setattr(_numba, "folder_name", lambda file: file.stem)
    monkeypatch.syspath_prepend(tmp_path)
    before = list(_tiers.KERNELS)
    yield importlib.import_module("new_kernels")
    del sys.modules["new_kernels"]
    _tiers._worlds.pop("new_kernels", None)
    _tiers.KERNELS[:] = before


def elsewhere(kernels, name, *args):
    """Compile a kernel as another process does, whose machine code goes to the disk."""
    spec = importlib.util.spec_from_file_location("new_kernels", kernels.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with wait_for_machine_code():
        return getattr(module, name)(*args)


def is_compiled_here(kernel):
    return bool(kernel.overloads)


def test_a_kernel_without_machine_code_is_python_and_so_are_those_inside(kernels):
    assert kernels.steps(3, 1.0) == 15.0
    assert kernels.doubled(3) == 6
    assert not any(map(is_compiled_here, (kernels.step, kernels.steps)))


def test_who_waits_compiles_first_and_nobody_else(kernels):
    with wait_for_machine_code():
        assert kernels.step(1) == 3
        other = threading.Thread(target=kernels.steps, args=(2, 1))
        other.start()
        other.join()
    assert not TIERS.wait
    assert is_compiled_here(kernels.step)
    assert not is_compiled_here(kernels.steps)


def test_machine_code_of_another_process_is_taken_and_nothing_is_compiled(kernels):
    assert kernels.steps(2, 1) == 7
    assert elsewhere(kernels, "steps", 2, 1) == 7
    assert kernels.steps(2, 1) == 7
    assert is_compiled_here(kernels.steps)
    assert not kernels.steps.stats.cache_misses


def test_other_types_are_python_still(kernels):
    elsewhere(kernels, "step", 1)
    assert kernels.step(1) == 3
    assert kernels.step(0.5) == 2.0
    assert [[str(kind) for kind in kinds] for kinds in kernels.step.signatures] == [["int64"]]


def test_a_loop_in_work_goes_on_with_compiled_steps(kernels):
    """The third step is compiled: the loop has been interpreted since before it was."""
    compiled_after = []

    def between(i):
        if i == 2:
            elsewhere(kernels, "step", 1)
            _tiers.WATCH.look()
        compiled_after.append(is_compiled_here(kernels.step))

    sys.modules["lastviz_test_hooks"].between = between
    kernels.watched.interpreted.__globals__["between"] = between
    assert kernels.watched(5, 1) == 63
    assert compiled_after == [False, False, False, True, True]


def test_what_is_interpreted_for_long_is_asked_for_with_its_types(kernels, tiers, monkeypatch):
    monkeypatch.setattr(_tiers, "PAYS", 0.0)
    kernels.steps(3, np.float64(1.0))
    _tiers.WATCH.look()
    (wish,) = tiers
    compile_wish(wish)
    assert is_compiled_here(kernels.steps)
    assert not is_compiled_here(kernels.watched)


def test_what_is_quick_is_not_asked_for(kernels, tiers):
    kernels.steps(3, 1)
    _tiers.WATCH.look()
    assert tiers == []


def test_one_call_that_goes_on_is_asked_for_before_it_ends(kernels, tiers, monkeypatch):
    monkeypatch.setattr(_tiers, "PAYS", 0.0)
    asked = []

    def between(i):
        _tiers.WATCH.look()
        asked.append(len(tiers))

    kernels.watched.interpreted.__globals__["between"] = between
    kernels.watched(2, 1)
    assert asked[0] == 1


def test_it_is_asked_for_again_only_as_the_time_doubles(kernels, tiers, monkeypatch):
    monkeypatch.setattr(_tiers, "PAYS", 1.0)
    kernels.steps(1, 1)
    (call,) = _tiers.WATCH.seconds
    counts = []
    for seconds in (0.5, 1.5, 1.9, 2.5, 3.9, 4.5):
        _tiers.WATCH.seconds[call] = seconds
        _tiers.WATCH.look()
        counts.append(len(tiers))
    assert counts == [0, 1, 1, 2, 2, 3]


def test_where_no_child_can_be_had_the_next_call_compiles(kernels, monkeypatch):
    monkeypatch.setattr(preparation, "want", lambda wish: False)
    monkeypatch.setattr(_tiers, "PAYS", 0.0)
    kernels.step(1)
    _tiers.WATCH.look()
    assert not is_compiled_here(kernels.step)
    assert kernels.step(1) == 3
    assert is_compiled_here(kernels.step)


def test_what_takes_long_is_said_once(kernels, monkeypatch, caplog):
    monkeypatch.setattr(_tiers, "TELLS", 0.0)
    for _ in range(2):
        kernels.step(1)
        _tiers.WATCH.look()
    assert caplog.text.count("slow the first time") == 1


def test_as_long_as_somebody_interprets_what_is_quick_may_be_slow(kernels, monkeypatch):
    monkeypatch.setattr(_tiers, "WATCH", WATCH)
    monkeypatch.setattr(_tiers, "QUIET", 0.0)
    monkeypatch.setattr(_tiers, "EVERY", 0.01)
    kernels.step(1)
    WATCH._thread.join()
    assert not is_interpreting()


def test_an_error_inside_leaves_the_ledger_in_order(kernels):
    def between(i):
        raise ZeroDivisionError

    kernels.watched.interpreted.__globals__["between"] = between
    with pytest.raises(ZeroDivisionError):
        kernels.watched(1, 1)
    assert _tiers.WATCH.calls == {}
