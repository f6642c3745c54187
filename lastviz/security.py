"""What the server tells browsers to refuse: other people's scripts, frames, addresses of pages.

The policy allows what the app needs and no more: its own files, code of its components (which
arrive as text and are run from blobs), styles that are set while drawing, pictures that are made in
the page. The library that draws compiles shaders' helpers from text, so ``eval`` is allowed; no
text of a reader ever gets there.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Awaitable, Callable, MutableMapping
from hashlib import sha256
from typing import Any

__all__ = ["CLOSED", "HEADERS", "Guard", "content_policy"]

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

CLOSED = ("/_stcore/metrics",)
"""Addresses that are nobody's business: how many sessions there are and what they take."""

INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def content_policy(page: str = "") -> str:
    """Return the content policy.

    Parameters
    ----------
    page : str, default ""
        The document that opens all pages; scripts that stand in it are allowed by their hashes.
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
        "frame-ancestors": ["'self'"],
    }
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in allowed.items())


def _hash(script: str) -> str:
    return b64encode(sha256(script.encode()).digest()).decode()


class Guard:
    """Answers with the headers, and as if what is closed were not there.

    Parameters
    ----------
    app : ASGI application
    page : str, default ""
        See :func:`content_policy`.
    """

    def __init__(self, app: Application, page: str = "") -> None:
        self._app = app
        headers = HEADERS | {"Content-Security-Policy": content_policy(page)}
        self._headers = [(k.lower().encode(), v.encode()) for k, v in headers.items()]

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in self._headers}
                kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in names]
                message = {**message, "headers": [*kept, *self._headers]}
            await send(message)

        if scope["path"].rstrip("/").endswith(CLOSED):
            await guarded({"type": "http.response.start", "status": 404, "headers": []})
            await guarded({"type": "http.response.body", "body": b""})
            return
        await self._app(scope, receive, guarded)
