"""REMT, MCDF and AdaBoost.M1 compared by cross-validation: accuracy, error in classes, depth."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.datasets import Dataset, load_dataset
from lastviz.estimators import (
    AdaBoostM1Classifier,
    ForestClassifier,
    MCDFClassifier,
    REMTClassifier,
)
from lastviz.inspection import scores

from .folds import stratified_folds

__all__ = ["MODELS", "SETS", "Level", "level_in_steps", "set_of_the_paper"]

Model = REMTClassifier | ForestClassifier
Make = Callable[..., Model]

MODELS: dict[str, Make] = {
    "REMT": REMTClassifier,
    "AdaBoost.M1": AdaBoostM1Classifier,
    "MCDF": MCDFClassifier,
    "MCDF, monotone": lambda **known: MCDFClassifier(vote="median", monotone=True, **known),
}
SETS = {"Set1": 2, "Set2": 4, "Set3": 6, "Set4": 8}  # of the paper, with their classes


@dataclass(frozen=True, eq=False)
class Level:
    """What cross-validation found about one model on one set.

    Attributes
    ----------
    dataset, model : str
    accuracy, error, depth : ndarray of float64, shape (n_folds,)
        CA, mean distance of the predicted class (MAE, eq 18), and depth: of a forest the mean
        over its trees.
    """

    dataset: str
    model: str
    accuracy: np.ndarray
    error: np.ndarray
    depth: np.ndarray


def set_of_the_paper(name: str, random_state: int = 0) -> Dataset:
    """Return Set1 to Set4 of Xu, Wang and Ren (2017): 1,000 rows, classes of equal width."""
    return load_dataset("monotone", n_classes=SETS[name], random_state=random_state)


def level_in_steps(
    datasets: Mapping[str, Dataset],
    models: Sequence[str] = tuple(MODELS),
    *,
    n_folds: int = 10,
    random_state: int = 0,
) -> Generator[float, None, list[Level]]:
    """Cross-validate models on sets; yield the share that is done, return what was found.

    Parameters
    ----------
    datasets : mapping of str to Dataset
        With ordered classes and numbers only; directions that they know are told to the models.
    models : sequence of str
        Names in :data:`MODELS`.
    n_folds : int, default 10
        Each class is spread evenly over the folds.
    random_state : int, default 0
        Seed of the folds.
    """
    out = []
    steps = len(datasets) * len(models) * n_folds
    done = 0
    for name, dataset in datasets.items():
        X, y = dataset.numeric_X.to_numpy(), dataset.codes
        fold = stratified_folds(y, n_folds, random_state)
        known = _known(dataset)
        for model in models:
            found = []
            for test in (fold == k for k in range(n_folds)):
                fitted = yield from _fitted(MODELS[model](**known), X[~test], y[~test], done, steps)
                found.append(_measured(fitted, X[test], y[test], dataset.n_classes))
                done += 1
                yield done / steps
            out.append(Level(name, model, *np.array(found).T))
    return out


def _known(dataset: Dataset) -> dict[str, object]:
    directions = [dataset.directions.get(c, 0) for c in dataset.numeric_X.columns]
    return {"monotonic_cst": directions} if any(directions) else {}


def _fitted(
    model: Model, X: np.ndarray, y: np.ndarray, done: int, steps: int
) -> Generator[float, None, Model]:
    """Fit a model, with a sign of life after each of its events."""
    for _ in model.grow(X, y):
        yield done / steps
    return model


def _measured(
    fitted: Model, X: np.ndarray, y: np.ndarray, n_classes: int
) -> tuple[float, float, float]:
    """Return accuracy, error and depth; the model's classes are class indices."""
    found = scores(y, fitted.predict(X), n_classes)
    forest = isinstance(fitted, ForestClassifier)
    depth = fitted.mean_depth_ if forest else float(fitted.tree_.max_depth)
    return found.accuracy, found.mean_absolute_error, depth
