"""MCDF, REMT and AdaBoost.M1 on Set1 to Set4 beside the figures that they should reach.

Ten-fold cross-validation; the mean over several draws. Run it with
``python -m benchmarks.monotone_level [DRAWS]``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
from sklearn.model_selection import StratifiedKFold

from lastviz import AdaBoostM1Classifier, MCDFClassifier, REMTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import scores

MODELS: dict[str, Callable] = {
    "REMT": REMTClassifier,
    "AdaBoost.M1": AdaBoostM1Classifier,
    "MCDF": MCDFClassifier,
    "MCDF, monotone": lambda: MCDFClassifier(vote="median", monotone=True),
}
N_CLASSES = (2, 4, 6, 8)  # of Set1 to Set4
# Xu, Wang and Ren (2017), table 2; REMT from its text.
PAPER = {
    "REMT": (0.957, 0.930, 0.892, 0.849),
    "AdaBoost.M1": (0.956, 0.929, 0.888, 0.853),
    "MCDF": (0.966, 0.936, 0.888, 0.867),
}
# What an independent implementation reaches with classes of equal width.
LEVEL = {
    "REMT": (0.971, 0.947, 0.910, 0.891),
    "AdaBoost.M1": (0.970, 0.948, 0.918, 0.902),
    "MCDF": (0.970, 0.943, 0.907, 0.887),
}


def cross_validated(name: str, n_classes: int, seed: int, folds: int = 10) -> np.ndarray:
    """Return CA, MAE and depth, means over the folds of one draw."""
    dataset = load_dataset("monotone", n_classes=n_classes, random_state=seed)
    X, y = dataset.X.to_numpy(), dataset.codes
    out = []
    split = StratifiedKFold(folds, shuffle=True, random_state=seed)
    for train, test in split.split(X, y):
        fitted = MODELS[name]().fit(X[train], y[train])
        predicted = fitted.predict(X[test])
        found = scores(y[test], predicted, n_classes)
        forest = hasattr(fitted, "estimators_")
        depth = fitted.mean_depth_ if forest else fitted.tree_.max_depth
        out.append((found.accuracy, found.mean_absolute_error, depth))
    return np.mean(out, axis=0)


def main(draws: int) -> None:
    print("| set | model | CA: paper | level | ours | MAE | depth |")
    print("|---|---|---|---|---|---|---|")
    for i, n_classes in enumerate(N_CLASSES):
        for name in MODELS:
            ca, mae, depth = np.mean(
                [cross_validated(name, n_classes, seed) for seed in range(draws)], axis=0
            )
            paper = f"{PAPER[name][i]:.3f}" if name in PAPER else ""
            level = f"{LEVEL[name][i]:.3f}" if name in LEVEL else ""
            print(
                f"| Set{i + 1} | {name} | {paper} | {level} | {ca:.3f} | {mae:.3f} | {depth:.1f} |"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
