"""Uploaded files that all processes of the app see: plain files, and SQLite for what is known.

A file is stored once, under the SHA-256 of its bytes, which are never run and are checked when they
are read. A visitor is known by a random token of their browser, of which only a hash is kept; a
share, by an unguessable code. Who has neither sees nothing. What visitors have, files and private
texts, is given up some minutes after they have left.
"""

from __future__ import annotations

import logging
import os
import secrets
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import RLock
from time import monotonic, sleep
from typing import TypeVar

from lastviz._system import make_own_database, make_own_folder

from .turns import TURNS

log = logging.getLogger("lastviz")

Result = TypeVar("Result")
Opened = TypeVar("Opened", bound="Tables")

FOLDER = "LASTVIZ_STORE_FOLDER"
MEGABYTE = 1_000_000
DAY = 86_400.0
NAME_LENGTH = 255
PATIENCE = 1.5  # seconds to wait for another process that writes
PAUSE = 0.005  # between two tries; who writes again and again leaves short gaps
BUSY = 10.0  # seconds in which nobody waits again for one that did not answer

# A file whose visitor left so long ago and shares it no more; asks for that time and for now.
GONE = (
    "(uploads.used < ? AND NOT EXISTS (SELECT 1 FROM shares WHERE shares.owner = uploads.owner "
    "AND shares.short = uploads.short AND shares.expires > ?))"
)
TABLES = """
CREATE TABLE IF NOT EXISTS contents (
    digest TEXT PRIMARY KEY, n_bytes INTEGER NOT NULL, used REAL NOT NULL);
CREATE TABLE IF NOT EXISTS uploads (
    owner TEXT NOT NULL, short TEXT NOT NULL, digest TEXT NOT NULL, name TEXT NOT NULL,
    n_rows INTEGER NOT NULL, used REAL NOT NULL, PRIMARY KEY (owner, short));
CREATE TABLE IF NOT EXISTS shares (
    code TEXT PRIMARY KEY, owner TEXT NOT NULL, short TEXT NOT NULL, digest TEXT NOT NULL,
    name TEXT NOT NULL, n_rows INTEGER NOT NULL, expires REAL NOT NULL);
CREATE TABLE IF NOT EXISTS texts (
    owner TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, used REAL NOT NULL,
    PRIMARY KEY (owner, name));
CREATE TABLE IF NOT EXISTS sources (owner TEXT PRIMARY KEY, source TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS uploads_of_a_file ON uploads (digest);
CREATE INDEX IF NOT EXISTS shares_of_a_file ON shares (digest);
"""


@dataclass(frozen=True)
class Upload:
    """What a link can say about a file that it does not contain."""

    digest: str  # the first twelve digits of the SHA-256 of its bytes
    name: str
    rows: int
    # The code under which somebody shares it; None for a file of the reader's own.
    share: str | None = None


class StoreFull(OSError):
    """There is no room for another file: all others are of visitors who are here, or shared."""


@dataclass(frozen=True)
class Limits:
    """What a store holds at most."""

    files: int = 10  # files of one visitor; the oldest is given up for another
    # bytes_of_visitor, bytes_of_address, bytes_in_all: of all visitors of one address, where it is
    # known where they come from
    bytes_of_visitor: int = 250 * MEGABYTE
    bytes_of_address: int = 1_000 * MEGABYTE
    bytes_in_all: int = 4_000 * MEGABYTE
    # A file is given up so long after its visitor was last here, unless it is shared.
    minutes: float = 10.0
    days: float = 30.0  # for which a file can be shared at most
    shares: int = 20  # shares of one visitor at a time
    texts: int = 100  # private texts of one visitor; the oldest is given up for another


LIMITS = Limits()


@dataclass(frozen=True)
class Share:
    """A file that whoever has its code may open."""

    code: str
    upload: Upload  # names the code, too, so that a link to it is enough
    expires: float  # seconds since 1970


