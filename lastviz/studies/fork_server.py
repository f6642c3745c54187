"""The process that workers are forked from: it imports what they need once, and stays.

Light, so that a command can begin it before it imports anything itself.
"""

from __future__ import annotations

import multiprocessing
from multiprocessing.context import BaseContext

from lastviz._system import begin_fork_server, has_fork_server

NEEDED = ["lastviz.studies.first_fold"]


def begin() -> None:
    """Begin it, unless it is there; returns before it has imported anything."""
    begin_fork_server(NEEDED)


def context() -> BaseContext:
    """Return how processes begin: forked from the clean one, or anew where there is none.

    A fork of the coordinator itself, which may have threads, could hang.
    """
    begin()
    return multiprocessing.get_context("forkserver" if has_fork_server() else "spawn")
