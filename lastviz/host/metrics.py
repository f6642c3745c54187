"""Metrics of this process for a collector (Prometheus, OpenTelemetry): closed unless opened.

``LASTVIZ_METRICS_PORT`` opens it on a port of the loopback device, ``LASTVIZ_METRICS_TOKEN`` at
``/metrics`` of the app for who shows the token. There are counts and durations, and no names,
addresses or data of visitors. The package prometheus-client counts them (``lastviz[metrics]``).
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from collections.abc import Callable, Mapping
from time import monotonic
from typing import TYPE_CHECKING

from lastviz import _extras

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from .security import Application, Message, Receive, Send

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
    """Token that opens :data:`PATH`, "" if it stays closed; end if it is too short."""
    token = os.environ.get(TOKEN, "")
    if token and len(token) < SHORTEST:
        sys.exit(f"lastviz: {TOKEN} must have at least {SHORTEST} signs")
    if token:
        _ask_for_package()
    return token


def open_port(n_folds: Folds) -> None:
    """Open the loopback port that LASTVIZ_METRICS_PORT names, if it names one."""
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
    """All that is counted, from now on: by the app, and of the process by the system."""
    from prometheus_client import (
        CollectorRegistry,
        Gauge,
        ProcessCollector,
        disable_created_metrics,
    )

    from lastviz import __version__

    from .jobs import JOBS, has_page_open
    from .memory import MEMORY
    from .meters import METERS
    from .turns import TURNS
    from .visitor import PRESENCE

    disable_created_metrics()
    METERS.begin()
    found = CollectorRegistry()
    for counter in METERS.counters:
        found.register(counter)
    ProcessCollector(registry=found)
    version = Gauge("lastviz_info", "Always 1, with the version.", ["version"], registry=found)
    version.labels(__version__).set(1)
    for name, about, value in (
        ("pages_open", "Pages that are open.", lambda: PRESENCE.counts(has_page_open)[0]),
        ("visitors", "Browsers that have a page open.", lambda: PRESENCE.counts(has_page_open)[1]),
        ("runs_waiting", "Runs that wait for their turn.", lambda: TURNS.waiting),
        ("cache_bytes", "What is remembered.", lambda: MEMORY.n_bytes),
        ("cache_limit_bytes", "What may be remembered.", lambda: MEMORY.most_bytes),
        ("cache_entries", "How many values are remembered.", lambda: len(MEMORY)),
    ):
        Gauge(f"lastviz_{name}", about, registry=found).set_function(value)
    folds, counted_at = {}, -FOLDS_EVERY

    def folds_now() -> Mapping[str, int]:
        nonlocal folds, counted_at
        if monotonic() - counted_at >= FOLDS_EVERY:
            folds, counted_at = n_folds(), monotonic()
        return folds

    of_store = "Folds of studies in the store that this process uses, by state."
    for name, about, states, counts in (
        ("jobs", "Long work that is not over, by state.", JOBS.counts(), JOBS.counts),
        ("study_folds", of_store, ("done", "failed"), folds_now),
    ):
        gauge = Gauge(f"lastviz_{name}", about, ["state"], registry=found)
        for state in states:
            gauge.labels(state).set_function(
                lambda state=state, counts=counts: counts().get(state, 0)
            )
    return found


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
