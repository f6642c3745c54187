"""Rooms in which a class answers a quiz, in the store that all processes of the app see.

Nobody is named: of who opens a room and of who answers only a hash is kept, made with a salt of the
room, and it goes with the room. A room ends by itself; rooms, pupils and answers are bounded.
"""

from __future__ import annotations

import secrets
import sqlite3
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from .store import Store, the_store

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # I and O are taken for digits
CODE_LENGTH = 6
MOST_LETTERS = 60  # of an answer
EMPTY = (  # rooms that nobody has entered
    "SELECT code FROM rooms WHERE NOT EXISTS "
    "(SELECT 1 FROM pupils WHERE pupils.code = rooms.code) AND expires < clock() + ? "
    "ORDER BY expires LIMIT 1"
)


class RoomsFull(RuntimeError):
    """There is no room for another room."""


@dataclass(frozen=True)
class RoomLimits:
    """Limits on rooms."""

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
    """State of a room."""

    code: str
    quiz: str  # as its link says it
    n_questions: int
    # The question that is asked, counted from 0; -1 before the first, `n_questions` after the last.
    place: int
    revealed: bool  # whether its answer is shown
    expires: float  # seconds since 1970


class Rooms:
    """Rooms in a store, which a room and all that is known of it leave together.

    Parameters
    ----------
    store : Store
    limits : RoomLimits
    """

    def __init__(self, store: Store, limits: RoomLimits = ROOM_LIMITS) -> None:
        self._store, self.limits = store, limits

    def open(self, token: str, quiz: str, n_questions: int, source: str | None = None) -> str:
        """Open a room with a quiz; return its code. `source` is the visitor's origin.

        Raises
        ------
        RoomsFull
            If there are too many rooms, or the quiz is too long.
        """
        if len(quiz) > self.limits.letters:
            raise RoomsFull("the quiz is too long")
        with self._store.writing() as table:
            own = [c for c, salt, host in self._hosts() if _known(salt, token) == host]
            for code in own[: max(0, len(own) + 1 - self.limits.rooms_of_host)]:
                self._drop(table, code)
            of_source = table.execute("SELECT count(*) FROM rooms WHERE source = ?", (source,))
            if of_source.fetchone()[0] >= self.limits.rooms_of_address:
                raise RoomsFull("there are too many rooms of one address")
            self._make_room(table)
            code, salt = self._new_code(table), secrets.token_hex(16)
            table.execute(
                "INSERT INTO rooms VALUES (?, ?, ?, ?, ?, -1, 0, clock() + ?, ?)",
                (code, salt, _known(salt, token), quiz, n_questions, 3600 * self.limits.hours,
                 source),
            )  # fmt: skip
        return code

    def look(self, code: str) -> Room | None:
        """Standing of a room, None if there is none (any more)."""
        found = self._store.read(
            "SELECT code, quiz, n_questions, place, revealed, expires FROM rooms "
            "WHERE code = ? AND expires > clock()",
            (code,),
        )
        if not found:
            return None
        code, quiz, n_questions, place, revealed, expires = found[0]
        return Room(code, quiz, n_questions, place, bool(revealed), expires)

    def is_host(self, code: str, token: str) -> bool:
        """Whether somebody opened a room."""
        found = self._store.read("SELECT salt, host FROM rooms WHERE code = ?", (code,))
        return bool(found) and secrets.compare_digest(_known(found[0][0], token), found[0][1])

    def go_on(self, code: str, token: str, place: int) -> None:
        """Ask another question; only who opened the room can."""
        room = self.look(code)
        if room is not None and -1 <= place <= room.n_questions and self.is_host(code, token):
            with self._store.writing() as table:
                table.execute(
                    "UPDATE rooms SET place = ?, revealed = 0 WHERE code = ?", (place, code)
                )

    def reveal(self, code: str, token: str) -> None:
        """Show the answer of the question that is asked; only who opened the room can."""
        if self.is_host(code, token):
            with self._store.writing() as table:
                table.execute("UPDATE rooms SET revealed = 1 WHERE code = ?", (code,))

    def end(self, code: str, token: str) -> None:
        """End a room and forget its answers; only who opened it can."""
        if self.is_host(code, token):
            with self._store.writing() as table:
                self._drop(table, code)

    def opened_by(self, token: str) -> list[Room]:
        """Rooms that somebody opened, the first to end first."""
        hosts = self._hosts()
        found = (self.look(code) for code, salt, host in hosts if _known(salt, token) == host)
        return [room for room in found if room is not None]

    def answered_by(self, token: str) -> dict[str, tuple[str, ...]]:
        """Answers of somebody, by the rooms that they entered."""
        found = {}
        for code, salt, _ in self._hosts():
            key = (code, _known(salt, token))
            if self._store.read("SELECT 1 FROM pupils WHERE code = ? AND pupil = ?", key):
                rows = self._store.read(
                    "SELECT answer FROM answers WHERE code = ? AND pupil = ? ORDER BY place", key
                )
                found[code] = tuple(answer for (answer,) in rows)
        return found

    def forget_all(self, token: str) -> None:
        """End a visitor's rooms, and forget their answers in others."""
        with self._store.writing() as table:
            for code, salt, host in self._hosts():
                known = _known(salt, token)
                if known == host:
                    self._drop(table, code)
                table.execute("DELETE FROM pupils WHERE code = ? AND pupil = ?", (code, known))

    def join(self, code: str, token: str, source: str | None = None) -> bool:
        """Enter a room; False if none, if full, or if too many come from this source."""
        pupil = self._pupil(code, token)
        if pupil is None:
            return False
        if self._store.read("SELECT 1 FROM pupils WHERE code = ? AND pupil = ?", (code, pupil)):
            return True
        with self._store.writing() as table:
            made = table.execute(
                "INSERT OR IGNORE INTO pupils SELECT ?, ?, ? "
                "WHERE (SELECT count(*) FROM pupils WHERE code = ?) < ? "
                "AND (SELECT count(*) FROM pupils WHERE code = ? AND source = ?) < ?",
                (code, pupil, source, code, self.limits.pupils, code, source,
                 self.limits.pupils_of_address),
            )  # fmt: skip
            return made.rowcount == 1

    def n_joined(self, code: str) -> int:
        """Number of those who have entered a room."""
        return self._store.read("SELECT count(*) FROM pupils WHERE code = ?", (code,))[0][0]

    def answer(self, code: str, place: int, token: str, answer: str) -> bool:
        """Take an answer, in place of an earlier one; False once it is too late for it."""
        pupil = self._pupil(code, token)
        if pupil is None or len(answer) > MOST_LETTERS:
            return False
        with self._store.writing() as table:
            made = table.execute(
                "INSERT OR REPLACE INTO answers SELECT ?, ?, ?, ? WHERE EXISTS "
                "(SELECT 1 FROM rooms WHERE code = ? AND place = ? AND revealed = 0 "
                "AND expires > clock()) "
                "AND EXISTS (SELECT 1 FROM pupils WHERE code = ? AND pupil = ?)",
                (code, place, pupil, answer, code, place, code, pupil),
            )
            return made.rowcount == 1

    def own_answer(self, code: str, place: int, token: str) -> str | None:
        """Answer of somebody to a question, None if there is none."""
        pupil = self._pupil(code, token)
        found = self._store.read(
            "SELECT answer FROM answers WHERE code = ? AND place = ? AND pupil = ?",
            (code, place, pupil),
        )
        return found[0][0] if found else None

    def answers(self, code: str, place: int) -> dict[str, int]:
        """Counts of the answers to a question, the most frequent first."""
        return dict(
            self._store.read(
                "SELECT answer, count(*) AS n FROM answers WHERE code = ? AND place = ? "
                "GROUP BY answer ORDER BY n DESC, answer",
                (code, place),
            )
        )

    def _pupil(self, code: str, token: str) -> str | None:
        found = self._store.read(
            "SELECT salt FROM rooms WHERE code = ? AND expires > clock()", (code,)
        )
        return _known(found[0][0], token) if found else None

    def _hosts(self) -> list[tuple[str, str, str]]:
        return self._store.read(
            "SELECT code, salt, host FROM rooms WHERE expires > clock() ORDER BY expires"
        )

    def _new_code(self, table: sqlite3.Connection) -> str:
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
            if not table.execute("SELECT 1 FROM rooms WHERE code = ?", (code,)).fetchone():
                return code

    def _make_room(self, table: sqlite3.Connection) -> None:
        """End a room that nobody has entered, if there are too many."""
        (n_rooms,) = table.execute("SELECT count(*) FROM rooms").fetchone()
        if n_rooms < self.limits.rooms:
            return
        since = 3600 * self.limits.hours - 60 * self.limits.empty_minutes
        found = table.execute(EMPTY, (since,)).fetchone()
        if found is None:
            raise RoomsFull("there are too many rooms")
        self._drop(table, found[0])

    def _drop(self, table: sqlite3.Connection, code: str) -> None:
        table.execute("DELETE FROM rooms WHERE code = ?", (code,))


def _known(salt: str, token: str) -> str:
    """Hash of a token that is kept in a room: it says nothing in another room."""
    return sha256(f"{salt}|{token}".encode("utf-8", "surrogatepass")).hexdigest()


@cache
def the_rooms() -> Rooms | None:
    """Rooms of this process, None if it has no store: the log says why."""
    store = the_store()
    return None if store is None else Rooms(store)
