"""Recent results by their arguments, all of them forgotten when a visitor leaves.

As ``functools.lru_cache``, which would keep a visitor's words for as long as nothing newer comes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

Function = TypeVar("Function", bound=Callable)
_cached: list[Callable] = []


def recently(most: int, *, typed: bool = False) -> Callable[[Function], Function]:
    """Keep the last answers of a function until :func:`forget_recent` is called."""

    def decorated(function: Function) -> Function:
        _cached.append(lru_cache(maxsize=most, typed=typed)(function))
        return _cached[-1]

    return decorated


def forget_recent() -> None:
    """Forget the answers of all functions."""
    for function in _cached:
        function.cache_clear()
