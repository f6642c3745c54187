"""Fitting and predicting against scikit-learn: alternating, single-threaded, medians.

Run it with ``python -m benchmarks.speed``.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from lastviz import C45Classifier, CARTClassifier, HybridTreeClassifier
from lastviz.datasets import load_dataset
from lastviz.splitters import presort

REPEATS = 9


def data_sets() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the three data sets of the comparison, rounded to 32 bits as scikit-learn does."""
    out = {}
    for key, n in (("waveform", 5000), ("twonorm", 7400)):
        dataset = load_dataset(key, n_samples=n, random_state=0)
        out[f"{key} {n}x{dataset.n_features}"] = (dataset.X.to_numpy(), dataset.codes)
    out["make_classification 100000x20"] = make_classification(
        100_000, 20, n_informative=10, n_classes=5, random_state=0
    )
    return {name: (X.astype(np.float32).astype(float), y) for name, (X, y) in out.items()}


def milliseconds(call: Callable[[], object]) -> float:
    """Return how long one call takes."""
    begin = time.perf_counter()
    call()
    return 1e3 * (time.perf_counter() - begin)


def alternating(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the median time of each call, called in turn after a warm-up."""
    for call in calls.values():
        call()
    times = {name: [] for name in calls}
    for _ in range(REPEATS):
        for name, call in calls.items():
            times[name].append(milliseconds(call))
    return {name: statistics.median(values) for name, values in times.items()}


def fitting() -> None:
    print("| data | scikit-learn ms | CART ms | ratio | C4.5 ms | ratio | CART, sorted before |")
    print("|---|---|---|---|---|---|---|")
    for name, (X, y) in data_sets().items():
        presorted = presort(X)
        took = alternating(
            {
                "theirs": lambda X=X, y=y: DecisionTreeClassifier(random_state=0).fit(X, y),
                "cart": lambda X=X, y=y: CARTClassifier().fit(X, y),
                "c45": lambda X=X, y=y: C45Classifier().fit(X, y),
                "again": lambda X=X, y=y, p=presorted: CARTClassifier().fit(X, y, presorted=p),
            }
        )
        ratio = {key: took[key] / took["theirs"] for key in took}
        print(
            f"| {name} | {took['theirs']:.0f} | {took['cart']:.1f} | {ratio['cart']:.3f} "
            f"| {took['c45']:.1f} | {ratio['c45']:.3f} | {ratio['again']:.3f} |"
        )


def hybrid() -> None:
    """Print the BNM root search and the full BNM+CSN fit beside scikit-learn's Gini trees."""
    name, (X, y) = next(iter(data_sets().items()))
    took = alternating(
        {
            "stump": lambda: DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y),
            "root": lambda: HybridTreeClassifier("bnm", max_depth=1).fit(X, y),
            "theirs": lambda: DecisionTreeClassifier(random_state=0).fit(X, y),
            "ours": lambda: HybridTreeClassifier("bnm+csn", k=10).fit(X, y),
        }
    )
    print(f"\n| {name} | scikit-learn, Gini, ms | ours, ms | ratio |")
    print("|---|---|---|---|")
    for what, theirs, ours in (
        ("root: all candidates by BNM", "stump", "root"),
        ("whole tree by BNM+CSN, k = 10", "theirs", "ours"),
    ):
        ratio = took[ours] / took[theirs]
        print(f"| {what} | {took[theirs]:.1f} | {took[ours]:.1f} | {ratio:.2f} |")


def predicting() -> None:
    dataset = load_dataset("waveform", n_samples=5000, random_state=0)
    X, y = dataset.X.to_numpy(), dataset.codes
    points = load_dataset("waveform", n_samples=40_000, random_state=1).X.to_numpy()
    tree = CARTClassifier(max_leaf_nodes=250).fit(X, y).tree_
    took = alternating({"apply": lambda: tree.apply(points)})["apply"]
    print(f"\n40,000 points through {tree.n_nodes} nodes: {took:.2f} ms")


if __name__ == "__main__":
    fitting()
    hybrid()
    predicting()
