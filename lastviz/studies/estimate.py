"""How far a study is, and how long it takes by the seconds of earlier folds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from .tasks import Cell, facts_of


@dataclass(frozen=True)
class Standing:
    """How far a study is."""

    state: str  # str, one of :data:`lastviz.studies.store.STATES`
    n_done: int
    n_failed: int
    n_folds: int
    place: int  # in the line, from 1; 0 if it does not stand there
    fault: str  # why it cannot go on, "" if it can

    @property
    def goes_on(self) -> bool:
        """Whether it is computed, or waits for its turn."""
        return self.place > 0


@dataclass(frozen=True)
class Estimate:
    """How long a study takes."""

    seconds: float  # of the clock, for what is left; cells without an earlier fold do not count
    n_left: int  # folds to compute, and all
    n_folds: int  # folds to compute, and all
    n_unknown: int  # folds to compute in cells of which no fold is known


def time_left(
    cells: Iterable[Cell],
    known: Collection[str],
    usual: Mapping[tuple[str, str, str], float],
    n_workers: int = 1,
) -> Estimate:
    """Return how long a plan takes whose `known` folds are finished, by usual seconds of folds."""
    tasks = {task.key: task for cell in cells for _, task in cell.tasks}
    left = [task for key, task in tasks.items() if key not in known]
    seconds = [usual.get(facts_of(task)) for task in left]
    spent = sum(one for one in seconds if one is not None)
    return Estimate(spent / max(n_workers, 1), len(left), len(tasks), seconds.count(None))
