"""Compile every kernel once: ``python -m lastviz.warm_up``.

The machine code is kept in a folder, so that no later process compiles. It is made in parts, one
for each algorithm, in the order in which readers are likely to ask for them; which are made is
noted by :mod:`lastviz.preparation`, whose child does this work while a server answers already.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path

import numpy as np
from numba.core import event
from numba.core.registry import cpu_target

from ._machine_code import read
from ._numba import wait_for_machine_code
from ._params import Param
from ._system import end_with_coordinator, free_memory, memory_in_use, n_processors
from ._tiers import Kernel, compile_wish
from .criteria import CRITERIA
from .estimators import ESTIMATORS, REGRESSORS
from .inspection import (
    candidate_table,
    feature_gains,
    landscape,
    lookahead,
    near_best_trees,
    stability,
    tied_ranks,
    tree_diff,
)
from .preparation import is_prepared, note_prepared, wishes
from .pruning import PRUNERS, HeldOutRows, TrainingRows
from .splitters import CandidateTable, Presorted, presort

# Forked, a process needs a moment and a hundred megabytes; elsewhere it imports all of this anew.
CONTEXT = get_context("fork" if sys.platform == "linux" else "spawn")
MOST_PROCESSES = 4  # more would mostly wait for what another one compiles
ROOM = 500_000_000  # bytes of memory for a process, which takes half of it, and for all else
GROWS = 80_000_000  # bytes after which another process goes on
GO_ON = 3  # the status of a process that has not done all of its work
STAYS = 5.0  # seconds for which the child waits to be asked for more
NAP = 0.5  # seconds between two looks

ALGORITHMS = ESTIMATORS | REGRESSORS
COMMON = "common"
"""The part that measures and sorts columns, for all algorithms and pages."""
TABLE = "table"
"""The part that scores all candidates of a node by every criterion."""
MATCHING = "matching"
"""The part that finds the nodes of one tree in another and lays the two over each other."""
LANDSCAPE = "landscape"
"""The part that scores all lines of a plane, looks two levels ahead and counts trees."""
PRUNING = "pruning"
"""The part that cuts a tree back in every way."""
MORE = ".more"  # after an algorithm: parameters and features that have kernels of their own

# What pages open with, the longest first, and no two beside each other that share much: as a rule
# two are compiled at a time.
FIRST = (
    *("cart", "oc1", "c45", "hybrid", "cart_regressor"),
    *("id3", "optimal", "svm_tree", "gsodt", "remt"),
)
DEFAULTS: Mapping[str, object] = {}


def warm_up(parts: Sequence[str] | None = None) -> None:
    """Compile or load parts of the kernels by a run on few rows.

    All :data:`PARTS` by default.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(np.intp)
    y[:6] = 1 - y[:6]
    with wait_for_machine_code():
        for part in PARTS if parts is None else parts:
            PARTS[part](X, y)


def _run_common(X: np.ndarray, y: np.ndarray) -> None:
    """Sort columns, take rows, measure the gain of each feature, rank scores."""
    presorted = presort(X)
    presorted.take(np.arange(30))
    feature_gains(presorted, y, 2)
    tied_ranks(X)


def _run(key: str, X: np.ndarray, y: np.ndarray, params: Mapping[str, object] = DEFAULTS) -> None:
    """Fit, replay and apply an algorithm on numbers."""
    cls = ALGORITHMS[key].cls
    if cls.TAGS.forest:
        for columns in (X, np.c_[X, X[:, :1]]):  # rows are compared differently beyond 2
            cls(**params).fit(columns, y).predict(columns)
    else:
        _fit_and_replay(cls(**params), X, y, presort(X))


