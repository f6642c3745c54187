"""How long tests wait before they take it that something hangs: the one place that says so.

No test asserts how long anything takes. A wait ends so that what hangs fails, and not before it
would on a machine that is four times slower than a common one and busy with other work.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

SECONDS = 180.0
LONG = 5 * SECONDS  # for what compiles, installs, or trains until the end
# What may have met a page that was being drawn is tried again, each time with more patience.
TRIES = (4.0, 8.0, 16.0, 32.0, 64.0, 128.0)

T = TypeVar("T")


def until(condition: Callable[[], T], seconds: float = SECONDS, why: object = "") -> T:
    """Wait until a condition holds and give what it says; raise TimeoutError if it never does."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"it still does not hold after {seconds:.0f} s {why}")
        time.sleep(0.005)
    return found
