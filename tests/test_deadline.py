"""What takes too long is ended in its thread, wherever it is, and nothing else is."""

import subprocess
import sys
from contextlib import suppress
from functools import partial
from math import inf
from threading import Thread
from time import sleep

import pytest

from lastviz._deadline import Deadline, Overdue, TooLong
from tests.patience import SECONDS

SOON = 0.05


def loop():
    while True:
        pass


def deaf_loop():
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


def nap():
    while True:
        sleep(0.01)


@pytest.mark.parametrize("work", [loop, deaf_loop, nap])
def test_a_loop_without_end_is_ended(work):
    with pytest.raises(Overdue, match=r"longer than 0\.05 seconds"), Deadline(SOON):
        work()


def test_what_ends_in_time_is_not_touched_and_neither_is_what_comes_after():
    for _ in range(200):
        with suppress(Overdue), Deadline(0.002):  # a busy machine may take longer
            pass
    for seconds in (SECONDS, inf):
        with Deadline(seconds) as deadline:
            assert deadline.seconds == seconds
    sleep(2 * SOON)


def test_an_end_that_meets_the_end_of_the_block_reaches_nothing_behind_it():
    """Blocks that end just as they are ended, again and again."""
    for k in range(300):
        try:
            with Deadline(0.001):
                sleep(0.0009 + 1e-6 * (k % 200))
        except Overdue:
            pass
        sum(range(200))


def test_no_end_takes_the_watch_with_it(request):
    """Blocks of several threads that are ended wherever they are, also while they begin and end."""
    request.addfinalizer(partial(sys.setswitchinterval, sys.getswitchinterval()))
    sys.setswitchinterval(1e-5)

    def work():
        for k in range(1500):
            with suppress(Overdue, TooLong), Deadline(0.0004):
                sum(range(10 * (k % 300)))

    threads = [Thread(target=work, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert not any(thread.is_alive() for thread in threads)
    with pytest.raises(Overdue), Deadline(SOON):
        loop()


def test_the_inner_end_and_the_outer_one_are_told_apart():
    with Deadline(SECONDS):
        with pytest.raises(Overdue), Deadline(SOON):
            loop()
        reached = True
    assert reached
    with pytest.raises(Overdue, match=f"than {SOON}"), Deadline(SOON), Deadline(SECONDS):
        loop()


def test_while_it_is_stopped_it_does_not_count():
    with Deadline(SOON) as deadline:
        deadline.stop()
        sleep(3 * SOON)
        deadline.start()


def test_each_thread_has_its_own():
    ended = {}

    def work(name, seconds):
        try:
            with Deadline(seconds):
                for _ in range(100):
                    sleep(SOON / 10)
        except Overdue:
            ended[name] = True

    threads = [Thread(target=work, args=(k, SOON if k % 2 else SECONDS)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert sorted(ended) == [1, 3, 5]


def test_no_handler_of_errors_stops_it():
    assert not issubclass(TooLong, Exception)


PROFILED = """
import sys
from threading import Event
from lastviz._deadline import Deadline, Overdue

for work in (lambda: None, Event().wait):
    try:
        with Deadline(0.01) as deadline:
            deadline._end()
            work()
    except Overdue:
        pass
called = []
sys.setprofile(lambda frame, event, _: called.append(event))
(lambda: None)()
sys.setprofile(None)
assert called.count("call") == 1
"""


def test_nothing_is_on_its_way_for_ever():
    """Else the interpreter looks for it at every line, and a profiled one calls nothing more."""
    subprocess.run([sys.executable, "-c", PROFILED], check=True, timeout=SECONDS)
