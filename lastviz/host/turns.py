"""One script at a time, first come first served; and a tidy collection when nobody asks.

Python runs one thread at a time whatever we do. Fifty scripts that run side by side share the
interpreter in slices and all end late; one after the other, the first ends fifty times earlier
and the last no later. Whoever waits for a job gives the turn away meanwhile, and a run
that keeps it for too long is ended.

Objects that refer to each other in circles are collected by Python's own collector as they
become many. Where nobody has asked for a while, all of them are, and what is left is frozen: it
is looked at no more until the next quiet time.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from threading import Event, Lock, Thread, get_ident
from time import monotonic
from typing import Protocol

from lastviz._deadline import Deadline

LONGEST = 120.0  # seconds for which a run may have the turn at a stretch
QUIET = 10.0  # seconds without a run after which it is time to tidy up


class Turns:
    """A queue of threads of which one has the turn."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: deque[tuple[int, Event]] = deque()
        self._holder: int | None = None
        self._deadline: Deadline | None = None  # of who has the turn
        self._last = monotonic()
        self._untidy = self._is_left = False

    @property
    def waiting(self) -> int:
        """Number of those who wait for their turn."""
        return len(self._waiting)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Run the block when it is this thread's turn; a thread that has it keeps it.

        Raises
        ------
        TooLong
            In the block, once it has kept the turn for :data:`LONGEST` seconds.
        """
        if self._holder == get_ident():
            yield
            return
        self._take()
        try:
            with Deadline(LONGEST) as self._deadline:
                yield
        finally:
            self._pass_on()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Let others run during the block, which waits for something; then queue again."""
        if self._holder != get_ident():
            yield
            return
        deadline = self._deadline
        deadline.stop()
        self._pass_on()
        try:
            yield
        finally:
            self._take()
            self._deadline = deadline
            deadline.start()

    def tidy(self) -> bool:
        """Collect and freeze everything if it has been quiet since the last run."""
        if not self._untidy or self._holder is not None or monotonic() - self._last < QUIET:
            return False
        self._collect()
        return True

    def note_what_is_left(self) -> None:
        """Note that somebody has left, whose objects are not to stay."""
        self._untidy = self._is_left = True

    def tidy_after_all(self) -> None:
        """Collect and freeze everything that was left, also where it has not been quiet."""
        if self._is_left:
            with self.turn():
                self._collect()

    def _collect(self) -> None:
        self._untidy = self._is_left = False
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def keep_tidy(self) -> None:
        """Look from time to time, from now on, whether it is time to tidy up."""
        Thread(target=self._keep_tidy, name="tidy", daemon=True).start()

    def _keep_tidy(self) -> None:
        nap = Event()
        while not nap.wait(QUIET / 2):
            self.tidy()

    def _take(self) -> None:
        mine = Event()
        with self._lock:
            if self._holder is None:
                self._holder = get_ident()
                return
            self._waiting.append((get_ident(), mine))
        mine.wait()

    def _pass_on(self) -> None:
        with self._lock:
            self._last, self._untidy = monotonic(), True
            if self._waiting:
                self._holder, next_one = self._waiting.popleft()
                next_one.set()
            else:
                self._holder = None


TURNS = Turns()


# ---- Who works and who waits: in the order of arrival for each visitor, and visitors in turn
#
# Every visitor has a count of turns. The first of a visitor's jobs that wait stands in the round
# that this count names, the next in the round after it, and so on; the earlier round goes first,
# and within a round who came first. So whoever comes with one job waits for one job of each other
# visitor at most, however many those have brought. Who comes anew begins in the round that is on
# now, so nobody saves turns up. Jobs that nobody looks at stand behind all others.


NUMBER = attrgetter("number")


class Worker(Protocol):
    """One that stands in line.

    Attributes
    ----------
    number : int
        When it came; no two have the same.
    visitor : str
        Whose turn it takes.
    is_looked_at : bool
        Whether anybody waits for it.
    """

    number: int
    visitor: str
    is_looked_at: bool


class Line:
    """Those that work, and those that wait until one of them is ready.

    Parameters
    ----------
    most_at_once : int
        How many may work at a time.
    """

    def __init__(self, most_at_once: int) -> None:
        self._most_at_once = most_at_once
        self._round = 0
        self._turns: dict[str, int] = {}
        self._since: dict[Worker, int] = {}  # the round that was on when it came
        self._working: set[Worker] = set()

    def __iter__(self) -> Iterator[Worker]:
        """All that work or wait, in the order in which they joined."""
        return iter(list(self._since))

    def __contains__(self, worker: Worker) -> bool:
        """Whether a worker works or waits."""
        return worker in self._since

    def works(self, worker: Worker) -> bool:
        """Whether it is a worker's turn."""
        return worker in self._working

    def join(self, worker: Worker) -> None:
        """Let a worker stand in line, if it does not yet."""
        if worker not in self._since:
            self._since[worker] = self._round
            self.settle()

    def leave(self, worker: Worker) -> None:
        """Let a worker go, if it stands in line."""
        if self._since.pop(worker, None) is not None:
            self._working.discard(worker)
            self.settle()

    def place(self, worker: Worker) -> int:
        """Number of turns until a worker's, 0 if it works.

        It holds as long as nobody comes or goes.
        """
        waiting = [other for _, other in self._in_order()]
        return waiting.index(worker) + 1 if worker in waiting else 0

    def settle(self) -> None:
        """Let as many workers work as the limit allows.

        Those that nobody looks at give way to those that somebody looks at.
        """
        waiting = self._in_order()
        idle = sorted((w for w in self._working if not w.is_looked_at), key=NUMBER)
        for turn, worker in waiting:
            if len(self._working) >= self._most_at_once:
                if not idle or not worker.is_looked_at:
                    break
                self._working.discard(idle.pop())
            self._working.add(worker)
            self._round = max(self._round, turn)
            self._turns[worker.visitor] = turn + 1
        there = {worker.visitor for worker in self._since}
        self._turns = {v: n for v, n in self._turns.items() if n > self._round or v in there}

    def _in_order(self) -> list[tuple[int, Worker]]:
        """Waiting workers in the order of their turns, each with its round."""
        turns = dict(self._turns)
        waiting = [worker for worker in self._since if worker not in self._working]
        order = []
        for worker in sorted(waiting, key=lambda each: (not each.is_looked_at, each.number)):
            turn = max(self._since[worker], turns.get(worker.visitor, 0))
            turns[worker.visitor] = turn + 1
            order.append((not worker.is_looked_at, turn, worker.number, worker))
        order.sort(key=lambda each: each[:3])
        return [(turn, worker) for _, turn, _, worker in order]
