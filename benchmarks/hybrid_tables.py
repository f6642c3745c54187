"""The tables of Du and Chen (2023): accuracy, depth and leaves, the paper's beside ours.

Five-fold cross-validation, stratified. "best" is the best grid point on the test folds, as in
the paper; "nested" chooses by four inner folds of the training rows alone. Run it with
``python -m benchmarks.hybrid_tables FOLDER PUBLISHED.csv [--sets NAME ...] [--peers]``.

FOLDER holds CSV files, each with an optional JSON file that describes it; a file counts as the
paper's set of the same name or of the name in NAMES. PUBLISHED has the columns table, dataset,
algorithm, metric and mean. The three waveform sets are generated.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from benchmarks.hybrid_level import grid_of
from lastviz import HybridTreeClassifier
from lastviz.datasets import load_dataset
from lastviz.datasets.dataset import Dataset
from lastviz.datasets.folder import read_folder
from lastviz.splitters import Presorted, presort

NAMES = {
    "pima": "diabetes",
    "diabetic": "Diabetic",
    "banknote": "data_banknote_authentication",
    "algerian": "Algerian_Forest_Fires",
}
HYBRIDS = {"Gini": "gini", "BNM+Gini": "bnm", "CSN+Gini": "csn", "BNM+CSN+Gini": "bnm+csn"}
PEERS = {"C4.5": "gain_ratio", "Segment+C4.5": "segment", "SPES": "spes", "SPCE": "spce"}
METRICS = ("test_accuracy", "depth", "leaves")
NOT_NESTED = {"adult"}  # an hour and more for a figure that the grid's best point has already


def numbers_of(data: Dataset) -> np.ndarray:
    """Return all features as numbers: text becomes one column a level, missing being a level."""
    columns = []
    for name, kind in data.kinds.items():
        column = data.X[name]
        if kind == "numeric" or pd.api.types.is_numeric_dtype(column.cat.categories.dtype):
            columns.append(column.astype(float).to_numpy()[:, None])
        else:
            columns.append(pd.get_dummies(column.astype(object).fillna("?")).to_numpy(float))
    return np.hstack(columns)


def data_sets(folder: str, published: pd.DataFrame) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield the paper's name, features and classes of every set that is there."""
    known = {name.lower(): name for name in published["dataset"].unique()}
    for entry in read_folder(folder).values():
        name = NAMES.get(entry.title) or known.get(entry.title.lower())
        if name in known.values() and (entry.title in NAMES or name != "diabetes"):
            data = entry.load()
            yield name, numbers_of(data), data.codes
    waves = load_dataset("waveform", n_samples=5000, random_state=0)
    for place, cls in enumerate(waves.class_order):
        data = waves.one_against_rest(cls)
        yield f"waveform{place}_R", data.X.to_numpy(), data.codes


def folds_of(y: np.ndarray, n_folds: int) -> list[tuple[np.ndarray, np.ndarray]]:
    few = min(n_folds, int(np.bincount(y).min()))
    folds = StratifiedKFold(max(few, 2), shuffle=True, random_state=0)
    return list(folds.split(np.zeros(len(y)), y))


def measure(
    parameters: dict, data: Presorted, y: np.ndarray, fold: tuple[np.ndarray, np.ndarray]
) -> tuple[float, float, float]:
    """Return accuracy on the test rows, depth and leaves of one fit."""
    train, test = fold
    here = data.take(train)
    tree = HybridTreeClassifier(**parameters).fit(here.X, y[train], presorted=here).tree_
    labels = np.unique(y[train])[tree.predict(data.X[test])]
    return float(np.mean(labels == y[test])), float(tree.max_depth), float(tree.n_leaves)


def results(grid: list[dict], data: Presorted, y: np.ndarray, n_folds: int) -> np.ndarray:
    """Return (grid point, fold, metric)."""
    folds = folds_of(y, n_folds)
    return np.array([[measure(p, data, y, fold) for fold in folds] for p in grid])


def nested(grid: list[dict], data: Presorted, y: np.ndarray, outer: np.ndarray) -> np.ndarray:
    """Return the metrics with the grid point chosen inside each training part."""
    chosen = []
    for place, (train, _) in enumerate(folds_of(y, 5)):
        best = 0
        if len(grid) > 1:
            inside = results(grid, data.take(train), y[train], 4)
            best = int(inside[..., 0].mean(axis=1).argmax())
        chosen.append(outer[best, place])
    return np.mean(chosen, axis=0)


def of_set(name: str, X: np.ndarray, y: np.ndarray, criteria: dict, inner: bool) -> dict:
    """Return for each algorithm the metrics of the best grid point, and nested."""
    data, out = presort(X), {}
    for algorithm, criterion in criteria.items():
        k_only = criterion in ("segment", "spes", "spce")
        points = grid_of("csn" if k_only else criterion)
        grid = [{"criterion": criterion, **point} for point in points]
        outer = results(grid, data, y, 5)
        means = outer.mean(axis=1)
        best = means[int(means[:, 0].argmax())]
        honest = nested(grid, data, y, outer) if inner and name not in NOT_NESTED else None
        out[algorithm] = {"best": best, "nested": honest}
    return out


