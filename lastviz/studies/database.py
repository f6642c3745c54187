"""The database of studies: opened, made, and waited for while it is away."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import pandas as pd
import pyarrow as pa

from lastviz._extras import NotInstalled, lack_of
from lastviz._sentences import Statement
from lastviz._system import make_own_database, make_own_folder

from .metrics import METRICS
from .tasks import COSTS

try:
    import sqlalchemy as sa
    from sqlalchemy.dialects import postgresql, sqlite
except ImportError:
    raise NotInstalled(lack_of("sqlalchemy", "Keeping studies")) from None

FIGURES = (*METRICS, *COSTS)
"""What is kept of a fold, by column."""

META = sa.MetaData()
STUDIES = sa.Table(
    "studies",
    META,
    sa.Column("id", sa.String(12), primary_key=True),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("state", sa.String(12), nullable=False),
    sa.Column("plan", sa.String(64), nullable=False),
    sa.Column("begun", sa.Float, nullable=False),
)
CELLS = sa.Table(
    "study_cells",
    META,
    sa.Column("study", sa.String(12), primary_key=True),
    sa.Column("cell", sa.Integer, primary_key=True),
    sa.Column("algorithm", sa.Text, nullable=False),
    sa.Column("dataset", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)
POINTS = sa.Table(
    "study_points",
    META,
    sa.Column("study", sa.String(12), primary_key=True),
    sa.Column("cell", sa.Integer, primary_key=True),
    sa.Column("point", sa.Integer, primary_key=True),
    sa.Column("params", sa.Text, nullable=False),
)
LINKS = sa.Table(
    "study_folds",
    META,
    sa.Column("study", sa.String(12), primary_key=True),
    sa.Column("cell", sa.Integer, primary_key=True),
    sa.Column("point", sa.Integer, primary_key=True),
    sa.Column("repeat", sa.Integer, primary_key=True),
    sa.Column("fold", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(32), nullable=False, index=True),
)
FOLDS = sa.Table(
    "folds",
    META,
    sa.Column("key", sa.String(32), primary_key=True),
    sa.Column("algorithm", sa.Text, nullable=False),
    sa.Column("data", sa.String(16), nullable=False),
    sa.Column("protocol", sa.String(12), nullable=False),
    sa.Column("version", sa.Text, nullable=False),
    sa.Column("state", sa.String(8), nullable=False),  # done, failed
    sa.Column("reason", sa.Text),
    sa.Column("chosen", sa.Text),
    sa.Column("seconds", sa.Float),
    *(sa.Column(name, sa.Float) for name in FIGURES),
    # Who counts finished folds need not read their rows.
    sa.Index("folds_key_state", "key", "state"),
)
LINE = sa.Table(
    "study_line",
    META,
    sa.Column("study", sa.String(12), primary_key=True),
    sa.Column("asked", sa.Float, nullable=False),
    sa.Column("fault", sa.Text, nullable=False),  # why it cannot go on, empty if it can
)
HANDED_IN = sa.Table(
    "study_tables",
    META,
    sa.Column("study", sa.String(12), primary_key=True),
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("scene", sa.Text, nullable=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
)


def prepare_sqlite(connection: object, _: object) -> None:
    """Let readers and one writer work at once."""
    connection.isolation_level = None  # transactions begin below
    for line in ("journal_mode=WAL", "synchronous=NORMAL"):
        connection.execute(f"PRAGMA {line}").close()


def begin_sqlite(connection: sa.Connection) -> None:
    """Begin as a writer: reading first fails later where another writes in between."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


# ---------------------------------------------------------------- database


PATIENCE = 30.0  # seconds that an unreachable database is waited for
PAUSE = 0.5  # between two tries
ROWS_AT_HAND = 2_000  # that are read before they become columns
TEXT = pa.string()
T = TypeVar("T")


class StoreError(RuntimeError):
    """Reason, as a sentence, why results cannot be read or stored."""


def address_of_store() -> str:
    """Database that LASTVIZ_STORE names, else a file in the user's state folder."""
    named = os.environ.get("LASTVIZ_STORE")
    if named:
        return named if "://" in named else f"sqlite:///{Path(named).expanduser()}"
    return f"sqlite:///{_usual_file()}"


def _usual_file() -> Path:
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "lastviz" / "studies.sqlite"


def _make_private(file: Path) -> None:
    """Make the folder of studies and their file for this user alone.

    A folder that was there, and that somebody named, may hold other things: it stays as it is.
    """
    if not file.parent.exists() or file == _usual_file():
        make_own_folder(file.parent)
    make_own_database(file)


