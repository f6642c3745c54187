"""What a run of a page has asked: each answer is worked out once a run, whoever asks for it.

A page asks the same of one selection in dozens of places. While it runs, nothing that the
selection names becomes otherwise; the next run asks anew, and so sees a file that was replaced, a
data set that has come or an algorithm that was registered since. No run sees another's answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import TypeVar

from .language import LANGUAGE_USES

Answer = TypeVar("Answer")

_ANSWERS: ContextVar[dict[tuple, tuple]] = ContextVar("answers")  # of the run of this thread


@contextmanager
def one_run() -> Iterator[None]:
    """Let what is asked within the block be asked once."""
    token = _ANSWERS.set({})
    try:
        yield
    finally:
        _ANSWERS.reset(token)


def once_a_run(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """Return `function` of a selection, which is asked once a run for the same one.

    Outside of a run it is asked once for all that it asks itself. An error is no answer.
    """

    @wraps(function)
    def ask(selection: object, *rest: object, **named: object) -> Answer:
        answers = _ANSWERS.get(None)
        if answers is None:
            with one_run():
                return ask(selection, *rest, **named)
        # By identity, as comparing takes long; what is kept here gives its id to no other.
        key = (function, id(selection), rest, *named.items())
        known = answers.get(key)
        if known is None:
            uses = LANGUAGE_USES.count
            answer = function(selection, *rest, **named)
            known = answers[key] = (answer, LANGUAGE_USES.count != uses, selection)
        LANGUAGE_USES.count += known[1]
        return known[0]

    return ask