def paper_of(published: pd.DataFrame, name: str, algorithm: str) -> np.ndarray:
    """Return the paper's accuracy, depth and leaves; NaN where it has none."""
    here = published[(published["dataset"] == name) & (published["algorithm"] == algorithm)]
    means = here.groupby("metric")["mean"].first()
    return np.array([means.get(metric, np.nan) for metric in METRICS], dtype=float)


def _cell(values: np.ndarray | None) -> str:
    if values is None:
        return "- | - | -"
    texts = f"{values[0]:.3f}", f"{values[1]:.1f}", f"{values[2]:.1f}"
    return " | ".join("-" if text == "nan" else text for text in texts)


def row_of(name: str, algorithm: str, paper: np.ndarray, ours: dict) -> dict:
    """Return one line of the table as the file holds it."""
    row: dict[str, object] = {"dataset": name, "algorithm": algorithm}
    honest = ours["nested"] if ours["nested"] is not None else np.full(len(METRICS), np.nan)
    for title, values in (("paper", paper), ("best", ours["best"]), ("nested", honest)):
        for metric, value in zip(("accuracy", "depth", "leaves"), values, strict=True):
            row[f"{title}_{metric}"] = round(float(value), 3 if metric == "accuracy" else 1)
    return row


def print_row(name: str, algorithm: str, paper: np.ndarray, ours: dict) -> None:
    cells = " | ".join(_cell(v) for v in (paper, ours["best"], ours["nested"]))
    print(f"| {name} | {algorithm} | {cells} |", flush=True)


def print_means(found: dict[str, dict], published: pd.DataFrame, criteria: dict) -> None:
    """Print the means over the sets that have all figures, and what follows from them."""
    means = {}
    for algorithm in criteria:
        papers = np.array([paper_of(published, name, algorithm) for name in found])
        best = np.array([found[name][algorithm]["best"] for name in found])
        honest = [found[n][algorithm]["nested"] for n in found]
        honest = [values for values in honest if values is not None]
        means[algorithm] = papers.mean(axis=0), best.mean(axis=0)
        mean = np.mean(honest, axis=0) if honest else None
        print_row(
            f"**mean of {len(found)}** (nested: {len(honest)})", algorithm, means[algorithm][0],
            {"best": means[algorithm][1], "nested": mean},
        )  # fmt: skip
    paper, ours = means["Gini"]
    for place, metric in ((1, "depth"), (2, "leaves")):
        share = ours[place] / paper[place] - 1
        print(f"\nGini, mean {metric}: {100 * share:+.1f} % of the paper's ({_holds(share)})")
    smaller = means["BNM+Gini"][1][2] < ours[2]
    larger = means["CSN+Gini"][1][2] >= ours[2]
    print(f"\nBNM's trees are smaller than Gini's: {'yes' if smaller else 'NO'}")
    print(f"\nCSN's trees are not: {'yes' if larger else 'NO'}")


def _holds(share: float) -> str:
    return "within 15 %" if abs(share) <= 0.15 else "NOT within 15 %"


def main(arguments: argparse.Namespace) -> None:
    published = pd.read_csv(arguments.published)
    criteria = {**HYBRIDS, **(PEERS if arguments.peers else {})}
    chosen = arguments.algorithms or list(criteria)
    criteria = {name: criteria[name] for name in criteria if name in chosen}
    print("| data | algorithm | paper: accuracy | depth | leaves | best: accuracy | depth | leaves "
          "| nested: accuracy | depth | leaves |")  # fmt: skip
    print("|---" * 11 + "|")
    found = {}
    for name, X, y in data_sets(arguments.folder, published):
        if arguments.sets and name not in arguments.sets:
            continue
        found[name] = of_set(name, X, y, criteria, not arguments.no_nested)
        for algorithm in criteria:
            paper = paper_of(published, name, algorithm)
            print_row(name, algorithm, paper, found[name][algorithm])
    if arguments.save:
        rows = [
            row_of(name, algorithm, paper_of(published, name, algorithm), here[algorithm])
            for name, here in found.items()
            for algorithm in criteria
        ]
        pd.DataFrame(rows).to_csv(arguments.save, index=False)
    if found and set(HYBRIDS) <= set(criteria):
        print_means(found, published, criteria)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("published")
    parser.add_argument("--sets", nargs="+", help="the paper's names; default: all that are there")
    parser.add_argument("--algorithms", nargs="+", help="the paper's names; default: all")
    parser.add_argument("--peers", action="store_true", help="C4.5, Segment+C4.5, SPES, SPCE too")
    parser.add_argument("--save", help="also write the table to this CSV file")
    parser.add_argument("--no-nested", action="store_true")
    main(parser.parse_args())
