"""What a line search loses that sorts as if every coordinate were positive.

Along one weight, row i changes sides at u_i = -V_i / x_i: out of the first child if x_i > 0, into
it if x_i < 0. The published program of OC1 counts every row as leaving. This script lets both
searches move one weight of random hyperplanes through twonorm's data, as generated (about the
origin) and moved to where all coordinates are positive, and compares the twoing values that the
hyperplanes then really have. Run it with ``python -m benchmarks.unsigned_search [MOVES]``.
"""

from __future__ import annotations

import sys

import numpy as np

from lastviz.criteria import twoing
from lastviz.datasets import load_dataset


def real_values(V: np.ndarray, x: np.ndarray, steps: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the twoing value of each hyperplane V + step * x; 0 where a side is empty."""
    first = V[:, None] + x[:, None] * steps <= 0.0
    left = np.stack([first[y == k].sum(axis=0) for k in range(2)], axis=-1)
    right = np.bincount(y) - left
    both = (left.sum(axis=-1) > 0) & (right.sum(axis=-1) > 0)
    out = np.zeros(len(steps))
    out[both] = twoing(left[both], right[both])
    return out


def unsigned_values(order: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the twoing values that counting every row as leaving sees between the u."""
    left = np.cumsum(np.eye(2)[y[order]], axis=0)[:-1]
    return twoing(left, np.bincount(y) - left)


def compare(X: np.ndarray, y: np.ndarray, moves: int, seed: int) -> tuple[float, float]:
    """Return in which share of the moves the unsigned search is worse, and what it attains."""
    rng = np.random.default_rng(seed)
    worse, attained = [], []
    for _ in range(moves):
        weights = rng.normal(size=X.shape[1])
        V = (X - X[rng.integers(len(X))]) @ weights
        x = X[:, rng.integers(X.shape[1])]
        u = -V / x
        order = np.argsort(u)
        steps = (u[order][1:] + u[order][:-1]) / 2.0
        values = real_values(V, x, steps, y)
        found = values[np.argmax(unsigned_values(order, y))]
        worse.append(found < values.max() - 1e-12)
        attained.append(found / values.max())
    return 100.0 * float(np.mean(worse)), 100.0 * float(np.mean(attained))


def main(moves: int) -> None:
    dataset = load_dataset("twonorm", n_samples=300, random_state=0)
    X, y = dataset.X.to_numpy(), dataset.codes
    print("| twonorm, 300 rows | moves where unsigned is worse | of the attainable twoing value |")
    print("|---|---|---|")
    for name, points in {"about the origin": X, "all positive": X - X.min(axis=0) + 1.0}.items():
        worse, attained = compare(points, y, moves, seed=0)
        print(f"| {name} | {worse:.0f} % | {attained:.0f} % |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
