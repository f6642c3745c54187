"""The studies of the visitors: their store, and the process that computes them.

Studies are computed apart from pages and from this server, so that they go on when a page is
closed, and with the next server when this one has ended.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from pathlib import Path
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, TypeVar

import streamlit as st

from lastviz._extras import is_installed, lack_of
from lastviz._places import PACKAGE
from lastviz._system import start_beside
from lastviz.datasets import Dataset
from lastviz.host.turns import TURNS
from lastviz.studies.example import EXAMPLE, ExampleStudy
from lastviz.ui.text import CannotShow, t, translate

N_WORKERS = max(1, (os.cpu_count() or 2) - 1)  # pages need a core too
CHILD = (sys.executable, "-m", "lastviz.studies", "serve", "--beside")
CRASHES = ("Traceback", "Fatal Python error")  # how the last words of a fault of ours begin
CRASHED = (
    "The process that computes studies ended with an error and is being restarted. If this "
    "persists, look into the server's log."
)
NICENESS = 10  # of the child: pages come first
AGAIN, LONGEST_PAUSE = 5.0, 300.0  # seconds between two starts of a child that ends
PATIENCE = 2.0  # seconds that a page waits for the database
MOST_FOLDS = 20_000  # of a study on a server that many share
MOST_STUDIES = 50  # of a visitor

REFUSED = "study_refused"  # the session's
log = logging.getLogger("lastviz")
Result = TypeVar("Result")
StudyStore = Any
"""A :class:`lastviz.studies.store.StudyStore`, whose module wants the database's library."""
NEEDS_DATABASE = lack_of("sqlalchemy", "Keeping studies")
_lock = Lock()
_stores: dict[str, object] = {}


def check_store() -> None:
    """Raise CannotShow, which says why, where this installation cannot keep studies."""
    if not is_installed("sqlalchemy"):
        raise CannotShow(t(NEEDS_DATABASE))


def ask(question: Callable[[StudyStore], Result]) -> Result:
    """Answer of the store of studies to `question`.

    Other sessions may run meanwhile.

    Raises
    ------
    CannotShow
        If it does not answer, or there can be none; the sentence says why.
    """
    check_store()
    from lastviz.studies.store import StoreError  # the database's library is not wanted before

    try:
        with TURNS.away():
            return question(_store())
    except StoreError as error:
        raise CannotShow(translate(error)) from None


# The example study is answered from its files, all others by the store.
def ask_about(study_id: str, question: Callable[[StudyStore], Result]) -> Result:
    """Answer to `question` about a study."""
    return question(ExampleStudy(t)) if study_id == EXAMPLE else ask(question)


# The next run then shows the reason.
def try_study_store(act: Callable[[StudyStore], Result]) -> Result | None:
    """Perform the action of a button on the store, None if the store does not answer."""
    try:
        return ask(act)
    except CannotShow as reason:
        refuse(str(reason))
        return None


def refuse(sentence: str) -> None:
    """Keep the reason why the action of a button was refused, for the next run."""
    st.session_state[REFUSED] = sentence


# Available only once.
def refusal() -> str:
    """Reason why the action of a button was refused, "" if it was not."""
    return st.session_state.pop(REFUSED, "")


def _store() -> StudyStore:
    """Store of this process; it is opened once it answers."""
    from lastviz.studies.store import StudyStore, address_of_store

    address = address_of_store()
    with _lock:
        if address not in _stores:
            _stores[address] = StudyStore(address, patience=PATIENCE)
        return _stores[address]


def plan_study(
    study: object, given: Mapping[str, Dataset]
) -> Generator[float, None, tuple[tuple, dict[str, Dataset]]]:
    """Plan a study as a work of its own: its data sets may take seconds to load."""
    from lastviz.studies.tasks import plan

    yield 0.0
    return plan(study, given)


