"""Monotone boosting beside LightGBM with the same promise, and the proof that it is kept.

Ten-fold cross-validation of the paper's four sets and of the sets with directions
in the folder that LASTVIZ_DATA names; nominal columns are left out. Meant to hold: a mean distance
of classes of at most 1.05 of LightGBM's, which learns a model for each border, a proof, and none of
a million random comparable pairs that falls. Run it with
``python -m benchmarks.monotone_boosting [SET ...]``; without a set it takes all.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.monotone_level import SETS, set_of_the_paper
from lastviz import MonotoneBoostingClassifier
from lastviz.datasets import all_datasets
from lastviz.inspection import comparable_pairs, monotonicity_audit
from lastviz.studies import stratified_folds
from lastviz.studies.candidates import PEERS, LightBoosting

PAIRS, AT_ONCE = 1_000_000, 100_000
DIVISIONS = range(1)
Data = tuple[np.ndarray, np.ndarray, list[int]]


def ordinal_sets() -> dict[str, Data]:
    """Return features, class indices and directions of every set, by name."""
    found = {}
    for name in SETS:
        drawn = set_of_the_paper(name, 0)
        found[name] = drawn.X.to_numpy(), drawn.codes, [1, 1]
    for key, entry in all_datasets().items():
        if key.startswith("folder."):
            data = entry.load()
            if data.ordered and not data.has_missing and any(data.directions.values()):
                X = data.numeric_X
                directions = [data.directions.get(column, 0) for column in X]
                found[key.removeprefix("folder.")] = X.to_numpy(), data.codes, directions
    return found


def cross_validated(
    make: type, X: np.ndarray, y: np.ndarray, directions: list[int]
) -> tuple[float, float]:
    """Return the mean distance of classes and the processor seconds of a fit."""
    distance, begin, n = [], time.process_time(), 0
    for division in DIVISIONS:
        fold = stratified_folds(y, 10, division)
        for k in range(10):
            model = make(monotonic_cst=directions).fit(X[fold != k], y[fold != k])
            distance.append(np.abs(model.predict(X[fold == k]) - y[fold == k]).mean())
            n += 1
    return float(np.mean(distance)), (time.process_time() - begin) / n


def n_falls(model: object, X: np.ndarray, directions: list[int], n_pairs: int = PAIRS) -> int:
    """Return how many of random comparable pairs in the range of `X` contradict the directions."""
    rng, low, high, falls = np.random.default_rng(0), X.min(axis=0), X.max(axis=0), 0
    for _ in range(n_pairs // AT_ONCE):
        pairs = comparable_pairs(low, high, np.array(directions), AT_ONCE, rng)
        below, above = map(model.predict_codes, pairs)
        falls += int((below > above).sum())
    return falls


def main(names: list[str]) -> None:
    light = PEERS["lightgbm_monotone"].is_installed
    print("| set | rows | classes | MAE | LightGBM | ratio | s | proof | falls of 1,000,000 |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, (X, y, directions) in ordinal_sets().items():
        if names and name not in names:
            continue
        ours, seconds = cross_validated(MonotoneBoostingClassifier, X, y, directions)
        theirs = cross_validated(LightBoosting, X, y, directions)[0] if light else np.nan
        model = MonotoneBoostingClassifier(monotonic_cst=directions).fit(X, y)
        audit = monotonicity_audit(model)
        said = f"yes, {audit.n_compared:,} pairs" if audit.proven else "no"
        print(
            f"| {name} | {len(y):,} | {y.max() + 1} | {ours:.4f} | {theirs:.4f} "
            f"| {ours / theirs:.2f} | {seconds:.2f} | {said} | {n_falls(model, X, directions)} |",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
