"""MCDF, REMT and AdaBoost.M1 on Set1 to Set4 beside the figures that they should reach.

Ten-fold cross-validation; the mean over several draws. Run it with ``python -m
benchmarks.monotone_level [--draws 5]``.
"""

from __future__ import annotations

import argparse
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
from lastviz.studies.folds import stratified_folds

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


def cross_validated(
    name: str, model: str, seed: int, folds: int = 10
) -> tuple[float, float, float]:
    """Return CA, MAE and depth of a model on one draw of a set, means over the folds."""
    datasets = {name: set_of_the_paper(name, seed)}
    steps = level_in_steps(datasets, [model], n_folds=folds, random_state=seed)
    while True:
        try:
            next(steps)
        except StopIteration as finished:
            (found,) = finished.value
            return found.accuracy.mean(), found.error.mean(), found.depth.mean()


def measure(draws: int) -> None:
    """Print what the models reach on Set1 to Set4 beside the paper's figures."""
    print("| set | model | CA: paper | level | ours | MAE | depth |")
    print("|---|---|---|---|---|---|---|")
    rows = {}
    for place, name in enumerate(SETS):
        for model in MODELS:
            found = [cross_validated(name, model, seed) for seed in range(draws)]
            ca, mae, depth = np.mean(found, axis=0)
            rows[name, model] = (ca, mae, depth)
            paper = f"{PAPER[model][place]:.3f}" if model in PAPER else ""
            level = f"{LEVEL[model][place]:.3f}" if model in LEVEL else ""
            print(f"| {name} | {model} | {paper} | {level} | {ca:.3f} | {mae:.3f} | {depth:.1f} |")
    _summary(rows)


def _summary(found: Mapping[tuple[str, str], np.ndarray]) -> None:
    """Print how far the accuracies are from their level, and whether forests are shallower."""
    accuracy, depth = ({key: each[i] for key, each in found.items()} for i in (0, 2))
    off = max(
        abs(accuracy[name, model] - level)
        for model, levels in LEVEL.items()
        for name, level in zip(SETS, levels, strict=True)
    )
    falls = all(depth[name, "MCDF"] < depth[name, "REMT"] for name in SETS)
    price = max(abs(accuracy[name, "MCDF"] - accuracy[name, "MCDF, monotone"]) for name in SETS)
    print(f"largest distance from the level: {off:.3f} (bound 0.02)")
    print(f"the trees of MCDF are shallower than REMT's on every set: {falls}")
    print(f"largest price of being monotone: {price:.3f} (bound 0.01)")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=5)
    measure(parser.parse_args().draws)


if __name__ == "__main__":
    main()
