"""Optimal trees of depth three: errors, time, and the authors' program beside it where installed.

Processor time of one thread, compilation left out, the median of three runs, the programs in turn.
Where a search does not end in SECONDS by the clock, how its bounds close stands below it. Then
greedy and optimal trees on rows that were held out. The tables are read from the folder that
LASTVIZ_DATA names (banknote, pima, vowel, satellite as CSV with the class last).
``pip install pycontree`` brings the other program. Run it with
``python -m benchmarks.optimal [SECONDS]``; the default is 30.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedShuffleSplit

from lastviz import CARTClassifier, OptimalTreeClassifier
from lastviz.builders import SearchProgress
from lastviz.datasets import load_dataset
from lastviz.inspection import root_prices

FILES = {"banknote": None, "pima": None, "vowel": None, "satellite": 2000}
DEPTH = 3


def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the numeric columns and the class indices of a file, or of a generated set."""
    if name == "waveform":
        dataset = load_dataset(name, n_samples=1000)
        return dataset.numeric_X.to_numpy(), dataset.codes
    frame = pd.read_csv(Path(os.environ["LASTVIZ_DATA"]) / f"{name}.csv", nrows=FILES[name])
    X = frame.iloc[:, :-1].select_dtypes("number").to_numpy(float)
    return X, np.unique(frame.iloc[:, -1], return_inverse=True)[1]


def took(*runs) -> tuple[list, np.ndarray]:
    """Return what each of `runs` returns, and the medians of their processor times, in turn."""
    seconds = np.empty((3, len(runs)))
    for pair in seconds:
        results = []
        for i, run in enumerate(runs):
            begin = time.process_time()
            results.append(run())
            pair[i] = time.process_time() - begin
    return results, np.median(seconds, axis=0)


def searched(X: np.ndarray, y: np.ndarray, limit: float) -> tuple[object, list]:
    """Return an optimal tree and its anytime curve: seconds and gap, 1 - lower bound / errors."""
    model = OptimalTreeClassifier(max_depth=DEPTH, time_limit=limit)
    begin = time.process_time()
    curve = [
        (time.process_time() - begin, 1.0 - event.share)
        for event in model.grow(X, y)
        if isinstance(event, SearchProgress) and event.node == 0
    ]
    return model, curve


def peer(X: np.ndarray, y: np.ndarray):
    """Return what fits ConTree and returns its errors, None where it is not installed."""
    try:
        from pycontree import ConTree
    except ImportError:
        return None
    frame, labels = pd.DataFrame(X), pd.Series(y)

    def errors() -> int:
        model = ConTree(max_depth=DEPTH, time_limit=300)
        model.fit(frame, labels)
        return int((np.asarray(model.predict(frame)) != y).sum())

    return errors


def held_out(X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Return the accuracies of CART and of the optimal tree on ten held-out parts of 30 %."""
    found = []
    for train, test in StratifiedShuffleSplit(10, test_size=0.3, random_state=0).split(X, y):
        models = CARTClassifier(max_depth=DEPTH), OptimalTreeClassifier(max_depth=DEPTH)
        found.append([m.fit(X[train], y[train]).score(X[test], y[test]) for m in models])
    return tuple(100.0 * np.mean(found, axis=0))


def main() -> None:
    """Print the tables."""
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    names = [*FILES, "waveform"] if "LASTVIZ_DATA" in os.environ else ["waveform"]
    OptimalTreeClassifier().fit(*table("waveform"))  # compiles
    print("set        rows x columns, classes  CART  optimum     s  ConTree: errors, s  ratio")
    for name in names:
        X, y = table(name)
        greedy = int((CARTClassifier(max_depth=DEPTH).fit(X, y).predict(X) != y).sum())
        other = peer(X, y)
        runs = [lambda X=X, y=y: searched(X, y, limit), *([other] if other else [])]
        ((model, curve), *theirs), seconds = took(*runs)
        bound = "" if model.is_optimal_ else f" (at least {model.lower_bound_})"
        line = f"{name:10} {len(X):5} x {X.shape[1]:3}, {y.max() + 1:2}  {greedy:5} "
        line += f"{model.n_errors_:5}{bound} {seconds[0]:7.2f}"
        if theirs:
            line += f"  {theirs[0]:5} {seconds[1]:7.2f}  {seconds[0] / seconds[1]:5.2f}"
        print(line, flush=True)
        for second, gap in [] if model.is_optimal_ else curve[:: max(len(curve) // 12, 1)]:
            print(f"    {second:6.1f} s  gap {gap:.3f}")
    print("\nprice of every root, depth three, up to 1.1 times the fewest errors: roots, s")
    for name in names[:1]:
        X, y = table(name)
        (prices,), seconds = took(
            lambda X=X, y=y: root_prices(X, y, np.arange(len(y)), y.max() + 1)
        )
        print(f"{name:10} {len(prices.errors):6} {seconds[0]:7.2f}")
    print("\naccuracy on held-out rows, %: CART, optimal")
    for name in names[:2]:
        print(f"{name:10} {held_out(*table(name))[0]:.1f} {held_out(*table(name))[1]:.1f}")


if __name__ == "__main__":
    main()