def time_cells(cells: Iterable, data: Mapping[str, Dataset]) -> Generator[float, None, bool]:
    """Compute and save one fold of each cell without a known time, as a job."""
    from lastviz.studies.tasks import compute, facts_of

    usual = ask(lambda line: line.usual_seconds())
    first = {facts_of(task): task for cell in cells for _, task in cell.tasks[:1]}
    todo = [task for facts, task in first.items() if facts not in usual]
    for n_done, task in enumerate(todo):
        yield n_done / len(todo)
        done = [(task, compute(task, data[task.data]))]
        ask(lambda line, done=done: line.save(done))
    return True


def begin(
    study: object, cells: Iterable, tables: Mapping[str, tuple[Dataset, str]], token: str
) -> str | None:
    """Save and queue a study, and return its name, or None if it is refused.

    `tables` are those that it names, by key, each with the link to the scene that shows it.
    """

    def keep(line: object) -> str:
        if len(line.names(token)) >= MOST_STUDIES:
            return ""
        study_id = line.register(study, cells, token)
        line.hand_in(study_id, tables)
        line.join(study_id)
        return study_id

    study_id = try_study_store(keep)
    if study_id == "":
        refuse(t("You have {n} studies here: delete one first.", n=MOST_STUDIES))
    if study_id:
        COMPUTING.ensure()
    return study_id or None


class Computing:
    """Process that computes studies, started when needed, restarted after its end."""

    n_workers = N_WORKERS

    def __init__(self, command: tuple[str, ...] = CHILD) -> None:
        self._command = (*command, "--workers", str(self.n_workers))
        self._lock = Lock()
        self._child: subprocess.Popen | None = None
        self._began, self._pause = -AGAIN, AGAIN
        self._last_error = ""

    @property
    def fault(self) -> str:
        """Last message of a process that ended with a fault, "" if it did not."""
        return self._last_error

    def ensure(self) -> None:
        """Ensure that a process computes the queued studies."""
        with self._lock:
            alive = self._child is not None and self._child.poll() is None
            if alive or monotonic() - self._began < self._pause:
                return
            self._began = monotonic()
            try:
                self._child = start_beside(
                    self._command,
                    NICENESS,
                    cwd=PACKAGE.parent,
                    stdin=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    encoding="locale",
                    errors="replace",
                )
            except OSError as error:
                self._last_error = t("Studies cannot be computed here: {error}.", error=error)
                return
        Thread(target=self._watch, args=(self._child,), name="studies", daemon=True).start()

    def _watch(self, child: subprocess.Popen) -> None:
        """Pass on the messages of the process.

        Its input stays open as long as this server lives.

        It begins anew where somebody still waits, after the longer a pause the more often it ended
        with a fault.
        """
        last, crashed = "", False
        with child.stdin, child.stderr:
            for line in child.stderr:
                last = line.strip() or last
                crashed |= line.startswith(CRASHES)
                log.warning("studies: %s", line.rstrip())
            status = child.wait()
        if status < 0 or crashed:  # then its last words are of no use to a reader
            last = CRASHED
        self._last_error = last if status else ""
        self._pause = min(2 * self._pause, LONGEST_PAUSE) if status else AGAIN
        sleep(self._pause)
        go_on(self)


COMPUTING = Computing()


# A store file that does not exist yet has none.
def has_store() -> bool:
    """Whether there may be studies."""
    if not is_installed("sqlalchemy"):
        return False
    from lastviz.studies.store import address_of_store

    place = address_of_store()
    file = place.removeprefix("sqlite:///")
    return file == place or Path(file).is_file()


def n_folds() -> dict[str, int]:
    """Folds in the store by their state; a store that does not answer has none."""
    try:
        return ask(lambda line: line.n_folds()) if has_store() else {}
    except CannotShow:
        return {}


def go_on(computing: Computing = COMPUTING) -> None:
    """Resume the queued studies, including those of the last server, if there are any."""
    if not has_store():
        return
    try:
        if ask(lambda line: line.waiting()):
            computing.ensure()
    except CannotShow as reason:
        log.warning("studies do not go on: %s", reason)
