"""The Bayesian tests on the data of Benavoli et al. (2017) beside what their notebooks print.

Five classifiers on 54 data sets, ten times ten folds. The data are the authors'
(github.com/BayesianTestsML/tutorial, folder Julia/Data: ClassifierID.dat, DatasetID.dat,
Percent_correct.dat) and not part of this project. Run it with
``python -m benchmarks.bayesian_examples FOLDER``.
"""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path

import numpy as np

from lastviz.studies.statistics import corrected_t, correlated_posterior, signed_rank_posterior

NAMES = ("nbc", "aode", "hnb", "j48", "j48gr")
# Signed-rank test, rope 0.01: first better, equal, second better.
SIGNED_RANK = {
    ("nbc", "aode"): (0.000, 0.123, 0.877),
    ("nbc", "hnb"): (0.000, 0.001, 0.999),
    ("nbc", "j48"): (0.228, 0.006, 0.766),
    ("nbc", "j48gr"): (0.179, 0.004, 0.817),
    ("aode", "hnb"): (0.001, 0.965, 0.034),
    ("aode", "j48"): (0.904, 0.034, 0.062),
    ("aode", "j48gr"): (0.883, 0.046, 0.071),
    ("hnb", "j48"): (0.962, 0.020, 0.019),
    ("hnb", "j48gr"): (0.950, 0.026, 0.024),
    ("j48", "j48gr"): (0.000, 1.000, 0.000),
}
# Correlated t-test of aode against nbc, rope 0.01, by data set: as above.
CORRELATED = {1: (0.95430, 0.04570, 0.00000), 2: (0.08214, 0.90851, 0.00935)}
SQUASH = (46, -0.0560, 0.0542, 0.304)  # data set, mean and deviation of nbc less aode, p


def main(folder: Path) -> None:
    """Print what the authors print and what is computed here."""
    parts = ("ClassifierID", "DatasetID", "Percent_correct")
    who, where, percent = (np.loadtxt(folder / f"{name}.dat", delimiter=",") for name in parts)
    runs = np.array(
        [[percent[(who == c) & (where == d)] for d in range(1, 55)] for c in range(1, 6)]
    ) / 100  # fmt: skip
    print("signed-rank test      theirs                 here                   furthest")
    for one, other in combinations(range(5), 2):
        found = signed_rank_posterior(runs[one].mean(axis=1) - runs[other].mean(axis=1))
        told(
            f"{NAMES[one]:5} {NAMES[other]:6}", SIGNED_RANK[NAMES[one], NAMES[other]],
            (found.ahead, found.equal, found.behind),
        )  # fmt: skip
    print("correlated t-test, aode against nbc")
    for dataset, theirs in CORRELATED.items():
        away = runs[1, dataset - 1] - runs[0, dataset - 1]
        posterior = correlated_posterior(away, 10)
        ours = (posterior.ahead, posterior.equal, posterior.behind)
        told(f"data set {dataset:3}", theirs, ours)
    dataset, *theirs = SQUASH
    test = corrected_t(runs[0, dataset - 1] - runs[1, dataset - 1], 10)
    print("corrected t-test, nbc less aode: mean, deviation, p")
    told(f"data set {dataset:3}", tuple(theirs), (test.mean, test.error, test.p))


def told(name: str, theirs: tuple[float, ...], ours: tuple[float, ...]) -> None:
    furthest = max(abs(a - b) for a, b in zip(theirs, ours, strict=True))
    columns = ("  ".join(f"{value:7.4f}" for value in values) for values in (theirs, ours))
    print(f"{name:14}", *columns, f"{furthest:8.4f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
