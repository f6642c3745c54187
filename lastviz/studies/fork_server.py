"""The process that workers are forked from: it imports what they need once, and stays.

Light, so that a command can begin it before it imports anything itself.
"""

from __future__ import annotations

import multiprocessing
import sys
from multiprocessing.context import BaseContext

from lastviz._system import without_interrupts

NEEDED = ["lastviz.studies.first_fold"]


def begin() -> None:
    """Begin it, unless it is there; returns before it has imported anything.

    It ends with the process that began it. Where there is none (not on Linux: the libraries of
    other systems do not bear a fork) this does nothing.
    """
    if not _is_used():
        return
    from multiprocessing import forkserver

    forkserver.set_forkserver_preload(NEEDED)
    with without_interrupts():  # they reach it, too, and are the coordinator's to answer
        forkserver.ensure_running()


def context() -> BaseContext:
    """Return how processes begin: forked from the clean one, or anew.

    A fork of the coordinator itself, which may have threads, could hang.
    """
    begin()
    return multiprocessing.get_context("forkserver" if _is_used() else "spawn")


def _is_used() -> bool:
    return sys.platform == "linux"
