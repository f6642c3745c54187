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
from threading import Event, Lock, Thread, get_ident
from time import monotonic

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
        """How many wait for their turn."""
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