class Tables:
    """Tables of SQLite in a folder; processes and threads may use them side by side.

    Parameters
    ----------
    folder : Path
        Made if need be; nobody but this user may look into it.
    name : str
        Of the file.
    tables : str
        What makes them, if they are not there.
    clock : callable
        Returns the seconds since 1970.

    Raises
    ------
    OSError, sqlite3.Error
        If the folder cannot be made or belongs to somebody else; later, by any method, if what
        is in it cannot be read or written.
    """

    def __init__(self, folder: Path, name: str, tables: str, clock: Callable[[], float]):
        self._clock = clock
        self._lock = RLock()
        self._busy_until = 0.0
        make_own_folder(folder)
        make_own_database(folder / name)
        self._connection = sqlite3.connect(folder / name, timeout=PATIENCE, check_same_thread=False)
        self._connection.isolation_level = None
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA secure_delete = ON")  # what is given up is overwritten
        self._connection.executescript(tables)
        self._connection.execute("PRAGMA busy_timeout = 0")  # who waits lets others run

    def close(self) -> None:
        """Close the tables; they cannot be used any more."""
        self._connection.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One change at a time over all processes; it is made as a whole or not at all."""
        with self._alone():
            self._patiently("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _read(self, query: str, values: tuple = ()) -> list[tuple]:
        with self._alone():
            return self._patiently(query, values).fetchall()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One thread at a time; one that waits for another lets runs of pages go on."""
        if not self._lock.acquire(blocking=False):
            with TURNS.away():
                self._lock.acquire()
        try:
            yield
        finally:
            self._lock.release()

    def _patiently(self, query: str, values: tuple = ()) -> sqlite3.Cursor:
        """Ask again while another process writes, but not for long, and not while others wait."""
        try:
            answer = self._connection.execute(query, values)
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or monotonic() < self._busy_until:
                raise
            with TURNS.away():
                answer = self._after_a_while(query, values)
        self._busy_until = 0.0
        return answer

    def _after_a_while(self, query: str, values: tuple) -> sqlite3.Cursor:
        end = monotonic() + PATIENCE
        while True:
            sleep(PAUSE)
            try:
                return self._connection.execute(query, values)
            except sqlite3.OperationalError as error:
                if not _is_busy(error):
                    raise
                if monotonic() > end:
                    self._busy_until = monotonic() + BUSY
                    raise


