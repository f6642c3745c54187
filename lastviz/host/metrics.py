"""What a collector (Prometheus, OpenTelemetry) may read of this process: closed unless opened.

``LASTVIZ_METRICS_PORT`` opens it on a port of the loopback device, ``LASTVIZ_METRICS_TOKEN`` at
``/metrics`` of the app for who shows the token. There are counts and durations, and no names,
addresses or data of visitors. The package prometheus-client writes it (``lastviz[metrics]``).
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from time import monotonic
from typing import TYPE_CHECKING

from lastviz import _extras

from .security import Application, Message, Receive, Send

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import Metric

PORT = "LASTVIZ_METRICS_PORT"
TOKEN = "LASTVIZ_METRICS_TOKEN"
PATH = "/metrics"
LOOPBACK = "127.0.0.1"
SHORTEST = 16  # signs of a token
MODULE = "prometheus_client"
FOLDS_EVERY = 15.0  # seconds for which a count of the database holds
Folds = Callable[[], Mapping[str, int]]
"""Returns how many folds of studies there are in the store, by their state."""


def token_given() -> str:
    """Return the token that opens :data:`PATH`, "" if it stays closed; end if it is too short."""
    token = os.environ.get(TOKEN, "")
    if token and len(token) < SHORTEST:
        sys.exit(f"lastviz: {TOKEN} must have at least {SHORTEST} signs")
    if token:
        _ask_for_package()
    return token


def open_port(n_folds: Folds) -> None:
    """Open the port of the loopback device that LASTVIZ_METRICS_PORT names, if it names one."""
    named = os.environ.get(PORT, "")
    if not named:
        return
    if not (named.isdigit() and 0 < int(named) < 65536):
        sys.exit(f"lastviz: {PORT} must be a port between 1 and 65535, got {named!r}")
    _ask_for_package()
    from prometheus_client import start_http_server

    try:
        start_http_server(int(named), addr=LOOPBACK, registry=registry(n_folds))
    except OSError as error:
        sys.exit(f"lastviz: {PORT}: {LOOPBACK}:{named} cannot be opened: {error.strerror}")


def _ask_for_package() -> None:
    if not _extras.is_installed(MODULE):
        sys.exit(f"lastviz: {_extras.lack_of(MODULE, 'Counting for a collector')}")


def registry(n_folds: Folds) -> CollectorRegistry:
    """Return all that is counted: by the app, and of the process by the system."""
    from prometheus_client import CollectorRegistry, ProcessCollector

    found = CollectorRegistry()
    found.register(Collector(n_folds))
    ProcessCollector(registry=found)
    return found


class Collector:
    """Reads the counts of the app when it is asked."""

    def __init__(self, n_folds: Folds) -> None:
        self._n_folds = n_folds
        self._folds: tuple[float, Mapping[str, int]] = (-FOLDS_EVERY, {})

    def describe(self) -> list[Metric]:
        """Return nothing: what there is is known once it is collected."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Return all counts as they are now."""
        from lastviz import __version__

        yield _gauge("lastviz_info", "Always 1, with the version.", {(__version__,): 1}, "version")
        yield from _visitors()
        yield from _work()
        yield from _memory()
        yield _gauge(
            "lastviz_study_folds",
            "Folds of studies in the store that this process uses, by state.",
            {(state,): n for state, n in self._folds_now().items()},
            "state",
        )

    def _folds_now(self) -> Mapping[str, int]:
        at, folds = self._folds
        if monotonic() - at >= FOLDS_EVERY:
            folds = self._n_folds()
            self._folds = (monotonic(), folds)
        return folds


def _visitors() -> Iterator[Metric]:
    from .jobs import has_page_open
    from .visitor import PRESENCE

    pages, visitors = PRESENCE.counts(has_page_open)
    yield _gauge("lastviz_pages_open", "Pages that are open.", {(): pages})
    yield _gauge("lastviz_visitors", "Browsers that have a page open.", {(): visitors})


def _work() -> Iterator[Metric]:
    from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily

    from .jobs import JOBS
    from .meters import BOUNDS, METERS
    from .turns import TURNS

    runs = HistogramMetricFamily(
        "lastviz_run_seconds", "Runs of a page, waiting for a turn included.", labels=["page"]
    )
    names = [*map(str, BOUNDS), "+Inf"]
    for page, durations in sorted(METERS.runs().items()):
        buckets = list(zip(names, map(float, accumulate(durations.counts)), strict=True))
        runs.add_metric([page], buckets, durations.total)
    yield runs
    yield _gauge("lastviz_runs_waiting", "Runs that wait for their turn.", {(): TURNS.waiting})
    states = {(state,): n for state, n in JOBS.counts().items()}
    yield _gauge("lastviz_jobs", "Long work that is not over, by state.", states, "state")
    over = CounterMetricFamily("lastviz_jobs_over", "Work that is over, by how.", labels=["state"])
    for state, n in sorted(METERS.jobs().items()):
        over.add_metric([state], n)
    yield over
    errors = CounterMetricFamily(
        "lastviz_errors", "Errors that nobody expected, by class.", labels=["where", "kind"]
    )
    for labels, n in sorted(METERS.errors().items()):
        errors.add_metric(labels, n)
    yield errors


def _memory() -> Iterator[Metric]:
    from .memory import MEMORY

    yield _gauge("lastviz_cache_bytes", "What is remembered.", {(): MEMORY.n_bytes})
    yield _gauge("lastviz_cache_limit_bytes", "What may be remembered.", {(): MEMORY.most_bytes})
    yield _gauge("lastviz_cache_entries", "How many values are remembered.", {(): len(MEMORY)})


def _gauge(name: str, about: str, values: dict[tuple[str, ...], float], *labels: str) -> Metric:
    from prometheus_client.core import GaugeMetricFamily

    family = GaugeMetricFamily(name, about, labels=labels)
    for key, value in values.items():
        family.add_metric(key, value)
    return family


class Metrics:
    """Answers at one address, for who shows the token; all other requests go on.

    Parameters
    ----------
    app : ASGI application
    path : str
    token : str
        With "" nothing is answered here.
    n_folds : callable
        See :data:`Folds`.
    """

    def __init__(self, app: Application, path: str, token: str, n_folds: Folds) -> None:
        self._app = app
        self._path = path
        self._token = token
        self._registry = registry(n_folds) if token else None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if self._registry is None or scope["type"] != "http" or scope["path"] != self._path:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        shown = headers.get(b"authorization", b"")
        if not secrets.compare_digest(shown, f"Bearer {self._token}".encode()):
            await _answer(send, 401, b"", (b"www-authenticate", b"Bearer"))
            return
        body, kind = await asyncio.to_thread(self._written, headers.get(b"accept", b"").decode())
        await _answer(send, 200, body, (b"content-type", kind.encode()))

    def _written(self, accept: str) -> tuple[bytes, str]:
        from prometheus_client.exposition import choose_encoder

        encode, kind = choose_encoder(accept)
        return encode(self._registry), kind


async def _answer(send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    size = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [size, *headers]})
    await send({"type": "http.response.body", "body": body})
