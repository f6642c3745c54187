"""The end of what takes too long in a thread: an exception out of nowhere, at its next line.

It reaches code of Python, such as a loop without end in somebody's criterion; what has gone into a
library of C is reached when it comes back.
"""

from __future__ import annotations

import ctypes
from math import inf
from threading import Condition, Thread, get_ident
from time import monotonic
from types import TracebackType


class TooLong(BaseException):
    """Raised in a block that has taken longer than it may; no handler of errors stops it."""


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
        self._is_over = False
        self._at = inf

    def __enter__(self) -> Deadline:
        """Begin to count."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Count no more."""
        try:
            self.stop()
        except TooLong:  # it was on its way
            kind = TooLong
        if self._is_over and kind is TooLong:
            raise Overdue(f"it took longer than {self.seconds:g} seconds") from None

    def start(self) -> None:
        """Count from now on."""
        if self.seconds == inf:
            return
        with _changed:
            self._at, self._is_over = monotonic() + self.seconds, False
            _running.add(self)
            if not any(watch.is_alive() for watch in _watches):  # none in a process that forked
                _watches[:] = [Thread(target=_watch, name="deadlines", daemon=True)]
                _watches[0].start()
            elif self._at < _wakes[0]:
                _changed.notify()

    def stop(self) -> None:
        """Count no more until it is started again."""
        with _changed:
            _running.discard(self)
        if self._is_over:
            _take()

    def _end(self) -> None:
        self._is_over = True
        _running.discard(self)
        _send(self._thread)


_changed = Condition()
_running: set[Deadline] = set()
_watches: list[Thread] = []
_wakes = [inf]  # when they are looked at next


def _watch() -> None:
    with _changed:
        while True:
            now = monotonic()
            for deadline in [each for each in _running if each._at <= now]:
                deadline._end()
            _wakes[0] = min((each._at for each in _running), default=inf)
            _changed.wait(None if _wakes[0] == inf else _wakes[0] - now)


def _send(thread: int) -> None:
    kind = ctypes.py_object(TooLong)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), kind)


def _take() -> None:
    """Take what may be on its way to this thread.

    Taken back by its sender, it would leave the interpreter looking for it at every line, and for
    ever where a profiler looks on.
    """
    try:
        _send(get_ident())  # in the place of one that is on its way
        while True:
            pass
    except TooLong:
        return
