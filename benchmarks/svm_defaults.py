"""The SVM tree as it comes, beside scikit-learn's SVC: held-out accuracy on all bundled data.

Ten divisions of each data set, 70 % of each class for training. The tree chooses its scaling,
sigma and C from the training rows; the SVC has its defaults on features that are standardised
on the training rows. Run it with ``python -m benchmarks.svm_defaults [KEY ...]``.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from lastviz import SVMTreeClassifier
from lastviz.datasets import DATASETS, load_dataset

SEEDS = tuple(range(1, 11))
# No numeric feature; one row of a class, so that no division has it on both sides.
NOT_FOR_IT = ("loan", "five_rows")
KEYS = tuple(key for key in DATASETS if key not in NOT_FOR_IT)
AT_LEAST = {"three_spirals": 0.90, "wine": 0.90}
MOST_BELOW = 0.03  # accuracy below the SVC's, for all others


@dataclass(frozen=True)
class Level:
    """Held-out accuracies on one data set.

    Attributes
    ----------
    key : str
    tree, svc : ndarray, shape (n_divisions,)
    chosen : Counter
        How often each (width in units of "scale", C) was chosen.
    seconds : float
        Of processor time for a fit of the tree, on average.
    """

    key: str
    tree: np.ndarray
    svc: np.ndarray
    chosen: Counter
    seconds: float

    @property
    def is_reached(self) -> bool:
        """Whether the mean is where it should be."""
        least = AT_LEAST.get(self.key, self.svc.mean() - MOST_BELOW)
        return bool(self.tree.mean() >= least)


def level(key: str, seeds: tuple[int, ...] = SEEDS) -> Level:
    """Return the accuracies on a data set, one division a seed."""
    dataset = load_dataset(key)
    X, y = dataset.numeric_X.to_numpy(dtype=np.float64), dataset.codes
    tree, svc, chosen, seconds = [], [], Counter(), []
    for seed in seeds:
        divisions = StratifiedShuffleSplit(1, test_size=0.3, random_state=seed)
        train, test = next(divisions.split(X, y))
        begin = time.process_time()
        model = SVMTreeClassifier().fit(X[train], y[train])
        seconds.append(time.process_time() - begin)
        scale = SVMTreeClassifier(sigma="scale", C=1.0).fit(X[train], y[train]).sigma_
        chosen[model.sigma_ / scale, model.C_] += 1
        tree.append(model.score(X[test], y[test]))
        other = make_pipeline(StandardScaler(), SVC()).fit(X[train], y[train])
        svc.append(other.score(X[test], y[test]))
    return Level(key, np.array(tree), np.array(svc), chosen, float(np.mean(seconds)))


def main(keys: tuple[str, ...]) -> int:
    print(f"Held-out accuracy in %, means of {len(SEEDS)} divisions.\n")
    print(
        "| data | SVM tree | SVC | difference | most often chosen | CPU s a fit |\n|" + "---|" * 6
    )
    missed = []
    for key in keys:
        found = level(key)
        tree, svc = 100 * found.tree.mean(), 100 * found.svc.mean()
        (width, C), times = found.chosen.most_common(1)[0]
        print(
            f"| {key} | {tree:.1f} | {svc:.1f} | {tree - svc:+.1f} | {width:g} x scale, "
            f"C = {C:g} ({times} of {len(SEEDS)}) | {found.seconds:.2f} |",
            flush=True,
        )
        if not found.is_reached:
            missed.append(key)
    print(f"\nLeft out: {', '.join(NOT_FOR_IT)}. Missed: {', '.join(missed) or 'none'}.")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:]) or KEYS))
