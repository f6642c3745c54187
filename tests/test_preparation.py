"""What is compiled beside: in which order, by one child, for all who ask, and what if it dies."""

import logging
import os
import pickle
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from lastviz import preparation, warm_up
from lastviz._tiers import KERNELS
from lastviz.estimators import ESTIMATORS, REGRESSORS
from lastviz.preparation import EVERYTHING, is_prepared, is_under_way, note_prepared, want, wishes
from lastviz.ui.state.lessons import SCENES
from lastviz.warm_up import COMMON, PARTS, TABLE, compile_beside

from .patience import SECONDS, until

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder of machine code, and compiling switched on."""
    monkeypatch.setenv("LASTVIZ_CACHE", str(tmp_path / "kernels"))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setattr(preparation, "_children", [])
    return tmp_path


def test_every_algorithm_is_prepared_and_what_pages_open_with_first():
    assert set(PARTS) >= {COMMON, TABLE, *ESTIMATORS, *REGRESSORS}
    assert list(PARTS)[:2] == [COMMON, "cart"]
    shown = {model.key for scene in SCENES for model in scene.selection().models}
    order = [part for part in PARTS if "." not in part and part != COMMON]
    last = max(map(order.index, shown))
    assert {"mcdf", "lsodt", "cart_lc"}.isdisjoint(order[: last + 1])


def test_a_part_is_prepared_once_it_is_noted(monkeypatch):
    assert not is_prepared("cart")
    note_prepared("cart")
    assert is_prepared("cart")
    assert not is_prepared()
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert is_prepared()


@pytest.fixture
def run(monkeypatch, folder):
    """What the processes that compile have run: parts and wishes that only say their names."""
    said = folder / "said"
    said.touch()

    def say(name):
        with said.open("a") as file:
            file.write(f"{name} ")

    fakes = {COMMON: lambda X, y: None} | {n: lambda X, y, n=n: say(n) for n in "abcd"}
    monkeypatch.setattr(warm_up, "PARTS", fakes)
    monkeypatch.setattr(warm_up, "compile_wish", lambda wish: say(wish.decode()))
    monkeypatch.setattr(warm_up, "STAYS", 0.0)
    monkeypatch.setattr(warm_up, "most_at_once", lambda: 1)
    monkeypatch.setattr(preparation, "start", lambda *arguments: "a child")
    return lambda: said.read_text().split()


def test_the_child_takes_what_is_asked_for_and_then_the_parts_in_order(run):
    note_prepared("b")
    assert want(b"scan")
    assert compile_beside(everything=True) == 0
    assert run() == ["scan", "a", "c", "d"]
    assert wishes() == []
    assert all(map(is_prepared, "abcd"))
    assert is_prepared()


def test_what_is_asked_for_meanwhile_comes_next(run):
    first = warm_up.PARTS["a"]
    warm_up.PARTS["a"] = lambda X, y: (want(b"scan"), first(X, y))
    assert compile_beside(everything=True) == 0
    assert run() == ["a", "scan", "b", "c", "d"]


def test_a_child_of_somebody_who_only_asks_compiles_no_part(run):
    want(b"scan")
    assert compile_beside(everything=False) == 0
    assert run() == ["scan"]
    assert not is_prepared()


@pytest.mark.parametrize("fails", [lambda X, y: 1 / 0, lambda X, y: os._exit(9)])
def test_a_part_that_fails_or_dies_is_left_out(run, fails):
    warm_up.PARTS["b"] = fails
    assert compile_beside(everything=True) == 1
    assert run() == ["a", "c", "d"]
    assert not is_prepared("b")
    assert not is_prepared()


def test_a_wish_that_fails_is_not_tried_again(run, monkeypatch):
    monkeypatch.setattr(warm_up, "compile_wish", lambda wish: 1 / 0)
    want(b"scan")
    assert compile_beside(everything=False) == 1
    assert wishes() == []


def test_a_process_that_has_grown_ends_once_it_has_kept_a_kernel(monkeypatch):
    class Ended(BaseException):
        pass

    def end(status):
        raise Ended(status)

    in_use = iter([100, 10**9])
    monkeypatch.setattr(warm_up, "memory_in_use", lambda: next(in_use))
    monkeypatch.setattr(warm_up.os, "_exit", end)
    enough = warm_up.StopWarming()
    enough.on_start(None)  # nothing is kept yet: the next one would be here again
    enough.on_end(SimpleNamespace(data={"dispatcher": object()}))  # a part of numba
    enough.on_start(None)
    enough.on_end(SimpleNamespace(data={"dispatcher": KERNELS[0]}))
    with pytest.raises(Ended, match=str(warm_up.GO_ON)):
        enough.on_start(None)


def test_another_process_goes_on_with_the_part(run):
    seen = preparation._folder() / "seen"

    def twice(X, y):
        again = seen.exists()
        seen.touch()
        first(X, y)
        if not again:
            os._exit(warm_up.GO_ON)

    first, warm_up.PARTS["a"] = warm_up.PARTS["a"], twice
    assert compile_beside(everything=True) == 0
    assert run() == ["a", "a", "b", "c", "d"]
    assert is_prepared("a")


def test_as_many_compile_at_once_as_have_room(monkeypatch):
    monkeypatch.setattr(warm_up, "n_processors", lambda: 8)
    for free, most in ((0, 1), (1_200_000_000, 2), (2**40, warm_up.MOST_PROCESSES)):
        monkeypatch.setattr(warm_up, "free_memory", lambda free=free: free)
        assert warm_up.most_at_once() == most
    monkeypatch.setattr(warm_up, "n_processors", lambda: 1)
    assert warm_up.most_at_once() == 1


WAITS = (sys.executable, "-c", "import sys; sys.stdin.read()")


def test_a_child_compiles_for_all_and_who_asks_sees_that_it_lives(monkeypatch):
    monkeypatch.setattr(preparation, "CHILD", WAITS)
    assert not is_under_way()
    child = preparation.start()
    try:
        assert is_under_way()
        assert want(b"scan")
        assert preparation._children == [child]  # no second one
    finally:
        child.communicate()
    assert not is_under_way()


def test_a_second_child_ends_at_once():
    with preparation._lock_file() as file:
        preparation.lock(file, wait=False)
        assert is_under_way()
        child = preparation.start(EVERYTHING)
        assert child.wait(SECONDS) == 0
        child.stdin.close()


def test_nothing_is_started_where_nothing_is_missing(monkeypatch):
    monkeypatch.setattr(preparation, "start", lambda *arguments: pytest.fail("a child"))
    note_prepared()
    preparation.begin.cache_clear()
    preparation.begin()
    preparation.begin.cache_clear()


def test_the_death_of_the_child_goes_to_the_log(monkeypatch, caplog):
    dies = (sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGTERM)")
    monkeypatch.setattr(preparation, "CHILD", dies)
    preparation.begin.cache_clear()
    with caplog.at_level(logging.WARNING, "lastviz"):
        preparation.begin()
        until(lambda: "ended early (signal 15)" in caplog.text)
    preparation.begin.cache_clear()
    assert not is_under_way()


@pytest.mark.parametrize("nowhere", [None, Path("/no such folder")])
def test_a_folder_that_cannot_be_written_stops_nothing(nowhere, monkeypatch):
    note_prepared("cart")
    monkeypatch.setattr(preparation, "_folder", lambda: nowhere)
    assert not want(b"scan")
    note_prepared("c45")
    assert wishes() == []
    assert not is_prepared("c45")
    assert not is_under_way()
    assert preparation.start() is None


def test_the_child_ends_cleanly_at_its_normal_end():
    """Its input stays open: who began it waits for it."""
    wish = pickle.dumps(("lastviz.pruning.error_based_kernels", "no such kernel", ()))
    preparation._write("it.wish", wish)
    child = subprocess.Popen(preparation.CHILD, cwd=ROOT, stdin=subprocess.PIPE)
    assert child.wait(SECONDS) == 1  # of the wish; an abort would be -6
    child.stdin.close()


def test_the_work_of_the_child_is_imported_without_pandas():
    """Which the child hides meanwhile; without its work it would end as a failing part does."""
    code = (
        "import sys; sys.modules['pandas'] = None; import lastviz.warm_up;"
        "assert not [name for name in sys.modules if name.startswith('pandas.')]"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_child_ends_with_its_parent():
    child = preparation.start(EVERYTHING)
    child.stdin.close()
    assert child.wait(SECONDS) == 0
    assert not is_prepared()


def test_a_server_that_starts_imports_neither_numba_nor_an_algorithm():
    code = (
        "import sys, lastviz.__main__, lastviz.serve, lastviz.preparation as p; p.is_prepared();"
        "assert not {'numba', 'sklearn', 'pandas', 'lastviz.estimators'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


@pytest.mark.ci
def test_the_public_names_are_found_though_nothing_is_imported_before():
    code = (
        "import lastviz; assert set(lastviz.__all__) <= set(dir(lastviz));"
        "found = [getattr(lastviz, name) for name in lastviz.__all__];"
        "from lastviz import CARTClassifier; assert CARTClassifier in found;"
        "assert not hasattr(lastviz, 'ForestClassifier')"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, check=True)
