"""Security headers for browsers: against foreign scripts, frames, and leaked page addresses.

The policy allows what the app needs and no more: its own files, code of its components (which
arrive as text and are run from blobs), styles that are set while drawing, pictures that are made in
the page. The library that draws compiles shaders' helpers from text, so ``eval`` is allowed; no
text of a reader ever gets there.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import socket
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from enum import Enum
from functools import cache
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from secrets import token_bytes
from typing import Any
from urllib.parse import SplitResult, urlsplit

import streamlit as st
from streamlit import config

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
    """Sites whose pages may show the app in a frame, as the operator names them.

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
    """Headers of every response, if these sites may show the app in a frame."""
    return {name: value for name, value in HEADERS.items() if name != FRAMES or not sites}


def content_policy(page: str = "", sites: Iterable[str] = ()) -> str:
    """Content policy.

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
    """Names that a server is asked by: the operator's, its machine's, its addresses.

    One that begins with ``*`` stands for all that end like it.
    """
    own = socket.gethostname()
    named = os.environ.get(HOSTS, "").replace(",", " ").split()
    names = ("localhost", own, f"{own}.local", *addresses, *named)
    return frozenset(name.lower().strip("[].") for name in names)


class Guard:
    """Middleware that adds the headers.

    It answers only under its own names, and as if closed paths were not there.

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


# ---- Addresses that others can open, where a page was opened on the server's own machine
#
# There its address says ``localhost``, and so would links, codes and rooms that are handed on.


CONTAINERS = (Path("/.dockerenv"), Path("/run/.containerenv"))
EVERYWHERE = "0.0.0.0"
SOMEWHERE = ("192.0.2.1", 9)  # nothing is sent there


class Reach(Enum):
    """Reach of an address: who can open it."""

    OTHERS = "others"
    MACHINE = "machine"  # the server answers to nobody else
    UNKNOWN = "unknown"  # others can come in, by an address that the server does not know


def page_address() -> str:
    """Address of this page for others if there is one, without its query."""
    return _here()[0].geturl() if st.context.url else ""


def origin_for_others() -> str:
    """Origin of that address, "" if it is the one that the browser has."""
    where = _here()[0]
    same = where.netloc == urlsplit(st.context.url or "").netloc
    return "" if same else f"{where.scheme}://{where.netloc}"


def reach() -> Reach:
    """Reach of the address of this page, see :func:`page_address`."""
    return _here()[1]


def for_others(
    url: str, served: str | None, own: Callable[[], str | None]
) -> tuple[SplitResult, Reach]:
    """Address of a page without its query, and who can open it.

    Parameters
    ----------
    url : str
        As the browser has it.
    served : str or None
        The name or address that the server listens on; None for all of its machine.
    own : callable
        Returns the machine's address in its network, None if there is none.
    """
    where = urlsplit(url)._replace(query="", fragment="")
    if not _is_own(where.hostname or ""):
        return where, Reach.OTHERS
    served = (served or EVERYWHERE).strip("[]")
    ip = _ip(served)
    if _is_own(served) and not (ip and ip.is_unspecified):
        return where, Reach.MACHINE
    name = served if ip is None or not ip.is_unspecified else own()
    if name is None or _is_own(name):
        return where, Reach.UNKNOWN
    port = "" if where.port is None else f":{where.port}"
    name = f"[{name}]" if ":" in name else name
    return where._replace(netloc=f"{name}{port}"), Reach.OTHERS


def _here() -> tuple[SplitResult, Reach]:
    served = os.environ.get(SERVED) or st.get_option("server.address")
    return for_others(st.context.url or "", served, _own_address)


def _is_own(name: str) -> bool:
    """Whether a name means the machine itself, as does the name of all addresses."""
    if (ip := _ip(name)) is not None:
        return ip.is_loopback or ip.is_unspecified
    return f".{name.lower().removesuffix('.')}".endswith(".localhost")


def _ip(name: str) -> IPv4Address | IPv6Address | None:
    with suppress(ValueError):
        ip = ip_address(name.strip("[]"))
        return getattr(ip, "ipv4_mapped", None) or ip
    return None


def _own_address() -> str | None:
    """Machine's address in its network; a container has one that nobody else sees."""
    if any(file.exists() for file in CONTAINERS):
        return None
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(SOMEWHERE)
        return asked.getsockname()[0]
    return None


# ---- What an address must not say: values that the reader typed, which may be somebody's
#
# In their place it has a name that only this server can make and that tells nothing of them. The
# session keeps what a name stands for, and the visitor's store, too, once the visitor is known. A
# copied link has not even the name; a saved scene has the values.


TEXTS = "private_texts"  # the session's keys: name -> text, and names that the store has
STORED = "private_texts_stored"
MOST_TEXTS = 64  # in a session; the oldest go first
FORM = re.compile("![0-9a-f]{24}")


def name_of(text: str) -> str:
    """Name of a text: the same for all workers of this server, and for none other."""
    return "!" + hmac.new(_secret(), text.encode(), hashlib.sha256).hexdigest()[:24]


def is_name(text: str) -> bool:
    """Whether a part of an address is a name.

    Text typed by a user never looks like one.
    """
    return FORM.fullmatch(text) is not None


def keep(text: str) -> None:
    """Keep a text in this session."""
    texts = {name: other for name, other in all_texts().items() if other != text}
    texts[name_of(text)] = text
    st.session_state[TEXTS] = dict(list(texts.items())[-MOST_TEXTS:])


def text_of(name: str) -> str | None:
    """Text that this session keeps under a name."""
    return all_texts().get(name)


def all_texts() -> dict[str, str]:
    """Texts that this session keeps, by name."""
    return st.session_state.get(TEXTS, {})


def session_texts() -> dict[str, str]:
    """Texts that only this session keeps, by name."""
    stored = st.session_state.get(STORED, frozenset())
    return {name: text for name, text in all_texts().items() if name not in stored}


def note_stored(name: str) -> None:
    """Note that a text needs no more storing.

    The store has it, or cannot have it.
    """
    st.session_state[STORED] = st.session_state.get(STORED, frozenset()) | {name}


def forget_all() -> None:
    """Forget the texts that this session keeps."""
    st.session_state[TEXTS], st.session_state[STORED] = {}, frozenset()


@cache
def _secret() -> bytes:
    """Secret that names are made with: all workers sign their cookies by it."""
    shared = config.get_option("server.cookieSecret")
    return shared.encode() if shared else token_bytes(32)
