"""Executors of folds: in this process, in processes of this machine, or on Dask.

The data go once to each worker; afterwards a task is a few words.
"""

from __future__ import annotations

import ipaddress
import multiprocessing
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from time import monotonic, sleep
from urllib.parse import urlsplit
from uuid import uuid4

from lastviz._extras import lack_of
from lastviz._system import begin_fork_server, end_with_coordinator, has_fork_server, n_processors
from lastviz.datasets import Dataset

from .tasks import Outcome, Task, compute

NEEDED = ["lastviz.studies.tasks"]


def begin() -> None:
    """Begin it, unless it is there; returns before it has imported anything."""
    begin_fork_server(NEEDED)


def context() -> BaseContext:
    """Start method of processes: forks of the clean one, or new ones without it.

    A fork of who hands out folds, which may have threads, could hang.
    """
    begin()
    return multiprocessing.get_context("forkserver" if has_fork_server() else "spawn")


# ---------------------------------------------------------------- workers


SCHEDULER_SECONDS = 10.0  # that a scheduler is waited for
END_SECONDS = 3.0  # that processes are waited for before they are killed
BATCH_SECONDS = 0.1  # of work in one message: a message costs as much as a fold of few rows
Batch = tuple[Task, ...]


class WorkersError(RuntimeError):
    """Reason why there are no workers, in one sentence."""


def workers_of(
    data: Mapping[str, Dataset], n_workers: int | None = None, scheduler: str | None = None
) -> Workers:
    """Workers of Dask if there is the address of a scheduler, else of this machine.

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
    return Workers(data) if n == 1 else Processes(data, n)


def _outcomes(data: Mapping[str, Dataset], tasks: Batch) -> list[Outcome]:
    return [compute(task, data[task.data], weighs=True) for task in tasks]


class Here(Executor):
    """Computes in this process, while a task is handed in."""

    def submit(self, work: Callable, /, *args: object) -> Future:
        """Do the work; return a future that is done."""
        future = Future()
        future.set_result(work(*args))
        return future


class Workers:
    """No workers but this process.

    It is a context like the others: leaving it ends everything that was begun.

    `n_at_once` batches lie ready at a time, each of about `batch_seconds`; 0: of one task.
    """

    n_at_once, batch_seconds = 1, 0.0
    lost: tuple[type[BaseException], ...] = ()  # what is raised where a worker has ended

    def __init__(self, data: Mapping[str, Dataset]) -> None:
        self._data = dict(data)
        self._work: Callable[[Batch], list[Outcome]] = partial(_outcomes, self._data)

    def __enter__(self) -> Workers:
        """Make them ready."""
        self._executor = self._begin()
        return self

    def __exit__(self, *error: object) -> None:
        """End everything that was begun here."""

    def _begin(self) -> Executor:
        return Here()

    def submit(self, tasks: Batch) -> Future:
        """Let somebody compute some tasks, one after the other."""
        return self._executor.submit(self._work, tasks)

    def outcomes(self, future: Future) -> list[Outcome] | None:
        """Outcomes of a finished batch.

        None if its worker ended, so that the batch may be tried again.
        """
        try:
            return future.result()
        except self.lost:
            return None


_DATA: dict[str, Mapping[str, Dataset]] = {}  # of a worker, by run


def _begin_worker(data: dict[str, Dataset]) -> None:
    _DATA[""] = data
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who began it ends in order
    end_with_coordinator()


def _hold(run: str, data: Mapping[str, Dataset]) -> None:
    """Make the data of a run available to a worker.

    This is a function, since Dask would copy `_DATA` itself.
    """
    _DATA[run] = data


def _compute_in_worker(run: str, tasks: Batch) -> list[Outcome]:
    return _outcomes(_DATA[run], tasks)


class Processes(Workers):
    """Processes of this machine, forked from :mod:`lastviz.studies.workers`."""

    batch_seconds = BATCH_SECONDS
    lost = (BrokenProcessPool, CancelledError)

    def __init__(self, data: Mapping[str, Dataset], n_workers: int) -> None:
        super().__init__(data)
        self._work, self._n = partial(_compute_in_worker, ""), n_workers
        # The next tasks lie ready, so that nobody waits for who hands them out.
        self.n_at_once = 2 * n_workers + 2

    def _begin(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._n, context(), initializer=_begin_worker, initargs=(self._data,)
        )

    def __exit__(self, *error: object) -> None:
        """End the processes.

        Tasks not begun are dropped, and processes that do not end soon are killed.

        One that was killed while it waited for work has taken the lock of the queue with it, so
        that the others would wait for ever.
        """
        processes = list((self._executor._processes or {}).values())
        self._executor.shutdown(wait=False, cancel_futures=True)
        end = monotonic() + END_SECONDS
        for process in processes:
            # The pool's own thread joins them; two that join would disturb each other.
            if not wait([process.sentinel], max(end - monotonic(), 0)):
                process.kill()

    def submit(self, tasks: Batch) -> Future:
        """Hand the tasks to the next free process.

        Processes that ended, or whose server did, are begun anew. A server that was killed passes
        for alive until its last thread has ended, so that it may take more than one try.
        """
        end = monotonic() + END_SECONDS
        while True:
            try:
                return super().submit(tasks)
            except (BrokenProcessPool, EOFError, ConnectionError):
                if monotonic() > end:
                    raise
                self.__exit__()
                sleep(0.01)
                self.__enter__()


class OnDask(Workers):
    """Workers of a scheduler of Dask, on this machine or others."""

    batch_seconds = BATCH_SECONDS

    def __init__(self, data: Mapping[str, Dataset], scheduler: str) -> None:
        super().__init__(data)
        _check_address(scheduler)
        self._address, self._run = scheduler, uuid4().hex
        self._work = partial(_compute_in_worker, self._run)

    def __enter__(self) -> OnDask:
        """Reach the scheduler; its workers get the data, and those that join later too."""
        try:
            import distributed
        except ImportError:
            raise WorkersError(f"{lack_of('distributed', 'A scheduler of Dask')}.") from None
        self.lost = (distributed.KilledWorker, distributed.CancelledError, CancelledError)
        data, run, self._client = self._data, self._run, None

        class Data(distributed.WorkerPlugin):
            def setup(self, worker: object) -> None:
                _hold(run, data)

            def teardown(self, worker: object) -> None:
                _hold(run, {})

        try:
            self._client = distributed.Client(
                self._address, timeout=SCHEDULER_SECONDS, set_as_default=False
            )
            self._client.wait_for_workers(1, timeout=SCHEDULER_SECONDS)
            self._client.register_plugin(Data(), name=run)
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
        self.n_at_once = 2 * max(sum(self._client.nthreads().values()), 1) + 2
        self._executor = self._client.get_executor(pure=False)
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the scheduler.

        Tasks not begun are dropped, and the data are removed.
        """
        if self._client is None:
            return
        with suppress(OSError, TimeoutError, ValueError):  # it, or they, may have gone before
            if self._client.status == "running":
                self._client.unregister_worker_plugin(self._run)
        self._client.close(timeout=2)

    def submit(self, tasks: Batch) -> Future:
        """Hand the tasks to the scheduler."""
        self._check()
        return super().submit(tasks)

    def outcomes(self, future: Future) -> list[Outcome] | None:
        """Outcomes of a batch that is over; None if its worker ended."""
        found = super().outcomes(future)
        if found is None:
            self._check()
        return found

    def _check(self) -> None:
        if self._client.status != "running":
            raise WorkersError(
                f"The scheduler {self._address} has gone away. Finished folds are kept: start it "
                "and resume."
            )


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
