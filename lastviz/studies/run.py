"""Running a study: what is not known yet is claimed, computed and stored, fold by fold.

One coordinator writes; several on one store share the work. A run may end anywhere: what is done
is kept, and the next run goes on.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from time import monotonic, sleep

from lastviz._places import user_cache
from lastviz._system import lock
from lastviz.datasets import Dataset

from .coordinator import Coordinator, FoldEvent, Progress, holder_here
from .line import StudyLine
from .store import Store, StoreError
from .study import Study
from .tasks import Estimate, compute, facts_of, plan, time_left
from .workers import WorkersError, workers_of

LEASE = 120.0  # seconds


def run(
    study: Study,
    store: Store,
    *,
    owner: str = "",
    given: Mapping[str, Dataset] | None = None,
    n_workers: int | None = None,
    scheduler: str | None = None,
    retry_failed: bool = False,
    lease: float = LEASE,
) -> Generator[FoldEvent | Progress]:
    """Compute what is missing of a study.

    Closing the generator pauses; so does a state "paused" or "cancelled" that anybody notes in
    the store. Running again goes on.

    Parameters
    ----------
    study : Study
    store : Store
    owner : str, default ""
        Token of whom the study belongs to.
    given : mapping of str to Dataset, optional
        Data sets beside those of the registry, by the key under which the study names them.
    n_workers, scheduler
        As :func:`lastviz.studies.workers.workers_of` takes them.
    retry_failed : bool, default False
        Whether failed folds are computed again.
    lease : float, default 120
        Seconds after which others take over what a coordinator that died has claimed.

    Yields
    ------
    Progress
        First, while others are waited for, and last.
    FoldEvent
        For each fold as soon as it is stored.

    Raises
    ------
    StoreError, WorkersError
        One sentence; what is done is kept.
    """
    cells, data = plan(study, given)
    study_id = store.register(study, cells, owner)
    if retry_failed:
        store.forget_failed(study_id)
    coordinator = Coordinator(store, study_id, cells, lease)
    store.set_state(study_id, "running")
    yield coordinator.progress("running")
    if not coordinator.left:
        store.set_state(study_id, "done")
        yield coordinator.progress("done")
        return
    end, reachable = "paused", True
    try:
        with workers_of(data, n_workers, scheduler) as workers:
            end = yield from coordinator.work(workers)
    except StoreError:
        reachable = False
        raise
    finally:
        if reachable:
            coordinator.leave(end)
    yield coordinator.progress(end)


def estimate(
    study: Study,
    store: Store,
    *,
    given: Mapping[str, Dataset] | None = None,
    n_workers: int = 1,
    owner: str = "",
    try_out: bool = False,
) -> Estimate:
    """Tell how long a study takes, from earlier folds of its cells.

    With `try_out` one fold of each cell without any is computed, and stored, as far as nobody
    else computes it.
    """
    cells, data = plan(study, given)
    study_id = store.register(study, cells, owner)
    known, usual = store.finished(study_id), store.usual_seconds()
    if try_out:
        holder = holder_here()
        for cell in cells:
            task = next((t for _, t in cell.tasks if t.key not in known), None)
            if task is None or facts_of(task) in usual:
                continue
            if store.claim([task], holder, 10 * LEASE):
                outcome = compute(task, data[task.data])
                store.save([outcome])
                if not outcome.reason:
                    usual[facts_of(task)] = outcome.seconds
        known = store.finished(study_id)
    return time_left(cells, known, usual, n_workers)


# ---- Computing the studies in the line, one after the other, as long as there are any
#
# A server starts this as a process of its own. Several servers of one machine may: one works, the
# others wait until it has ended. Whatever ends in between, a study goes on where it was.


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
