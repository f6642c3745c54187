"""Run of a study: missing results are computed and stored, fold by fold.

A run may end anywhere, killed too: what is stored stays, and the next run goes on. A fold is stored
whole or not at all; where two runs compute the same one, the first that is stored stays.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass
from time import monotonic, sleep

from lastviz._places import user_cache
from lastviz._system import lock
from lastviz.datasets import Dataset

from .store import StoreError, StudyStore
from .study import Study
from .tasks import Cell, Estimate, Outcome, Task, compute, facts_of, plan, time_left
from .workers import Batch, Workers, WorkersError, workers_of

LOOK = 1.0  # seconds between two looks at the state of a study
MOST_TRIES = 3  # of a task whose worker ends
MOST_IN_A_BATCH = 50
MOST_UNSAVED = 200  # outcomes
SAVE_SECONDS = 0.5  # that an outcome waits for others at most


@dataclass(frozen=True)
class Progress:
    """Progress of a study."""

    study: str  # its name in the store
    n_done: int  # folds that are known, without those that failed
    n_failed: int
    n_folds: int
    state: str  # {"running", "paused", "cancelled", "done"}


@dataclass(frozen=True)
class FoldEvent:
    """A stored fold: its place, its outcome and the progress of the study."""

    cell: Cell
    point: int
    repeat: int
    fold: int
    outcome: Outcome
    progress: Progress


def run(
    study: Study,
    store: StudyStore,
    *,
    study_id: str | None = None,
    given: Mapping[str, Dataset] | None = None,
    n_workers: int | None = None,
    scheduler: str | None = None,
    retry_failed: bool = False,
) -> Generator[FoldEvent | Progress]:
    """Compute the missing folds of a study.

    Closing the generator pauses; so does a state "paused" or "cancelled" that anybody notes in
    the store. Running again goes on.

    Parameters
    ----------
    study : Study
    store : Store
    study_id : str, optional
        Its name in the store, if it is a visitor's.
    given : mapping of str to Dataset, optional
        Data sets beside those of the registry, by the key under which the study names them.
    n_workers, scheduler
        As :func:`lastviz.studies.workers.workers_of` takes them.
    retry_failed : bool, default False
        Whether failed folds are computed again.

    Yields
    ------
    Progress
        First and last.
    FoldEvent
        For each fold as soon as it is stored.

    Raises
    ------
    StoreError, WorkersError
        One sentence; what is done is kept.
    """
    cells, data = plan(study, given)
    study_id = store.register(study, cells, study_id=study_id)
    if retry_failed:
        store.forget_failed(study_id)
    work = _Run(store, study_id, cells)
    store.set_state(study_id, "running")
    yield work.progress("running")
    end, is_reachable = "done", True
    try:
        if work.left:
            end = "paused"
            with workers_of(data, n_workers, scheduler) as workers:
                end = yield from work.go_through(workers)
    except StoreError:
        is_reachable = False
        raise
    finally:
        if is_reachable:
            work.leave(end)
    yield work.progress(end)


class _Run:
    """Runner of one study: hands out its folds and stores their outcomes."""

    def __init__(self, store: StudyStore, study_id: str, cells: Iterable[Cell]) -> None:
        self._store, self._study = store, study_id
        # Equal tasks of two cells are one piece of work.
        self._places: dict[str, list[tuple[Cell, int, Task]]] = {}
        for cell in cells:
            for point, task in cell.tasks:
                self._places.setdefault(task.key, []).append((cell, point, task))
        self._n_folds = sum(map(len, self._places.values()))
        known = store.finished(study_id)
        self._n_known: Counter[str] = Counter()
        for key, state in known.items():
            self._n_known[state] += len(self._places[key])
        left = [entries[0] for key, entries in self._places.items() if key not in known]
        # The first folds of all cells come before the second ones.
        left.sort(key=lambda entry: (entry[2].repeat, entry[2].fold, entry[0].number, entry[1]))
        self.left = deque(task for _, _, task in left)
        self._alone: list[Task] = []  # those whose worker has ended
        self._tries: Counter[str] = Counter()
        self._usual: dict[tuple[str, str, str], float] = {}  # seconds of the latest fold
        self._unsaved: list[tuple[Task, Outcome]] = []
        self._looked = self._saved = monotonic()

    def progress(self, state: str) -> Progress:
        """Progress of the study."""
        n_done, n_failed = self._n_known["done"], self._n_known["failed"]
        return Progress(self._study, n_done, n_failed, self._n_folds, state)

    def go_through(self, workers: Workers) -> Generator[FoldEvent | Progress, None, str]:
        """Compute until nothing is left or somebody stops it; return the state then."""
        running: dict[Future, Batch] = {}
        while self.left or self._alone or running:
            if (state := self._noted()) != "running":
                yield from self._save()
                return state
            self._hand_out(workers, running)
            for future in wait(running, LOOK / 2, FIRST_COMPLETED).done:
                self._take(running.pop(future), workers.outcomes(future))
            late = monotonic() - self._saved > SAVE_SECONDS
            if late or len(self._unsaved) >= MOST_UNSAVED:
                yield from self._save()
        yield from self._save()
        return "done"

    def _noted(self) -> str:
        """State of the study as somebody may have noted it."""
        if monotonic() - self._looked < LOOK:
            return "running"
        self._looked = monotonic()
        return self._store.state(self._study) or "cancelled"  # deleted

    def _hand_out(self, workers: Workers, running: dict[Future, Batch]) -> None:
        if self._alone:  # what may end a worker runs alone, so that no other task is blamed
            if not running:
                batch = (self._alone.pop(),)
                running[workers.submit(batch)] = batch
            return
        while self.left and len(running) < workers.n_at_once:
            batch = self._batch(workers.batch_seconds)
            running[workers.submit(batch)] = batch

    def _batch(self, most: float) -> Batch:
        """Take the next tasks that need `most` seconds together.

        A task of a kind without folds is a batch of its own.
        """
        batch, seconds = [], 0.0
        while self.left and len(batch) < MOST_IN_A_BATCH:
            seconds += self._usual.get(facts_of(self.left[0]), most)
            if batch and seconds >= most:
                break
            batch.append(self.left.popleft())
        return tuple(batch)

    def _take(self, batch: Batch, outcomes: list[Outcome] | None) -> None:
        """Record the outcomes of a batch; None if its worker has ended."""
        if outcomes is not None:
            self._unsaved.extend(zip(batch, outcomes, strict=True))
            self._usual |= {
                facts_of(task): outcome.seconds
                for task, outcome in zip(batch, outcomes, strict=True)
            }
            return
        for task in batch:
            self._tries[task.key] += 1
            if self._tries[task.key] < MOST_TRIES:
                self._alone.append(task)
            else:
                reason = f"The worker ended {MOST_TRIES} times in the middle; it may lack memory."
                self._unsaved.append((task, Outcome(task.key, {}, reason, "", 0.0)))

    def _save(self) -> Generator[FoldEvent]:
        done, self._saved = list(self._unsaved), monotonic()
        self._store.save(done, self._study)
        self._unsaved.clear()
        for _, outcome in done:
            places = self._places[outcome.key]
            self._n_known["failed" if outcome.reason else "done"] += len(places)
            progress = self.progress("running")
            for cell, point, task in places:
                yield FoldEvent(cell, point, task.repeat, task.fold, outcome, progress)

    def leave(self, state: str) -> None:
        """Store the finished folds and record the state, unless the study is over."""
        self._store.save(self._unsaved, self._study)
        self._unsaved.clear()
        if self._store.state(self._study) not in (None, "cancelled", "done"):
            self._store.set_state(self._study, state)


def estimate(
    study: Study,
    store: StudyStore,
    *,
    given: Mapping[str, Dataset] | None = None,
    n_workers: int = 1,
    try_out: bool = False,
) -> Estimate:
    """Time that a study takes, by earlier folds of its cells.

    With `try_out` one fold of each cell without any is computed, and stored.
    """
    cells, data = plan(study, given)
    study_id = store.register(study, cells)
    known, usual = store.finished(study_id), store.usual_seconds()
    if try_out:
        for cell in cells:
            task = next((t for _, t in cell.tasks if t.key not in known), None)
            if task is not None and facts_of(task) not in usual:
                outcome = compute(task, data[task.data])
                store.save([(task, outcome)], study_id)
                if not outcome.reason:
                    usual[facts_of(task)] = outcome.seconds
        known = store.finished(study_id)
    return time_left(cells, known, usual, n_workers)


# ---- Computing the studies in the line, one after the other, as long as there are any
#
# A server starts this as a process of its own. Several servers of one machine may: one works, the
# others wait until it has ended. Whatever ends in between, a study goes on where it was.


IDLE = 30.0  # seconds without a study after which there is nothing more to do
log = logging.getLogger("lastviz")


def serve(store: StudyStore, n_workers: int, *, idle: float = IDLE) -> None:
    """Compute the studies of the queue, first come, first served.

    Parameters
    ----------
    store : Store
    n_workers : int
        Processes for the folds of a study; 1 computes in this one.
    idle : float
        Seconds for which the line must have been empty to end.

    Raises
    ------
    StoreError
        If the store does not answer.
    """
    with _alone(store.address):
        last = monotonic()
        while monotonic() - last < idle:
            if waiting := store.waiting():
                _serve_one(store, waiting[0], n_workers)
                last = monotonic()
            else:
                sleep(LOOK / 2)


def _serve_one(store: StudyStore, study_id: str, n_workers: int) -> None:
    try:
        study = store.of_anybody(study_id)
        if study is not None:
            given = store.given(study_id)
            events = run(study, store, study_id=study_id, given=given, n_workers=n_workers)
            with closing(events):
                next(events)
                if study_id in store.waiting():  # not paused while its data were loaded
                    deque(events, maxlen=0)
        store.leave(study_id)
    except StoreError:
        raise
    except (ValueError, OSError, WorkersError) as error:
        _give_up(store, study_id, str(error))
    except Exception as error:
        log.exception("the study %s failed", study_id)
        _give_up(store, study_id, f"Something failed that should not have: {error!r}.")


def _give_up(store: StudyStore, study_id: str, sentence: str) -> None:
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
