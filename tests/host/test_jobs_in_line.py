"""Whose turn it is: the order of arrival for each visitor, and visitors in turn."""

from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastviz.host.turns import Line
from lastviz.ui.text import ordinal


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


@pytest.mark.parametrize(
    ("place", "words"),
    [
        *((1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th")),
        *((13, "13th"), (21, "21st"), (112, "112th"), (1002, "1,002nd")),
    ],
)
def test_places_in_words(place, words):
    assert ordinal(place) == words
