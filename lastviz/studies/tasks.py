"""One fold of one cell as a task: its key, its rows, its random numbers, its figures.

All of it follows from the task and its data alone, so that any order and any machine give the
same figures.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from time import perf_counter, thread_time

import numpy as np
from threadpoolctl import ThreadpoolController

from lastviz._numba import wait_for_machine_code
from lastviz._sentences import Statement
from lastviz.datasets import Dataset, load_dataset

from .candidates import features_of, make, obstacle, version_of
from .folds import stratified_folds
from .memory import MEMORY, PeakMemory
from .metrics import measure
from .study import AlgorithmChoice, Pairs, Study, study_of

TIMES = ("fit_seconds", "predict_seconds")  # of the processor, in figures
COSTS = (*TIMES, MEMORY)  # figures of the machine, too
FEW = 60  # rows of a fit that loads what an algorithm needs
LONGEST_REASON = 500


@dataclass(frozen=True)
class Task:
    """One fold of one point of one cell."""

    algorithm: str  # its key
    # Parameters, complete; several where the fold chooses among them ("nested").
    points: tuple[Pairs, ...]
    unlabelled: bool
    data: str  # digest of the data set
    n_folds: int  # which rows are held out: fold `fold` of division `repeat`
    repeat: int  # which rows are held out: fold `fold` of division `repeat`
    fold: int  # which rows are held out: fold `fold` of division `repeat`
    seed: int  # which rows are held out: fold `fold` of division `repeat`
    inner_folds: int  # 0 if nothing is chosen
    version: str  # of the algorithm's figures
    key: str = field(init=False)

    def __post_init__(self) -> None:
        """Name the result: equal tasks have equal keys, whatever study they belong to."""
        facts = [
            *(self.algorithm, self.points, self.unlabelled, self.data, self.n_folds),
            *(self.repeat, self.fold, self.seed, self.inner_folds, self.version),
        ]
        digest = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
        object.__setattr__(self, "key", digest[:32])

    @property
    def protocol(self) -> str:
        """Protocol: "nested" if parameters are chosen inside the training rows."""
        return "nested" if self.inner_folds else "fixed"


@dataclass(frozen=True)
class Cell:
    """One algorithm on one data set."""

    number: int  # its place in the study
    algorithm: str  # what tables call them
    dataset: str  # what tables call them
    data: str  # digest of the data set, empty if it could not be loaded
    reason: str  # why nothing can be computed, empty if it can
    tasks: tuple[tuple[int, Task], ...]  # point of the grid, and task


@dataclass(frozen=True)
class Outcome:
    """Outcome of a task."""

    key: str  # of the task
    # dict of str to float, those of `lastviz.studies.metrics.measure` and `COSTS`; empty if it
    # failed.
    figures: Mapping[str, float]
    reason: str  # why it failed, one sentence; empty if it did not
    chosen: str  # the parameters that were chosen inside, as JSON; empty if none were
    seconds: float  # of the clock, all in all


def facts_of(task: Task) -> tuple[str, str, str]:
    """Factors of the time of a fold: algorithm, protocol, data."""
    return task.algorithm, task.protocol, task.data


def plan(
    study: Study, given: Mapping[str, Dataset] | None = None
) -> tuple[tuple[Cell, ...], dict[str, Dataset]]:
    """Cells of a study, and its data sets by digest.

    A data set that cannot be loaded, or an algorithm that does not fit it, makes a cell without
    tasks that says why.
    """
    loaded: dict[str, Dataset | str] = {}
    for choice in study.datasets:
        try:
            data = (given or {}).get(choice.key)
            loaded[choice.name] = data or load_dataset(choice.key, **dict(choice.params))
        except (ValueError, OSError) as error:
            loaded[choice.name] = _sentence(error)
    cells = []
    for name, data in loaded.items():
        for algorithm in study.algorithms:
            reason = data if isinstance(data, str) else _why_not(study, algorithm, data)
            tasks = () if reason else tuple(_tasks(study, algorithm, data.digest))
            digest = "" if isinstance(data, str) else data.digest
            cells.append(Cell(len(cells), algorithm.name, name, digest, reason or "", tasks))
    return tuple(cells), {d.digest: d for d in loaded.values() if isinstance(d, Dataset)}


def _why_not(study: Study, algorithm: AlgorithmChoice, data: Dataset) -> str | None:
    if data.n_samples < 2 * study.folds:
        return Statement(
            "{folds} folds need at least {least} rows, these data have {n}.",
            folds=study.folds, least=2 * study.folds, n=data.n_samples,
        )  # fmt: skip
    return obstacle(algorithm.key, data)


def _tasks(study: Study, algorithm: AlgorithmChoice, digest: str) -> Iterator[tuple[int, Task]]:
    points = algorithm.points()
    nested = study.protocol == "nested" and len(points) > 1
    sets = [points] if nested else [(point,) for point in points]
    version = version_of(algorithm.key)
    for repeat in range(study.repeats):
        for fold in range(study.folds):
            for place, chosen_from in enumerate(sets):
                yield (
                    place,
                    Task(
                        algorithm.key,
                        chosen_from,
                        algorithm.unlabelled,
                        digest,
                        study.folds,
                        repeat,
                        fold,
                        study.seed,
                        study.inner_folds if nested else 0,
                        version,
                    ),
                )


def _seed(*address: object) -> int:
    """32 bits that depend on an address alone."""
    digest = hashlib.sha256(json.dumps(address).encode()).digest()
    return int.from_bytes(digest[:4], "little")


def fold_of_rows(dataset: Dataset, n_folds: int, repeat: int, seed: int) -> np.ndarray:
    """Fold of each row in one division, (n_samples,), classes spread evenly.

    The same for all algorithms; it depends on the data, the number of the division and `seed`.
    """
    address = _seed("division", dataset.digest, n_folds, repeat, seed)
    if dataset.is_regression:
        order = np.random.default_rng(address).permutation(dataset.n_samples)
        return order % n_folds
    return stratified_folds(dataset.codes, n_folds, address)


def compute(task: Task, dataset: Dataset, *, weighs: bool = False) -> Outcome:
    """Compute one fold; an error becomes the reason of the outcome.

    The cost is that of the fit: once, or for "nested" once for each point and inner fold and
    once more.

    Parameters
    ----------
    task : Task
    dataset : Dataset
    weighs : bool, default False
        Whether its memory is measured, too; the process must do nothing else meanwhile.
    """
    with _controller(len(sys.modules)).limit(limits=1), wait_for_machine_code():
        _load(task, dataset)
        begin = perf_counter()
        try:
            figures, chosen = _weighed(task, dataset) if weighs else _figures(task, dataset)
        except Exception as error:  # any algorithm may fail on any data; the study goes on
            return Outcome(task.key, {}, _sentence(error), "", perf_counter() - begin)
        return Outcome(task.key, figures, "", chosen, perf_counter() - begin)


def _weighed(task: Task, dataset: Dataset) -> tuple[dict[str, float], str]:
    """Figures of a fold, its memory among them, and the parameters it chose."""
    features_of(task.algorithm, dataset)  # made once for all folds of the data
    with PeakMemory() as peak:
        figures, chosen = _figures(task, dataset)
    return {**figures, MEMORY: peak.megabytes}, chosen


_LOADED: set[str] = set()


def _load(task: Task, dataset: Dataset) -> None:
    """Load the libraries and kernels that an algorithm needs, once per process.

    This is done by a fit of few rows.
    """
    if task.algorithm in _LOADED:
        return
    _LOADED.add(task.algorithm)
    few = np.unique(np.linspace(0, dataset.n_samples - 1, FEW).astype(np.intp))
    with suppress(Exception):  # the fold itself will say what is wrong
        _fit_and_measure(task, task.points[0], dataset, few, few, 0)


@lru_cache(maxsize=1)
def _controller(n_modules: int) -> ThreadpoolController:
    """Controller that keeps libraries to one thread.

    After an import it looks for libraries anew.
    """
    return ThreadpoolController()


def _figures(task: Task, dataset: Dataset) -> tuple[dict[str, float], str]:
    fold = fold_of_rows(dataset, task.n_folds, task.repeat, task.seed)
    train, test = np.flatnonzero(fold != task.fold), np.flatnonzero(fold == task.fold)
    return figures_on(task, dataset, train, test, seed_of(task, dataset))


def seed_of(task: Task, dataset: Dataset) -> int:
    """Seed of all that is drawn in a task."""
    return _seed("model", dataset.digest, task.n_folds, task.repeat, task.fold, task.seed)


def figures_on(
    task: Task, dataset: Dataset, train: np.ndarray, test: np.ndarray, seed: int
) -> tuple[dict[str, float], str]:
    """Figures of a task trained on the rows `train`, and its choice as JSON.

    Parameters
    ----------
    train, test : ndarray of intp
        Rows of the data set.
    seed : int

    Raises
    ------
    ValueError
        Where the algorithm cannot learn from these rows.
    """
    if not task.inner_folds:
        return _fit_and_measure(task, task.points[0], dataset, train, test, seed), ""
    y = dataset.codes[train]
    if dataset.is_regression:
        inner = np.random.default_rng(seed).permutation(len(train)) % task.inner_folds
    else:
        inner = stratified_folds(y, task.inner_folds, seed)
    better, sign = ("rmse", -1.0) if dataset.is_regression else ("accuracy", 1.0)
    means = []
    for point in task.points:
        parts = [
            _fit_and_measure(task, point, dataset, train[inner != k], train[inner == k], seed)
            for k in range(task.inner_folds)
        ]
        means.append(sign * float(np.mean([part[better] for part in parts])))
    best = task.points[int(np.argmax(means))]
    return _fit_and_measure(task, best, dataset, train, test, seed), json.dumps(dict(best))


def _fit_and_measure(
    task: Task, point: Pairs, dataset: Dataset, train: np.ndarray, test: np.ndarray, seed: int
) -> dict[str, float]:
    features = features_of(task.algorithm, dataset)
    X, directions, _ = features
    y = dataset.y.to_numpy(np.float64) if dataset.is_regression else dataset.codes
    seen, held = (X[rows] if isinstance(X, np.ndarray) else X.iloc[rows] for rows in (train, test))
    estimator = make(task.algorithm, dict(point), dataset.task, features, seed)
    beside = {"unlabelled": held} if task.unlabelled else {}
    begin = thread_time()
    estimator.fit(seen, y[train], **beside)
    fitted = thread_time()
    predicted = estimator.predict(held)
    done = thread_time()
    order = range(dataset.n_classes) if dataset.ordered and not dataset.is_regression else None
    found = measure(estimator, held, y[test], dataset.task, order, directions, predicted=predicted)
    return {**found, TIMES[0]: fitted - begin, TIMES[1]: done - fitted}


def _sentence(error: BaseException) -> str:
    text = " ".join(str(error).split()) or "no reason given"
    if not isinstance(error, ValueError):
        text = f"{type(error).__name__}: {text}"
    return text[:LONGEST_REASON]


# ---- How far a study is, and how long it takes by the seconds of earlier folds


@dataclass(frozen=True)
class StudyStanding:
    """Progress of a study and its place in the queue."""

    state: str  # str, one of :data:`lastviz.studies.store.STATES`
    n_done: int
    n_failed: int
    n_folds: int
    place: int  # in the line, from 1; 0 if it does not stand there
    fault: str  # why it cannot go on, "" if it can

    @property
    def goes_on(self) -> bool:
        """Whether the study is being computed or waits for its turn."""
        return self.place > 0


@dataclass(frozen=True)
class Estimate:
    """Expected duration of a study."""

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
    """Expected time left for a plan whose `known` folds are finished.

    It is based on the usual seconds of folds.
    """
    tasks = {task.key: task for cell in cells for _, task in cell.tasks}
    left = [task for key, task in tasks.items() if key not in known]
    seconds = [usual.get(facts_of(task)) for task in left]
    spent = sum(one for one in seconds if one is not None)
    return Estimate(spent / max(n_workers, 1), len(left), len(tasks), seconds.count(None))


# ---- One fold, computed where this is imported: workers forked from there need not load libraries
#
# Compiled kernels alone: what has used threads of OpenMP must not be forked.


_TEXT = '[[algorithms]]\nkey = "c45"\n[[algorithms]]\nkey = "cart"\n[[datasets]]\nkey = "iris"'

with suppress(Exception):  # it saves time, and must not end whoever imports it
    _CELLS, _DATA = plan(study_of(_TEXT))
    for _cell in _CELLS:
        compute(_cell.tasks[0][1], _DATA[_cell.data])
