"""Files on their way in: how much of them is taken, and that none stays which no page reads.

Streamlit keeps in memory whatever a browser sends to a session that is open. Here the bytes are
counted before they are read, by session and in all, and a file that no run has asked for within two
minutes goes, as does every file with its session. One that stops on its way gives up its room.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from threading import Lock
from time import monotonic

from streamlit import runtime
from streamlit.runtime.uploaded_file_manager import UploadedFileManager, UploadedFileRec

from .security import Application, Message, Receive, Send

MEGABYTE = 1_000_000
ADDRESS = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)/?$")
Name = tuple[str, str]  # of a session and of a file


@dataclass(frozen=True)
class IntakeLimits:
    """Limits of the uploads held in memory."""

    files: int = 20  # of a session
    bytes_of_session: int = 200 * MEGABYTE
    bytes_in_all: int = 1_000 * MEGABYTE
    # In which a run of the page has asked for a file, or more of one on its way has come.
    seconds: float = 120.0


INTAKE_LIMITS = IntakeLimits()


@dataclass
class Incoming:
    """A file: how large it is, when it came, whether it is here yet and was asked for."""

    n_bytes: int
    at: float
    is_here: bool = False
    is_read: bool = False


class Received:
    """Uploads in memory or on their way.

    Parameters
    ----------
    limits : IntakeLimits
    clock : callable
        Returns seconds.
    """

    def __init__(
        self, limits: IntakeLimits = INTAKE_LIMITS, clock: Callable[[], float] = monotonic
    ) -> None:
        self.limits = limits
        self._clock = clock
        self._lock = Lock()
        self._files: dict[Name, Incoming] = {}
        self._manager: UploadedFileManager | None = None

    def look_at(self, manager: UploadedFileManager) -> None:
        """Learn from now on which files are asked for, of those that `manager` keeps."""
        with self._lock:
            if self._manager is manager:
                return
            self._manager, self._files_of = manager, manager.get_files

        @wraps(manager.get_files)
        def asked(session_id: str, file_ids: Sequence[str]) -> list[UploadedFileRec]:
            with self._lock:
                for file in file_ids:
                    if (session_id, file) in self._files:
                        self._files[session_id, file].is_read = True
            return self._files_of(session_id, file_ids)

        manager.get_files = asked

    def admit(self, session: str, file: str, n_bytes: int) -> str | None:
        """Make room for a file; return why there is none, None if there is."""
        self.tidy()
        with self._lock:
            before = self._files.get((session, file))
            if before is not None and not before.is_here:  # which would be counted as this one
                return "This file is on its way already."
            others = {name: each for name, each in self._files.items() if name != (session, file)}
            own = [each.n_bytes for (whose, _), each in others.items() if whose == session]
            if len(own) >= self.limits.files:
                return f"A page takes at most {self.limits.files} files. Reload it for more."
            if sum(own) + n_bytes > self.limits.bytes_of_session:
                most = self.limits.bytes_of_session // MEGABYTE
                return f"A page takes at most {most} MB of files. Remove one, or reload the page."
            if sum(each.n_bytes for each in others.values()) + n_bytes > self.limits.bytes_in_all:
                return "This server has no room for another file now. Try again in some minutes."
            self._files[session, file] = Incoming(n_bytes, self._clock())
        return None

    def close(self, session: str, file: str) -> None:
        """Note that a request for a file is over: it has come, or has not."""
        with self._lock:
            incoming = self._files.get((session, file))
            if incoming is not None:
                incoming.is_here, incoming.at = True, self._clock()

    def tidy(self) -> None:
        """Give up files that nobody has asked for in time; forget those that have gone."""
        with self._lock:
            if self._manager is None:
                return
            before = self._clock() - self.limits.seconds
            for (session, file), each in list(self._files.items()):
                if each.is_here and not each.is_read and each.at < before:
                    self._manager.remove_file(session_id=session, file_id=file)
                if each.is_here and not self._files_of(session, [file]):
                    del self._files[session, file]


RECEIVED = Received()


class Intake:
    """Middleware that answers 413 if there is no room for a file, 408 if one stalls.

    Parameters
    ----------
    app : ASGI application
    received : Received
    manager : callable
        Returns what keeps the files.
    """

    def __init__(
        self,
        app: Application,
        received: Received = RECEIVED,
        manager: Callable[[], UploadedFileManager] = lambda: (
            runtime.get_instance().uploaded_file_mgr
        ),
    ) -> None:
        self._app = app
        self._received = received
        self._manager = manager

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        name = ADDRESS.search(scope["path"]) if scope["type"] == "http" else None
        if name is None or scope["method"] != "PUT":
            await self._app(scope, receive, send)
            return
        self._received.look_at(self._manager())
        length = dict(scope["headers"]).get(b"content-length", b"")
        if not length.isdigit():  # a browser always says how much it sends
            await _refuse(send, 411, "Say by Content-Length how large the file is.")
            return
        why = self._received.admit(*name.groups(), int(length))
        if why is not None:
            await _refuse(send, 413, why)
            return
        has_stopped = False

        async def arriving() -> Message:
            nonlocal has_stopped
            try:
                return await asyncio.wait_for(receive(), self._received.limits.seconds)
            except TimeoutError:
                has_stopped = True
                return {"type": "http.disconnect"}

        async def answer(message: Message) -> None:
            if not has_stopped:
                await send(message)

        try:
            await self._app(scope, arriving, answer)
        except Exception:
            if not has_stopped:
                raise
        finally:
            self._received.close(*name.groups())
        if has_stopped:
            await _refuse(send, 408, "The file stopped on its way. Hand it in again.")


async def _refuse(send: Send, status: int, sentence: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{sentence}\n".encode()})
