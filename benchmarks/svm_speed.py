"""What the SVM tree costs: ``python -m benchmarks.svm_speed``. Medians of nine, in one thread."""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
from threadpoolctl import threadpool_limits

from lastviz import CARTClassifier, SVMTreeClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import growth_frames, raster, regions, separability
from lastviz.splitters.svm.machine import kernel_separability
from lastviz.tree import KernelFunction

WINDOW = (-190.0, 190.0, -190.0, 190.0)


def milliseconds(work: Callable[[], object], repeats: int = 9) -> float:
    """Return the median time of `work`."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times)


def separability_costs() -> None:
    rng = np.random.default_rng(0)
    for n, m, repeats in ((720, 2, 9), (10_000, 10, 3), (20_000, 10, 1)):
        data = (rng.normal(size=(n, m)), np.arange(n) % 3, 3, KernelFunction(1, 1.0, 3))
        took = milliseconds(lambda data=data: kernel_separability(*data), repeats)
        print(f"| separability of 3 classes, {n} x {m} rows | {took:.0f} ms |")
    tracemalloc.start()
    kernel_separability(*data)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    print(f"| memory above the data, 20000 rows | {peak:.0f} MB |")
    tracemalloc.stop()


def tree_costs() -> None:
    spirals = load_dataset("three_spirals")
    X, y = spirals.X.to_numpy(), spirals.codes
    for bias in (True, False):
        model = SVMTreeClassifier(scaling="none", sigma=10.0, C=1000.0, bias=bias).fit(X, y)
        name = f"720 rows of spirals, {'with' if bias else 'without'} bias"
        print(f"| {name}: fit | {milliseconds(lambda m=model: m.fit(X, y)):.0f} ms |")
        n_support = len(model.tree_.kernel.rows)
        took = milliseconds(lambda m=model: raster(m.tree_, WINDOW))
        print(f"| {name}: f on 200 x 200 places, {n_support} support vectors | {took:.0f} ms |")
        took = milliseconds(lambda m=model: regions(m, WINDOW))
        print(f"| {name}: region picture of 200 x 200 places | {took:.0f} ms |")
    took = milliseconds(lambda: separability(model, X, y))
    print(f"| the steps of its growth | {took:.0f} ms |")
    digits = load_dataset("digits")
    X, y = digits.X.to_numpy(dtype=np.float64), digits.codes
    model = SVMTreeClassifier(scaling="none", sigma=25.0, C=10.0).fit(X, y)
    took = milliseconds(lambda: model.fit(X, y), 3)
    print(f"| digits, 1797 x 64, 10 classes: fit | {took:.0f} ms |")
    took = milliseconds(lambda: separability(model, X, y), 3)
    print(f"| digits: the steps of its growth | {took:.0f} ms |")
    tree = CARTClassifier(max_leaf_nodes=51)
    waves = load_dataset("waveform")
    tree.fit(waves.X.to_numpy(), waves.codes)
    took = milliseconds(lambda: growth_frames(tree))
    print(f"| frames of a tree of {tree.tree_.n_nodes} nodes | {took:.1f} ms |")


if __name__ == "__main__":
    print("| what | cost |\n|---|---|")
    with threadpool_limits(1):
        separability_costs()
        tree_costs()
