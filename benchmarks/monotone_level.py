"""MCDF, REMT and AdaBoost.M1 on Set1 to Set4 beside the figures that they should reach.

Ten-fold cross-validation; the mean over several draws. Run it with ``python -m
benchmarks.monotone_level [--draws 5] [--published PUBLISHED.csv --save FILE]``; the latter
writes the table that the app shows, PUBLISHED.csv holding the figures of the paper in columns
table, dataset, algorithm, metric and mean.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from lastviz.studies.monotone_level import MODELS, SETS, level_in_steps, set_of_the_paper

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
METRICS = {"CA": "paper_accuracy", "MAE": "paper_error", "depth": "paper_depth"}


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


def published(path: Path) -> pd.DataFrame:
    """Return the figures of the paper, one row for each set and algorithm."""
    given = pd.read_csv(path)
    given = given[given["metric"].isin(METRICS) & given["table"].isin([2, 5])]
    table = given.pivot(index=["dataset", "algorithm"], columns="metric", values="mean")
    table = table.rename(columns=METRICS).rename_axis(columns=None)
    for place, name in enumerate(SETS):
        table.loc[(name, "REMT"), "paper_accuracy"] = PAPER["REMT"][place]
    return table


def measured(draws: int) -> pd.DataFrame:
    """Return what the models reach on Set1 to Set4, and print it beside the paper's figures."""
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
    columns = ["our_accuracy", "our_error", "our_depth"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    table.index = pd.MultiIndex.from_tuples(table.index, names=["dataset", "algorithm"])
    _summary(table)
    return table


def _summary(table: pd.DataFrame) -> None:
    """Print how far the accuracies are from their level, and whether forests are shallower."""
    accuracy, depth = table["our_accuracy"], table["our_depth"]
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
    """Measure, print, and save if asked to."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--published", type=Path)
    parser.add_argument("--save", type=Path)
    asked = parser.parse_args()
    table = measured(asked.draws)
    if asked.save is not None:
        whole = published(asked.published).join(table, how="outer")
        whole.astype(float).round(4).to_csv(asked.save)


if __name__ == "__main__":
    main()
