"""Compile every kernel once: ``python -m lastviz.warm_up``.

The machine code is kept beside the package, so that no later process compiles.
"""

from __future__ import annotations

import time

import numpy as np

from lastviz.estimators import ESTIMATORS
from lastviz.splitters import presort

__all__ = ["warm_up"]


def warm_up() -> None:
    """Fit, replay and apply every algorithm on a handful of rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(np.intp)
    y[:6] = 1 - y[:6]
    presorted = presort(X)
    presorted.take(np.arange(30))
    for entry in ESTIMATORS.values():
        for criterion in next(p.choices for p in entry.cls.PARAMS if p.name == "criterion"):
            estimator = entry.cls(criterion=criterion).fit(X, y, presorted=presorted)
            splitter = estimator.splitter(X, y, presorted)
            splitter.search(splitter.root())
            estimator.predict(X)


if __name__ == "__main__":
    print("Compiling the kernels; after the first time this takes a second ...", flush=True)
    begin = time.perf_counter()
    warm_up()
    print(f"The kernels are ready ({time.perf_counter() - begin:.1f} s).")
