"""Who claims folds, hands them out, and stores what came of them, for one run of a study."""

from __future__ import annotations

import hashlib
import os
import socket
import time
from collections import deque
from collections.abc import Generator, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lastviz._system import is_alive

from .store import Store
from .tasks import Cell, Outcome, Task, facts_of
from .workers import Batch, Workers, WorkersLost

LOOK = 1.0  # seconds between two looks at the store and the clock
MOST_TRIES = 3  # of a task whose worker ends
MOST_AT_ONCE = 200  # tasks that are claimed, or stored, in one step
MOST_IN_A_BATCH = 50
SAVE_SECONDS = 0.5  # that an outcome waits for others at most


@dataclass(frozen=True)
class Progress:
    """How far a study is."""

    study: str  # its name in the store
    n_done: int  # folds that are known, those that failed among them not counted as done, and all
    n_failed: int  # folds that are known, those that failed among them not counted as done, and all
    n_folds: int  # folds that are known, those that failed among them not counted as done, and all
    # {"running", "waiting", "paused", "cancelled", "done"}: "waiting": all that is left is being
    # computed by another coordinator.
    state: str


@dataclass(frozen=True)
class FoldEvent:
    """A fold that is stored: where it belongs, what came of it, and how far the study is."""

    cell: Cell
    point: int
    repeat: int
    fold: int
    outcome: Outcome
    progress: Progress


