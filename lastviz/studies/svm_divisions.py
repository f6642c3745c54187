"""The SVM tree over random divisions, as in its paper: two thirds of each class to learn from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np

from lastviz import __version__
from lastviz.estimators import SVMTreeClassifier

from .candidates import RESULTS_VERSION
from .paper_data import printed_data
from .published import Cell, Ours, published_cells
from .reproduction import SVM

__all__ = ["divided", "machine_of", "runs_by_class", "svm_figures"]

DIVISIONS = {"three_spirals": 20, "wine": 150}
C = {"three_spirals": 1000.0, "wine": 100.0}
ORDERS = {"SVM tree (improved)": "separability", "SVM tree (traditional)": "euclidean"}
BIAS = False  # the paper's figures for wine are closer to machines without one


def divided(y: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return training and test rows: a third of each class, rounded down, is for the test."""
    rng = np.random.default_rng(seed)
    mixed = [rng.permutation(np.flatnonzero(y == c)) for c in np.unique(y)]
    test = np.concatenate([rows[: len(rows) // 3] for rows in mixed])
    return np.setdiff1d(np.arange(len(y)), test), test


def runs_by_class(
    X: np.ndarray, y: np.ndarray, model: SVMTreeClassifier, n_divisions: int
) -> np.ndarray:
    """Return the accuracy of each class in %, shape (n_divisions, n_classes)."""
    found = []
    for seed in range(n_divisions):
        train, test = divided(y, seed)
        right = model.fit(X[train], y[train]).predict(X[test]) == y[test]
        found.append([100.0 * right[y[test] == c].mean() for c in np.unique(y)])
    return np.array(found)


def machine_of(cell: Cell) -> dict[str, object]:
    """Return the parameters of the SVM tree that a cell is about."""
    return {
        **{"order": ORDERS[cell.algorithm], "scaling": "none", "bias": BIAS},
        **{"sigma": float(cell.setting.split()[1]), "C": C[cell.dataset]},
    }


def svm_figures(dataset: str) -> Iterator[list[Ours]]:
    """Yield what the SVM tree says of the cells of a data set, setting by setting."""
    cells = [cell for cell in published_cells(SVM) if cell.dataset == dataset]
    data = printed_data(SVM, dataset)
    X, y = data.numeric_X.to_numpy(dtype=np.float64), data.codes
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    for setting, algorithm in dict.fromkeys((cell.setting, cell.algorithm) for cell in cells):
        here = [c for c in cells if (c.setting, c.algorithm) == (setting, algorithm)]
        model = SVMTreeClassifier(**machine_of(here[0]))
        found = runs_by_class(X, y, model, DIVISIONS[dataset])
        yield [
            Ours(
                *(cell.paper, cell.table, cell.dataset, cell.algorithm, cell.metric, cell.setting),
                "paper", float(values.mean()), float(values.std(ddof=1)), len(values), len(values),
                RESULTS_VERSION[SVM], today, __version__,
            )
            for cell in here
            for values in [found[:, int(cell.metric[-1]) - 1]]
        ]  # fmt: skip
