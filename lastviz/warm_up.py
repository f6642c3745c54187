"""Compile every kernel once: ``python -m lastviz.warm_up``.

The machine code is kept in a folder, so that no later process compiles.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ._numba import is_compiled
from ._params import Param
from .estimators import ESTIMATORS, REGRESSORS
from .splitters import presort

__all__ = ["prepare", "warm_up"]

ROOT = Path(__file__).resolve().parent.parent
MOST_PROCESSES = 4  # more would mostly compile what another one compiles, too


ALGORITHMS = ESTIMATORS | REGRESSORS


def warm_up(algorithms: Sequence[str] = tuple(ALGORITHMS)) -> None:
    """Fit, replay and apply algorithms (keys of the registries) on a handful of rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(np.intp)
    y[:6] = 1 - y[:6]
    presorted = presort(X)
    presorted.take(np.arange(30))
    for entry in (ALGORITHMS[key] for key in algorithms):
        for params in _variants(entry.cls):
            if entry.cls.TAGS.forest:
                for columns in (X, np.c_[X, X[:, :1]]):  # rows are compared differently beyond 2
                    entry.cls(**params).fit(columns, y).predict(columns)
                continue
            estimator = entry.cls(**params).fit(X, y, presorted=presorted)
            splitter = estimator.splitter(X, y, presorted)
            splitter.search(splitter.root())
            estimator.predict(X)
        if entry.cls.TAGS.nominal and "categorical_features" in entry.cls.OTHER_PARAMS:
            _warm_up_mixed(entry.cls, X, y)


def _warm_up_mixed(cls: type, X: np.ndarray, y: np.ndarray) -> None:
    """Fit, replay and apply an algorithm on a numeric and a nominal feature."""
    mixed = np.column_stack([X[:, 0], np.round(X[:, 1])])
    if cls.TAGS.missing:
        mixed[::7] = np.nan
    estimator = cls(categorical_features=[1], min_samples_leaf=1).fit(mixed, y)
    splitter = estimator.splitter(mixed, y)
    splitter.search(splitter.root())
    estimator.predict(mixed)


def _variants(cls: type) -> list[dict[str, object]]:
    """Return parameters that together run all kernels of an algorithm."""
    declared: tuple[Param, ...] = cls.PARAMS
    variants = [{"criterion": c} for p in declared if p.name == "criterion" for c in p.choices]
    variants += [{"dominance": d} for p in declared if p.name == "dominance" for d in p.choices]
    variants += [{"monotone": True} for p in declared if p.name == "monotone"]
    variants += [{"n_jobs": 2} for name in cls.OTHER_PARAMS if name == "n_jobs"]
    variants += [{"bias": bias} for p in declared if p.name == "bias" for bias in (True, False)]
    return variants or [{}]


def prepare() -> None:
    """Warm up, and say so while it takes longer than a moment."""
    begin = time.perf_counter()
    if not is_compiled():
        print("Compiling the kernels, once: this takes a minute or two ...", flush=True)
        _compile_side_by_side(min(os.cpu_count() or 1, MOST_PROCESSES))
    warm_up()
    print(f"The kernels are ready ({time.perf_counter() - begin:.1f} s).", flush=True)


def _compile_side_by_side(n_processes: int) -> None:
    """Share the algorithms out among processes; the folder of machine code brings them together."""
    keys = list(ALGORITHMS)
    command = [sys.executable, "-m", "lastviz.warm_up"]
    processes = [
        subprocess.Popen([*command, *keys[i::n_processes]], cwd=ROOT) for i in range(n_processes)
    ]
    for process in processes:
        process.wait()


if __name__ == "__main__":
    if sys.argv[1:]:
        warm_up(sys.argv[1:])
    else:
        prepare()