def _run_more(key: str, X: np.ndarray, y: np.ndarray) -> None:
    """Run all parameters that have kernels of their own, also on other features."""
    cls = ALGORITHMS[key].cls
    for params in _variants(cls):
        _run(key, X, y, params)
    if _treats_nominal(cls):
        mixed = np.column_stack([X[:, 0], np.round(X[:, 1])])
        if cls.TAGS.missing:
            mixed[::7] = np.nan
        _fit_and_replay(cls(categorical_features=[1], min_samples_leaf=1), mixed, y)


def _run_table(X: np.ndarray, y: np.ndarray) -> None:
    """Score the candidates of a root by every criterion of the package."""
    ours = [name for name in CRITERIA if _is_compiled(name)]
    candidate_table(presort(X), y, np.arange(len(y)), 2, criteria=ours)


def _run_matching(X: np.ndarray, y: np.ndarray) -> None:
    """Match the nodes of a tree with themselves and with those of a refit."""
    estimator = ALGORITHMS["cart"].cls().fit(X, y)
    tree_diff(estimator.tree_, estimator.tree_, X)
    next(stability(estimator, X, y))


def _run_landscape(X: np.ndarray, y: np.ndarray) -> None:
    """Look ahead, count near-best trees, score the lines of a plane."""
    rows = np.arange(len(y))
    lookahead(presort(X), y, rows, 2)
    near_best_trees(X, y, tolerance=0.1).tree(0)
    for criterion, directions in (("gini", None), ("gini", 2), ("bnm", 2), ("csn", 2)):
        landscape(X, y, rows, 2, (0, 1), criterion, directions=directions)


def _run_pruning(X: np.ndarray, y: np.ndarray) -> None:
    """Cut a tree back by every pruner."""
    grown = ALGORITHMS["cart"].cls().fit(X, y).tree_
    rows = {
        "training": TrainingRows(X.T.copy(), y, lambda counts: np.zeros(len(counts))),
        "held_out": HeldOutRows(X, y),
    }
    for pruner in PRUNERS.values():
        pruner.prune(grown, **rows)


def _fit_and_replay(
    estimator: object, X: np.ndarray, y: np.ndarray, presorted: Presorted | None = None
) -> None:
    beside = {} if presorted is None else {"presorted": presorted}
    estimator.fit(X, y, **beside)
    splitter = estimator.splitter(X, y, *beside.values())
    found = splitter.search(splitter.root())
    if isinstance(found, CandidateTable):
        _ = found.threshold, found.left_counts  # which may be made when they are read
    estimator.predict(X)


def _variants(cls: type) -> list[dict[str, object]]:
    """Parameters that together run all kernels of an algorithm."""
    declared: tuple[Param, ...] = cls.PARAMS
    offered = [c for p in declared if p.name == "criterion" for c in p.choices]
    variants = [{"criterion": c} for c in offered if _is_compiled(c)]
    variants += [{"dominance": d} for p in declared if p.name == "dominance" for d in p.choices]
    variants += [{"monotone": True} for p in declared if p.name == "monotone"]
    variants += [{"n_jobs": 2} for name in cls.OTHER_PARAMS if name == "n_jobs"]
    variants += [{"bias": bias} for p in declared if p.name == "bias" for bias in (True, False)]
    return variants


def _is_compiled(criterion: str) -> bool:
    """Whether a criterion is the package's own.

    Others are functions, which may fail.
    """
    return criterion not in CRITERIA or CRITERIA[criterion].code is not None


def _treats_nominal(cls: type) -> bool:
    return cls.TAGS.nominal and "categorical_features" in cls.OTHER_PARAMS


def _parts() -> dict[str, Callable[[np.ndarray, np.ndarray], None]]:
    """All parts in their order, each with the function that runs its kernels."""
    others = [key for key in ALGORITHMS if key not in FIRST]
    parts: dict[str, Callable[[np.ndarray, np.ndarray], None]] = {COMMON: _run_common}
    parts |= {key: partial(_run, key) for key in (*FIRST, *others)}
    parts |= {MATCHING: _run_matching, LANDSCAPE: _run_landscape}
    parts |= {PRUNING: _run_pruning, TABLE: _run_table}
    return parts | _more([*FIRST, *others])


