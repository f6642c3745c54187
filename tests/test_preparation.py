"""What is compiled beside a server: in which order, by one child, and what if it dies."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lastviz import preparation, warm_up
from lastviz.estimators import ESTIMATORS, REGRESSORS
from lastviz.preparation import is_prepared, is_under_way, is_wanted, note_prepared, want
from lastviz.warm_up import COMMON, PARTS, TABLE, compile_beside, parts_of
from tests.patience import SECONDS, until

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder of machine code, and compiling switched on."""
    monkeypatch.setenv("LASTVIZ_CACHE", str(tmp_path))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    return tmp_path


def test_every_algorithm_is_prepared_cart_first_and_hybrid_trees_last():
    parts = list(PARTS)
    assert parts[:3] == [COMMON, "cart", "c45"]
    assert set(parts) >= {COMMON, TABLE, *ESTIMATORS, *REGRESSORS}
    assert parts[-3:] == [TABLE, "hybrid", "hybrid.more"]


def test_an_algorithm_needs_its_own_parts_alone():
    assert parts_of("cart", {"max_depth": 3}) == (COMMON, "cart")
    assert parts_of("cart", {}, plain=False) == (COMMON, "cart", "cart.more")
    assert parts_of("cart", {"criterion": "twoing"}) == (COMMON, "cart", "cart.more")
    assert parts_of("adaboost_m1", {}, plain=False) == (COMMON, "adaboost_m1")


def test_a_part_is_prepared_once_it_is_noted(monkeypatch):
    assert not is_prepared("cart")
    note_prepared("cart")
    assert is_prepared("cart")
    assert not is_prepared()
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert is_prepared()


@pytest.fixture
def fake_parts(monkeypatch):
    """Parts that only say that they were run.

    Pages that other tests of this process opened load the true ones, by a thread of their own.
    """
    for thread in threading.enumerate():
        if thread.name == "load":
            thread.join()
    run = []
    fakes = {name: lambda X, y, name=name: run.append(name) for name in "abcd"}
    monkeypatch.setattr(warm_up, "PARTS", fakes)
    return run


def test_the_child_takes_the_parts_in_order_and_what_is_wanted_next(fake_parts):
    note_prepared("b")
    warm_up.PARTS["a"] = lambda X, y: want("d")
    assert compile_beside() == 0
    assert fake_parts == ["d", "c"]
    assert all(map(is_prepared, "abcd"))
    assert is_prepared()


def test_a_part_that_fails_is_left_out_and_said(fake_parts, caplog):
    def fail(X, y):
        raise ValueError("no such kernel")

    warm_up.PARTS["b"] = fail
    assert compile_beside() == 1
    assert fake_parts == ["a", "c", "d"]
    assert not is_prepared("b")
    assert not is_prepared()
    assert "no such kernel" in caplog.text


def test_there_is_one_child_for_all_and_who_asks_sees_that_it_lives(monkeypatch):
    monkeypatch.setattr(preparation, "CHILD", ("sleep", "60"))
    assert not is_under_way()
    child = preparation.start()
    try:
        assert is_under_way()
        assert os.getpriority(os.PRIO_PROCESS, child.pid) >= 10
        assert preparation.start() is None
    finally:
        child.kill()
        child.communicate()
    assert not is_under_way()


def test_nothing_is_started_where_nothing_is_missing(monkeypatch):
    monkeypatch.setattr(preparation, "CHILD", ("false",))
    note_prepared()
    assert preparation.start() is None


def test_the_death_of_the_child_goes_to_the_log(monkeypatch, caplog):
    monkeypatch.setattr(preparation, "CHILD", ("sh", "-c", "kill -9 $$"))
    preparation.begin.cache_clear()
    with caplog.at_level(logging.WARNING, "lastviz"):
        preparation.begin()
        until(lambda: "ended early (signal 9)" in caplog.text)
    preparation.begin.cache_clear()
    assert not is_under_way()


def test_a_folder_that_cannot_be_written_stops_nothing(folder, monkeypatch):
    note_prepared("cart")
    monkeypatch.setattr(preparation, "_folder", lambda: folder / "a file" / "below")
    (folder / "a file").touch()
    want("cart")
    note_prepared("c45")
    assert not is_wanted("cart")
    assert not is_prepared("c45")
    assert not is_under_way()
    assert preparation.start() is None


@pytest.mark.ci
def test_the_child_ends_with_its_parent():
    child = subprocess.Popen(
        [sys.executable, "-m", "lastviz.warm_up", "--beside"], cwd=ROOT, stdin=subprocess.PIPE
    )
    child.stdin.close()
    assert child.wait(timeout=SECONDS) == 0
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
