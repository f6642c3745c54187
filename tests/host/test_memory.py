import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from lastviz.host import memory, visitor
from lastviz.host.memory import Memory, megabytes
from lastviz.ui.compute import selected
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import DEFAULT

MB = 2**20


@pytest.fixture
def calls():
    return []


def taking(registry, calls, n_bytes):
    """A function of a key whose value takes about so many bytes."""

    @registry.remembered
    def function(key, value=0):
        calls.append(key)
        return np.full(int(n_bytes) // 8, value)

    return function


def test_a_key_is_computed_once_whatever_comes_after_it(calls):
    function = taking(Memory(MB), calls, 8)
    assert function("a", 1) is function("a", 5)
    assert calls == ["a"]


def test_a_key_may_follow_from_what_is_asked(calls):
    @Memory(MB).remembered_by(lambda name, *, size=1: f"{name}|{size}")
    def texts(name, *, size=1):
        calls.append((name, size))
        return [name] * size

    assert texts("a") is texts("a", size=1)
    assert texts("a", size=2) == ["a", "a"]
    assert calls == [("a", 1), ("a", 2)]


def test_nothing_is_a_result_too(calls):
    @Memory(MB).remembered
    def nothing(key):
        calls.append(key)

    assert nothing("a") is nothing("a") is None
    assert calls == ["a"]


def test_the_key_not_used_for_longest_is_forgotten(calls):
    function = taking(Memory(MB), calls, 0.4 * MB)
    for key in ("a", "b", "a", "c", "a", "b"):
        function(key)
    assert calls == ["a", "b", "c", "b"]


def test_all_functions_share_what_there_is(calls):
    registry = Memory(MB)
    small, large = taking(registry, calls, 1024), taking(registry, calls, 0.9 * MB)
    small("old")
    for i in range(20):
        small(f"{i}")
    large("large")
    assert registry.n_bytes < MB
    small("19")
    small("old")
    assert len(calls) == 22  # all small ones are there still
    large("another")
    assert registry.n_bytes < MB
    large("large")
    assert calls[-2:] == ["another", "large"]


def test_the_same_key_of_two_functions_is_two_things(calls):
    registry = Memory(MB)

    @registry.remembered
    def one(key):
        return 1

    @registry.remembered
    def two(key):
        return 2

    assert (one("a"), two("a")) == (1, 2)


def test_what_is_too_large_for_all_is_kept_until_the_next(calls):
    registry = Memory(MB)
    function = taking(registry, calls, 2 * MB)
    function("a")
    function("a")
    assert calls == ["a"]
    function("b")
    assert len(registry) == 1


def test_an_array_that_two_results_hold_counts_once():
    registry, whole = Memory(MB), np.zeros(50_000)
    registry.keep("a", whole)
    alone = registry.n_bytes
    registry.keep("b", (whole[::2], whole))
    assert registry.n_bytes < alone + 4000
    registry.forget("a")
    assert registry.n_bytes >= whole.nbytes
    registry.forget("b")
    assert registry.n_bytes == 0


def test_what_a_value_computes_later_is_counted_later():
    class Lazy:
        pass

    registry, value = Memory(MB), Lazy()
    registry.keep("a", value)
    registry.keep("b", np.zeros(MB // 16))
    value.computed = np.zeros(MB // 8 - 4000)
    assert registry.find("a").value is value  # a run uses it once
    assert registry.find("b") is None
    assert registry.n_bytes > 0.9 * MB


def test_only_a_part_may_count():
    registry = Memory(MB)
    registry.keep("a", np.zeros(MB), counted="little")
    registry.keep("b", "b")
    assert registry.find("a").value.nbytes == 8 * MB
    registry.keep("a", "another")
    assert registry.find("a").value == "another"


def test_sessions_wait_for_each_other(calls):
    @Memory(MB).remembered
    def slow(key):
        calls.append(key)
        time.sleep(0.05)
        return object()

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(slow, ["a"] * 4))
    assert calls == ["a"]
    assert len(set(map(id, results))) == 1


def test_an_error_is_raised_every_time_and_not_remembered(calls):
    registry = Memory(MB)

    @registry.remembered
    def fail(key):
        calls.append(key)
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            fail("a")
    assert calls == ["a", "a"]
    assert len(registry) == 0


def test_a_class_of_fifty_with_a_seed_each_stays_in_memory(monkeypatch):
    loads, load = [], selected.load

    def noted(selection, content):
        loads.append(selection.seed)
        return load(selection, content)

    monkeypatch.setattr(selected, "load", noted)
    seeds = list(range(1000, 1050))
    visitors = [DEFAULT.change(seed=seed) for seed in seeds]
    first = [(Work(each).data, Work(each).first.division) for each in visitors]
    again = [(Work(each).data, Work(each).first.division) for each in visitors]
    assert loads == seeds
    for (data, division), (same_data, same_division) in zip(first, again, strict=True):
        assert data is same_data
        assert division is same_division


@pytest.mark.parametrize(("text", "wanted"), [("256", 256), (" 64 ", 64)])
def test_the_environment_says_how_much_may_be_kept(monkeypatch, text, wanted):
    monkeypatch.setenv(memory.VARIABLE, text)
    assert megabytes() == wanted


def test_else_it_is_a_quarter_of_a_gigabyte(monkeypatch):
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    assert megabytes() == 256


def test_what_was_not_used_for_ten_minutes_is_gone_and_its_room_is_free():
    now = [0.0]
    kept = Memory(10**9, clock=lambda: now[0])
    kept.keep("old", np.zeros(1000))
    kept.keep("used", np.zeros(1000))
    now[0] = 400.0
    kept.find("used")
    kept.keep("new", np.zeros(1000))
    now[0] = 600.0
    kept.forget_unused()
    assert len(kept) == 3
    now[0] = 601.0
    before = kept.n_bytes
    kept.forget_unused()
    assert (len(kept), kept.find("old")) == (2, None)
    assert kept.n_bytes < before - 8000
    now[0] = 1300.0
    kept.forget_unused()
    assert (len(kept), kept.n_bytes) == (0, 0)


def test_who_looks_after_visitors_lets_go_of_what_was_not_used(monkeypatch):
    now = [0.0]
    kept = Memory(10**9, clock=lambda: now[0])
    monkeypatch.setattr(visitor, "MEMORY", kept)
    kept.keep("old", 1)
    now[0] = 601.0
    visitor.Presence().look(lambda name: True)
    assert len(kept) == 0


@pytest.mark.parametrize("text", ["63", "-1", "1.5", "much", "²"])
def test_a_wrong_environment_is_told(monkeypatch, text):
    monkeypatch.setenv(memory.VARIABLE, text)
    with pytest.raises(ValueError, match="LASTVIZ_CACHE_MB must be a whole number of at least 64"):
        megabytes()


def test_what_is_about_a_word_is_forgotten_and_its_room_is_free():
    memory = Memory(10**9)
    memory.keep(("f", "data=a|deadbeef|x"), np.zeros(1000))
    memory.keep((object(), ("page", "deadbeef", None, 3)), np.zeros(1000))
    memory.keep("deadbeef", 1)
    memory.keep(("f", "data=b"), 2)
    before = memory.n_bytes
    memory.forget_all_about("deadbeef")
    assert len(memory) == 1
    assert memory.find(("f", "data=b")).value == 2
    assert memory.n_bytes < before - 16_000
