"""Rooms in which a class answers a quiz: one table that all processes of the app see.

Nobody is named: of who opens a room and of who answers only a hash is kept, made with a salt of the
room, and it goes with the room. A room ends by itself; rooms, pupils and answers are bounded.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from .store import Tables, opened

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # I and O are taken for digits
CODE_LENGTH = 6
MOST_LETTERS = 60  # of an answer
TABLES = """
CREATE TABLE IF NOT EXISTS rooms (
    code TEXT PRIMARY KEY, salt TEXT NOT NULL, host TEXT NOT NULL, quiz TEXT NOT NULL,
    n_questions INTEGER NOT NULL, place INTEGER NOT NULL, revealed INTEGER NOT NULL,
    expires REAL NOT NULL);
CREATE TABLE IF NOT EXISTS pupils (
    code TEXT NOT NULL, pupil TEXT NOT NULL, PRIMARY KEY (code, pupil)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
    code TEXT NOT NULL, place INTEGER NOT NULL, pupil TEXT NOT NULL, answer TEXT NOT NULL,
    PRIMARY KEY (code, place, pupil)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sources (
    code TEXT NOT NULL, who TEXT NOT NULL, source TEXT NOT NULL,
    PRIMARY KEY (code, who)) WITHOUT ROWID;
"""
EMPTY = (  # rooms that nobody has entered
    "SELECT code FROM rooms WHERE NOT EXISTS "
    "(SELECT 1 FROM pupils WHERE pupils.code = rooms.code) AND expires < ? ORDER BY expires LIMIT 1"
)


class RoomsFull(RuntimeError):
    """There is no room for another room."""


@dataclass(frozen=True)
class RoomLimits:
    """What rooms are at most."""

    hours: float = 3.0  # a room ends so long after it was opened
    rooms: int = 200  # at a time, in all and of one teacher; that one's oldest ends for another
    rooms_of_host: int = 3
    rooms_of_address: int = 20  # at a time, where it is known where visitors come from
    # A room that nobody has entered for so long ends for another, if there are too many.
    empty_minutes: float = 10.0
    pupils: int = 300  # in a room; a whole school can have one address
    pupils_of_address: int = 60  # in a room; a whole school can have one address
    letters: int = 60_000  # of a quiz


ROOM_LIMITS = RoomLimits()


@dataclass(frozen=True)
class Room:
    """How a room stands."""

    code: str
    quiz: str  # as its link says it
    n_questions: int
    # The question that is asked, counted from 0; -1 before the first, `n_questions` after the last.
    place: int
    revealed: bool  # whether its answer is shown
    expires: float  # seconds since 1970


class Rooms(Tables):
    """Rooms in a folder; see :class:`.store.Tables`.

    Parameters
    ----------
    folder : Path
    limits : RoomLimits
    clock : callable
    """

    def __init__(
        self, folder: Path, limits: RoomLimits = ROOM_LIMITS, clock: Callable[[], float] = time.time
    ):
        super().__init__(folder, "rooms.sqlite3", TABLES, clock)
        self.limits = limits
        self._connection.execute("PRAGMA synchronous = NORMAL")  # a class can be asked again

    def open(self, token: str, quiz: str, n_questions: int, source: str | None = None) -> str:
        """Open a room with a quiz; return its code. `source` says where the visitor comes from.

        Raises
        ------
        RoomsFull
            If there are too many rooms, or the quiz is too long.
        """
        if len(quiz) > self.limits.letters:
            raise RoomsFull("the quiz is too long")
        now = self._clock()
        with self._writing() as table:
            self._tidy(table, now)
            own = [c for c, salt, host in self._hosts() if _known(salt, token) == host]
            for code in own[: max(0, len(own) + 1 - self.limits.rooms_of_host)]:
                self._drop(table, code)
            opened = "SELECT count(*) FROM sources JOIN rooms ON (sources.who, sources.code) = "
            opened += "(rooms.host, rooms.code) WHERE source = ?"
            if table.execute(opened, (source,)).fetchone()[0] >= self.limits.rooms_of_address:
                raise RoomsFull("there are too many rooms of one address")
            self._make_room(table, now)
            code, salt = self._new_code(table), secrets.token_hex(16)
            expires = now + 3600 * self.limits.hours
            table.execute(
                "INSERT INTO rooms VALUES (?, ?, ?, ?, ?, -1, 0, ?)",
                (code, salt, _known(salt, token), quiz, n_questions, expires),
            )
            self._note_source(table, code, _known(salt, token), source)
        return code

    def look(self, code: str) -> Room | None:
        """Return how a room stands, None if there is none (any more)."""
        found = self._read(
            "SELECT code, quiz, n_questions, place, revealed, expires FROM rooms "
            "WHERE code = ? AND expires > ?",
            (code, self._clock()),
        )
        if not found:
            return None
        code, quiz, n_questions, place, revealed, expires = found[0]
        return Room(code, quiz, n_questions, place, bool(revealed), expires)

    def is_host(self, code: str, token: str) -> bool:
        """Tell whether somebody opened a room."""
        found = self._read("SELECT salt, host FROM rooms WHERE code = ?", (code,))
        return bool(found) and secrets.compare_digest(_known(found[0][0], token), found[0][1])

    def go_on(self, code: str, token: str, place: int) -> None:
        """Ask another question; only who opened the room can."""
        room = self.look(code)
        if room is not None and -1 <= place <= room.n_questions and self.is_host(code, token):
            with self._writing() as table:
                table.execute(
                    "UPDATE rooms SET place = ?, revealed = 0 WHERE code = ?", (place, code)
                )

    def reveal(self, code: str, token: str) -> None:
        """Show the answer of the question that is asked; only who opened the room can."""
        if self.is_host(code, token):
            with self._writing() as table:
                table.execute("UPDATE rooms SET revealed = 1 WHERE code = ?", (code,))

    def end(self, code: str, token: str) -> None:
        """End a room and forget its answers; only who opened it can."""
        if self.is_host(code, token):
            with self._writing() as table:
                self._drop(table, code)

    def opened_by(self, token: str) -> list[Room]:
        """Return the rooms that somebody opened, the first to end first."""
        hosts = self._hosts()
        found = (self.look(code) for code, salt, host in hosts if _known(salt, token) == host)
        return [room for room in found if room is not None]

    def answered_by(self, token: str) -> dict[str, tuple[str, ...]]:
        """Return what somebody answered, by the rooms that they entered."""
        found = {}
        for code, salt, _ in self._hosts():
            key = (code, _known(salt, token))
            if self._read("SELECT 1 FROM pupils WHERE code = ? AND pupil = ?", key):
                rows = self._read(
                    "SELECT answer FROM answers WHERE code = ? AND pupil = ? ORDER BY place", key
                )
                found[code] = tuple(answer for (answer,) in rows)
        return found

    def forget_all(self, token: str) -> None:
        """End the rooms that somebody opened, and forget what they answered in others."""
        with self._writing() as table:
            for code, salt, host in self._hosts():
                known = _known(salt, token)
                if known == host:
                    self._drop(table, code)
                for name in ("answers", "pupils"):
                    table.execute(f"DELETE FROM {name} WHERE code = ? AND pupil = ?", (code, known))
                table.execute("DELETE FROM sources WHERE code = ? AND who = ?", (code, known))

    def join(self, code: str, token: str, source: str | None = None) -> bool:
        """Enter a room; False if there is none, or it is full, or too many come from there."""
        pupil = self._pupil(code, token)
        if pupil is None:
            return False
        if self._read("SELECT 1 FROM pupils WHERE code = ? AND pupil = ?", (code, pupil)):
            return True
        with self._writing() as table:
            made = table.execute(
                "INSERT OR IGNORE INTO pupils SELECT ?, ? "
                "WHERE (SELECT count(*) FROM pupils WHERE code = ?) < ? "
                "AND (SELECT count(*) FROM sources WHERE code = ? AND source = ?) < ?",
                (code, pupil, code, self.limits.pupils, code, source,
                 self.limits.pupils_of_address),
            )  # fmt: skip
            if made.rowcount == 1:
                self._note_source(table, code, pupil, source)
            return made.rowcount == 1

    def n_joined(self, code: str) -> int:
        """Return how many have entered a room."""
        return self._read("SELECT count(*) FROM pupils WHERE code = ?", (code,))[0][0]

    def answer(self, code: str, place: int, token: str, answer: str) -> bool:
        """Take an answer, in place of an earlier one; False once it is too late for it."""
        pupil = self._pupil(code, token)
        if pupil is None or len(answer) > MOST_LETTERS:
            return False
        with self._writing() as table:
            made = table.execute(
                "INSERT OR REPLACE INTO answers SELECT ?, ?, ?, ? WHERE EXISTS "
                "(SELECT 1 FROM rooms WHERE code = ? AND place = ? AND revealed = 0 "
                "AND expires > ?) AND EXISTS (SELECT 1 FROM pupils WHERE code = ? AND pupil = ?)",
                (code, place, pupil, answer, code, place, self._clock(), code, pupil),
            )
            return made.rowcount == 1

    def own_answer(self, code: str, place: int, token: str) -> str | None:
        """Return what somebody answered, None if they did not."""
        pupil = self._pupil(code, token)
        found = self._read(
            "SELECT answer FROM answers WHERE code = ? AND place = ? AND pupil = ?",
            (code, place, pupil),
        )
        return found[0][0] if found else None

    def answers(self, code: str, place: int) -> dict[str, int]:
        """Return how often each answer was given to a question, the most frequent first."""
        return dict(
            self._read(
                "SELECT answer, count(*) AS n FROM answers WHERE code = ? AND place = ? "
                "GROUP BY answer ORDER BY n DESC, answer",
                (code, place),
            )
        )

    def _pupil(self, code: str, token: str) -> str | None:
        found = self._read(
            "SELECT salt FROM rooms WHERE code = ? AND expires > ?", (code, self._clock())
        )
        return _known(found[0][0], token) if found else None

    def _hosts(self) -> list[tuple[str, str, str]]:
        return self._read("SELECT code, salt, host FROM rooms ORDER BY expires")

    def _new_code(self, table: sqlite3.Connection) -> str:
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
            if not table.execute("SELECT 1 FROM rooms WHERE code = ?", (code,)).fetchone():
                return code

    def _tidy(self, table: sqlite3.Connection, now: float) -> None:
        for (code,) in table.execute(
            "SELECT code FROM rooms WHERE expires <= ?", (now,)
        ).fetchall():
            self._drop(table, code)

    def _make_room(self, table: sqlite3.Connection, now: float) -> None:
        """End a room that nobody has entered, if there are too many."""
        (n_rooms,) = table.execute("SELECT count(*) FROM rooms").fetchone()
        if n_rooms < self.limits.rooms:
            return
        since = now + 3600 * self.limits.hours - 60 * self.limits.empty_minutes
        found = table.execute(EMPTY, (since,)).fetchone()
        if found is None:
            raise RoomsFull("there are too many rooms")
        self._drop(table, found[0])

    def _note_source(
        self, table: sqlite3.Connection, code: str, who: str, source: str | None
    ) -> None:
        if source is not None:
            table.execute("INSERT OR REPLACE INTO sources VALUES (?, ?, ?)", (code, who, source))

    def _drop(self, table: sqlite3.Connection, code: str) -> None:
        for name in ("rooms", "pupils", "answers", "sources"):
            table.execute(f"DELETE FROM {name} WHERE code = ?", (code,))


def _known(salt: str, token: str) -> str:
    """Return what is kept of a token in a room: it says nothing in another room."""
    return sha256(f"{salt}|{token}".encode("utf-8", "surrogatepass")).hexdigest()


@cache
def the_rooms() -> Rooms | None:
    """Return the rooms of this process, None if there cannot be any: the log says why."""
    return opened(Rooms, "there are no rooms for quizzes")
