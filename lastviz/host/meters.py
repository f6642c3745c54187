"""Counters of this process's own work: runs of pages, errors, jobs.

Nothing here tells one visitor from another. :mod:`lastviz.host.metrics` lets a collector read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

BOUNDS = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the classes of durations, in seconds."""


class Meters:
    """Counts of this process's own work, once a collector may read them."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self.counters: tuple = ()

    def begin(self) -> None:
        """Count from now on."""
        if self.counters:
            return
        from prometheus_client import Counter, Histogram

        about = "Runs of a page, waiting for a turn included."
        self._runs = Histogram(
            "lastviz_run_seconds", about, ["page"], buckets=BOUNDS, registry=None
        )
        about = "Work that is over, by how."
        self._jobs = Counter("lastviz_jobs_over", about, ["state"], registry=None)
        about = "Errors that nobody expected, by class."
        self._errors = Counter("lastviz_errors", about, ["where", "kind"], registry=None)
        self.counters = (self._runs, self._jobs, self._errors)

    @contextmanager
    def run(self, page: Callable[[], str]) -> Iterator[None]:
        """Time a run of a page; the page is only known at the end.

        A run that is cut short counts as well.
        """
        begin = self._clock()
        try:
            yield
        finally:
            if self.counters:
                self._runs.labels(page()).observe(self._clock() - begin)

    def note_error(self, where: str, error: BaseException) -> None:
        """Note an error that nobody expected, by where it came up and its class."""
        if self.counters:
            self._errors.labels(where, type(error).__name__).inc()

    def note_job(self, state: str) -> None:
        """Count the new state of a job."""
        if self.counters:
            self._jobs.labels(state).inc()


METERS = Meters()
