"""Long work in threads: it goes on while the page is used, says how far it is, can be cancelled.

A job lives in the process and is found by its key, so that it outlives a reload and every
session that asks for the same thing finds the same job. Work that ends within
:data:`PATIENCE` is simply waited for; what takes longer becomes *long*: only a bounded number
of long jobs works at a time, visitors in turn (see :mod:`.line`), and the rest waits between two
of its steps. A job that nobody looks at any more ends. Those that are over are kept in the memory
of the process, as long as there is room for what they came to.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Generator, Hashable
from enum import Enum
from itertools import count
from threading import Event, Lock, Thread, local
from time import monotonic, perf_counter

from streamlit import runtime

from lastviz._deadline import Deadline, Overdue, TooLong
from lastviz._sentences import Statement

from . import faults
from .language import current_language, speak
from .memory import MEMORY, Memory
from .meters import METERS
from .turns import TURNS, Line

Steps = Callable[[], Generator[float | None, None, object]]
"""Starts the work: a generator that yields the share that is done and returns the result.

It yields None while it waits for what comes over the network.
"""

AT_ONCE = 0.03  # seconds in which most jobs end: too few to let others run meanwhile
PATIENCE = 0.8  # seconds that a page waits before it shows progress instead
LONGEST = 600.0  # seconds of work before a job is given up
MOST_AT_ONCE = min(4, max(1, (os.cpu_count() or 2) - 1))  # long jobs; pages need a core too
GRACE = 1.0  # seconds that a step may take beyond them
LOOKED_AT = 5.0  # seconds after which nobody seems to look any more
LEFT_ALONE = 60.0  # seconds after which a job that nobody looks at ends
OUT_OF_SIGHT = 150.0  # the same while a page is open: one that is hidden may look once a minute
MOST_LEFT = 8  # jobs of a visitor that nobody looks at; a reader who tries much leaves some behind
NAP = 0.05  # seconds between two looks of a job that waits for its turn
SETTLE_EVERY = 0.25  # seconds after which it is seen anew who looks at what

log = logging.getLogger("lastviz")


class State(Enum):
    """State of a job."""

    WORKING = "working"
    WAITING = "waiting"
    FETCHING = "fetching"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        """Whether the job has ended."""
        return self not in (State.WORKING, State.WAITING, State.FETCHING)


class Waits(local):
    """Number of requests in this thread whose result was not there."""

    count = 0


WAITS = Waits()


class Failed(ValueError):
    """Reason why work has no result, as a sentence for the user.

    Any other error in work is a fault of the program: it is logged.
    """


class Working(Exception):
    """Raised if a requested result is not there: its job works, waits or is cancelled."""

    def __init__(self, job: Job) -> None:
        WAITS.count += 1
        super().__init__(f"{job.title} is not ready: {job.state.value}")
        self.job = job


class Enough(Exception):
    """Thrown into work whose waiters take the result found so far."""


class Job:
    """One piece of long work.

    Attributes
    ----------
    key : tuple or str
        What it is about.
    title : str
        What people call it, in the language of who asks.
    language : str
        The one in which it says why it failed.
    state : State
    share : float
        Estimated part that is done, from 0 to 1; never falls.
    latest : float or None
        What the work yielded last.
    seconds : float
        Time worked so far, without waiting.
    is_anytime : bool
        Whether its work, ended early, has a result.
    """

    is_anytime = False

    def __init__(self, key: Hashable, title: str, work: Steps, jobs: Jobs, number: int) -> None:
        self.key = key
        self.language = current_language()
        self._titles = {self.language: title}
        self.number = number
        self.state = State.WORKING
        self.share = 0.0
        self.latest: float | None = None
        self._jobs = jobs
        self._work: Steps | None = work
        self._began = jobs.clock()
        self._seen: dict[str, float] = {}
        self._declined: set[str] = set()
        self._seconds = 0.0
        self._step_began: float | None = None
        self._stop = Event()
        self._enough = Event()
        self._over = Event()
        self._result: object = None
        self._sentence: tuple[str, dict[str, object]] = ("", {})
        Thread(target=self._run, name=f"job {number}", daemon=True).start()

    @property
    def title(self) -> str:
        """Title of the job for people.

        It is in the language of the current visitor, if anyone has named the job in it.
        """
        return self._titles.get(current_language(), self._titles[self.language])

    @property
    def seconds(self) -> float:
        """Seconds worked so far, without waiting."""
        began = self._step_began
        return self._seconds + (perf_counter() - began if began is not None else 0.0)

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds of work to come; None while there is too little to go by."""
        if self.seconds < 1.0 or self.share < 0.03:
            return None
        return self.seconds * (1.0 - self.share) / self.share

    @property
    def is_long(self) -> bool:
        """Whether it has used up the patience of those who wait."""
        return self.seconds > PATIENCE

    @property
    def is_looked_at(self) -> bool:
        """Whether a visitor seems to wait for it."""
        return self._unseen_for() < LOOKED_AT

    @property
    def is_left_alone(self) -> bool:
        """Whether the job is abandoned.

        No visitor has looked at it for so long that none will.
        """
        unseen = self._unseen_for()
        if unseen <= LEFT_ALONE:
            return False
        return unseen > OUT_OF_SIGHT or not any(map(self._jobs.has_open, self._viewers()))

    @property
    def visitor(self) -> str:
        """Whose turn it takes: of those who look at it the first, else who began it."""
        now = self._jobs.clock()
        looking = (v for v, at in self._viewers().items() if now - at < LOOKED_AT)
        return next(looking, next(iter(list(self._seen)), ""))

    def call(self, title: str) -> None:
        """Set its title in the language of the current visitor."""
        self._titles.setdefault(current_language(), title)

    def look(self, viewer: str) -> State:
        """Note that `viewer` (a session) waits for it; return how it stands for them."""
        self._seen[viewer] = self._jobs.clock()
        return State.CANCELLED if viewer in self._declined else self.state

    def outcome(self, viewer: str = "") -> object:
        """Result, waiting a moment for it.

        Raises
        ------
        Working
            If it takes longer or was cancelled.
        Failed
            If it failed; the sentence says why.
        """
        if self.look(viewer) is not State.CANCELLED:
            self._over.wait(min(AT_ONCE, PATIENCE))
            if not self._over.is_set():
                with TURNS.away():
                    self._over.wait(max(0.0, self._began + PATIENCE - monotonic()))
        if self.state is State.DONE:
            return self._result
        if self.state is State.FAILED:
            sentence, values = self._sentence
            raise Failed(Statement(sentence, title=self.title, **values))
        raise Working(self)

    def cancel(self, viewer: str = "") -> None:
        """Stop it, unless others wait for it too: then only `viewer` gives it up."""
        self._declined.add(viewer)
        if not self._is_wanted():
            self._end(State.CANCELLED)

    def settle(self, viewer: str = "") -> None:
        """End the job with its result so far, unless others wait for it, too."""
        self._declined.add(viewer)
        if not self._is_wanted():
            self._declined.discard(viewer)
            self._enough.set()

    def accept(self, viewer: str = "") -> None:
        """Take back that `viewer` gave it up."""
        self._declined.discard(viewer)

    def leave(self, viewer: str) -> None:
        """Note that `viewer` wants something else now; it ends unless others wait for it."""
        self._seen.pop(viewer, None)
        if not self.state.is_over and not self._is_wanted():
            self._jobs.forget(self)

    def _viewers(self) -> dict[str, float]:
        """Time of the last look of each viewer who has not given it up."""
        return {v: at for v, at in list(self._seen.items()) if v not in self._declined}

    def _is_wanted(self) -> bool:
        """Whether somebody who has not given it up looked at it a moment ago.

        A page that was loaded anew has left a session behind that looked, and wants nothing.
        """
        now = self._jobs.clock()
        return any(
            now - at < LOOKED_AT and not self._jobs.has_left(viewer)
            for viewer, at in self._viewers().items()
        )

    def _unseen_for(self) -> float:
        return self._jobs.clock() - max(self._viewers().values(), default=self._began)

    def _end(self, state: State, result: object = None) -> None:
        with self._jobs.lock:
            if self.state.is_over:
                return
            self._result, self.state = result, state
        METERS.note_job(state.value)
        self._jobs.put_away(self, result)
        self._stop.set()
        self._over.set()

    def _fail(self, sentence: str, **values: object) -> None:
        self._sentence = (sentence, values)
        self._end(State.FAILED)

    def _run(self) -> None:
        speak(self.language)
        work, self._work = self._work, None  # what it holds is needed no longer than it works
        try:
            self._go_through(work())
        except Failed as reason:
            self._fail("{reason}", reason=str(reason))
        except MemoryError:
            self._fail("{title}: there is not enough memory for this.")
        except BaseException as error:  # a plug-in may end the interpreter, as it thinks
            name = faults.note(error, "job", lambda: self.key)
            sentence = "{title} failed unexpectedly. It is in the log as {name}."
            self._fail(sentence, name=name)

    def _go_through(self, steps: Generator[float, None, object]) -> None:
        while not self._stop.is_set():
            self._step_began = perf_counter()
            try:
                with Deadline(LONGEST - self._seconds + GRACE):
                    share = steps.throw(Enough()) if self._enough.is_set() else next(steps)
                self.latest = share
                self._become(State.FETCHING if share is None else State.WORKING)
                self.share = max(self.share, min(share or 0.0, 1.0))
            except StopIteration as finished:
                self._end(State.DONE, finished.value)
            except Enough:
                self._end(State.CANCELLED)  # nothing was found yet
            except (Overdue, TooLong):
                pass  # as is said below
            finally:
                self._seconds, self._step_began = self.seconds, None
            if self.seconds > LONGEST:
                minutes = f"{LONGEST / 60:g}"
                sentence = (
                    "{title} was stopped after {minutes} minutes. Choose fewer rows or a shorter "
                    "search."
                )
                self._fail(sentence, minutes=minutes)
            if self._declined and not self._is_wanted():
                self._end(State.CANCELLED)  # who else seemed to wait for it has gone
            if self.state is State.FETCHING:
                self._stop.wait(NAP)
            else:
                self._wait_for_its_turn()
            self._end_if_left_alone()
        steps.close()

    def _become(self, state: State) -> None:
        with self._jobs.lock:
            if not self.state.is_over:
                self.state = state

    def _wait_for_its_turn(self) -> None:
        ends = self._stop.is_set, self._enough.is_set
        while not any(end() for end in ends) and not self._jobs.may_work(self):
            self.state = State.WAITING
            self._end_if_left_alone()
            self._stop.wait(NAP)
        with self._jobs.lock:
            if self.state is State.WAITING:
                self.state = State.WORKING

    def _end_if_left_alone(self) -> None:
        if not self._stop.is_set() and self.is_left_alone:
            self._jobs.forget(self)


