"""SODT on the generated data sets of its paper's tables: paper, study and ours side by side.

Ten-fold cross-validation, transductive (the test fold takes part in the latent spaces); means
over several draws of each generator. Run it with
``python -m benchmarks.sodt_level PUBLISHED.csv [DRAWS] [KEY ...]``, where the file has the
columns dataset, algorithm, metric and mean.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

from lastviz import GSODTClassifier, LSODTClassifier
from lastviz.datasets import load_dataset

MODELS = {
    "GSODT": GSODTClassifier(),
    "LSODT-L1": LSODTClassifier(levels=1),
    "LSODT-L2": LSODTClassifier(levels=2),
    "LSODT-L3": LSODTClassifier(levels=3),
}
# An independent study of the paper, by model: error in %, nodes. Its threenorm depends on the
# draw (the two largest singular values are nearly equal), so sizes are not compared there.
STUDY = {
    "gauss_2d": ((27.3, 27.3, 27.4, 27.3), (13, 13, 12, 12)),
    "waveform": ((16.2, 16.2, 16.7, 18.6), (178, 178, 221, 278)),
    "waveform_noise": ((17.3, 17.3, 17.9, 19.4), (282, 282, 316, 349)),
    "twonorm": ((2.3, 2.3, 2.4, 2.4), (21, 21, 26, 27)),
    "ringnorm": ((9.5, 9.5, 9.0, 9.2), (371, 371, 368, 374)),
    "threenorm": ((12.0, 12.0, 12.5, 13.0), (143, 143, 182, 199)),
}
WITHIN = {"twonorm": 0.3, "threenorm": 1.2}  # error points; 1.0 elsewhere
DRAWS = {"threenorm": 10}
_IN_THE_PAPER = {"gauss_2D": "gauss_2d", "waveformnoise": "waveform_noise"}


def published(path: Path) -> dict[tuple[str, str, str], float]:
    """Return the paper's means by (data set, model, metric), metric "error" or "nodes"."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        (_IN_THE_PAPER.get(r["dataset"], r["dataset"]), r["algorithm"], _metric(r["metric"])): (
            float(r["mean"])
        )
        for r in rows
        if r["mean"]
    }


def _metric(name: str) -> str:
    return "error" if "error" in name else "nodes" if "node" in name or "size" in name else name


def cross_validated(key: str, seed: int, n_samples: int | None = None) -> np.ndarray:
    """Return error (%) and number of nodes of each model, shape (4, 2): one draw's mean."""
    params = {} if n_samples is None else {"n_samples": n_samples}
    dataset = load_dataset(key, random_state=seed, **params)
    X, y = dataset.X.to_numpy(), dataset.codes
    found = []
    for train, test in StratifiedKFold(10, shuffle=True, random_state=seed).split(X, y):
        fold = []
        for model in MODELS.values():
            model.fit(X[train], y[train], unlabelled=X[test])
            fold.append((100.0 * np.mean(model.predict(X[test]) != y[test]), model.tree_.n_nodes))
        found.append(fold)
    return np.mean(found, axis=0)


def verdict(key: str, model: int, error: float, nodes: float) -> str:
    """Return whether error and size are those of the study."""
    errors, sizes = STUDY[key]
    close = abs(error - errors[model]) <= WITHIN.get(key, 1.0)
    if key == "gauss_2d":
        fits = 8 <= nodes <= 16
    else:
        fits = key == "threenorm" or abs(nodes / sizes[model] - 1.0) <= 0.15
    return "yes" if close and fits else "NO"


def main(path: Path, draws: int | None, keys: list[str]) -> None:
    paper = published(path)
    print("| data | draws | model | error %: paper | study | ours (sd of draws) "
          "| nodes: paper | study | ours | at the study's level |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|---|")
    for key in keys or STUDY:
        count = draws or DRAWS.get(key, 5)
        ours = np.array([cross_validated(key, seed) for seed in range(count)])
        for i, model in enumerate(MODELS):
            (error, nodes), spread = ours[:, i].mean(axis=0), ours[:, i, 0].std()
            print(
                f"| {key} | {count} | {model} | {paper.get((key, model, 'error'), '')} "
                f"| {STUDY[key][0][i]} | {error:.1f} ({spread:.1f}) "
                f"| {paper.get((key, model, 'nodes'), '')} | {STUDY[key][1][i]} | {nodes:.0f} "
                f"| {verdict(key, i, error, nodes)} |",
                flush=True,
            )


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m benchmarks.sodt_level PUBLISHED.csv [DRAWS] [KEY ...]")
    numbers = [int(word) for word in sys.argv[2:] if word.isdigit()]
    main(Path(sys.argv[1]), *(numbers or [None]), [w for w in sys.argv[2:] if not w.isdigit()])
