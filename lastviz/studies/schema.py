"""The tables of the store of studies, the same in SQLite and PostgreSQL."""

from __future__ import annotations

from lastviz._extras import NotInstalled, lack_of

from .metrics import METRICS
from .tasks import COSTS

try:
    import sqlalchemy as sa
    from sqlalchemy.dialects import postgresql, sqlite  # noqa: F401 - for the database
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
    sa.Column("state", sa.String(8), nullable=False),  # leased, done, failed
    sa.Column("holder", sa.String(64)),
    sa.Column("expires", sa.Float),
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
