"""TAO beside the tree that it starts from: accuracy by five folds, thresholds alone and oblique.

The tables are read from the folder that LASTVIZ_DATA names (satellite, vowel and banknote as CSV
with the class last); without it the generated waveform alone. Run it with
``python -m benchmarks.tao [DEPTH]``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from lastviz import CARTClassifier, TAOClassifier
from lastviz.datasets import load_dataset


def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the numeric columns and the class indices of a file, or of a generated set."""
    if name == "waveform":
        dataset = load_dataset(name, n_samples=5000)
        return dataset.numeric_X.to_numpy(), dataset.codes
    frame = pd.read_csv(Path(os.environ["LASTVIZ_DATA"]) / f"{name}.csv")
    X = frame.iloc[:, :-1].select_dtypes("number").to_numpy(float)
    return X, np.unique(frame.iloc[:, -1], return_inverse=True)[1]


def main(depth: int) -> None:
    """Print the table."""
    models = (
        CARTClassifier(max_depth=depth),
        TAOClassifier(max_depth=depth, oblique=False),
        TAOClassifier(max_depth=depth),
    )
    names = ("satellite", "vowel", "banknote") if "LASTVIZ_DATA" in os.environ else ()
    print(f"depth {depth}, accuracy % (leaves): CART, TAO of thresholds, TAO")
    for name in (*names, "waveform"):
        X, y = table(name)
        line = f"{name:10}"
        for model in models:
            found = []
            for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
                model.fit(X[train], y[train])
                found.append((100.0 * model.score(X[test], y[test]), model.get_n_leaves()))
            line += "  {:.1f} ({:.1f})".format(*np.mean(found, axis=0))
        print(line, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
