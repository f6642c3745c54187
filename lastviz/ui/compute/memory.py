"""A small memory of what was computed, shared by all sessions of the process."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import TypeVar

from .turns import TURNS

__all__ = ["remembered"]

Result = TypeVar("Result")


def remembered(max_entries: int) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Compute ``function(key, ...)`` once per key; forget the keys not used for longest.

    Sessions that ask while a key is being computed wait for it. Only the key counts, a short
    text; what comes after it is what the computation needs. Streamlit's caches do the same,
    but take half a millisecond a look, a dozen times a run. An error is not remembered.
    """

    def decorate(function: Callable[..., Result]) -> Callable[..., Result]:
        entries: OrderedDict[str, Future[Result]] = OrderedDict()
        lock = Lock()

        @functools.wraps(function)
        def look_up(key: str, *args: object) -> Result:
            with lock:
                future = entries.get(key)
                mine = future is None
                if mine:
                    future = entries[key] = Future()
                    while len(entries) > max_entries:
                        entries.popitem(last=False)
                else:
                    entries.move_to_end(key)
            if mine:
                _compute(function, key, args, future)
                if future.exception() is not None:
                    with lock:
                        entries.pop(key, None)
            elif not future.done():
                with TURNS.away():  # who computes it may wait for its turn
                    return future.result()
            return future.result()

        return look_up

    return decorate


def _compute(function: Callable, key: str, args: tuple, future: Future) -> None:
    try:
        future.set_result(function(key, *args))
    except BaseException as error:
        future.set_exception(error)
