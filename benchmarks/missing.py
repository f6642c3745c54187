"""C4.5 with missing values, and its speed on mixed data: ``python -m benchmarks.missing``."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd

from lastviz import C45Classifier
from lastviz.datasets import load_dataset

REPEATS = 5
SHARE = 0.3


def accuracies(seed: int) -> dict[str, float]:
    """Return held-out accuracies on waveform, 30 % of all cells missing at random."""
    dataset = load_dataset("waveform", n_samples=5000, random_state=seed)
    train, test = dataset.split(0.3, random_state=seed)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    holes = np.random.default_rng(seed).random(X.shape) < SHARE
    missing = np.where(holes, np.nan, X)
    filled = np.where(holes, np.nanmean(missing[train], axis=0), X)
    found = {}
    for name, data in (("complete", X), ("fractional cases", missing), ("means filled in", filled)):
        found[name] = C45Classifier().fit(data[train], y[train]).score(data[test], y[test])
    return found


def mixed(n: int, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Return seven numeric and seven nominal columns with 5 % missing, and three classes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({f"x{i}": rng.normal(size=n) for i in range(7)})
    for i in range(7):
        X[f"k{i}"] = rng.choice(list("abcdefgh")[: 2 + i], n)
    y = ((X.x0 > 0) ^ (X.k2 == "a")).astype(int) + ((X.k4 < "c") & (X.x1 > 0.3))
    y = np.where(rng.random(n) < 0.15, rng.integers(0, 3, n), y)
    return X.mask(rng.random(X.shape) < 0.05), y


def main() -> None:
    """Print both tables."""
    results = pd.DataFrame([accuracies(seed) for seed in range(REPEATS)])
    print(
        f"waveform, 5000 rows, {SHARE:.0%} of the cells missing: held-out accuracy, {REPEATS} draws"
    )
    print(results.agg(["mean", "std"]).map("{:.3f}".format).to_string())
    C45Classifier().fit(*mixed(300))
    X, y = mixed(30_000)
    begin = time.perf_counter()
    estimator = C45Classifier().fit(X, y)
    spent = time.perf_counter() - begin
    sizes = f"{estimator.grown_tree_.n_nodes} nodes grown, {estimator.tree_.n_nodes} kept"
    print(f"30,000 rows, 14 nominal and numeric columns, 5 % missing: fit {spent:.2f} s, {sizes}")


if __name__ == "__main__":
    main()
