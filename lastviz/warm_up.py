"""Compile every kernel once: ``python -m lastviz.warm_up``.

The machine code is kept in a folder, so that no later process compiles.
"""

from __future__ import annotations

import time

import numpy as np

from lastviz._numba import cache_folder
from lastviz._params import Param
from lastviz.estimators import ESTIMATORS
from lastviz.splitters import presort

__all__ = ["prepare", "warm_up"]


def warm_up() -> None:
    """Fit, replay and apply every algorithm on a handful of rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(np.intp)
    y[:6] = 1 - y[:6]
    presorted = presort(X)
    presorted.take(np.arange(30))
    for entry in ESTIMATORS.values():
        for params in _variants(entry.cls.PARAMS):
            if entry.cls.TAGS.forest:
                for columns in (X, np.c_[X, X[:, :1]]):  # rows are compared differently beyond 2
                    entry.cls(**params).fit(columns, y).predict(columns)
                continue
            estimator = entry.cls(**params).fit(X, y, presorted=presorted)
            splitter = estimator.splitter(X, y, presorted)
            splitter.search(splitter.root())
            estimator.predict(X)


def _variants(declared: tuple[Param, ...]) -> list[dict[str, object]]:
    """Return parameters that together run all kernels of an algorithm."""
    variants = [{"criterion": c} for p in declared if p.name == "criterion" for c in p.choices]
    variants += [{"dominance": d} for p in declared if p.name == "dominance" for d in p.choices]
    variants += [{"monotone": True} for p in declared if p.name == "monotone"]
    variants += [{"bias": bias} for p in declared if p.name == "bias" for bias in (True, False)]
    return variants or [{}]


def prepare() -> None:
    """Warm up, and say so while it takes longer than a moment."""
    if not any(cache_folder().glob("**/*.nbi")):
        print("Compiling the kernels, once: this takes about a minute ...", flush=True)
    begin = time.perf_counter()
    warm_up()
    print(f"The kernels are ready ({time.perf_counter() - begin:.1f} s).", flush=True)


if __name__ == "__main__":
    prepare()
