"""Whose turn it is: of runs, and of jobs that stand in line."""

import gc
import weakref
from dataclasses import dataclass, field
from itertools import count
from threading import Event, Thread
from time import sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastviz._deadline import Overdue
from lastviz.host import memory, turns
from lastviz.host.turns import Line, Turns
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


@dataclass(eq=False)
class Worker:
    visitor: str
    name: str = ""
    is_looked_at: bool = True
    number: int = field(default_factory=count().__next__)

    def __repr__(self):
        return f"{self.visitor}{self.name}"


def joined(line, *names):
    workers = [Worker(name[0], name[1:]) for name in names]
    for worker in workers:
        line.join(worker)
    return workers


def order_of_work(line, workers):
    """Let those that work leave, the first first, until nobody is left."""
    order = []
    while working := [worker for worker in workers if line.works(worker)]:
        order.append(str(working[0]))
        line.leave(working[0])
    assert list(line) == []
    return order


def test_one_visitors_jobs_are_done_in_order():
    line = Line(1)
    workers = joined(line, "a1", "a2", "a3")
    assert order_of_work(line, workers) == ["a1", "a2", "a3"]


def test_visitors_take_turns_however_many_jobs_one_has_brought():
    line = Line(1)
    workers = joined(line, "a1", "a2", "a3", "a4", "b1", "b2", "c1")
    assert order_of_work(line, workers) == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]


def test_the_place_in_line_is_the_number_of_turns_until_it_works():
    line = Line(1)
    a1, a2, a3, b1, b2 = joined(line, "a1", "a2", "a3", "b1", "b2")
    assert [line.place(worker) for worker in (a1, b1, a2, b2, a3)] == [0, 1, 2, 3, 4]
    line.leave(a1)
    assert [line.place(worker) for worker in (b1, a2, b2, a3)] == [0, 1, 2, 3]
    assert line.place(Worker("d")) == 0


def test_a_job_that_works_is_a_turn_taken():
    line = Line(2)
    a1, a2, a3, b1 = joined(line, "a1", "a2", "a3", "b1")
    assert line.works(a1)
    assert line.works(a2)
    assert (line.place(b1), line.place(a3)) == (1, 2)


def test_who_comes_anew_has_saved_no_turns_up():
    line = Line(1)
    workers = joined(line, "a1", "a2", "a3", "a4", "b1", "b2", "b3")
    for _ in range(4):  # a1, b1, a2, b2
        line.leave(next(worker for worker in workers if line.works(worker)))
    late = joined(line, "c1", "c2", "c3")
    assert order_of_work(line, [*workers, *late]) == ["a3", "b3", "c1", "a4", "c2", "c3"]


def test_what_was_given_up_while_it_waited_was_no_turn():
    line = Line(1)
    (b1,) = joined(line, "b1")
    a1, a2, a3, c1 = joined(line, "a1", "a2", "a3", "c1")
    line.leave(a1)
    line.leave(a2)
    assert order_of_work(line, [a3, b1, c1]) == ["b1", "a3", "c1"]


def test_whom_nobody_looks_at_stands_behind_all_others_and_gives_way():
    line = Line(1)
    a1, a2, b1 = joined(line, "a1", "a2", "b1")
    a1.is_looked_at = False
    line.settle()
    assert line.works(b1)
    assert (line.place(a2), line.place(a1)) == (1, 2)
    a1.is_looked_at = True
    a2.is_looked_at = False
    line.settle()
    assert line.works(b1)  # who works and is looked at goes on
    line.leave(b1)
    assert line.works(a1)


def test_whom_nobody_looks_at_works_where_nobody_else_wants_to():
    line = Line(1)
    a1, a2 = joined(line, "a1", "a2")
    a1.is_looked_at = a2.is_looked_at = False
    line.settle()
    assert line.works(a1)
    assert not line.works(a2)


@given(most=st.integers(1, 4), brought=st.lists(st.sampled_from("abcde"), min_size=1, max_size=30))
def test_nobody_waits_for_more_than_a_job_of_each_other_before_each_of_their_own(most, brought):
    line = Line(most)
    workers = [Worker(visitor, str(i)) for i, visitor in enumerate(brought)]
    for worker in workers:
        line.join(worker)
        assert sum(line.works(each) for each in workers) == min(most, len(list(line)))
    waiting = sorted((w for w in workers if not line.works(w)), key=line.place)
    assert [line.place(worker) for worker in waiting] == list(range(1, len(waiting) + 1))
    for visitor in set(brought):
        own = [worker for worker in waiting if worker.visitor == visitor]
        assert own == sorted(own, key=lambda worker: int(worker.name))
        for k, worker in enumerate(own):
            before = [other.visitor for other in waiting[: line.place(worker) - 1]]
            started = sum(line.works(w) and w.visitor == visitor for w in workers)
            assert all(before.count(v) <= k + 1 + started for v in set(before) - {visitor})
