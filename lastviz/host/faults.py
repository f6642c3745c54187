"""Unexpected errors, each with a name and its place in the log; nothing here fails."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from traceback import walk_tb

from .meters import METERS

log = logging.getLogger("lastviz")


def note(error: BaseException, where: str, asked: Callable[[], object]) -> str:
    """Log an error and count it; return the name that the log gives it.

    Parameters
    ----------
    error : BaseException
    where : str
        The part of the app in which it came up.
    asked : callable
        Returns what the app was asked for, if it can.
    """
    name, about = f"{id(error):08x}"[-8:], "what is not known"
    with suppress(Exception):
        name = name_of(error)
    with suppress(Exception):
        METERS.note_error(where, error)
    with suppress(Exception):
        about = repr(asked())
    with suppress(Exception):
        log.error("error %s (%s) with %s", name, where, about, exc_info=error)
    return name


def name_of(error: BaseException) -> str:
    """Name for an error, the same whenever it comes up on the same way."""
    lines = [f"{frame.f_code.co_filename}:{line}" for frame, line in walk_tb(error.__traceback__)]
    return sha256("\n".join([type(error).__name__, *lines]).encode()).hexdigest()[:8]
