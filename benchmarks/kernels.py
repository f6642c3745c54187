"""Kernels against scikit-learn, single-threaded: medians of alternating pairs, and large data.

Run it with ``python -m benchmarks.kernels``; ``python -m benchmarks.kernels LETTER.csv`` takes the
letters from a table whose last column is the class instead of a generated set of the same shape.
"""

from __future__ import annotations

import resource
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, make_classification, make_friedman1
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.speed import milliseconds
from lastviz import (
    C45Classifier,
    CARTClassifier,
    CARTLCClassifier,
    CARTRegressor,
    HybridTreeClassifier,
    MCDFClassifier,
    OC1Classifier,
)
from lastviz.datasets import load_dataset
from lastviz.inspection import Rule, rules, split_search

PAIRS = 15


def pairs(
    one: Callable[[], object], other: Callable[[], object], count: int = PAIRS
) -> tuple[float, float, float]:
    """Return the median times of two calls and the median of the ratios of their pairs."""
    one(), other()
    taken = [(milliseconds(one), milliseconds(other)) for _ in range(count)]
    ours, theirs = (statistics.median(values) for values in zip(*taken, strict=True))
    return ours, theirs, statistics.median(a / b for a, b in taken)


def single(X: np.ndarray) -> np.ndarray:
    """Return numbers of 32 bits, as scikit-learn reads them."""
    return X.astype(np.float32).astype(float)


def regression() -> None:
    for n, m, bound, count in ((3500, 10, 0.35, PAIRS), (100_000, 20, 0.2, 3)):
        X, y = make_friedman1(n, m, noise=1.0, random_state=0)
        X = single(X)
        theirs = DecisionTreeRegressor(random_state=0)
        against(
            f"CARTRegressor, friedman {n}x{m}", CARTRegressor(), theirs, X, y, bound, count=count
        )


def against(what, model, theirs, X, y, bound, count=PAIRS) -> None:
    """Print one row of the table of ratios."""
    took = pairs(lambda: model.fit(X, y), lambda: theirs.fit(X, y), count)
    print(f"| {what} | {took[0]:.1f} | {took[1]:.1f} | {took[2]:.3f} | {bound} |", flush=True)


def letters() -> tuple[str, np.ndarray, np.ndarray]:
    """Return 20,000 rows of 16 small whole numbers in 26 classes."""
    if sys.argv[1:]:
        table = pd.read_csv(sys.argv[1])
        return "letter", table.iloc[:, :-1].to_numpy(float), pd.factorize(table.iloc[:, -1])[0]
    X, y = make_classification(
        20_000, 16, n_informative=12, n_classes=26, n_clusters_per_class=1, random_state=0
    )
    low, high = X.min(axis=0), X.max(axis=0)
    return "26 generated classes", np.floor((X - low) / (high - low) * 15.999), y


def classes() -> None:
    name, X, y = letters()
    theirs = DecisionTreeClassifier(random_state=0)
    shape = f"{name} {len(X)}x{X.shape[1]}"
    against(f"CART, {shape}", CARTClassifier(), theirs, X, y, 0.4, 7)
    against(f"C4.5, {shape}", C45Classifier(), theirs, X, y, 0.62, 7)
    against(f"hybrid, {shape}", HybridTreeClassifier("bnm+csn", k=10), theirs, X, y, 1.0, 3)
    plane = load_dataset("gauss_2d", n_samples=2000, random_state=0)
    X, y = single(plane.X.to_numpy()), plane.codes
    against("CART, gauss_2d 2000x2", CARTClassifier(), theirs, X, y, 0.5)


def oblique() -> None:
    """Print the searches of hyperplanes beside scikit-learn's tree."""
    waveform = load_dataset("waveform", n_samples=1500, random_state=0)
    sets = {
        "waveform 1500x21": (waveform.X.to_numpy(), waveform.codes),
        "breast_cancer 569x30": load_breast_cancer(return_X_y=True),
    }
    theirs = DecisionTreeClassifier(random_state=0)
    for name, (X, y) in sets.items():
        against(f"OC1, {name}", OC1Classifier(), theirs, X, y, "", 3)
        against(f"CART-LC, {name}", CARTLCClassifier(), theirs, X, y, "", 5)


def forest() -> None:
    """Print 40,000 rows predicted by a forest, by its votes alone and leaf by leaf."""
    rng = np.random.default_rng(0)
    X = rng.random((6000, 5))
    y = np.clip((X.sum(axis=1) + 0.15 * rng.normal(size=len(X))).astype(int), 0, 4)
    places = rng.random((40_000, 5))
    fitted = MCDFClassifier(subset_size=60).fit(X, y)
    took = pairs(
        lambda: fitted.predict_codes(places), lambda: fitted.votes_of_checked(places).decision, 5
    )
    trees = len(fitted.estimators_)
    print(f"| MCDF, 40,000 rows, {trees} trees: by votes alone | by leaves | ratio | bound |")
    print("|---|---|---|---|")
    print(f"| {took[0]:.0f} ms | {took[1]:.0f} ms | {took[2]:.2f} | 0.4 |\n")


def timed(what: str, bound: str, call: Callable[[], object]) -> object:
    """Print how long one call takes; return what it returns."""
    begin, cpu = time.perf_counter(), time.process_time()
    out = call()
    wall, cpu = time.perf_counter() - begin, time.process_time() - cpu
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"| {what} | {wall:.2f} | {cpu:.2f} | {gigabytes:.1f} | {bound} |", flush=True)
    return out


def large() -> None:
    """Print what many columns and many rows cost."""
    print("\n| large data | s | CPU s | peak GB | bound |\n|---|---|---|---|---|")
    for m in (100, 300, 1000):
        X, y = make_classification(5000, m, n_informative=10, n_classes=5, random_state=0)
        model = HybridTreeClassifier("bnm+csn", k=10)
        timed(
            f"hybrid 5000x{m}",
            "6 s" if m == 1000 else "",
            lambda model=model, X=X, y=y: model.fit(X, y),
        )
    X, y = make_classification(1_000_000, 20, n_informative=10, n_classes=5, random_state=0)
    fitted = timed("CART 1000000x20: fit", "8 s, 4 GB", lambda: CARTClassifier().fit(X, y))
    timed("replay of the root", "2 s", lambda: split_search(fitted, X, y, 0))
    timed("replay of its first child", "2 s", lambda: split_search(fitted, X, y, 1))
    leaves = fitted.tree_.n_leaves
    timed(f"first 500 of {leaves} rules", "1 s", lambda: written(rules(fitted.tree_)[:500]))


def written(some: list[Rule]) -> list[str]:
    """Return rules as text, so that all of them has been worked out."""
    return [f"{rule.conditions}: {rule.prediction}, {rule.support}" for rule in some]


if __name__ == "__main__":
    print("| fit | ours, ms | scikit-learn, ms | ratio | bound |")
    print("|---|---|---|---|---|")
    regression()
    classes()
    oblique()
    print()
    forest()
    large()
