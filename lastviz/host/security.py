"""What the server tells browsers to refuse: other people's scripts, frames, addresses of pages.

The policy allows what the app needs and no more: its own files, code of its components (which
arrive as text and are run from blobs), styles that are set while drawing, pictures that are made in
the page. The library that draws compiles shaders' helpers from text, so ``eval`` is allowed; no
text of a reader ever gets there.
"""

from __future__ import annotations

import os
import re
import socket
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from hashlib import sha256
from ipaddress import ip_address
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": (
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), "
        "midi=(), display-capture=(), publickey-credentials-get=()"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What every answer says, beside its content policy."""

FRAMES = "X-Frame-Options"  # it knows the app's own pages alone, so it goes where others are named

CLOSED = ("/_stcore/metrics",)
"""Addresses that are nobody's business: how many sessions there are and what they take."""

HOSTS = "LASTVIZ_HOSTS"
"""Names the hosts that the server answers for beside those of its machine."""

SERVED = "LASTVIZ_ADDRESS"
"""Where visitors come in, as the launcher of several workers tells them."""

EMBED = "LASTVIZ_EMBED"
"""Names the sites whose pages may show the app in a frame; none if it is not given."""

NOT_HERE = f"""\
lastviz is not served under this name. Whoever runs it names its hosts in {HOSTS}, \
separated by spaces.
""".encode()
POLICY = 1008  # what closes a websocket that is against the rules
HOST = re.compile(r"(\[[\da-f:.]+\]|[\w.-]+)(:\d*)?", re.ASCII | re.IGNORECASE)
SITE = re.compile(r"https?://([a-z\d-]+(\.[a-z\d-]+)*|\[[\da-f:.]+\])(:\d{1,5})?", re.ASCII)
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def embedders() -> tuple[str, ...]:
    """Return the sites whose pages may show the app in a frame, as the operator names them.

    Raises
    ------
    ValueError
        If one of them is no address of a site.
    """
    named = os.environ.get(EMBED, "").replace(",", " ").lower().split()
    sites = tuple(dict.fromkeys(site.removesuffix("/") for site in named))
    for site in sites:
        if SITE.fullmatch(site) is None:
            raise ValueError(
                f"{EMBED} names sites such as https://moodle.example.edu, separated by spaces or "
                f"commas: {site!r} is none"
            )
    return sites


def headers(sites: Iterable[str] = ()) -> dict[str, str]:
    """Return what every answer says where these sites may show the app in a frame."""
    return {name: value for name, value in HEADERS.items() if name != FRAMES or not sites}


def content_policy(page: str = "", sites: Iterable[str] = ()) -> str:
    """Return the content policy.

    Parameters
    ----------
    page : str, default ""
        The document that opens all pages; scripts that stand in it are allowed by their hashes.
    sites : iterable of str
        See :func:`embedders`.
    """
    inline = [f"'sha256-{_hash(script)}'" for script in INLINE.findall(page)]
    allowed = {
        "default-src": ["'self'"],
        "script-src": ["'self'", "blob:", "'unsafe-eval'", *inline],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'", "data:"],
        "media-src": ["'self'", "data:", "blob:"],
        "connect-src": ["'self'", "data:", "blob:"],
        "worker-src": ["'self'", "blob:"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'self'", *sites],
    }
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in allowed.items())


def _hash(script: str) -> str:
    return b64encode(sha256(script.encode()).digest()).decode()


def hosts_of(*addresses: str) -> frozenset[str]:
    """Return the names that a server is asked by: the operator's, its machine's, its addresses.

    One that begins with ``*`` stands for all that end like it.
    """
    own = socket.gethostname()
    named = os.environ.get(HOSTS, "").replace(",", " ").split()
    names = ("localhost", own, f"{own}.local", *addresses, *named)
    return frozenset(name.lower().strip("[].") for name in names)


class Guard:
    """Answers with the headers, under its own names, and as if what is closed were not there.

    Another site can let its own name lead here; its scripts would then be of one origin with the
    app. No name can be made to look like a number, so those are taken as they are.

    Parameters
    ----------
    app : ASGI application
    page : str, default ""
        See :func:`content_policy`.
    hosts : iterable of str, default ("*",)
        See :func:`hosts_of`.
    sites : tuple of str
        See :func:`embedders`.
    """

    def __init__(
        self,
        app: Application,
        page: str = "",
        hosts: Iterable[str] = ("*",),
        sites: tuple[str, ...] = (),
    ) -> None:
        self._app = app
        all_headers = headers(sites) | {"Content-Security-Policy": content_policy(page, sites)}
        self._headers = [(k.lower().encode(), v.encode()) for k, v in all_headers.items()]
        self._hosts = frozenset(hosts)
        self._ends = tuple(host[1:] for host in self._hosts if host.startswith("*"))

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        is_ours = all(
            self._is_ours(value.decode("latin-1"))
            for name, value in scope["headers"]
            if name.lower() == b"host"
        )
        if scope["type"] == "websocket":
            if is_ours:
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": POLICY})
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in self._headers} | {FRAMES.lower().encode()}
                rest = [pair for pair in message.get("headers", ()) if pair[0].lower() not in names]
                message = {**message, "headers": [*rest, *self._headers]}
            await send(message)

        if is_ours and not scope["path"].rstrip("/").endswith(CLOSED):
            await self._app(scope, receive, guarded)
            return
        status, body = (404, b"") if is_ours else (400, NOT_HERE)
        headers = [(b"content-type", b"text/plain; charset=utf-8")]
        await guarded({"type": "http.response.start", "status": status, "headers": headers})
        await guarded({"type": "http.response.body", "body": body})

    def _is_ours(self, host: str) -> bool:
        match = HOST.fullmatch(host)
        if match is None:
            return False
        name = match[1].lower().strip("[].")
        with suppress(ValueError):
            return bool(ip_address(name))
        return name in self._hosts or name.endswith(self._ends)
