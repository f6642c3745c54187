"""Results of studies in a database: SQLite, or PostgreSQL where LASTVIZ_STORE says so.

A fold is one row under the key of its task; studies point to rows, and share them. A row that is
being computed is held by lease: whoever holds it when the lease runs out has lost it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

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
    hidden,
    sa,
)
from .study import Study, study_of
from .tasks import Cell, Outcome, Task

__all__ = ["FIGURES", "STATES", "Store", "StoreError", "StudyRow", "address_of_store"]

STATES = ("ready", "running", "paused", "cancelled", "done")
AT_ONCE = 5_000  # rows of a statement


@dataclass(frozen=True)
class StudyRow:
    """A stored study: `n_done` and `n_failed` of `n_folds` are known; `begun` in Unix seconds."""

    id: str
    name: str
    state: str
    begun: float
    n_folds: int
    n_done: int
    n_failed: int


class Store(Database):
    """A database of studies and folds.

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

    def register(self, study: Study, cells: Sequence[Cell], owner: str = "") -> str:
        """Note a study and its plan, once; return its name.

        Raises
        ------
        ValueError
            If a cell that had folds cannot be computed any more: a study never shrinks silently.
        """
        study_id = study.id_for(hidden(owner))
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
                **{"id": study_id, "owner": hidden(owner), "name": study.name},
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
        """Note one of :data:`STATES`; a coordinator that sees "paused" or "cancelled" ends."""
        if state not in STATES:
            raise ValueError(f"state must be one of {', '.join(STATES)}, got {state!r}")
        change = STUDIES.update().where(STUDIES.c.id == study_id).values(state=state)
        self.patiently(lambda connection: connection.execute(change))

    def state(self, study_id: str) -> str | None:
        """Return one of :data:`STATES`, None if there is no such study."""
        ask = sa.select(STUDIES.c.state).where(STUDIES.c.id == study_id)
        return self.patiently(lambda connection: connection.execute(ask).scalar())

    def study(self, study_id: str, owner: str = "", given: Sequence[str] = ()) -> Study:
        """Return a study of this owner; ``ValueError`` if there is none."""
        return study_of(self._text(study_id, owner), given)

    def _text(self, study_id: str, owner: str) -> str:
        ask = sa.select(STUDIES.c.text).where(
            STUDIES.c.id == study_id, STUDIES.c.owner == hidden(owner)
        )
        text = self.patiently(lambda connection: connection.execute(ask).scalar())
        if text is None:
            raise ValueError(f"There is no study {study_id!r} here; `list` shows those there are.")
        return text

    def studies(self, owner: str = "") -> list[StudyRow]:
        """Return the studies of an owner, the newest first."""
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
            .where(STUDIES.c.owner == hidden(owner))
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

    # Folds

    def finished(self, study_id: str) -> dict[str, str]:
        """Return the state, "done" or "failed", of each fold of a study that is finished."""
        ask = (
            sa.select(FOLDS.c.key, FOLDS.c.state)
            .join(LINKS, LINKS.c.key == FOLDS.c.key)
            .where(LINKS.c.study == study_id, FOLDS.c.state != "leased")
        )
        return dict(self.patiently(lambda connection: [tuple(r) for r in connection.execute(ask)]))

    def claim(self, tasks: Sequence[Task], holder: str, lease: float) -> set[str]:
        """Take those of these tasks that nobody has finished or holds; return their keys.

        They are held for `lease` seconds.
        """
        keys = [task.key for task in tasks]

        def take(connection: sa.Connection) -> set[str]:
            now = self.now(connection)
            rows = [
                {
                    **{"key": t.key, "algorithm": t.algorithm, "data": t.data},
                    **{"protocol": t.protocol, "version": t.version},
                    **{"state": "leased", "holder": holder, "expires": now + lease},
                }
                for t in sorted(tasks, key=lambda task: task.key)
            ]
            connection.execute(self.insert(FOLDS).on_conflict_do_nothing(), rows)
            here = FOLDS.c.key.in_(keys) & (FOLDS.c.state == "leased")
            stale = here & (FOLDS.c.expires < now)
            connection.execute(
                FOLDS.update().where(stale).values(holder=holder, expires=now + lease)
            )
            mine = sa.select(FOLDS.c.key).where(here, FOLDS.c.holder == holder)
            return set(connection.execute(mine).scalars())

        return self.patiently(take) if keys else set()

    def holders(self) -> list[str]:
        """Return who holds folds."""
        ask = sa.select(FOLDS.c.holder).where(FOLDS.c.state == "leased").distinct()
        return self.patiently(lambda connection: list(connection.execute(ask).scalars()))

    def renew(self, holder: str, lease: float) -> None:
        """Hold what is held for another `lease` seconds."""
        mine = (FOLDS.c.holder == holder) & (FOLDS.c.state == "leased")

        def hold(connection: sa.Connection) -> None:
            until = self.now(connection) + lease
            connection.execute(FOLDS.update().where(mine).values(expires=until))

        self.patiently(hold)

    def release(self, holder: str) -> None:
        """Give back what is held and not finished."""
        mine = (FOLDS.c.holder == holder) & (FOLDS.c.state == "leased")
        self.patiently(lambda connection: connection.execute(FOLDS.delete().where(mine)))

    def save(self, outcomes: Iterable[Outcome]) -> None:
        """Store what came of tasks that were claimed; a fold that is finished stays as it is."""
        rows = [
            {
                "its_key": outcome.key,
                "state": "failed" if outcome.reason else "done",
                **{"holder": None, "expires": None, "reason": outcome.reason or None},
                **{"chosen": outcome.chosen or None, "seconds": outcome.seconds},
                **{name: _or_null(outcome.figures.get(name)) for name in FIGURES},
            }
            for outcome in outcomes
        ]
        if not rows:
            return
        change = FOLDS.update().where(
            FOLDS.c.key == sa.bindparam("its_key"), FOLDS.c.state == "leased"
        )
        self.patiently(lambda connection: connection.execute(change, rows))

    def forget_failed(self, study_id: str) -> None:
        """Let failed folds of a study be computed again."""
        own = sa.select(LINKS.c.key).where(LINKS.c.study == study_id)
        failed = FOLDS.delete().where(FOLDS.c.state == "failed", FOLDS.c.key.in_(own))
        self.patiently(lambda connection: connection.execute(failed))

    def usual_seconds(self) -> dict[tuple[str, str, str], float]:
        """Return the mean seconds of a fold by (algorithm, protocol, data).

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
        """Return the cells of a study: cell, algorithm, dataset, reason (why it cannot run)."""
        ask = (
            sa.select(CELLS.c.cell, CELLS.c.algorithm, CELLS.c.dataset, CELLS.c.reason)
            .where(CELLS.c.study == study_id)
            .order_by(CELLS.c.cell)
        )
        return self.frame(ask)

    def folds(self, study_id: str) -> pd.DataFrame:
        """Return the finished folds of a study, one row each, in the order of the study.

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
            .where(LINKS.c.study == study_id, FOLDS.c.state != "leased")
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
