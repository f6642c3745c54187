"""Computing the studies in the line, one after the other, as long as there are any.

A server starts this as a process of its own. Several servers of one machine may: one works, the
others wait until it has ended. Whatever ends in between, a study goes on where it was.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from time import monotonic, sleep

from lastviz._places import user_cache
from lastviz._system import lock

from .line import StudyLine
from .run import run
from .store import StoreError
from .workers import WorkersError

SLICE = 300.0  # seconds after which a study lets those who wait go first
IDLE = 30.0  # seconds without a study after which there is nothing more to do
ALONE = 8.0  # seconds in which small studies end: too few to begin processes for
LOOK = 0.5  # seconds between two looks at the line
log = logging.getLogger("lastviz")


def serve(
    store: StudyLine,
    n_workers: int,
    *,
    idle: float = IDLE,
    time_slice: float = SLICE,
    clock: Callable[[], float] = monotonic,
) -> None:
    """Compute what stands in the line, until it has been empty for `idle` seconds.

    Parameters
    ----------
    store : StudyLine
    n_workers : int
        Processes for the folds of a study; 1 computes in this one.
    idle, time_slice : float
        Seconds; a study that has worked for `time_slice` goes behind those that wait.
    clock : callable
        Returns seconds.

    Raises
    ------
    StoreError
        If the store does not answer.
    """
    with _alone(store.address):
        last = clock()
        while clock() - last < idle:
            waiting = store.waiting()
            if not waiting:
                sleep(LOOK)
                continue
            _serve_one(store, waiting[0], n_workers, clock() + time_slice, clock)
            last = clock()


def _serve_one(
    store: StudyLine, study_id: str, n_workers: int, end: float, clock: Callable[[], float]
) -> None:
    try:
        found = store.of_anybody(study_id)
        if found is None:
            store.leave(study_id)
            return
        study, owner = found
        given = store.given(study_id)
        for n, until in ((1, min(clock() + ALONE, end)), (n_workers, end)):
            with closing(run(study, store, owner=owner, given=given, n_workers=n)) as events:
                if _goes_through(store, study_id, events, until, until == end, clock):
                    store.leave(study_id)
                    return
            if study_id not in store.waiting():
                return
        store.step_back(study_id)
    except StoreError:
        raise
    except (ValueError, OSError, WorkersError) as error:
        _give_up(store, study_id, str(error))
    except Exception as error:
        log.exception("the study %s failed", study_id)
        _give_up(store, study_id, f"Something failed that should not have: {error!r}.")


def _goes_through(
    store: StudyLine,
    study_id: str,
    events: Iterable,
    end: float,
    while_alone: bool,
    clock: Callable[[], float],
) -> bool:
    """Tell whether a study came to its end, be it that somebody paused it.

    It may go on after `end` as long as nobody else waits, if `while_alone`.
    """
    looked = -LOOK
    for _ in events:
        now = clock()
        if now - looked < LOOK:
            continue
        looked = now
        waiting = store.waiting()
        if study_id not in waiting:  # paused before it was begun
            return False
        if now > end and not (while_alone and len(waiting) == 1):
            return False
    return True


def _give_up(store: StudyLine, study_id: str, sentence: str) -> None:
    store.note_fault(study_id, " ".join(sentence.split())[:500])
    store.set_state(study_id, "paused")


@contextmanager
def _alone(address: str) -> Iterator[None]:
    """Wait until no other process of this user computes the studies of this store."""
    folder = user_cache()
    folder.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(address.encode()).hexdigest()[:16]
    with (folder / f"studies-{name}.lock").open("ab") as file:
        lock(file)
        yield
