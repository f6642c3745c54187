"""Results of studies in a database: SQLite, or PostgreSQL where LASTVIZ_STORE says so.

A finished fold is one row under the key of its task; studies point to rows, and share them. A
server's visitors put their studies into a line, with the tables that they handed in: a study in the
line is meant to go on, whatever ends in between; one that is paused, cancelled or done has left it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from lastviz.datasets import Dataset

from .database import (
    CELLS,
    FIGURES,
    FOLDS,
    HANDED_IN,
    LINE,
    LINKS,
    POINTS,
    STUDIES,
    Database,
    StoreError,
    address_of_store,
    sa,
)
from .kept_data import pack_dataset, size_of, unpack_dataset
from .study import Study, study_of
from .tasks import Cell, Estimate, Outcome, StudyStanding, Task, time_left

__all__ = ["FIGURES", "STATES", "StoreError", "StudyRow", "StudyStore", "address_of_store"]

STATES = ("ready", "running", "paused", "cancelled", "done")
AT_ONCE = 5_000  # rows of a statement


@dataclass(frozen=True)
class StudyRow:
    """A stored study.

    `n_done` and `n_failed` of `n_folds` are known; `begun` is in Unix seconds.
    """

    id: str
    name: str
    state: str
    begun: float
    n_folds: int
    n_done: int
    n_failed: int


class StudyStore(Database):
    """A database of studies and folds, and of the queue of studies for a server.

    A study is of the command line, or of the visitor of a server whose token `owner` is; others
    do not find it.

    Parameters
    ----------
    address : str, optional
        ``sqlite:///FILE`` or ``postgresql+psycopg://...``; by default :func:`address_of_store`.
    patience : float, default 30
        Seconds that an unreachable database is waited for.

    Raises
    ------
    StoreError
        If it cannot be opened, here and in all methods.
    """

    # Studies

    def register(
        self, study: Study, cells: Sequence[Cell], owner: str = "", study_id: str | None = None
    ) -> str:
        """Note a study and its plan, once; return its name: `study_id` where it has one.

        Raises
        ------
        ValueError
            If a cell that had folds cannot be computed any more: a study never shrinks silently.
        """
        study_id = study_id or study.id_for(_hidden(owner))
        links = [
            {
                **{"study": study_id, "cell": cell.number, "point": point},
                **{"repeat": task.repeat, "fold": task.fold, "key": task.key},
            }
            for cell in cells
            for point, task in cell.tasks
        ]
        rows = [
            {
                **{"study": study_id, "cell": c.number, "algorithm": c.algorithm},
                **{"dataset": c.dataset, "reason": c.reason},
            }
            for c in cells
        ]
        points = [
            {**{"study": study_id, "cell": cell, "point": point}, "params": params}
            for (cell, point), params in _points(cells).items()
        ]
        facts = [f"{row['cell']} {row['reason']}" for row in rows] + [x["key"] for x in links]
        digest = hashlib.sha256("\n".join(facts).encode()).hexdigest()

        def note(connection: sa.Connection) -> None:
            known = sa.select(STUDIES.c.plan).where(STUDIES.c.id == study_id)
            if connection.execute(known).scalar() == digest:
                return
            planned = sa.select(CELLS.c.algorithm, CELLS.c.dataset).where(
                CELLS.c.study == study_id, CELLS.c.reason == ""
            )
            fitted = {tuple(row) for row in connection.execute(planned)}
            lost = next((c for c in cells if c.reason and (c.algorithm, c.dataset) in fitted), None)
            if lost:
                raise ValueError(
                    f"{lost.algorithm} on {lost.dataset} is part of this study and cannot be "
                    f"computed now; what is done is kept. {lost.reason}"
                )
            for table in (CELLS, POINTS, LINKS):
                connection.execute(table.delete().where(table.c.study == study_id))
            row = {
                **{"id": study_id, "owner": _hidden(owner), "name": study.name},
                **{"text": study.to_toml(), "state": "ready", "plan": digest},
                "begun": self.now(connection),
            }
            insert = self.insert(STUDIES).values(row)
            connection.execute(
                insert.on_conflict_do_update(index_elements=["id"], set_={"plan": digest})
            )
            connection.execute(CELLS.insert(), rows)
            for table, all_of_them in ((POINTS, points), (LINKS, links)):
                for begin in range(0, len(all_of_them), AT_ONCE):
                    connection.execute(table.insert(), all_of_them[begin : begin + AT_ONCE])

        self.patiently(note)
        return study_id

    def set_state(self, study_id: str, state: str) -> None:
        """Note one of :data:`STATES`; a run ends once it sees another one than "running"."""
        if state not in STATES:
            raise ValueError(f"state must be one of {', '.join(STATES)}, got {state!r}")
        change = STUDIES.update().where(STUDIES.c.id == study_id).values(state=state)
        self.patiently(lambda connection: connection.execute(change))

    def state(self, study_id: str) -> str | None:
        """One of :data:`STATES`, None if there is no such study."""
        ask = sa.select(STUDIES.c.state).where(STUDIES.c.id == study_id)
        return self.patiently(lambda connection: connection.execute(ask).scalar())

    def study(self, study_id: str, owner: str = "", given: Sequence[str] = ()) -> Study:
        """Study of this owner; ``ValueError`` if there is none."""
        return study_of(self._text(study_id, owner), given)

    def _text(self, study_id: str, owner: str) -> str:
        ask = sa.select(STUDIES.c.text).where(
            STUDIES.c.id == study_id, STUDIES.c.owner == _hidden(owner)
        )
        text = self.patiently(lambda connection: connection.execute(ask).scalar())
        if text is None:
            raise ValueError(f"There is no study {study_id!r} here; `list` shows those there are.")
        return text

    def studies(self, owner: str = "") -> list[StudyRow]:
        """Studies of an owner, the newest first."""
        count = sa.func.count()
        ask = (
            sa.select(
                *(STUDIES.c.id, STUDIES.c.name, STUDIES.c.state, STUDIES.c.begun),
                sa.func.count(LINKS.c.key),
                count.filter(FOLDS.c.state == "done"),
                count.filter(FOLDS.c.state == "failed"),
            )
            .select_from(
                STUDIES.outerjoin(LINKS, LINKS.c.study == STUDIES.c.id).outerjoin(
                    FOLDS, FOLDS.c.key == LINKS.c.key
                )
            )
            .where(STUDIES.c.owner == _hidden(owner))
            .group_by(STUDIES.c.id)
            .order_by(STUDIES.c.begun.desc())
        )
        rows = self.patiently(lambda connection: connection.execute(ask).fetchall())
        return [StudyRow(*row) for row in rows]

    def delete(self, study_id: str, owner: str = "") -> None:
        """Delete a study of this owner, and the folds that no other study points to."""
        self._text(study_id, owner)  # refuses a study of somebody else

        def remove(connection: sa.Connection) -> None:
            own = sa.select(LINKS.c.key).where(LINKS.c.study == study_id)
            others = sa.select(LINKS.c.key).where(LINKS.c.study != study_id)
            connection.execute(
                FOLDS.delete().where(FOLDS.c.key.in_(own), FOLDS.c.key.not_in(others))
            )
            for table in (CELLS, POINTS, LINKS, LINE, HANDED_IN):
                connection.execute(table.delete().where(table.c.study == study_id))
            connection.execute(STUDIES.delete().where(STUDIES.c.id == study_id))

        self.patiently(remove)

    def hand_over(self, owner: str, to: str) -> bool:
        """Hand all studies of an owner over to another one; whether there were any."""
        change = STUDIES.update().where(STUDIES.c.owner == _hidden(owner)).values(owner=_hidden(to))
        return self.patiently(lambda connection: connection.execute(change).rowcount > 0)

    # Folds

    def finished(self, study_id: str) -> dict[str, str]:
        """State, "done" or "failed", of each fold of a study that is finished."""
        ask = (
            sa.select(FOLDS.c.key, FOLDS.c.state)
            .join(LINKS, LINKS.c.key == FOLDS.c.key)
            .where(LINKS.c.study == study_id)
        )
        return dict(self.patiently(lambda connection: [tuple(r) for r in connection.execute(ask)]))

    def save(self, done: Iterable[tuple[Task, Outcome]], study_id: str | None = None) -> None:
        """Store outcomes of a study, unless it was deleted; stored folds stay as they are."""
        rows = [
            {
                **{"key": task.key, "algorithm": task.algorithm, "data": task.data},
                **{"protocol": task.protocol, "version": task.version},
                "state": "failed" if outcome.reason else "done",
                **{"reason": outcome.reason or None, "chosen": outcome.chosen or None},
                "seconds": outcome.seconds,
                **{name: _or_null(outcome.figures.get(name)) for name in FIGURES},
            }
            for task, outcome in done
        ]
        there = sa.select(STUDIES.c.id).where(STUDIES.c.id == study_id)

        def note(connection: sa.Connection) -> None:
            if study_id is None or connection.execute(there).scalar() is not None:
                connection.execute(self.insert(FOLDS).on_conflict_do_nothing(), rows)

        if rows:
            self.patiently(note)

    def forget_failed(self, study_id: str) -> None:
        """Let failed folds of a study be computed again."""
        own = sa.select(LINKS.c.key).where(LINKS.c.study == study_id)
        failed = FOLDS.delete().where(FOLDS.c.state == "failed", FOLDS.c.key.in_(own))
        self.patiently(lambda connection: connection.execute(failed))

    def usual_seconds(self) -> dict[tuple[str, str, str], float]:
        """Mean seconds of a fold by (algorithm, protocol, data).

        The longest one counts only if it is alone: the first of a process loads libraries.
        """
        by = (FOLDS.c.algorithm, FOLDS.c.protocol, FOLDS.c.data)
        seconds = FOLDS.c.seconds
        found = sa.func.sum(seconds), sa.func.max(seconds), sa.func.count()
        ask = sa.select(*by, *found).where(FOLDS.c.state == "done").group_by(*by)
        rows = self.patiently(lambda connection: connection.execute(ask).fetchall())
        return {
            tuple(by): (total - longest) / (n - 1) if n > 1 else longest
            for *by, total, longest, n in rows
        }

    def cells(self, study_id: str) -> pd.DataFrame:
        """Cells of a study: cell, algorithm, dataset, reason (why it cannot run)."""
        ask = (
            sa.select(CELLS.c.cell, CELLS.c.algorithm, CELLS.c.dataset, CELLS.c.reason)
            .where(CELLS.c.study == study_id)
            .order_by(CELLS.c.cell)
        )
        return self.frame(ask)

    def folds(self, study_id: str) -> pd.DataFrame:
        """Finished folds of a study, one row each, in the order of the study.

        Columns: cell, algorithm, dataset, point (of the grid), repeat, fold, state ("done" or
        "failed"), reason, chosen (parameters chosen inside, JSON), seconds, :data:`FIGURES`, NaN
        where a figure does not apply or has no value, and params (JSON; a list where the fold
        chooses among several).
        """
        ask = (
            sa.select(
                *(LINKS.c.cell, LINKS.c.point, LINKS.c.repeat, LINKS.c.fold),
                *(FOLDS.c.state, FOLDS.c.reason, FOLDS.c.chosen, FOLDS.c.seconds),
                *(FOLDS.c[name] for name in FIGURES),
            )
            .join(FOLDS, FOLDS.c.key == LINKS.c.key)
            .where(LINKS.c.study == study_id)
            .order_by(LINKS.c.cell, LINKS.c.point, LINKS.c.repeat, LINKS.c.fold)
        )
        found = self.frame(ask)
        # Names and parameters once, not once for each fold.
        cells = self.cells(study_id).set_index("cell")
        for place, name in enumerate(("algorithm", "dataset"), start=1):
            found.insert(place, name, found["cell"].map(cells[name]))
        named = sa.select(POINTS.c.cell, POINTS.c.point, POINTS.c.params)
        points = self.frame(named.where(POINTS.c.study == study_id))
        return found.merge(points, "left", on=["cell", "point"])

    # The line of studies that a server computes

    def join(self, study_id: str) -> None:
        """Put a study at the end of the line; one that waits already keeps its place."""

        def note(connection: sa.Connection) -> None:
            row = {"study": study_id, "asked": self.now(connection), "fault": ""}
            waits = LINE.c.fault == ""
            connection.execute(LINE.delete().where(LINE.c.study == study_id, ~waits))
            connection.execute(self.insert(LINE).values(row).on_conflict_do_nothing())

        self.patiently(note)

    def leave(self, study_id: str) -> None:
        """Take a study out of the line."""
        gone = LINE.delete().where(LINE.c.study == study_id)
        self.patiently(lambda connection: connection.execute(gone))

    def note_fault(self, study_id: str, sentence: str) -> None:
        """Note why a study cannot go on; it stays in the line, and nobody takes it."""
        change = LINE.update().where(LINE.c.study == study_id).values(fault=sentence)
        self.patiently(lambda connection: connection.execute(change))

    def fault(self, study_id: str) -> str:
        """Reason why a study cannot go on, "" if it can."""
        ask = sa.select(LINE.c.fault).where(LINE.c.study == study_id)
        return self.patiently(lambda connection: connection.execute(ask).scalar()) or ""

    def waiting(self) -> list[str]:
        """Studies in the line that can go on, the first first."""
        ask = (
            sa.select(LINE.c.study)
            .join(STUDIES, STUDIES.c.id == LINE.c.study)  # one may be deleted meanwhile
            .where(LINE.c.fault == "")
            .order_by(LINE.c.asked, LINE.c.study)
        )
        return self.patiently(lambda connection: list(connection.execute(ask).scalars()))

    def of_anybody(self, study_id: str) -> Study | None:
        """Study of whoever asked for it, None if there is none."""
        ask = sa.select(STUDIES.c.text).where(STUDIES.c.id == study_id)
        text = self.patiently(lambda connection: connection.execute(ask).scalar())
        return None if text is None else study_of(text, self.tables(study_id))

    def standing(self, study_id: str, owner: str) -> StudyStanding | None:
        """Progress of a study of this owner, None if there is none."""
        if self.state_for(study_id, owner) is None:
            return None

        def look(connection: sa.Connection) -> StudyStanding:
            state = connection.execute(sa.select(STUDIES.c.state).where(STUDIES.c.id == study_id))
            counts = sa.select(FOLDS.c.state, sa.func.count()).select_from(
                LINKS.outerjoin(FOLDS, FOLDS.c.key == LINKS.c.key)
            )
            counts = counts.where(LINKS.c.study == study_id).group_by(FOLDS.c.state)
            n = dict(map(tuple, connection.execute(counts)))
            own = sa.select(LINE.c.asked, LINE.c.fault).where(LINE.c.study == study_id)
            waits = connection.execute(own).fetchone()
            place = 0
            if waits is not None and not waits[1]:
                ahead = sa.select(sa.func.count()).select_from(LINE)
                ahead = ahead.where(LINE.c.fault == "", LINE.c.asked < waits[0])
                place = 1 + connection.execute(ahead).scalar_one()
            fault = waits[1] if waits is not None else ""
            done, failed = n.get("done", 0), n.get("failed", 0)
            return StudyStanding(
                state.scalar() or "cancelled", done, failed, sum(n.values()), place, fault
            )

        return self.patiently(look)

    def names(self, owner: str) -> list[tuple[str, str, float]]:
        """Stored name, display name and start of an owner's studies.

        The newest comes first.

        Nothing is counted: it is as quick for many folds.
        """
        ask = (
            sa.select(STUDIES.c.id, STUDIES.c.name, STUDIES.c.begun)
            .where(STUDIES.c.owner == _hidden(owner))
            .order_by(STUDIES.c.begun.desc())
        )
        return self.patiently(lambda connection: [tuple(r) for r in connection.execute(ask)])

    def state_for(self, study_id: str, owner: str) -> str | None:
        """State of a study of this owner, None if there is none."""
        ask = sa.select(STUDIES.c.state).where(
            STUDIES.c.id == study_id, STUDIES.c.owner == _hidden(owner)
        )
        return self.patiently(lambda connection: connection.execute(ask).scalar())

    def n_folds(self) -> dict[str, int]:
        """Number of folds in the store, of all studies, by their state."""
        ask = sa.select(FOLDS.c.state, sa.func.count()).group_by(FOLDS.c.state)
        return dict(self.patiently(lambda connection: [tuple(r) for r in connection.execute(ask)]))

    # Tables

    def hand_in(self, study_id: str, tables: Mapping[str, tuple[Dataset, str]]) -> None:
        """Keep the tables of a study, by key, each with the scene that shows it."""
        for key, (dataset, scene) in tables.items():
            row = {"study": study_id, "key": key, "scene": scene, "content": pack_dataset(dataset)}
            insert = self.insert(HANDED_IN).values(row).on_conflict_do_nothing()
            self.patiently(lambda connection, insert=insert: connection.execute(insert))

    def tables(self, study_id: str) -> dict[str, str]:
        """Scene of each table of a study, by key."""
        ask = sa.select(HANDED_IN.c.key, HANDED_IN.c.scene).where(HANDED_IN.c.study == study_id)
        return dict(self.patiently(lambda connection: [tuple(r) for r in connection.execute(ask)]))

    def given(self, study_id: str, keys: Iterable[str] | None = None) -> dict[str, Dataset]:
        """Tables of a study, by key: all, or those asked for."""
        return {key: unpack_dataset(content) for key, content in self._contents(study_id, keys)}

    def sizes(self, study_id: str) -> dict[str, tuple[int, int]]:
        """Numbers of rows and of features of the tables of a study, by key."""
        return {key: size_of(content) for key, content in self._contents(study_id)}

    def _contents(
        self, study_id: str, keys: Iterable[str] | None = None
    ) -> list[tuple[str, bytes]]:
        ask = sa.select(HANDED_IN.c.key, HANDED_IN.c.content)
        ask = ask.where(HANDED_IN.c.study == study_id)
        if keys is not None:
            ask = ask.where(HANDED_IN.c.key.in_(list(keys)))
        rows = self.patiently(lambda connection: connection.execute(ask).fetchall())
        return [(key, bytes(content)) for key, content in rows]

    def n_bytes(self, study_id: str) -> int:
        """Bytes of a study's text and tables; its folds are a few numbers each."""
        text = sa.select(sa.func.length(STUDIES.c.text)).where(STUDIES.c.id == study_id)
        tables = sa.select(sa.func.sum(sa.func.length(HANDED_IN.c.content)))
        tables = tables.where(HANDED_IN.c.study == study_id)
        queries = (text, tables)
        return sum(
            self.patiently(
                lambda connection: [connection.execute(ask).scalar() or 0 for ask in queries]
            )
        )

    def table_of(self, key: str, owner: str) -> tuple[Dataset, str] | None:
        """Table of any study of this owner, and its scene; None if there is none."""
        ask = (
            sa.select(HANDED_IN.c.content, HANDED_IN.c.scene)
            .join(STUDIES, STUDIES.c.id == HANDED_IN.c.study)
            .where(HANDED_IN.c.key == key, STUDIES.c.owner == _hidden(owner))
            .limit(1)
        )
        row = self.patiently(lambda connection: connection.execute(ask).fetchone())
        return None if row is None else (unpack_dataset(bytes(row[0])), row[1])

    def expected(self, cells: Iterable[Cell]) -> Estimate:
        """Time that a plan takes on one core, by earlier folds; nothing is noted."""
        cells = tuple(cells)
        keys = {task.key for cell in cells for _, task in cell.tasks}
        return time_left(cells, self.finished_among(keys), self.usual_seconds())

    def finished_among(self, keys: Iterable[str]) -> set[str]:
        """Those of these folds that are finished, whatever study they belong to."""
        keys, found = list(keys), set()
        for begin in range(0, len(keys), AT_ONCE):
            ask = sa.select(FOLDS.c.key).where(FOLDS.c.key.in_(keys[begin : begin + AT_ONCE]))
            found |= self.patiently(
                lambda connection, ask=ask: set(connection.execute(ask).scalars())
            )
        return found


def _hidden(owner: str) -> str:
    """Hash that stands for an owner's token in the database, which need not know it."""
    return hashlib.sha256(owner.encode()).hexdigest() if owner else ""


def _or_null(value: float | None) -> float | None:
    return None if value is None or value != value else float(value)


def _points(cells: Sequence[Cell]) -> dict[tuple[int, int], str]:
    found = {}
    for cell in cells:
        for point, task in cell.tasks:
            if (cell.number, point) not in found:
                params = [dict(one) for one in task.points]
                found[cell.number, point] = json.dumps(params if len(params) > 1 else params[0])
    return found
