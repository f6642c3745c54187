"""Deadlines for code in a thread, enforced by an exception at its next line.

It reaches code of Python, such as a loop without end in somebody's criterion; what has gone into a
library of C is reached when it comes back.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from math import inf
from queue import Empty, SimpleQueue
from threading import Lock, Thread, get_ident
from time import monotonic
from types import TracebackType

AGAIN = 0.05  # seconds after which a thread that has not noticed its end is woken again


class TooLong(BaseException):
    """Raised in a block past its deadline; no error handler stops it."""


class Overdue(TimeoutError):
    """Raised where such a block ends."""


class Deadline:
    """A context whose block is ended once it has taken so many seconds.

    Parameters
    ----------
    seconds : float
        Infinity: as many as it likes.

    Raises
    ------
    TooLong
        In the block.
    Overdue
        At its end, if it let TooLong pass.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._thread = get_ident()
        self._is_counting = self._is_over = self._is_sent = False
        self._at = inf

    def __enter__(self) -> Deadline:
        """Begin to count."""
        try:
            self.start()
        except TooLong:  # it is over before it began
            self.__exit__(TooLong, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Count no more."""
        try:
            if kind is not TooLong or not self._is_over:
                self.stop()
        except TooLong:  # it was on its way
            kind = TooLong
        _ending.discard(self)
        if self._is_over and kind is TooLong:
            raise Overdue(f"it took longer than {self.seconds:g} seconds") from None

    def start(self) -> None:
        """Count from now on."""
        if self.seconds == inf:
            return
        watch = _watching()
        self._at = monotonic() + self.seconds
        self._is_over = self._is_sent = False
        self._is_counting = True
        _running.add(self)
        if self._at < watch.wakes:
            watch.changes.put(None)

    def stop(self) -> None:
        """Count no more until it is started again."""
        if not self._is_counting:
            return
        self._is_counting = False
        try:
            _running.remove(self)
        except KeyError:  # the watch was first
            _take(self)

    def _end(self) -> None:
        """End the block, unless it has ended by itself."""
        try:
            _running.remove(self)
        except KeyError:
            return
        _ending.add(self)
        self._is_over = True
        _send(self._thread)
        self._is_sent = True


# A block can be ended at any of its lines, also at one that holds a lock, which nobody would ever
# release: all that it shares with the watch are steps that the interpreter takes as a whole. Who
# removes a deadline here, the block or the watch, decides whether the block is ended.
_running: set[Deadline] = set()
_ending: set[Deadline] = set()
_watches: list[_Watch] = []
_starting = Lock()


class _Watch(Thread):
    """Thread that ends blocks past their deadlines."""

    wakes = inf  # when the deadlines are looked at next

    def __init__(self, **about: object) -> None:
        super().__init__(**about)
        self.changes: SimpleQueue[None] = SimpleQueue()

    def run(self) -> None:
        while True:
            now = monotonic()
            for deadline in [each for each in tuple(_running) if each._at <= now]:
                deadline._end()
            self.wakes = inf  # whatever begins from here on says so
            wakes = min((each._at for each in tuple(_running)), default=inf)
            # A thread that ended meanwhile clears the sign by which the others would look.
            self.wakes = min(wakes, now + AGAIN) if _ending else wakes
            with suppress(Empty):
                self.changes.get(timeout=None if self.wakes == inf else max(self.wakes - now, 0))


def _watching() -> _Watch:
    """Watch of this process; a process that forked has none yet.

    It is started before anything of its thread can be ended: what is sent to a thread that is
    starting another one reaches that one.
    """
    if not any(watch.is_alive() for watch in _watches):
        with _starting:
            if not any(watch.is_alive() for watch in _watches):
                _watches[:] = [_Watch(name="deadlines", daemon=True)]
                _watches[0].start()
    return _watches[0]


def _send(thread: int) -> None:
    kind = ctypes.py_object(TooLong)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), kind)


def _take(deadline: Deadline) -> None:
    """Take the exception that may be on its way to this thread.

    Taken back by its sender, it would leave the interpreter looking for it at every line, and for
    ever where a profiler looks on.
    """
    try:
        while not deadline._is_sent:
            pass
        _send(get_ident())  # in the place of one that is on its way
        while True:
            pass
    except TooLong:
        return
