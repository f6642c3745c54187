"""Fitting SODT against our own C4.5, and how it grows with the number of rows.

Alternating, single-threaded, medians. Run it with
``python -m benchmarks.sodt_speed [FOLDER] [PLOT.html]``; FOLDER may hold ``satellite.csv`` with
the classes in its last column, PLOT receives the growth with n beside n log n.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is imported

import csv
import math
import sys
from pathlib import Path

import numpy as np
import plotly.graph_objects as go

from benchmarks.speed import alternating
from lastviz import C45Classifier, GSODTClassifier, LSODTClassifier
from lastviz.datasets import load_dataset

MODELS = {
    "C4.5": C45Classifier(),
    "GSODT": GSODTClassifier(),
    "LSODT-L3": LSODTClassifier(levels=3),
    "LSODT, all levels": LSODTClassifier(levels=None),
}
BOUNDS = {"GSODT": 2.0, "LSODT-L3": 5.0}
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)


def satellite(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return features and classes of the table in a folder."""
    with (folder / "satellite.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return np.array([row[:-1] for row in rows], dtype=float), np.array([r[-1] for r in rows])


def against_c45(data: dict[str, tuple[np.ndarray, np.ndarray]]) -> None:
    print("| data | " + " | ".join(f"{name}, ms" for name in MODELS) + " | ratios to C4.5 |")
    print("|---" * (len(MODELS) + 2) + "|")
    for name, (X, y) in data.items():
        took = alternating({key: lambda m=m, X=X, y=y: m.fit(X, y) for key, m in MODELS.items()})
        ratios = ", ".join(
            f"{key} {took[key] / took['C4.5']:.2f} (at most {bound:g})"
            for key, bound in BOUNDS.items()
        )
        cells = " | ".join(f"{took[key]:.1f}" for key in MODELS)
        print(f"| {name} | {cells} | {ratios} |", flush=True)


def with_n() -> dict[int, float]:
    """Print, and return by number of rows, what fitting takes in ms."""
    times = {}
    print("\n| rows of 20 features | GSODT, ms | microseconds per n log2 n | nodes |")
    print("|---|---|---|---|")
    for n in SIZES:
        data = load_dataset("twonorm", n_samples=n, random_state=0)
        X, y = data.X.to_numpy(), data.codes
        model = GSODTClassifier()
        took = alternating({"fit": lambda m=model, X=X, y=y: m.fit(X, y)})["fit"]
        times[n] = took
        unit = 1e3 * took / (n * math.log2(n))
        print(f"| {n:,} | {took:.1f} | {unit:.3f} | {model.grown_tree_.n_nodes} |", flush=True)

    return times


def plot(times: dict[int, float], path: Path) -> None:
    """Draw the times on logarithmic axes, beside n log n through the largest."""
    n, took = np.array(list(times)), np.array(list(times.values()))
    shape = n * np.log(n)
    figure = go.Figure()
    figure.add_scatter(x=n, y=took, name="GSODT", mode="lines+markers")
    figure.add_scatter(x=n, y=took[-1] * shape / shape[-1], name="n log n", line_dash="dash")
    figure.update_xaxes(type="log", title="rows of 20 features")
    figure.update_yaxes(type="log", title="ms")
    figure.write_html(path)


def main(folder: Path | None, picture: Path | None) -> None:
    waveform = load_dataset("waveform", n_samples=5000, random_state=0)
    data = {"waveform 5000x21": (waveform.X.to_numpy(), waveform.codes)}
    if folder is not None:
        data["satellite 6435x36"] = satellite(folder)
    against_c45(data)
    times = with_n()
    if picture is not None:
        plot(times, picture)


if __name__ == "__main__":
    given = [Path(word) for word in sys.argv[1:]]
    pictures = [path for path in given if path.suffix == ".html"]
    folders = [path for path in given if path.suffix != ".html"]
    main(*(folders or [None])[:1], *(pictures or [None])[:1])
