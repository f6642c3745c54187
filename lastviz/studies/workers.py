"""Who computes folds: this process, processes of this machine, or workers of Dask.

All give the same: hand in some tasks, get a future of their outcomes. The data go once to each
worker.
"""

from __future__ import annotations

import ipaddress
import multiprocessing
import os
import signal
from collections.abc import Collection, Mapping
from concurrent import futures
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from time import monotonic
from typing import Protocol
from urllib.parse import urlsplit

from lastviz._extras import lack_of
from lastviz._system import begin_fork_server, end_with_coordinator, has_fork_server, n_processors
from lastviz.datasets import Dataset

from .tasks import Outcome, Task, compute

NEEDED = ["lastviz.studies.tasks"]


def begin() -> None:
    """Begin it, unless it is there; returns before it has imported anything."""
    begin_fork_server(NEEDED)


def context() -> BaseContext:
    """Return how processes begin: forked from the clean one, or anew where there is none.

    A fork of the coordinator itself, which may have threads, could hang.
    """
    begin()
    return multiprocessing.get_context("forkserver" if has_fork_server() else "spawn")


# ---------------------------------------------------------------- workers


SCHEDULER_SECONDS = 10.0  # that a scheduler is waited for
END_SECONDS = 3.0  # that processes are waited for before they are killed
BATCH_SECONDS = 0.1  # of work in one message: a message costs as much as a fold of few rows
Future = object
Batch = tuple[Task, ...]


class WorkersError(RuntimeError):
    """Why there is nobody to compute, in one sentence."""


class WorkersLost(Exception):
    """A worker has ended in the middle of a task, which may be tried again."""


class Workers(Protocol):
    """Those who compute. A context; leaving it ends what was begun here.

    `n_at_once` batches lie ready at a time, each of about `batch_seconds`; 0: of one task.
    """

    n_at_once: int
    batch_seconds: float

    def __enter__(self) -> Workers:
        """Make them ready."""
        ...

    def __exit__(self, *error: object) -> None:
        """End what was begun here."""
        ...

    def submit(self, tasks: Batch) -> Future:
        """Begin some tasks, one after the other."""
        ...

    def wait(self, waiting: Collection[Future], seconds: float) -> list[Future]:
        """Return those that have ended, after `seconds` at the latest."""
        ...

    def outcomes(self, future: Future) -> list[Outcome]:
        """Return what came of one that has ended; `WorkersLost` if its worker ended first."""
        ...


def workers_of(
    data: Mapping[str, Dataset], n_workers: int | None = None, scheduler: str | None = None
) -> Workers:
    """Return who computes: Dask if there is the address of a scheduler, else this machine.

    Parameters
    ----------
    data : mapping of str to Dataset
        By digest.
    n_workers : int, optional
        Processes; 1 computes in this one, by default one for each core.
    scheduler : str, optional
        ``tcp://`` on loopback, or ``tls://``.
    """
    if scheduler:
        return OnDask(data, scheduler)
    n = n_workers or n_processors()
    return Here(data) if n == 1 else Processes(data, n)


