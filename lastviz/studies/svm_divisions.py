"""The SVM tree over random divisions, as in its paper: two thirds of each class to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from lastviz import __version__
from lastviz.estimators import SVMTreeClassifier

from .candidates import RESULTS_VERSION
from .kept_data import printed_data
from .published import Ours, PrintedCell
from .reproduction import SVM

DIVISIONS = {"three_spirals": 20, "wine": 150}
C = {"three_spirals": 1000.0, "wine": 100.0}
ORDERS = {"SVM tree (improved)": "separability", "SVM tree (traditional)": "euclidean"}
BIAS = False  # the paper's figures for wine are closer to machines without one


def divide_rows(y: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Training and test rows: a third of each class, rounded down, is for the test."""
    rng = np.random.default_rng(seed)
    mixed = [rng.permutation(np.flatnonzero(y == c)) for c in np.unique(y)]
    test = np.concatenate([rows[: len(rows) // 3] for rows in mixed])
    return np.setdiff1d(np.arange(len(y)), test), test


def accuracy_by_class(
    X: np.ndarray, y: np.ndarray, model: SVMTreeClassifier, seed: int
) -> np.ndarray:
    """Accuracy of each class in %, (n_classes,), for one division."""
    train, test = divide_rows(y, seed)
    right = model.fit(X[train], y[train]).predict(X[test]) == y[test]
    return np.array([100.0 * right[y[test] == c].mean() for c in np.unique(y)])


def svm_figures(cells: Sequence[PrintedCell]) -> list[Ours]:
    """Figures of the SVM tree for cells of its paper.

    Each model is trained once per division.
    """
    of_models: dict[tuple[str, str, str], list[PrintedCell]] = {}
    for cell in cells:
        of_models.setdefault((cell.dataset, cell.algorithm, cell.setting), []).append(cell)
    found = []
    for (dataset, algorithm, setting), here in of_models.items():
        data = printed_data(SVM, dataset)
        X, y = data.numeric_X.to_numpy(dtype=np.float64), data.codes
        model = SVMTreeClassifier(
            order=ORDERS[algorithm], scaling="none", bias=BIAS,
            sigma=float(setting.split()[1]), C=C[dataset],
        )  # fmt: skip
        seeds = range(DIVISIONS[dataset])
        runs = np.array([accuracy_by_class(X, y, model, seed) for seed in seeds])
        found += [_figure(cell, runs[:, int(cell.metric[-1]) - 1]) for cell in here]
    return found


def _figure(cell: PrintedCell, values: np.ndarray) -> Ours:
    return Ours(
        *(cell.paper, cell.table, cell.dataset, cell.algorithm, cell.metric, cell.setting),
        "paper", float(values.mean()), float(values.std(ddof=1)), len(values), len(values),
        RESULTS_VERSION[SVM], f"{datetime.now(UTC):%Y-%m-%d}", __version__,
    )  # fmt: skip