class Jobs:
    """The jobs of a process.

    Parameters
    ----------
    memory : Memory, default that of the process
        Keeps the jobs that are over, as long as there is room.
    most_at_once : int
        How many long jobs may work at a time.
    is_here : callable, optional
        Tells whether a viewer still has the page open, looking at it or not; if it is not given,
        nobody knows.
    clock : callable
        Returns the time in seconds.
    """

    def __init__(
        self,
        memory: Memory = MEMORY,
        *,
        most_at_once: int = MOST_AT_ONCE,
        is_here: Callable[[str], bool] | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.lock = Lock()
        self.clock = clock
        self._is_here = is_here
        self._memory = memory
        self._number = count()
        self._jobs: dict[str, Job] = {}
        self._line = Line(most_at_once)
        self._settled = clock()

    def has_open(self, viewer: str) -> bool:
        """Whether a viewer is known to have the page open."""
        return self._is_here is not None and self._is_here(viewer)

    def has_left(self, viewer: str) -> bool:
        """Whether a viewer is known to have closed the page."""
        return self._is_here is not None and not self._is_here(viewer)

    def find(self, key: Hashable) -> Job | None:
        """Job of that key, None if there is none."""
        with self.lock:
            return self._find(key)

    def start(self, key: Hashable, title: str, work: Steps) -> Job:
        """Job of that key; begin it if there is none."""
        with self.lock:
            job = self._find(key)
            if job is None:
                job = self._jobs[key] = Job(key, title, work, self, next(self._number))
            job.call(title)
            return job

    def forget(self, job: Job) -> None:
        """Stop a job; whoever asks for it begins it anew."""
        job._end(State.CANCELLED)
        with self.lock:
            entry = self._memory.find((self, job.key))
            if entry is not None and entry.value is job:
                self._memory.forget((self, job.key))

    def put_away(self, job: Job, result: object) -> None:
        """Keep a finished job in the memory of the process."""
        self._memory.keep((self, job.key), job, counted=(job.key, result))
        with self.lock:
            if self._jobs.get(job.key) is job:
                del self._jobs[job.key]
            self._line.leave(job)

    def may_work(self, job: Job) -> bool:
        """Whether a job may go on: it is quick still, or it is its turn."""
        if not job.is_long:
            return True
        left = []
        with self.lock:
            if job.state.is_over:
                return False
            if job not in self._line:
                self._line.join(job)
                left = self._left_by(job.visitor)
            elif self.clock() - self._settled > SETTLE_EVERY:
                self._settled = self.clock()
                self._line.settle()
            works = self._line.works(job)
        for other in left[:-MOST_LEFT]:
            self.forget(other)
        return works

    def counts(self) -> dict[str, int]:
        """Number of unfinished jobs by state."""
        with self.lock:
            states = [job.state.value for job in self._jobs.values() if not job.state.is_over]
        return {state.value: states.count(state.value) for state in State if not state.is_over}

    def place(self, job: Job) -> int:
        """Job's place among those that wait, 1 for the next; 0 if it works."""
        with self.lock:
            return self._line.place(job)

    def _find(self, key: Hashable) -> Job | None:
        job = self._jobs.get(key)
        if job is None:
            entry = self._memory.find((self, key))
            job = None if entry is None else entry.value
        if job is not None and job.state is State.FAILED and job.language != current_language():
            return None  # why is said in a language that the reader has not chosen
        return job

    def _left_by(self, visitor: str) -> list[Job]:
        """Long jobs that a visitor has begun and nobody looks at."""
        return [job for job in self._line if not job.is_looked_at and job.visitor == visitor]


def has_page_open(session: str) -> bool:
    """Whether the browser of a session is still connected, whatever it shows."""
    return runtime.exists() and runtime.get_instance().is_active_session(session)


JOBS = Jobs(is_here=has_page_open)