class Database:
    """A database that is waited for while it is away.

    See :class:`lastviz.studies.store.StudyStore`.
    """

    def __init__(self, address: str | None = None, patience: float = PATIENCE) -> None:
        self.address = address or address_of_store()
        self._patience = patience
        try:
            url = sa.make_url(self.address)
        except sa.exc.ArgumentError:
            raise StoreError(
                Statement("LASTVIZ_STORE names no database; sqlite:///FILE is one.")
            ) from None
        if url.get_backend_name() not in ("sqlite", "postgresql"):
            raise StoreError(
                Statement("LASTVIZ_STORE must begin with sqlite:/// or postgresql+psycopg://.")
            )
        self._lite = url.get_backend_name() == "sqlite"
        if not self._lite:
            url = url.set(drivername="postgresql+psycopg")  # the only driver that an extra brings
        self._place = url.render_as_string(hide_password=True)
        try:
            if self._lite and url.database and url.database != ":memory:":
                _make_private(Path(url.database))
            beside = {"pool_pre_ping": True}
            if self._lite:  # one that is locked is tried twice within our patience
                beside = {"connect_args": {"timeout": self._patience / 2}}
            self._engine = sa.create_engine(url, **beside)
        except ImportError:
            store = Statement("The store {store}", store=self._place)
            raise StoreError(Statement("{reason}.", reason=lack_of("psycopg", store))) from None
        except OSError as error:
            raise StoreError(
                Statement(
                    "The store {store} cannot be opened: {error}.", store=self._place, error=error
                )
            ) from None
        if self._lite:
            sa.event.listen(self._engine, "connect", prepare_sqlite)
            sa.event.listen(self._engine, "begin", begin_sqlite)
        self.insert = sqlite.insert if self._lite else postgresql.insert
        self.patiently(self._make_tables)

    def close(self) -> None:
        """Close all connections.

        SQLite first measures its tables, for its query plans.
        """
        if self._lite:
            with suppress(sa.exc.DatabaseError), self._engine.begin() as connection:
                connection.exec_driver_sql("PRAGMA analysis_limit=400").close()
                connection.exec_driver_sql("PRAGMA optimize(0x10002)").close()
        self._engine.dispose()

    def _make_tables(self, connection: sa.Connection) -> None:
        if not self._lite:  # two that begin at once would both create them
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(7241990)"))
        META.create_all(connection)
        for index in FOLDS.indexes:  # newer than some files
            index.create(connection, checkfirst=True)
        has = {column["name"] for column in sa.inspect(connection).get_columns("folds")}
        for name in FIGURES:  # metrics that are newer than the file
            if name not in has:
                kind = "FLOAT" if self._lite else "DOUBLE PRECISION"
                connection.execute(sa.text(f"ALTER TABLE folds ADD COLUMN {name} {kind}"))
        if "holder" in has:  # an older store also has rows of folds that were being computed
            connection.execute(FOLDS.delete().where(FOLDS.c.state == "leased"))

    def patiently(self, work: Callable[[sa.Connection], T]) -> T:
        """Do `work` in a transaction, again while the database is away.

        Work done twice has the effect of work done once.
        """
        end = time.monotonic() + self._patience
        while True:
            try:
                with self._engine.begin() as connection:
                    return work(connection)
            except (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.InternalError) as error:
                text = " ".join(str(error.orig).split())
                if "disk is full" in text or "No space left" in text:
                    raise StoreError(
                        Statement(
                            "The disk of the store {store} is full. Finished folds are kept: free "
                            "some space and resume.",
                            store=self._place,
                        )
                    ) from error
                if time.monotonic() > end or "unable to open" in text or "not a database" in text:
                    raise StoreError(
                        Statement(
                            "The store {store} cannot be reached. Finished folds are kept: resume "
                            "when it answers ({reason}).",
                            store=self._place,
                            reason=text[:200],
                        )
                    ) from error
                time.sleep(PAUSE)
            except sa.exc.DatabaseError as error:
                text = " ".join(str(error.orig).split())
                raise StoreError(
                    Statement(
                        "The store {store} fails: {reason}.", store=self._place, reason=text[:300]
                    )
                ) from error

    def now(self, connection: sa.Connection) -> float:
        """Time in seconds, by the clock that all who use the database share."""
        if self._lite:
            return time.time()
        return float(connection.execute(sa.text("SELECT extract(epoch FROM now())")).scalar_one())

    def frame(self, ask: sa.Select) -> pd.DataFrame:
        """Rows of a query: float64 where a number may lack, int64, and texts."""
        columns = list(ask.selected_columns)
        kinds = [_kind(column.type) for column in columns]

        def read(connection: sa.Connection) -> list[list[pa.Array]]:
            # The driver's tuples, made columns while they are at hand: objects for each of 100,000
            # rows take more time than the database.
            cursor, parts = connection.execute(ask).cursor, []
            while rows := cursor.fetchmany(ROWS_AT_HAND):
                values = zip(*rows, strict=True)
                parts.append([pa.array(v, kind) for v, kind in zip(values, kinds, strict=True)])
            return parts

        parts = self.patiently(read)
        found = {}
        for place, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
            cells = pa.chunked_array([part[place] for part in parts], kind)
            found[column.name] = cells.to_pandas() if kind == TEXT else cells.to_numpy()
        return pd.DataFrame(found)


def _kind(declared: sa.types.TypeEngine) -> pa.DataType:
    if isinstance(declared, sa.Float):
        return pa.float64()
    return pa.int64() if isinstance(declared, sa.Integer) else TEXT