def _is_busy(error: sqlite3.Error) -> bool:
    """Tell whether another process keeps a database to itself."""
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Store(Tables):
    """Uploaded files in a folder, private texts and shares; see :class:`Tables`.

    Parameters
    ----------
    folder : Path
    limits : Limits
    clock : callable
    """

    def __init__(
        self, folder: Path, limits: Limits = LIMITS, clock: Callable[[], float] = time.time
    ):
        super().__init__(folder, "uploads.sqlite3", TABLES, clock)
        self.folder = folder
        self.limits = limits
        self._doomed: set[str] = set()
        self._files = folder / "files"
        make_own_folder(self._files)

    def keep(self, token: str, upload: Upload, data: bytes, source: str | None = None) -> None:
        """Keep a visitor's file. `source` says where the visitor comes from.

        Raises
        ------
        StoreFull
            If there is no room for it.
        """
        owner, digest, now = _owner(token), sha256(data).hexdigest(), self._clock()
        if len(data) > self.limits.bytes_of_visitor:
            raise StoreFull("a file is larger than what a visitor may keep")
        with self._writing() as table:
            self._tidy(table, now)
            self._make_room_for_visitor(table, owner, upload.digest, len(data))
            self._make_room(table, digest, len(data))
            self._check_source(table, owner, source, len(data))
            table.execute(
                "INSERT INTO contents VALUES (?, ?, ?) "
                "ON CONFLICT (digest) DO UPDATE SET used = excluded.used",
                (digest, len(data), now),
            )
            table.execute(
                "INSERT OR REPLACE INTO uploads VALUES (?, ?, ?, ?, ?, ?)",
                (owner, upload.digest, digest, _stored(upload.name), upload.rows, now),
            )
            self._write(digest, data)

    def names(self, token: str) -> list[Upload]:
        """Return a visitor's files, the first handed in first."""
        rows = self._read(
            "SELECT short, name, n_rows FROM uploads "
            f"WHERE owner = ? AND NOT {GONE} ORDER BY rowid",
            (_owner(token), *self._when()),
        )
        return [Upload(*row) for row in rows]

    def sizes(self, token: str) -> dict[str, int]:
        """Return the bytes of each of a visitor's files, by what a link says of its contents."""
        return dict(
            self._read(
                "SELECT short, n_bytes FROM uploads JOIN contents USING (digest) "
                f"WHERE owner = ? AND NOT {GONE}",
                (_owner(token), *self._when()),
            )
        )

    def content(self, token: str, upload: Upload) -> bytes | None:
        """Return the bytes of a visitor's file, None if it is not there."""
        found = self._read(
            f"SELECT digest FROM uploads WHERE owner = ? AND short = ? AND NOT {GONE}",
            (_owner(token), _stored(upload.digest), *self._when()),
        )
        return self._bytes(found[0][0]) if found else None

    def keep_text(self, token: str, name: str, text: str) -> None:
        """Keep a private text of a visitor under a name, in place of the oldest if need be."""
        owner = _owner(token)
        with self._writing() as table:
            table.execute(
                "INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?)",
                (owner, name, text, self._clock()),
            )
            table.execute(
                "DELETE FROM texts WHERE owner = ? AND rowid NOT IN "
                "(SELECT rowid FROM texts WHERE owner = ? ORDER BY rowid DESC LIMIT ?)",
                (owner, owner, self.limits.texts),
            )

    def text(self, token: str, name: str) -> str | None:
        """Return a visitor's private text by its name, None if it is not there (any more)."""
        found = self._read(
            "SELECT text FROM texts WHERE owner = ? AND name = ? AND used >= ?",
            (_owner(token), name, self._when()[0]),
        )
        return found[0][0] if found else None

    def texts(self, token: str) -> dict[str, str]:
        """Return a visitor's private texts, by their names."""
        return dict(
            self._read(
                "SELECT name, text FROM texts WHERE owner = ? AND used >= ?",
                (_owner(token), self._when()[0]),
            )
        )

    def note_presence(self, token: str) -> None:
        """Note that a visitor is here: what they have is kept from now on."""
        owner, now = _owner(token), self._clock()
        with self._writing() as table:
            self._tidy(table, now)  # what was given up does not come back
            table.execute("UPDATE uploads SET used = ? WHERE owner = ?", (now, owner))
            table.execute("UPDATE texts SET used = ? WHERE owner = ?", (now, owner))

    def tidy(self) -> None:
        """Give up what visitors have left behind, and shares that have expired."""
        with self._writing() as table:
            self._tidy(table, self._clock())
            known = {digest for (digest,) in table.execute("SELECT digest FROM contents")}
            for path in self._files.iterdir():  # left by a process that died in between
                if path.name not in known | self._doomed:
                    path.unlink(missing_ok=True)

    def forget(self, token: str, upload: Upload) -> None:
        """Give up a visitor's file, and what was shared of it."""
        key = (_owner(token), _stored(upload.digest))
        with self._writing() as table:
            table.execute("DELETE FROM uploads WHERE owner = ? AND short = ?", key)
            table.execute("DELETE FROM shares WHERE owner = ? AND short = ?", key)
            self._drop_unused(table)

    def forget_all(self, token: str) -> None:
        """Give up all that a visitor has, and what they share."""
        with self._writing() as table:
            for name in ("uploads", "texts", "shares"):
                table.execute(f"DELETE FROM {name} WHERE owner = ?", (_owner(token),))
            self._drop_unused(table)

    def share(self, token: str, upload: Upload, days: float) -> Share | None:
        """Share a visitor's file for some days; None if it is not there.

        Raises
        ------
        StoreFull
            If the visitor shares too many already.
        """
        if not 0 < days <= self.limits.days:
            raise ValueError(f"days must be more than 0 and at most {self.limits.days}, got {days}")
        owner, now = _owner(token), self._clock()
        code = secrets.token_urlsafe(16)
        with self._writing() as table:
            self._tidy(table, now)
            (n_shares,) = table.execute(
                "SELECT count(*) FROM shares WHERE owner = ?", (owner,)
            ).fetchone()
            if n_shares >= self.limits.shares:
                raise StoreFull("a visitor shares no more files at a time")
            made = table.execute(
                "INSERT INTO shares SELECT ?, owner, short, digest, name, n_rows, ? FROM uploads "
                "WHERE owner = ? AND short = ?",
                (code, now + days * DAY, owner, _stored(upload.digest)),
            )
            if made.rowcount != 1:
                return None
        return next(share for share in self.shares(token) if share.code == code)

    def shares(self, token: str) -> list[Share]:
        """Return what a visitor shares, the first to expire first."""
        rows = self._read(
            "SELECT code, short, name, n_rows, expires FROM shares WHERE owner = ? AND expires > ? "
            "ORDER BY expires",
            (_owner(token), self._clock()),
        )
        return [_share(*row) for row in rows]

    def withdraw(self, token: str, code: str) -> None:
        """End a share before it expires; only who made it can."""
        with self._writing() as table:
            table.execute(
                "DELETE FROM shares WHERE owner = ? AND code = ?", (_owner(token), _stored(code))
            )
            self._drop_unused(table)

    def shared(self, code: str) -> Share | None:
        """Return what a code opens, None if there is none such (any more)."""
        rows = self._read(
            "SELECT code, short, name, n_rows, expires FROM shares WHERE code = ? AND expires > ?",
            (_stored(code), self._clock()),
        )
        return _share(*rows[0]) if rows else None

    def shared_content(self, upload: Upload) -> bytes | None:
        """Return the bytes of a file by the code that it is shared under, None if that is over."""
        rows = self._read(
            "SELECT digest FROM shares WHERE code = ? AND short = ? AND expires > ?",
            (_stored(upload.share), _stored(upload.digest), self._clock()),
        )
        return self._bytes(rows[0][0]) if rows else None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """As of all tables; files that nobody has any more go with the change."""
        with super()._writing() as table:
            self._doomed.clear()
            yield table
            self._remove_doomed()

    def _when(self) -> tuple[float, float]:
        """Return what GONE asks for: when a visitor has left for good, and what time it is."""
        now = self._clock()
        return now - 60 * self.limits.minutes, now

    def _tidy(self, table: sqlite3.Connection, now: float) -> None:
        """Give up what is too old or has expired."""
        table.execute(f"DELETE FROM uploads WHERE {GONE}", self._when())
        table.execute("DELETE FROM texts WHERE used < ?", (self._when()[0],))
        table.execute("DELETE FROM shares WHERE expires <= ?", (now,))
        self._drop_unused(table)

    def _drop_unused(self, table: sqlite3.Connection) -> None:
        """Give up files that nobody has and nobody shares; they go when the change is made."""
        unused = table.execute(
            "DELETE FROM contents WHERE digest NOT IN (SELECT digest FROM uploads) "
            "AND digest NOT IN (SELECT digest FROM shares) RETURNING digest"
        ).fetchall()
        self._doomed.update(digest for (digest,) in unused)
        table.execute("DELETE FROM sources WHERE owner NOT IN (SELECT owner FROM uploads)")

    def _remove_doomed(self) -> None:
        for digest in self._doomed:
            if not self._read("SELECT 1 FROM contents WHERE digest = ?", (digest,)):
                (self._files / digest).unlink(missing_ok=True)

    def _make_room_for_visitor(
        self, table: sqlite3.Connection, owner: str, short: str, n_bytes: int
    ) -> None:
        files = table.execute(
            "SELECT short, n_bytes FROM uploads JOIN contents USING (digest) "
            "WHERE owner = ? AND short != ? ORDER BY uploads.rowid",
            (owner, short),
        ).fetchall()
        total = sum(size for _, size in files)
        while files and (
            len(files) >= self.limits.files or total + n_bytes > self.limits.bytes_of_visitor
        ):
            oldest, size = files.pop(0)
            total -= size
            table.execute("DELETE FROM uploads WHERE owner = ? AND short = ?", (owner, oldest))
        self._drop_unused(table)

    def _make_room(self, table: sqlite3.Connection, digest: str, n_bytes: int) -> None:
        """Refuse a file that there is no room for: all others are of visitors who are here."""
        (total,) = table.execute(
            "SELECT coalesce(sum(n_bytes), 0) FROM contents WHERE digest != ?", (digest,)
        ).fetchone()
        if total + n_bytes > self.limits.bytes_in_all:
            raise StoreFull("all files are of visitors who are here, or shared")

    def _check_source(
        self, table: sqlite3.Connection, owner: str, source: str | None, n_bytes: int
    ) -> None:
        """Refuse a file where visitors of the same address have enough."""
        if source is None:
            return
        table.execute("INSERT OR REPLACE INTO sources VALUES (?, ?)", (owner, source))
        (total,) = table.execute(
            "SELECT coalesce(sum(n_bytes), 0) FROM sources JOIN uploads USING (owner) "
            "JOIN contents USING (digest) WHERE source = ?",
            (source,),
        ).fetchone()
        if total + n_bytes > self.limits.bytes_of_address:
            raise StoreFull("visitors of this address keep too much")

    def _write(self, digest: str, data: bytes) -> None:
        """Write a file under another name first, so that no process reads half of it."""
        if self._bytes(digest) == data:
            return
        handle, name = tempfile.mkstemp(dir=self._files, prefix="new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, self._files / digest)
        except BaseException:
            os.unlink(name)
            raise

    def _bytes(self, digest: str) -> bytes | None:
        try:
            data = (self._files / digest).read_bytes()
        except FileNotFoundError:
            return None
        return data if sha256(data).hexdigest() == digest else None


@cache
def the_store() -> Store | None:
    """Return the store of this process, None if there cannot be one: the log says why."""
    return opened(Store, "uploads are kept by sessions alone")


def opened(kind: Callable[[Path], Opened], instead: str) -> Opened | None:
    """Return tables of this process, None if there cannot be any: the log says what is instead."""
    folder = default_folder()
    try:
        return kind(folder)
    except (OSError, sqlite3.Error) as error:
        log.warning("%s, since %s: %s", instead, folder, error)
        return None


def tried(ask: Callable[[], Result]) -> Result | None:
    """Return what the store answers, None if it cannot: the log says why."""
    try:
        return ask()
    except (OSError, sqlite3.Error):
        log.exception("the store of uploads does not answer")
        return None


def default_folder() -> Path:
    """Return the folder that ``LASTVIZ_STORE_FOLDER`` names, else one of the user's state."""
    named = os.environ.get(FOLDER)
    if named:
        return Path(named)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "lastviz" / "uploads"


def _owner(token: str) -> str:
    """Return what is kept of a token: who reads the table cannot pass for its visitor."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _stored(text: str) -> str:
    """Return a text as a table can hold it: of limited length, whole characters only."""
    return text[:NAME_LENGTH].encode("utf-8", "replace").decode("utf-8")


def _share(code: str, short: str, name: str, rows: int, expires: float) -> Share:
    return Share(code, Upload(short, name, rows, share=code), expires)
