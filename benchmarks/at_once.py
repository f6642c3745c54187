"""What must be there at once, as multiples of one fit by scikit-learn on the same machine.

Run it with ``python -m benchmarks.at_once``; nothing has to be idle, for each work takes turns with
the fit: waveform of 5,000 rows and 21 columns, Gini, fully grown. The bound is what a reader would
notice. A ratio above its bound is marked, and the command then ends with 1.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

from lastviz import CARTClassifier, MCDFClassifier, REMTClassifier, what_if
from lastviz.datasets import Dataset, load_dataset
from lastviz.datasets.report import report
from lastviz.inspection import (
    FAMILIES,
    candidate_table,
    cross_validate_in_steps,
    landscape,
    nearest,
    pruned_trees,
    stability,
)
from lastviz.splitters import presort
from lastviz.splitters.edits import ForcedSplit, Split

TURNS = 5


def works() -> Iterator[tuple[str, float, Callable[[], object]]]:
    """Yield what is done, its bound, and the work."""
    dataset = load_dataset("waveform", n_samples=5000, random_state=0)
    X, y = dataset.numeric_X, dataset.codes
    X, rows = X.to_numpy(), np.arange(len(y))
    cart, presorted = CARTClassifier().fit(X, y), presort(X)
    yield "candidates of a root of 5,000 rows", 6, partial(candidate_table, presorted, y, rows, 3)
    plane = partial(landscape, X[:1000], y[:1000], rows[:1000], 3, (6, 14), "gini")
    yield "landscape of 1,000 points", 0.7, plane
    edit = [ForcedSplit((), Split(6, 2.0))]
    yield "an edited root of 5,000 rows", 0.6, partial(what_if, cart, X, y, edit)
    other = (cart.predict(X[:1])[0] + 1) % 3
    ranges = np.column_stack([X.min(axis=0), X.max(axis=0)])
    flip = partial(nearest, cart, X[0], int(other), ranges=ranges)
    yield "the nearest flip of a row", 0.1, flip
    yield "100 refits of 5,000 rows", 27, lambda: list(stability(cart, X, y, 100))
    cancer = load_dataset("breast_cancer")
    grown = CARTClassifier().fit(cancer.numeric_X, cancer.codes)
    families = [pruned_trees(grown.tree_, key) for key in FAMILIES]
    about = {"n_folds": 10, "random_state": 0}
    folds = partial(cross_validate_in_steps, grown, cancer.numeric_X, cancer.codes, families)
    yield "ten folds of all families of pruned trees", 1.5, lambda: list(folds(**about))
    rng = np.random.default_rng(0)
    columns = {f"x{i}": rng.normal(size=200_000) for i in range(35)}
    columns |= {f"c{i}": rng.choice(list("abcdefgh"), 200_000) for i in range(15)}
    large = Dataset(pd.DataFrame(columns), pd.Series(rng.integers(0, 3, 200_000)))
    yield "a look at 200,000 rows of 50 columns", 20, partial(report, large)
    monotone = load_dataset("monotone_large", n_samples=27_000)
    ordered = monotone.X.to_numpy(), monotone.codes
    yield "REMT on 27,000 rows", 2, lambda: REMTClassifier().fit(*ordered)
    forest = MCDFClassifier(subset_size=900, error_scope="subset")
    yield "MCDF on 27,000 rows", 6, lambda: forest.fit(*ordered)


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of one call."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def main() -> int:
    """Print the table."""
    dataset = load_dataset("waveform", n_samples=5000, random_state=0)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    fit = partial(DecisionTreeClassifier(random_state=0).fit, X, y)
    print("| work | ms | ratio | bound |\n|---|---|---|---|")
    late = 0
    for name, bound, work in works():
        work()
        pairs = [(seconds(work), seconds(fit)) for _ in range(TURNS)]
        ratio = statistics.median(ours / theirs for ours, theirs in pairs)
        ms = 1000 * statistics.median(ours for ours, _ in pairs)
        late += ratio > bound
        said = " above" * (ratio > bound)
        print(f"| {name} | {ms:.1f} | {ratio:.2f} | {bound} |{said}", flush=True)
    return late > 0


if __name__ == "__main__":
    sys.exit(main())
