"""How often C4.5 and Weka's J48 predict the same: ``python -m benchmarks.j48_agreement``.

J48's predictions are fixtures (tests/fixtures/j48); the numeric sets themselves are read from the
folder that LASTVIZ_DATA names.
"""

from __future__ import annotations

import numpy as np

from benchmarks.j48_fixtures import FOLDER, parted
from lastviz import C45Classifier
from lastviz.datasets import all_datasets, load_dataset


def main() -> None:
    """Print the share of equal predictions for every set that is there."""
    entries, same, total = all_datasets(), 0, 0
    print(f"{'set':12} {'rows':>6} {'equal':>7} {'C4.5':>6} {'J48':>6}")
    for path in sorted(FOLDER.glob("*.predictions")):
        key = f"folder.{path.stem}"
        if key not in entries:
            continue
        dataset = load_dataset(key)
        train, test = parted(dataset)
        X, y = dataset.numeric_X.to_numpy(), dataset.codes
        ours = C45Classifier(threshold="value").fit(X[train], y[train]).predict(X[test])
        theirs = np.array(path.read_text().split(), dtype=int)
        equal = int((ours == theirs).sum())
        same, total = same + equal, total + len(test)
        right = [(found == y[test]).mean() for found in (ours, theirs)]
        row = f"{path.stem:12} {len(test):6} {equal / len(test):7.1%}"
        print(f"{row} {right[0]:6.1%} {right[1]:6.1%}")
    print(f"{'all':12} {total:6} {same / total:7.1%}" if total else "no set: set LASTVIZ_DATA")


if __name__ == "__main__":
    main()