class Coordinator:
    """Claims, hands out, and stores, for one run."""

    def __init__(self, store: Store, study_id: str, cells: Iterable[Cell], lease: float) -> None:
        self._store, self._study, self._lease = store, study_id, lease
        self._holder = holder_here()
        _release_dead(store)
        # Equal tasks of two cells are one piece of work.
        self._places: dict[str, list[tuple[Cell, int, Task]]] = {}
        for cell in cells:
            for point, task in cell.tasks:
                self._places.setdefault(task.key, []).append((cell, point, task))
        self._n_folds = sum(map(len, self._places.values()))
        self._known: dict[str, str] = {}
        self._n_known = dict.fromkeys(("done", "failed"), 0)
        self._learn(store.finished(study_id))
        self.left = _interleaved(self._places, self._known)
        self._running: dict[object, Batch] = {}
        self._claimed: deque[Task] = deque()
        self._usual: dict[tuple[str, str, str], float] = {}  # seconds of the latest fold
        self._unsaved: list[Outcome] = []
        self._tries: dict[str, int] = {}
        self._again: list[Task] = []
        self._looked = self._saved = time.monotonic()
        self._renewed = self._looked

    def progress(self, state: str) -> Progress:
        """Return how far the study is."""
        n_done, n_failed = self._n_known["done"], self._n_known["failed"]
        return Progress(self._study, n_done, n_failed, self._n_folds, state)

    def _learn(self, states: Mapping[str, str]) -> None:
        """Note folds that are finished; one at a time, so that 100,000 are not counted anew."""
        for key, state in states.items():
            if key in self._places and key not in self._known:
                self._known[key] = state
                self._n_known[state] += len(self._places[key])

    def work(self, workers: Workers) -> Generator[FoldEvent | Progress, None, str]:
        """Compute until nothing is left; return the state in which the study is."""
        while self.left or self._claimed or self._running or self._unsaved or self._again:
            state = self._look()
            if state in ("paused", "cancelled"):
                yield from self._save()
                return state
            self._hand_out(workers)
            if not self._running:
                yield from self._save()
                if self.left:
                    yield self.progress("waiting")
                    time.sleep(LOOK)
                    yield from self._what_others_did()
                continue
            for future in workers.wait(self._running, LOOK / 2):
                tasks = self._running.pop(future)
                try:
                    outcomes = workers.outcomes(future)
                except WorkersLost:
                    for task in tasks:
                        self._try_again(task)
                    continue
                self._unsaved.extend(outcomes)
                for task, outcome in zip(tasks, outcomes, strict=True):
                    self._usual[facts_of(task)] = outcome.seconds
            late = time.monotonic() - self._saved > SAVE_SECONDS
            if late or len(self._unsaved) >= MOST_AT_ONCE:
                yield from self._save()
        return "done"

    def _look(self) -> str | None:
        """Hold what is held, and return the state that somebody has noted."""
        now = time.monotonic()
        if now - self._renewed > self._lease / 4:
            self._store.renew(self._holder, self._lease)
            self._renewed = now
        if now - self._looked < LOOK:
            return None
        self._looked = now
        return self._store.state(self._study) or "cancelled"  # deleted

    def _hand_out(self, workers: Workers) -> None:
        while self._again and len(self._running) < workers.n_at_once:
            # What may have ended a worker runs alone, so that no other task is blamed.
            if self._running:
                return
            alone = (self._again.pop(),)
            self._running[workers.submit(alone)] = alone
            return
        a_second = self._n_of_a_second(workers.n_at_once)
        if self.left and len(self._claimed) < max(a_second // 2, workers.n_at_once // 2, 1):
            self._claim(max(workers.n_at_once, a_second))
        while self._claimed and len(self._running) < workers.n_at_once:
            batch = self._batch(workers.batch_seconds)
            self._running[workers.submit(batch)] = batch

    def _batch(self, most: float) -> Batch:
        """Return the next tasks that take `most` seconds together; one of a kind without folds."""
        batch, seconds = [], 0.0
        while self._claimed and len(batch) < MOST_IN_A_BATCH:
            seconds += self._usual.get(facts_of(self._claimed[0]), most)
            if batch and seconds > most:
                break
            batch.append(self._claimed.popleft())
        return tuple(batch)

    def _n_of_a_second(self, n_at_once: int) -> int:
        """Return how many tasks to claim, so that quick ones are not claimed one by one."""
        if not self._usual:
            return 0
        usual = sum(self._usual.values()) / len(self._usual)
        return min(int(n_at_once / 2 / max(usual, 1e-3)), MOST_AT_ONCE)

    def _claim(self, wanted: int) -> None:
        for _ in range(3):  # others may hold the first ones
            tasks, self.left = self.left[:wanted], self.left[wanted:]
            mine = self._store.claim(tasks, self._holder, self._lease)
            for task in tasks:
                (self._claimed if task.key in mine else self.left).append(task)
            wanted -= len(mine)
            if not wanted or not tasks:
                return

    def _try_again(self, task: Task) -> None:
        tries = self._tries[task.key] = self._tries.get(task.key, 0) + 1
        if tries < MOST_TRIES:
            self._again.append(task)
            return
        reason = f"The worker ended {tries} times in the middle; it may lack memory."
        self._unsaved.append(Outcome(task.key, {}, reason, "", 0.0))

    def _save(self) -> Generator[FoldEvent]:
        outcomes, self._saved = list(self._unsaved), time.monotonic()
        self._store.save(outcomes)
        self._unsaved.clear()
        for outcome in outcomes:
            self._learn({outcome.key: "failed" if outcome.reason else "done"})
            progress = self.progress("running")
            for cell, point, task in self._places[outcome.key]:
                yield FoldEvent(cell, point, task.repeat, task.fold, outcome, progress)

    def _what_others_did(self) -> Generator[Progress]:
        self._learn(self._store.finished(self._study))
        self.left = [task for task in self.left if task.key not in self._known]
        yield self.progress("running")

    def leave(self, state: str) -> None:
        """Store what is finished, give back the rest, note the state; also after an error."""
        self._store.save(self._unsaved)
        self._unsaved.clear()
        self._store.release(self._holder)
        if self._store.state(self._study) not in (None, "cancelled"):
            self._store.set_state(self._study, state)


def holder_here() -> str:
    """Return a new name for a holder of leases that tells the machine and the process."""
    return f"{_machine()}-{os.getpid()}-{os.urandom(6).hex()}"


def _machine() -> str:
    """Return what names this machine since it was started, and its space of process numbers."""
    facts = [socket.gethostname()]
    with suppress(OSError):
        facts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
        facts.append(os.readlink("/proc/self/ns/pid"))
    return hashlib.sha256("|".join(facts).encode()).hexdigest()[:16]


def _release_dead(store: Store) -> None:
    """Give back what coordinators of this machine held that have ended without a word."""
    for holder in store.holders():
        machine, pid, *_ = (*holder.split("-"), "")
        if machine == _machine() and pid.isdigit() and not is_alive(int(pid)):
            store.release(holder)


def _interleaved(
    places: Mapping[str, list[tuple[Cell, int, Task]]], known: Mapping[str, str]
) -> list[Task]:
    """Return what is left, the first folds of all cells before the second ones."""
    left = [entries[0] for key, entries in places.items() if key not in known]
    left.sort(key=lambda entry: (entry[2].repeat, entry[2].fold, entry[0].number, entry[1]))
    return [task for _, _, task in left]
