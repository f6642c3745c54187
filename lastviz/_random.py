"""Addressed randomness: a node's generator depends on its path alone.

A node is named by a 64-bit key, a hash of its parent's key and its branch number. A
generator made from ``random_state`` and that key gives the same numbers whatever the
order of growth, which makes replay exact.
"""

from __future__ import annotations

import numpy as np

ROOT_KEY = np.uint64(0x9E3779B97F4A7C15)
# Multipliers of the splitmix64 finaliser (Steele, Lea, Flood 2014).
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
# Where the seeds of the features' orders begin among the branches of a key: beyond all branches.
FEATURE_STREAM = 1 << 32


def child_keys(parent_key: np.ndarray, branch: np.ndarray) -> np.ndarray:
    """Keys of the children numbered `branch` (0, 1, ...) of nodes with `parent_key`."""
    with np.errstate(over="ignore"):
        z = np.asarray(parent_key, dtype=np.uint64) + ROOT_KEY * (
            np.asarray(branch, dtype=np.uint64) + np.uint64(1)
        )
        z = (z ^ (z >> np.uint64(30))) * MIX_1
        z = (z ^ (z >> np.uint64(27))) * MIX_2
        return z ^ (z >> np.uint64(31))


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Seed as it is; of None and a RandomState, as scikit-learn takes them, draw one."""
    if random_state is None or isinstance(random_state, np.random.RandomState):
        from sklearn.utils import check_random_state  # slow to import

        return int(check_random_state(random_state).randint(2**31 - 1))
    return int(random_state)


def node_rng(random_state: int, key: int) -> np.random.Generator:
    """Generator of the node `key` under the seed `random_state` (>= 0)."""
    return np.random.default_rng([int(random_state), int(key)])


def feature_order(random_state: int, key: int, n_features: int) -> np.ndarray:
    """Features in the order in which the node `key` looks at them, (n_features,).

    Every order is as likely as any other, and a node's does not depend on those of others.
    """
    stem = child_keys(np.uint64(key), np.asarray(int(random_state) + FEATURE_STREAM))
    return np.argsort(child_keys(stem, np.arange(n_features)), kind="stable")
