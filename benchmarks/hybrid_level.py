"""Exclusive or: which hybrid criterion finds the tree of four leaves and depth two.

Twenty draws of four normal clusters; a draw counts where some pair (w2, k) of the grid gives
exactly 4 leaves and depth 2. In brackets the mean over the draws of the fewest leaves among
the trees with at least 95 % training accuracy. Run it with
``python -m benchmarks.hybrid_level [DRAWS]``.
"""

from __future__ import annotations

import sys

import numpy as np

from lastviz import HybridTreeClassifier
from lastviz.datasets import load_dataset
from lastviz.splitters import presort

W2 = (0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1)
K = (2, 3, 5, 7, 10, 15, 20, 30)
PRESETS = [(n, sd) for n in (50, 200) for sd in (0.05, 0.10, 0.15, 0.20)]
CRITERIA = ("gini", "bnm", "csn", "bnm+csn")


def grid_of(criterion: str) -> list[dict[str, float]]:
    """Return the parameter pairs that matter for a criterion."""
    w2 = [{"w2": w} for w in W2] if "bnm" in criterion else [{}]
    k = [{"k": k} for k in K] if "csn" in criterion else [{}]
    return [{**a, **b} for a in w2 for b in k]


def solve(criterion: str, per_cluster: int, sd: float, seed: int) -> tuple[bool, float]:
    """Return whether any parameters find the exact tree, and the fewest leaves of a good one."""
    data = load_dataset("xor", n_samples=4 * per_cluster, noise=sd, random_state=seed)
    X, y = data.X.to_numpy(), data.codes
    presorted, exact, leaves = presort(X), False, [np.nan]
    for parameters in grid_of(criterion):
        fitted = HybridTreeClassifier(criterion=criterion, **parameters)
        tree = fitted.fit(X, y, presorted=presorted).tree_
        if np.mean(tree.predict(X) == y) >= 0.95:
            leaves.append(tree.n_leaves)
            exact |= (tree.n_leaves, tree.max_depth) == (4, 2)
    return exact, float(np.nanmin(leaves)) if len(leaves) > 1 else np.nan


def main(draws: int) -> None:
    print(f"| rows a cluster, sd | {' | '.join(CRITERIA)} |")
    print("|---|" + "---|" * len(CRITERIA))
    for per_cluster, sd in PRESETS:
        cells = []
        for criterion in CRITERIA:
            found = [solve(criterion, per_cluster, sd, seed) for seed in range(draws)]
            exact, leaves = np.array(found).T
            cells.append(f"{int(exact.sum())}/{draws} ({np.nanmean(leaves):.1f})")
        print(f"| {per_cluster}, {sd:.2f} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
