"""REMT, MCDF and monotone boosting on the paper's large sets, in one thread, beside the paper.

One 90 / 10 split of one draw. Meant to hold: LargeSet1 in 2 s by REMT and in 3 s by MCDF with
errors on the subset, LargeSet6 by the latter in 60 s and 6 GB with CA of at least .82. Run it
with ``python -m benchmarks.monotone_scale [SET ...]``; without a set it takes LargeSet1.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from lastviz import AdaBoostM1Classifier, MCDFClassifier, MonotoneBoostingClassifier, REMTClassifier
from lastviz.datasets import LARGE_SETS, load_dataset
from lastviz.inspection import scores
from lastviz.studies.candidates import PEERS, LightBoosting

# Xu, Wang and Ren (2017), table 5 and the text below it: CA and seconds of MCDF.
PAPER = {
    "LargeSet1": (0.854, 696),
    "LargeSet2": (0.767, 2272),
    "LargeSet3": (0.804, 9767),
    "LargeSet4": (0.877, 35_270),
    "LargeSet5": (0.782, 62_899),
    "LargeSet6": (0.823, 184_350),
}
MOST_ROWS_JUDGED = 100_000  # beyond, judging every tree on all rows is left out


def models(n_features: int, n_samples: int) -> dict[str, object]:
    """Return the models of the comparison by name."""
    nominal = range(n_features // 2, n_features)
    subset = MCDFClassifier(subset_size=900, error_scope="subset", categorical_features=nominal)
    out = {"REMT": REMTClassifier(), "MCDF, errors on the subset": subset}
    if n_samples <= MOST_ROWS_JUDGED:
        out["MCDF, errors on all rows"] = MCDFClassifier(subset_size=900, error_scope="all")
        out["AdaBoost.M1"] = AdaBoostM1Classifier()
        rising = [1] * n_features
        out["monotone boosting"] = MonotoneBoostingClassifier()
        if PEERS["lightgbm_monotone"].is_installed:
            for n in (100, 300):
                out[f"LightGBM, monotone, {n} trees a border"] = LightBoosting(rising, max_iter=n)
    return out


def run(name: str) -> None:
    size = LARGE_SETS[name]
    dataset = load_dataset("monotone_large", **size)
    X, y = dataset.X.to_numpy(), dataset.codes
    del dataset
    test = np.random.default_rng(0).random(len(y)) < 0.1
    train_X, train_y, test_X, test_y = X[~test], y[~test], X[test], y[test]
    del X, y
    warm = slice(0, 1000)
    for label, model in models(size["n_features"], size["n_samples"]).items():
        if not label.startswith("MCDF"):
            type(model)().fit(train_X[warm], train_y[warm])
        else:
            MCDFClassifier().fit(train_X[warm], train_y[warm])
        begin, cpu = time.perf_counter(), time.process_time()
        model.fit(train_X, train_y)
        seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
        begin = time.perf_counter()
        found = scores(test_y, model.predict(test_X), size["n_classes"])
        asked = time.perf_counter() - begin
        trees = getattr(model, "estimators_", [model])
        depths = [each.tree_.max_depth for each in trees if hasattr(each, "tree_")]
        depth = f"{np.mean(depths):.1f}" if depths else ""
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        paper = "{} | {:,}".format(*PAPER[name]) if label.startswith("MCDF") else " | "
        print(
            f"| {name} | {label} | {paper} | {found.accuracy:.3f} "
            f"| {found.mean_absolute_error:.3f} | {depth} | {len(trees)} | {seconds:.2f} "
            f"| {cpu:.2f} | {asked:.2f} | {memory:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    print("| set | model | CA: paper | s: paper | CA | MAE | depth | trees | fit s | CPU s "
          "| predict s | GB |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for each in sys.argv[1:] or ["LargeSet1"]:
        run(each)