def _more(keys: Sequence[str]) -> dict[str, Callable[[np.ndarray, np.ndarray], None]]:
    return {
        f"{key}{MORE}": partial(_run_more, key)
        for key in keys
        if _variants(ALGORITHMS[key].cls) or _treats_nominal(ALGORITHMS[key].cls)
    }


PARTS = _parts()


def prepare() -> None:
    """Compile the missing kernels as fast as the machine can, and report it."""
    begin = time.perf_counter()
    if not is_prepared():
        print("Compiling the kernels, once: this takes a minute or two ...", flush=True)
        compile_beside(everything=True)
    warm_up()
    print(f"The kernels are ready ({time.perf_counter() - begin:.1f} s).", flush=True)


def compile_beside(*, everything: bool) -> int:
    """Compile the requested units and, if `everything`, the missing parts one by one.

    Each unit of work is compiled by a process of its own, which gives its memory back; a large one
    by several, each of which goes on with what those before have kept. A part that fails is left to
    who needs it.

    Returns
    -------
    int
        The exit status, 1 if something failed.
    """
    left = [part for part in PARTS if not is_prepared(part)] if everything else []
    working: dict[BaseProcess, str | Path] = {}
    failed = 0
    for context in (cpu_target.typing_context, cpu_target.target_context):
        context.refresh()  # reads numba's own tables, which a first kernel would
    gc.collect()
    gc.freeze()  # what is here by now is shared with the processes that are forked from it
    last = time.monotonic()
    while left or working or wishes() or time.monotonic() - last < STAYS * (not everything):
        while len(working) < most_at_once() and (unit := _next_unit(left, working.values())):
            process = CONTEXT.Process(target=_compile, args=(unit,))
            process.start()
            working[process] = unit
        if working:
            wait([process.sentinel for process in working], NAP)
        else:
            time.sleep(NAP)
        for process in [each for each in working if not each.is_alive()]:
            last, unit = time.monotonic(), working.pop(process)
            failed += process.exitcode not in (0, GO_ON)
            if isinstance(unit, Path):
                if process.exitcode != GO_ON:
                    unit.unlink(missing_ok=True)
            elif process.exitcode == GO_ON:
                left.insert(0, unit)
            elif process.exitcode == 0:
                note_prepared(unit)
    if everything and not failed:
        note_prepared()
    return int(failed > 0)


def _next_unit(left: list[str], working: Iterable[str | Path]) -> str | Path | None:
    """Next unit to compile: one that a process waits for, else the next part."""
    asked = next((wish for wish in wishes() if wish not in working), None)
    return asked or (left.pop(0) if left else None)


def most_at_once() -> int:
    """Number of processes that may compile: one per processor, if memory allows."""
    return max(1, min(n_processors(), MOST_PROCESSES, free_memory() // ROOM))


def _compile(unit: str | Path) -> None:
    """Compile a part, or the kernels requested in a file."""
    end_with_coordinator()
    event.register("numba:compile", StopWarming())
    if not isinstance(unit, Path):
        warm_up([unit])
    elif (wish := read(unit)) is not None:  # nobody else has written it
        compile_wish(wish)


class StopWarming(event.Listener):
    """Listener that ends a process that has grown, once it has saved a kernel.

    numba gives no memory back.
    """

    def __init__(self) -> None:
        self._before, self._has_saved = memory_in_use(), False

    def on_start(self, event: event.Event) -> None:
        """End the process, to go on in a new one, if compiling has used too much memory."""
        if self._has_saved and memory_in_use() - self._before > GROWS:
            os._exit(GO_ON)

    def on_end(self, event: event.Event) -> None:
        """Note that a kernel is compiled."""
        self._has_saved |= isinstance(event.data["dispatcher"], Kernel)


if __name__ == "__main__":
    prepare()
