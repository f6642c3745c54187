"""Who works and who waits: in the order of arrival for each visitor, and visitors in turn.

Every visitor has a count of turns. The first of a visitor's jobs that wait stands in the round
that this count names, the next in the round after it, and so on; the earlier round goes first, and
within a round who came first. So whoever comes with one job waits for one job of each other visitor
at most, however many those have brought. Who comes anew begins in the round that is on now, so
nobody saves turns up. Jobs that nobody looks at stand behind all others.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Protocol

NUMBER = attrgetter("number")


class Worker(Protocol):
    """What stands in line.

    Attributes
    ----------
    number : int
        When it came; no two have the same.
    visitor : str
        Whose turn it takes.
    is_looked_at : bool
        Whether anybody waits for it.
    """

    number: int
    visitor: str
    is_looked_at: bool


class Line:
    """Those that work, and those that wait until one of them is ready.

    Parameters
    ----------
    most_at_once : int
        How many may work at a time.
    """

    def __init__(self, most_at_once: int) -> None:
        self._most_at_once = most_at_once
        self._round = 0
        self._turns: dict[str, int] = {}
        self._since: dict[Worker, int] = {}  # the round that was on when it came
        self._working: set[Worker] = set()

    def __iter__(self) -> Iterator[Worker]:
        """Return all that work or wait, in the order in which they joined."""
        return iter(list(self._since))

    def __contains__(self, worker: Worker) -> bool:
        """Tell whether a worker works or waits."""
        return worker in self._since

    def works(self, worker: Worker) -> bool:
        """Tell whether it is a worker's turn."""
        return worker in self._working

    def join(self, worker: Worker) -> None:
        """Let a worker stand in line, if it does not yet."""
        if worker not in self._since:
            self._since[worker] = self._round
            self.settle()

    def leave(self, worker: Worker) -> None:
        """Let a worker go, if it stands in line."""
        if self._since.pop(worker, None) is not None:
            self._working.discard(worker)
            self.settle()

    def place(self, worker: Worker) -> int:
        """Return how many turns it is until a worker's, if nobody comes or goes; 0 if it works."""
        waiting = [other for _, other in self._in_order()]
        return waiting.index(worker) + 1 if worker in waiting else 0

    def settle(self) -> None:
        """Let as many work as may; those that nobody looks at give way to those somebody does."""
        waiting = self._in_order()
        idle = sorted((w for w in self._working if not w.is_looked_at), key=NUMBER)
        for turn, worker in waiting:
            if len(self._working) >= self._most_at_once:
                if not idle or not worker.is_looked_at:
                    break
                self._working.discard(idle.pop())
            self._working.add(worker)
            self._round = max(self._round, turn)
            self._turns[worker.visitor] = turn + 1
        there = {worker.visitor for worker in self._since}
        self._turns = {v: n for v, n in self._turns.items() if n > self._round or v in there}

    def _in_order(self) -> list[tuple[int, Worker]]:
        """Return those that wait in the order of their turns, each with its round."""
        turns = dict(self._turns)
        waiting = [worker for worker in self._since if worker not in self._working]
        order = []
        for worker in sorted(waiting, key=lambda each: (not each.is_looked_at, each.number)):
            turn = max(self._since[worker], turns.get(worker.visitor, 0))
            turns[worker.visitor] = turn + 1
            order.append((not worker.is_looked_at, turn, worker.number, worker))
        order.sort(key=lambda each: each[:3])
        return [(turn, worker) for _, turn, _, worker in order]
