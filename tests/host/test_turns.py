"""Runs take turns: in the order of their coming, one at a time, and none waits for a waiter."""

import gc
import weakref
from threading import Event, Thread
from time import sleep

import pytest

from lastviz._deadline import Overdue
from lastviz.host import memory, turns
from lastviz.host.turns import Turns
from tests.patience import SECONDS, until


def started(work, *args):
    thread = Thread(target=work, args=args)
    thread.start()
    return thread


def test_turns_come_in_the_order_of_asking_and_never_two_at_once():
    queue, order, inside = Turns(), [], []

    def run(i):
        with queue.turn():
            inside.append(i)
            sleep(0.002)
            order.append(i)
            assert inside.pop() == i
            assert not inside

    with queue.turn():
        threads = []
        for i in range(20):
            threads.append(started(run, i))
            until(lambda i=i: queue.waiting == i + 1)
    for thread in threads:
        thread.join(SECONDS)
    assert order == list(range(20))
    assert queue.waiting == 0


def test_a_turn_inside_a_turn_is_the_same():
    queue = Turns()
    with queue.turn(), queue.turn():
        pass
    others = []

    def run():
        with queue.turn():
            others.append("other")

    started(run).join(SECONDS)
    assert others == ["other"]


def test_a_run_that_keeps_the_turn_for_too_long_is_ended_and_one_that_waits_is_not(monkeypatch):
    monkeypatch.setattr(turns, "LONGEST", 0.1)
    queue, ended = Turns(), []

    def run(keeps):
        try:
            with queue.turn():
                if keeps:
                    until(lambda: False)
                with queue.away():
                    sleep(0.3)
                ended.append("at its end")
        except Overdue:
            ended.append("before")

    for keeps in (True, False, True):
        started(run, keeps).join(SECONDS)
    assert ended == ["before", "at its end", "before"]
    with queue.turn():
        pass


def test_an_error_passes_the_turn_on():
    queue = Turns()
    with pytest.raises(KeyError), queue.turn():
        raise KeyError
    with queue.turn():
        pass


def test_whoever_waits_lets_others_run_and_queues_again():
    queue, ready, order = Turns(), Event(), []

    def waits():
        with queue.turn():
            order.append("begun")
            with queue.away():
                ready.wait(SECONDS)
            order.append("gone on")

    def other():
        with queue.turn():
            order.append("other")
            ready.set()

    first = started(waits)
    until(lambda: order == ["begun"])
    for thread in (started(other), first):
        thread.join(SECONDS)
    assert order == ["begun", "other", "gone on"]


def test_without_a_turn_there_is_none_to_give_away():
    queue = Turns()
    with queue.away(), queue.turn():
        pass


def test_what_two_ask_for_is_computed_once_though_its_maker_gives_the_turn_away(monkeypatch):
    queue, asked, results = Turns(), Event(), []
    monkeypatch.setattr(memory, "TURNS", queue)
    made = []

    @memory.Memory(1000).remembered
    def slow(key):
        made.append(key)
        with queue.away():
            asked.wait(SECONDS)
        return key

    def ask():
        with queue.turn():
            if made:
                asked.set()
            results.append(slow("a"))

    first = started(ask)
    until(lambda: made)
    second = started(ask)
    for thread in (first, second):
        thread.join(SECONDS)
    assert results == ["a", "a"]
    assert made == ["a"]


def test_it_is_tidied_up_once_after_a_quiet_time_and_never_during_a_run(monkeypatch):
    queue, calls = Turns(), []
    for name in ("unfreeze", "collect", "freeze"):
        monkeypatch.setattr(turns.gc, name, lambda name=name: calls.append(name))
    assert not queue.tidy()  # nothing has run
    with queue.turn():
        monkeypatch.setattr(turns, "QUIET", 0.0)
        assert not queue.tidy()
    monkeypatch.setattr(turns, "QUIET", 60.0)
    assert not queue.tidy()
    monkeypatch.setattr(turns, "QUIET", 0.0)
    assert queue.tidy()
    assert not queue.tidy()
    assert calls == ["unfreeze", "collect", "freeze"]


def test_what_somebody_left_is_collected_also_where_it_is_never_quiet():
    class Circle:
        def __init__(self):
            self.itself = self

    queue, left = Turns(), Circle()
    seen = weakref.ref(left)
    gc.freeze()
    del left
    with queue.turn():
        queue.note_what_is_left()
        assert not queue.tidy()  # somebody runs
        collecting = started(queue.tidy_after_all)
        until(lambda: queue.waiting == 1)
        assert seen() is not None
    collecting.join(SECONDS)
    assert seen() is None
