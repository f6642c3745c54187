"""The line of studies that a server computes, and the tables that were handed in for them.

A study that stands in the line is meant to go on, whatever ends in between; one that is paused,
cancelled or done has left it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lastviz.datasets import Dataset

from .database import FOLDS, HANDED_IN, LINE, LINKS, STUDIES, HiddenOwner, hidden, sa
from .kept_data import packed, size_of, unpacked
from .store import AT_ONCE, Store
from .study import Study, study_of
from .tasks import Cell, Estimate, Standing, time_left


class StudyLine(Store):
    """A store whose studies wait in a line, first come first served."""

    def join(self, study_id: str) -> None:
        """Put a study at the end of the line; one that waits already keeps its place."""

        def note(connection: sa.Connection) -> None:
            row = {"study": study_id, "asked": self.now(connection), "fault": ""}
            waits = LINE.c.fault == ""
            connection.execute(LINE.delete().where(LINE.c.study == study_id, ~waits))
            connection.execute(self.insert(LINE).values(row).on_conflict_do_nothing())

        self.patiently(note)

    def step_back(self, study_id: str) -> None:
        """Let all who wait go first."""

        def note(connection: sa.Connection) -> None:
            change = LINE.update().where(LINE.c.study == study_id)
            connection.execute(change.values(asked=self.now(connection)))

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
        """Return why a study cannot go on, "" if it can."""
        ask = sa.select(LINE.c.fault).where(LINE.c.study == study_id)
        return self.patiently(lambda connection: connection.execute(ask).scalar()) or ""

    def waiting(self) -> list[str]:
        """Return the studies in the line that can go on, the first first."""
        ask = (
            sa.select(LINE.c.study)
            .join(STUDIES, STUDIES.c.id == LINE.c.study)  # one may be deleted meanwhile
            .where(LINE.c.fault == "")
            .order_by(LINE.c.asked, LINE.c.study)
        )
        return self.patiently(lambda connection: list(connection.execute(ask).scalars()))

    def of_anybody(self, study_id: str) -> tuple[Study, HiddenOwner] | None:
        """Return a study and what stands for its owner, None if there is none."""
        ask = sa.select(STUDIES.c.text, STUDIES.c.owner).where(STUDIES.c.id == study_id)
        row = self.patiently(lambda connection: connection.execute(ask).fetchone())
        if row is None:
            return None
        return study_of(row[0], self.tables(study_id)), HiddenOwner(row[1])

    def standing(self, study_id: str, owner: str) -> Standing | None:
        """Return how far a study of this owner is, None if there is none."""
        if self.state_for(study_id, owner) is None:
            return None

        def look(connection: sa.Connection) -> Standing:
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
            return Standing(
                state.scalar() or "cancelled", done, failed, sum(n.values()), place, fault
            )

        return self.patiently(look)

    def names(self, owner: str) -> list[tuple[str, str, float]]:
        """Return name in the store, name for people and begin of an owner's studies, newest first.

        Nothing is counted: it is as quick for many folds.
        """
        ask = (
            sa.select(STUDIES.c.id, STUDIES.c.name, STUDIES.c.begun)
            .where(STUDIES.c.owner == hidden(owner))
            .order_by(STUDIES.c.begun.desc())
        )
        return self.patiently(lambda connection: [tuple(r) for r in connection.execute(ask)])

    def state_for(self, study_id: str, owner: str) -> str | None:
        """Return the state of a study of this owner, None if there is none."""
        ask = sa.select(STUDIES.c.state).where(
            STUDIES.c.id == study_id, STUDIES.c.owner == hidden(owner)
        )
        return self.patiently(lambda connection: connection.execute(ask).scalar())

    def n_folds(self) -> dict[str, int]:
        """Return how many folds the store has, of all studies, by their state."""
        ask = sa.select(FOLDS.c.state, sa.func.count()).group_by(FOLDS.c.state)
        return dict(self.patiently(lambda connection: [tuple(r) for r in connection.execute(ask)]))

    # Tables

    def hand_in(self, study_id: str, tables: Mapping[str, tuple[Dataset, str]]) -> None:
        """Keep the tables of a study, by key, each with the scene that shows it."""
        for key, (dataset, scene) in tables.items():
            row = {"study": study_id, "key": key, "scene": scene, "content": packed(dataset)}
            insert = self.insert(HANDED_IN).values(row).on_conflict_do_nothing()
            self.patiently(lambda connection, insert=insert: connection.execute(insert))

    def tables(self, study_id: str) -> dict[str, str]:
        """Return the scene of each table of a study, by key."""
        ask = sa.select(HANDED_IN.c.key, HANDED_IN.c.scene).where(HANDED_IN.c.study == study_id)
        return dict(self.patiently(lambda connection: [tuple(r) for r in connection.execute(ask)]))

    def given(self, study_id: str, keys: Iterable[str] | None = None) -> dict[str, Dataset]:
        """Return the tables of a study, by key: all, or those asked for."""
        return {key: unpacked(content) for key, content in self._contents(study_id, keys)}

    def sizes(self, study_id: str) -> dict[str, tuple[int, int]]:
        """Return the numbers of rows and of features of the tables of a study, by key."""
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
        """Return what a study's text and tables take; its folds are a few numbers each."""
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
        """Return a table of any study of this owner, and its scene; None if there is none."""
        ask = (
            sa.select(HANDED_IN.c.content, HANDED_IN.c.scene)
            .join(STUDIES, STUDIES.c.id == HANDED_IN.c.study)
            .where(HANDED_IN.c.key == key, STUDIES.c.owner == hidden(owner))
            .limit(1)
        )
        row = self.patiently(lambda connection: connection.execute(ask).fetchone())
        return None if row is None else (unpacked(bytes(row[0])), row[1])

    def expected(self, cells: Iterable[Cell]) -> Estimate:
        """Tell how long a plan takes on one core, by earlier folds; nothing is noted."""
        cells = tuple(cells)
        keys = {task.key for cell in cells for _, task in cell.tasks}
        return time_left(cells, self.finished_among(keys), self.usual_seconds())

    def finished_among(self, keys: Iterable[str]) -> set[str]:
        """Return those of these folds that are finished, whatever study they belong to."""
        keys, found = list(keys), set()
        for begin in range(0, len(keys), AT_ONCE):
            ask = sa.select(FOLDS.c.key).where(
                FOLDS.c.key.in_(keys[begin : begin + AT_ONCE]), FOLDS.c.state != "leased"
            )
            found |= self.patiently(
                lambda connection, ask=ask: set(connection.execute(ask).scalars())
            )
        return found
