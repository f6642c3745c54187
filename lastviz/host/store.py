"""Store of visitors' data for all processes of the app: plain files, and one SQLite table.

A file is stored once, under the SHA-256 of its bytes, which are never run and are checked when they
are read. A visitor is known by the token of an account or a random one of their browser, of which
only a hash is kept; a share, by an unguessable code. Who has neither sees nothing.

There is one rule of age: a row lasts until its `expires`, and with it what belongs to it. Shares
and rooms end at a time of their own; files and private texts some minutes after their visitor was
last here, of an account some days, a file that is shared not before its share. Whoever changes
anything first gives up what has expired.
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

FOLDER = "LASTVIZ_STORE_FOLDER"
MEGABYTE = 1_000_000
DAY = 86_400.0
NAME_LENGTH = 255
PATIENCE = 1.5  # seconds to wait for another process that writes
PAUSE = 0.005  # between two tries; who writes again and again leaves short gaps
BUSY = 10.0  # seconds in which nobody waits again for one that did not answer

ACCOUNT = "account:"  # how tokens of accounts begin; those of browsers are digits alone
OF_VISITOR = ("uploads", "texts", "shares")  # what has an owner
AGED = ("uploads", "shares", "texts", "rooms")
TABLES = """
CREATE TABLE IF NOT EXISTS contents (digest TEXT PRIMARY KEY, n_bytes INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS uploads (
    owner TEXT NOT NULL, short TEXT NOT NULL, digest TEXT NOT NULL, name TEXT NOT NULL,
    n_rows INTEGER NOT NULL, expires REAL NOT NULL, source TEXT, PRIMARY KEY (owner, short));
CREATE TABLE IF NOT EXISTS shares (
    code TEXT PRIMARY KEY, owner TEXT NOT NULL, short TEXT NOT NULL, digest TEXT NOT NULL,
    name TEXT NOT NULL, n_rows INTEGER NOT NULL, expires REAL NOT NULL);
CREATE TABLE IF NOT EXISTS texts (
    owner TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, expires REAL NOT NULL,
    PRIMARY KEY (owner, name));
CREATE TABLE IF NOT EXISTS rooms (
    code TEXT PRIMARY KEY, salt TEXT NOT NULL, host TEXT NOT NULL, quiz TEXT NOT NULL,
    n_questions INTEGER NOT NULL, place INTEGER NOT NULL, revealed INTEGER NOT NULL,
    expires REAL NOT NULL, source TEXT);
CREATE TABLE IF NOT EXISTS pupils (
    code TEXT NOT NULL REFERENCES rooms ON DELETE CASCADE, pupil TEXT NOT NULL, source TEXT,
    PRIMARY KEY (code, pupil)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
    code TEXT NOT NULL, place INTEGER NOT NULL, pupil TEXT NOT NULL, answer TEXT NOT NULL,
    PRIMARY KEY (code, place, pupil),
    FOREIGN KEY (code, pupil) REFERENCES pupils ON DELETE CASCADE) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS uploads_of_a_file ON uploads (digest);
CREATE INDEX IF NOT EXISTS shares_of_a_file ON shares (digest);
"""
# Earlier releases noted when a file and a text were used, and where their owners came from.
FROM_EARLIER = """
ALTER TABLE uploads RENAME COLUMN used TO expires; ALTER TABLE uploads ADD COLUMN source TEXT;
ALTER TABLE texts RENAME COLUMN used TO expires; DROP TABLE sources;
UPDATE uploads SET expires = max(expires + 600, coalesce((SELECT max(shares.expires) FROM shares
    WHERE shares.owner = uploads.owner AND shares.short = uploads.short), 0));
UPDATE texts SET expires = expires + 600;
ALTER TABLE contents RENAME TO earlier;
CREATE TABLE contents (digest TEXT PRIMARY KEY, n_bytes INTEGER NOT NULL);
INSERT INTO contents SELECT digest, n_bytes FROM earlier; DROP TABLE earlier
"""
GONE_FILES = ("rooms.sqlite3", "rooms.sqlite3-wal", "rooms.sqlite3-shm")  # rooms last hours


@dataclass(frozen=True)
class Upload:
    """Description of a file in a link that does not contain it."""

    digest: str  # the first twelve digits of the SHA-256 of its bytes
    name: str
    rows: int
    # The code under which somebody shares it; None for a file of the reader's own.
    share: str | None = None


class StoreFull(OSError):
    """Raised if there is no room for a file: all others are in use or shared."""


@dataclass(frozen=True)
class StoreLimits:
    """Limits of a store."""

    files: int = 10  # files of one visitor; the oldest is given up for another
    # bytes_of_visitor, bytes_of_address, bytes_in_all: of all visitors of one address, where it is
    # known where they come from
    bytes_of_visitor: int = 250 * MEGABYTE
    bytes_of_address: int = 1_000 * MEGABYTE
    bytes_in_all: int = 4_000 * MEGABYTE
    # A file is given up so long after its visitor was last here, unless it is shared.
    minutes: float = 10.0
    # The same with a login, so that another computer finds it; sooner if the room is needed.
    days_of_account: float = 30.0
    days: float = 30.0  # for which a file can be shared at most
    shares: int = 20  # shares of one visitor at a time
    texts: int = 100  # private texts of one visitor; the oldest is given up for another


LIMITS = StoreLimits()


@dataclass(frozen=True)
class Share:
    """A file that whoever has its code may open."""

    code: str
    upload: Upload  # names the code, too, so that a link to it is enough
    expires: float  # seconds since 1970


class Store:
    """Files, private texts, shares and rooms in a folder.

    Threads and processes may use it at once.

    Parameters
    ----------
    folder : Path
        Made if need be; nobody but this user may look into it.
    limits : Limits
    clock : callable
        Returns the seconds since 1970.

    Raises
    ------
    OSError, sqlite3.Error
        If the folder cannot be made or belongs to somebody else; later, by any method, if what
        is in it cannot be read or written.
    """

    def __init__(
        self, folder: Path, limits: StoreLimits = LIMITS, clock: Callable[[], float] = time.time
    ):
        self.folder, self.limits = folder, limits
        self._clock, self._lock, self._busy_until = clock, RLock(), 0.0
        self._doomed: set[str] = set()
        self._files = folder / "files"
        make_own_folder(folder)
        make_own_folder(self._files)
        for name in GONE_FILES:
            (folder / name).unlink(missing_ok=True)
        file = folder / "uploads.sqlite3"
        make_own_database(file)
        self._connection = sqlite3.connect(file, timeout=PATIENCE, check_same_thread=False)
        self._connection.isolation_level = None
        self._connection.create_function("clock", 0, lambda: self._clock())
        for line in (
            *("journal_mode = WAL", "foreign_keys = ON"),
            "secure_delete = ON",  # what is given up is overwritten
        ):
            self._connection.execute(f"PRAGMA {line}")
        self._take_over_earlier()
        self._connection.executescript(TABLES)
        self._connection.execute("PRAGMA busy_timeout = 0")  # who waits lets others run

    def _take_over_earlier(self) -> None:
        if not self._is_earlier():
            return
        self._connection.execute("BEGIN IMMEDIATE")
        if self._is_earlier():  # no other process was quicker
            for line in FROM_EARLIER.split(";"):
                self._connection.execute(line)
        self._connection.execute("COMMIT")

    def _is_earlier(self) -> bool:
        columns = self._connection.execute("SELECT name FROM pragma_table_info('uploads')")
        return ("used",) in columns.fetchall()

    def close(self) -> None:
        """Close the store; it cannot be used any more."""
        self._connection.close()

    # Changing and reading

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One change at a time over all processes; it is made as a whole or not at all."""
        with self._alone():
            self._patiently("BEGIN IMMEDIATE")
            try:
                for name in AGED:
                    self._connection.execute(f"DELETE FROM {name} WHERE expires <= clock()")
                self._doomed.clear()
                self._drop_unused()
                yield self._connection
                self._drop_unused()
                for digest in self._doomed:
                    if not self.read("SELECT 1 FROM contents WHERE digest = ?", (digest,)):
                        (self._files / digest).unlink(missing_ok=True)
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def read(self, query: str, values: tuple = ()) -> list[tuple]:
        """Rows that a query finds; its function ``clock()`` is the time."""
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
        """Retry a query while another process writes, not for long, nor if others wait."""
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

    def _drop_unused(self) -> None:
        """Delete contents that no visitor has or shares.

        Their files are deleted when the change is made.
        """
        unused = self._connection.execute(
            "DELETE FROM contents WHERE digest NOT IN (SELECT digest FROM uploads) "
            "AND digest NOT IN (SELECT digest FROM shares) RETURNING digest"
        )
        self._doomed.update(digest for (digest,) in unused.fetchall())

    def tidy(self) -> None:
        """Delete expired contents, and files left behind by a process that died."""
        with self.writing() as table:
            known = {digest for (digest,) in table.execute("SELECT digest FROM contents")}
            for path in self._files.iterdir():
                if path.name not in known:
                    path.unlink(missing_ok=True)

    def note_presence(self, token: str) -> None:
        """Note that a visitor is here: their files and texts are kept from now on."""
        with self.writing() as table:
            self._prolong(table, token)

    def _prolong(self, table: sqlite3.Connection, token: str) -> None:
        owner, stays = _owner(token), 60 * self.limits.minutes
        if token.startswith(ACCOUNT):
            stays = DAY * self.limits.days_of_account
        until = self._clock() + stays
        table.execute("UPDATE texts SET expires = ? WHERE owner = ?", (until, owner))
        table.execute(
            "UPDATE uploads SET expires = max(?, coalesce((SELECT max(shares.expires) FROM shares "
            "WHERE shares.owner = uploads.owner AND shares.short = uploads.short), 0)) "
            "WHERE owner = ?",
            (until, owner),
        )

    # Files

    def keep(self, token: str, upload: Upload, data: bytes, source: str | None = None) -> None:
        """Keep a visitor's file. `source` says where the visitor comes from.

        Raises
        ------
        StoreFull
            If there is no room for it.
        """
        owner, digest, n_bytes = _owner(token), sha256(data).hexdigest(), len(data)
        if n_bytes > self.limits.bytes_of_visitor:
            raise StoreFull("a file is larger than what a visitor may keep")
        with self.writing() as table:
            self._make_room_for_visitor(table, owner, upload.digest, n_bytes)
            self._make_room_in_all(table, digest, n_bytes)
            of_source = (
                "SELECT coalesce(sum(n_bytes), 0) FROM uploads JOIN contents USING (digest) "
                "WHERE source = ?"
            )
            total = table.execute(of_source, (source,)).fetchone()[0]
            if source is not None and total + n_bytes > self.limits.bytes_of_address:
                raise StoreFull("visitors of this address keep too much")
            table.execute("INSERT OR IGNORE INTO contents VALUES (?, ?)", (digest, n_bytes))
            table.execute(
                "INSERT OR REPLACE INTO uploads VALUES (?, ?, ?, ?, ?, 0, ?)",
                (owner, upload.digest, digest, _stored(upload.name), upload.rows, source),
            )
            self._prolong(table, token)
            self._write(digest, data)

    def names(self, token: str) -> list[Upload]:
        """A visitor's files, the first handed in first."""
        rows = self.read(
            "SELECT short, name, n_rows FROM uploads WHERE owner = ? AND expires > clock() "
            "ORDER BY rowid",
            (_owner(token),),
        )
        return [Upload(*row) for row in rows]

    def sizes(self, token: str) -> dict[str, int]:
        """Bytes of each of a visitor's files, by the digest in a link."""
        return dict(
            self.read(
                "SELECT short, n_bytes FROM uploads JOIN contents USING (digest) "
                "WHERE owner = ? AND expires > clock()",
                (_owner(token),),
            )
        )

    def content(self, token: str, upload: Upload) -> bytes | None:
        """Bytes of a visitor's file, None if it is not there."""
        found = self.read(
            "SELECT digest FROM uploads WHERE owner = ? AND short = ? AND expires > clock()",
            (_owner(token), _stored(upload.digest)),
        )
        return self._bytes(found[0][0]) if found else None

    def forget(self, token: str, upload: Upload) -> None:
        """Delete a visitor's file, and its shares."""
        with self.writing() as table:
            for name in ("uploads", "shares"):
                table.execute(
                    f"DELETE FROM {name} WHERE owner = ? AND short = ?",
                    (_owner(token), _stored(upload.digest)),
                )

    def forget_all(self, token: str) -> None:
        """Delete everything that a visitor has, and their shares."""
        with self.writing() as table:
            for name in OF_VISITOR:
                table.execute(f"DELETE FROM {name} WHERE owner = ?", (_owner(token),))

    def hand_over(self, token: str, to: str) -> bool:
        """Hand all data of a visitor over to another one; whether there were any."""
        owners = _owner(to), _owner(token)
        with self.writing() as table:
            moved = [
                table.execute(f"UPDATE OR REPLACE {name} SET owner = ? WHERE owner = ?", owners)
                for name in OF_VISITOR
            ]
            self._prolong(table, to)
        return any(done.rowcount for done in moved)

    def _make_room_for_visitor(
        self, table: sqlite3.Connection, owner: str, short: str, n_bytes: int
    ) -> None:
        """Give up a visitor's oldest files for one more."""
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

    def _make_room_in_all(self, table: sqlite3.Connection, digest: str, n_bytes: int) -> None:
        """Give up files that accounts left behind and do not share, for one more.

        Those of the account that has been away for longest go first.
        """
        here = 60 * self.limits.minutes
        left_behind = (
            "DELETE FROM uploads WHERE rowid = (SELECT rowid FROM uploads AS left_ "
            "WHERE expires > clock() + ? AND expires < clock() + ? AND NOT EXISTS (SELECT 1 FROM "
            "shares WHERE shares.owner = left_.owner AND shares.short = left_.short) "
            "ORDER BY expires, rowid LIMIT 1)"
        )
        others = "SELECT coalesce(sum(n_bytes), 0) FROM contents WHERE digest != ?"
        self._drop_unused()
        while table.execute(others, (digest,)).fetchone()[0] + n_bytes > self.limits.bytes_in_all:
            until = DAY * self.limits.days_of_account - here
            if not table.execute(left_behind, (here, until)).rowcount:
                raise StoreFull("all files are of visitors who are here, or shared")
            self._drop_unused()

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

    # Private texts

    def keep_text(self, token: str, name: str, text: str) -> None:
        """Keep a private text of a visitor under a name.

        It takes the place of the oldest one if need be.
        """
        owner = _owner(token)
        with self.writing() as table:
            table.execute("INSERT OR REPLACE INTO texts VALUES (?, ?, ?, 0)", (owner, name, text))
            table.execute(
                "DELETE FROM texts WHERE owner = ? AND rowid NOT IN "
                "(SELECT rowid FROM texts WHERE owner = ? ORDER BY rowid DESC LIMIT ?)",
                (owner, owner, self.limits.texts),
            )
            self._prolong(table, token)

    def text(self, token: str, name: str) -> str | None:
        """A visitor's private text by its name, None if it is not there (any more)."""
        return self.texts(token).get(name)

    def texts(self, token: str) -> dict[str, str]:
        """A visitor's private texts, by their names."""
        query = "SELECT name, text FROM texts WHERE owner = ? AND expires > clock()"
        return dict(self.read(query, (_owner(token),)))

    # Shares

    def share(self, token: str, upload: Upload, days: float) -> Share | None:
        """Share a visitor's file for some days; None if it is not there.

        Raises
        ------
        StoreFull
            If the visitor shares too many already.
        """
        if not 0 < days <= self.limits.days:
            raise ValueError(f"days must be more than 0 and at most {self.limits.days}, got {days}")
        owner, code = _owner(token), secrets.token_urlsafe(16)
        with self.writing() as table:
            own = table.execute("SELECT count(*) FROM shares WHERE owner = ?", (owner,))
            if own.fetchone()[0] >= self.limits.shares:
                raise StoreFull("a visitor shares no more files at a time")
            table.execute(
                "INSERT INTO shares SELECT ?, owner, short, digest, name, n_rows, clock() + ? "
                "FROM uploads WHERE owner = ? AND short = ?",
                (code, days * DAY, owner, _stored(upload.digest)),
            )
            self._prolong(table, token)
        return self.shared(code)

    def shares(self, token: str) -> list[Share]:
        """Shares of a visitor, the first to expire first."""
        return self._shares("owner", _owner(token))

    def shared(self, code: str) -> Share | None:
        """Share of a code, None if there is none such (any more)."""
        found = self._shares("code", _stored(code))
        return found[0] if found else None

    def _shares(self, column: str, value: str) -> list[Share]:
        rows = self.read(
            "SELECT code, short, name, n_rows, expires FROM shares "
            f"WHERE {column} = ? AND expires > clock() ORDER BY expires",
            (value,),
        )
        return [
            Share(code, Upload(short, name, n_rows, share=code), expires)
            for code, short, name, n_rows, expires in rows
        ]

    def shared_content(self, upload: Upload) -> bytes | None:
        """Bytes of a file by the code that it is shared under, None if that is over."""
        rows = self.read(
            "SELECT digest FROM shares WHERE code = ? AND short = ? AND expires > clock()",
            (_stored(upload.share), _stored(upload.digest)),
        )
        return self._bytes(rows[0][0]) if rows else None

    def withdraw(self, token: str, code: str) -> None:
        """End a share before it expires; only who made it can."""
        with self.writing() as table:
            key = (_owner(token), _stored(code))
            table.execute("DELETE FROM shares WHERE owner = ? AND code = ?", key)
            self._prolong(table, token)


def _is_busy(error: sqlite3.Error) -> bool:
    """Whether another process keeps a database to itself."""
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@cache
def the_store() -> Store | None:
    """Store of this process, None if there cannot be one: the log says why."""
    folder = default_folder()
    try:
        return Store(folder)
    except (OSError, sqlite3.Error) as error:
        log.warning("uploads are kept by sessions alone, without rooms: %s: %s", folder, error)
        return None


def try_store(ask: Callable[[], Result]) -> Result | None:
    """Answer of the store, None if it has none: the log says why."""
    try:
        return ask()
    except (OSError, sqlite3.Error):
        log.exception("the store of uploads does not answer")
        return None


def default_folder() -> Path:
    """Folder that ``LASTVIZ_STORE_FOLDER`` names, else one of the user's state."""
    named = os.environ.get(FOLDER)
    if named:
        return Path(named)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "lastviz" / "uploads"


def _owner(token: str) -> str:
    """Hash of a token that is kept: who reads the table cannot pass for its visitor."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _stored(text: str) -> str:
    """Text as a table can hold it: of limited length, whole characters only."""
    return text[:NAME_LENGTH].encode("utf-8", "replace").decode("utf-8")
