"""Coroutines in tests: a loop of their own, whatever runs in this thread already."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def finished(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Return what `coroutine` returns.

    In a thread of its own: where browser tests ran before in the same process, Playwright keeps
    a loop alive in the main thread, and ``asyncio.run`` refuses to begin there.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