class Here:
    """Computes in this process, one task at a time, when it is waited for."""

    n_at_once, batch_seconds = 1, 0.0

    def __init__(self, data: Mapping[str, Dataset]) -> None:
        self._data = data

    def __enter__(self) -> Here:
        """Nothing needs to be made ready."""
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing is left to end."""

    def submit(self, tasks: Batch) -> Batch:
        """Return the tasks, which are begun when they are waited for."""
        return tasks

    def wait(self, waiting: Collection[Batch], seconds: float) -> list[Batch]:
        """Return the first ones."""
        return [next(iter(waiting))]

    def outcomes(self, future: Batch) -> list[Outcome]:
        """Compute them."""
        return [compute(task, self._data[task.data], weighs=True) for task in future]


_OF_WORKER: dict[str, Dataset] = {}


def _begin_worker(data: dict[str, Dataset]) -> None:
    _OF_WORKER.update(data)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the coordinator ends in order
    end_with_coordinator()


def _compute_in_worker(tasks: Batch) -> list[Outcome]:
    return [compute(task, _OF_WORKER[task.data], weighs=True) for task in tasks]


class Processes:
    """Processes of this machine, forked from :mod:`lastviz.studies.workers`."""

    batch_seconds = BATCH_SECONDS

    def __init__(self, data: Mapping[str, Dataset], n_workers: int) -> None:
        self._data, self.n_workers = dict(data), n_workers
        # The next tasks lie ready, so that nobody waits for the coordinator.
        self.n_at_once = 2 * n_workers + 2
        self._pool: futures.ProcessPoolExecutor | None = None

    def __enter__(self) -> Processes:
        """Begin the processes."""
        self._pool = futures.ProcessPoolExecutor(
            self.n_workers,
            context(),
            initializer=_begin_worker,
            initargs=(self._data,),
        )
        return self

    def __exit__(self, *error: object) -> None:
        """End them; what is not begun is dropped, and what does not end soon is killed.

        One that was killed while it waited for work has taken the lock of the queue with it, so
        that the others would wait for ever.
        """
        self._end()

    def _end(self) -> None:
        processes = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        end = monotonic() + END_SECONDS
        for process in processes:
            # The pool's own thread joins them; two that join would disturb each other.
            if not wait([process.sentinel], max(end - monotonic(), 0)):
                process.kill()

    def submit(self, tasks: Batch) -> Future:
        """Hand the tasks to the next free process."""
        try:
            return self._pool.submit(_compute_in_worker, tasks)
        except (BrokenProcessPool, EOFError, ConnectionError):  # or what they are forked from
            self._end()
            self.__enter__()
            return self._pool.submit(_compute_in_worker, tasks)

    def wait(self, waiting: Collection[Future], seconds: float) -> list[Future]:
        """Return those that have ended."""
        return list(futures.wait(waiting, seconds, futures.FIRST_COMPLETED).done)

    def outcomes(self, future: Future) -> list[Outcome]:
        """Return what came of it."""
        try:
            return future.result()
        except (BrokenProcessPool, futures.CancelledError) as error:
            raise WorkersLost from error


def _compute_on_dask(tasks: Batch, *data: Dataset) -> list[Outcome]:
    by_digest = {each.digest: each for each in data}
    return [compute(task, by_digest[task.data], weighs=True) for task in tasks]


class OnDask:
    """Workers of a scheduler of Dask, on this machine or others."""

    batch_seconds = BATCH_SECONDS

    def __init__(self, data: Mapping[str, Dataset], scheduler: str) -> None:
        self._data, self._address = dict(data), scheduler
        _check_address(scheduler)
        self.n_at_once = 1
        self._client, self._there = None, {}

    def __enter__(self) -> OnDask:
        """Reach the scheduler, and send the data to all workers."""
        try:
            import distributed
        except ImportError:
            raise WorkersError(f"{lack_of('distributed', 'A scheduler of Dask')}.") from None
        self._dask = distributed
        try:
            self._client = distributed.Client(
                self._address, timeout=SCHEDULER_SECONDS, set_as_default=False
            )
            self._client.wait_for_workers(1, timeout=SCHEDULER_SECONDS)
            self._send_data()
        except (OSError, TimeoutError) as error:
            self.__exit__()
            raise WorkersError(
                f"The scheduler {self._address} does not answer or has no workers "
                f"({type(error).__name__}); start both and resume."
            ) from None
        except (TypeError, ValueError):  # what Dask says where it finds no certificates
            self.__exit__()
            raise WorkersError(
                f"The scheduler {self._address} asks for certificates, which Dask's configuration "
                "does not name; see deploy/README.md."
            ) from None
        return self

    def _send_data(self) -> None:
        self._there = {
            digest: self._client.scatter(data, broadcast=True, hash=False)
            for digest, data in self._data.items()
        }
        self.n_at_once = 2 * max(sum(self._client.nthreads().values()), 1) + 2

    def __exit__(self, *error: object) -> None:
        """Leave the scheduler; what is not begun is dropped."""
        if self._client is not None:
            self._client.close(timeout=2)

    def _lost(self) -> WorkersError:
        return WorkersError(
            f"The scheduler {self._address} has gone away; what is done is kept: start it and "
            "resume."
        )

    def submit(self, tasks: Batch) -> Future:
        """Hand the tasks to the scheduler."""
        if self._client.status != "running":
            raise self._lost()
        needed = [self._there[digest] for digest in dict.fromkeys(task.data for task in tasks)]
        name = f"{tasks[0].key}-{os.urandom(4).hex()}"
        return self._client.submit(_compute_on_dask, tasks, *needed, key=name)

    def wait(self, waiting: Collection[Future], seconds: float) -> list[Future]:
        """Return those that have ended."""
        with suppress(TimeoutError, self._dask.CancelledError), self._client.as_current():
            self._dask.wait(list(waiting), seconds, "FIRST_COMPLETED")
        if self._client.status != "running":
            raise self._lost()
        return [future for future in waiting if future.done()]

    def outcomes(self, future: Future) -> list[Outcome]:
        """Return what came of it."""
        try:
            return future.result(timeout=SCHEDULER_SECONDS)
        except (self._dask.KilledWorker, self._dask.CancelledError, TimeoutError) as error:
            if self._client.status != "running":
                raise self._lost() from None
            try:
                self._send_data()  # they may have gone with the last worker that held them
            except (OSError, TimeoutError):
                raise self._lost() from None
            raise WorkersLost from error
        except OSError:
            raise self._lost() from None


def _check_address(address: str) -> None:
    parts = urlsplit(address)
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if parts.scheme not in ("tcp", "tls") or not host or not port:
        raise WorkersError(f"{address!r} is no scheduler; tcp://127.0.0.1:8786 is one.")
    if parts.scheme == "tls":
        return
    try:
        near = ipaddress.ip_address(host).is_loopback
    except ValueError:
        near = host == "localhost"
    if not near:
        raise WorkersError(
            f"{address} would send data unprotected to another machine; use tls:// and give both "
            "sides certificates."
        )
