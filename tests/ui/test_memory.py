import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from lastviz.ui.compute.memory import remembered


def test_a_key_is_computed_once_whatever_comes_after_it():
    calls = []

    @remembered(2)
    def double(key, value):
        calls.append(key)
        return 2 * value

    assert double("a", 1) == double("a", 5) == 2
    assert calls == ["a"]


def test_the_key_not_used_for_longest_is_forgotten():
    calls = []

    @remembered(2)
    def note(key):
        calls.append(key)

    for key in ("a", "b", "a", "c", "a", "b"):
        note(key)
    assert calls == ["a", "b", "c", "b"]


def test_sessions_wait_for_each_other():
    calls = []

    @remembered(2)
    def slow(key):
        calls.append(key)
        time.sleep(0.05)
        return object()

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(slow, ["a"] * 4))
    assert calls == ["a"]
    assert len(set(map(id, results))) == 1


def test_an_error_is_raised_every_time_and_not_remembered():
    calls = []

    @remembered(2)
    def fail(key):
        calls.append(key)
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            fail("a")
    assert calls == ["a", "a"]
