"""What this process counts of its own work: runs of pages and how long they take, errors, jobs.

Nothing here tells one visitor from another. :mod:`lastviz.host.metrics` writes it for a collector.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter

BOUNDS = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the classes of durations, in seconds; the last class has none."""


@dataclass
class Durations:
    """How many durations fall into each class, and their sum in seconds."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total: float = 0.0


class Meters:
    """The counts of a process; threads may use them side by side."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._lock = Lock()
        self._runs: dict[str, Durations] = {}
        self._errors: Counter[tuple[str, str]] = Counter()
        self._jobs: Counter[str] = Counter()

    @contextmanager
    def run(self, page: Callable[[], str]) -> Iterator[None]:
        """Time a run, of whatever page it turns out to be; one that is cut short counts as well."""
        begin = self._clock()
        try:
            yield
        finally:
            seconds, name = self._clock() - begin, page()
            with self._lock:
                durations = self._runs.setdefault(name, Durations())
                durations.counts[bisect_left(BOUNDS, seconds)] += 1
                durations.total += seconds

    def note_error(self, where: str, error: BaseException) -> None:
        """Note an error that nobody expected, by where it came up and its class."""
        with self._lock:
            self._errors[where, type(error).__name__] += 1

    def note_job(self, state: str) -> None:
        """Note what has become of a job."""
        with self._lock:
            self._jobs[state] += 1

    def runs(self) -> dict[str, Durations]:
        """Return the durations of runs, by page."""
        with self._lock:
            return {page: Durations([*d.counts], d.total) for page, d in self._runs.items()}

    def errors(self) -> Counter[tuple[str, str]]:
        """Return how many errors there were, by where and what class."""
        with self._lock:
            return Counter(self._errors)

    def jobs(self) -> Counter[str]:
        """Return how many jobs are over, by what has become of them."""
        with self._lock:
            return Counter(self._jobs)


METERS = Meters()
