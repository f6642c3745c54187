"""Files that browsers keep, compressed once and answered from memory.

A page is put together from a hundred files. Streamlit reads each of them from the disk for every
visitor, sends its own as they are and compresses those of the app (among them the library that
draws, 5 MB) anew each time: a class that opens the app waits for that.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import re
from collections.abc import Mapping
from pathlib import Path

from .security import Application, Message, Receive, Send

WHERE_ALL_BEGINS = """\
<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", location).href}</script>"""
"""Tells the library of the web server's pages what its addresses begin with.

Otherwise it tries the page's own address first, and asks for two files that are not there.
"""

PLAIN = re.compile(r"/(?P<name>\w[\w.-]*\.(?P<kind>js|css))")  # no folder, nothing hidden
TYPES = {"js": b"text/javascript; charset=utf-8", "css": b"text/css; charset=utf-8"}
FOR_GOOD = b"public, immutable, max-age=31536000"
OF_THE_BODY = (
    *(b"content-length", b"content-encoding", b"accept-ranges", b"vary"),
    *(b"etag", b"last-modified"),
)
MOST = 600  # files in memory; there are about half as many
Key = tuple[str, int, int]


class Document:
    """Middleware that serves a document of its own.

    It does so wherever the application would answer with the document of its pages.

    Parameters
    ----------
    app : ASGI application
    page : str
    """

    def __init__(self, app: Application, page: str) -> None:
        self._app = app
        self._plain = page.encode()
        self._packed = gzip.compress(self._plain, mtime=0)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or "." in scope["path"].rpartition("/")[2]:
            await self._app(scope, receive, send)
            return
        packs = b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b"")
        body = self._packed if packs else self._plain
        is_page = False

        async def replaced(message: Message) -> None:
            nonlocal is_page
            if message["type"] == "http.response.start":
                given = message.get("headers", ())
                kind = dict(given).get(b"content-type", b"")
                is_page = message["status"] == 200 and kind.startswith(b"text/html")
                if is_page:
                    headers = [pair for pair in given if pair[0].lower() not in OF_THE_BODY]
                    headers += [(b"content-length", str(len(body)).encode())]
                    headers += [(b"vary", b"Accept-Encoding")]
                    headers += [(b"content-encoding", b"gzip")] if packs else []
                    message = {**message, "headers": headers}
            elif is_page and message.get("more_body"):
                return
            elif is_page:
                message = {**message, "body": b"" if scope["method"] == "HEAD" else body}
            await send(message)

        await self._app(scope, receive, replaced)


class Files:
    """Middleware for JavaScript and CSS files that never change under their address.

    All other requests, and all for parts of files or by browsers that read no gzip, go on.

    Parameters
    ----------
    app : ASGI application
    hashed : dict of str to Path
        Folder by the address of what is in it, where the names of files change with their content.
    versioned : dict of str to Path
        The same, where addresses change with the content by a query ``v=...``.
    """

    def __init__(
        self, app: Application, hashed: Mapping[str, Path], versioned: Mapping[str, Path]
    ) -> None:
        self._app = app
        self._folders = {**hashed, **versioned}
        self._versioned = frozenset(versioned)
        self._packed: dict[Key, asyncio.Future[bytes]] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        found = self._found(scope) if scope["type"] == "http" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        key, kind = found
        try:
            body = await self._compressed(key)
        except OSError:  # it has gone meanwhile
            await self._app(scope, receive, send)
            return
        headers = [
            (b"content-type", TYPES[kind]),
            (b"content-encoding", b"gzip"),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", FOR_GOOD),
            (b"vary", b"Accept-Encoding"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _found(self, scope: Message) -> tuple[Key, str] | None:
        """Key of the requested state of a file, and its kind; None if it is not ours."""
        at, slash, name = scope["path"].rpartition("/")
        match = PLAIN.fullmatch(slash + name)
        folder = self._folders.get(at)
        if folder is None or match is None or scope["method"] != "GET":
            return None
        if at in self._versioned and not scope["query_string"].startswith(b"v="):
            return None
        headers = dict(scope["headers"])
        if b"range" in headers or b"gzip" not in headers.get(b"accept-encoding", b""):
            return None
        path = folder / match["name"]
        try:
            state = os.stat(path)
        except OSError:
            return None
        return (str(path), state.st_mtime_ns, state.st_size), match["kind"]

    async def _compressed(self, key: Key) -> bytes:
        """Return the content; many who ask for it at the same time wait for one work."""
        if key not in self._packed:
            if len(self._packed) >= MOST:
                self._packed.clear()
            self._packed[key] = asyncio.ensure_future(asyncio.to_thread(_read, key[0]))
        try:
            return await asyncio.shield(self._packed[key])
        except OSError:
            self._packed.pop(key, None)
            raise


def _read(path: str) -> bytes:
    return gzip.compress(Path(path).read_bytes(), compresslevel=6, mtime=0)
