"""Columns as files have them, on all scales: what is printed of them has to tell them apart."""

import numpy as np

N = 240


def _columns():
    rng = np.random.default_rng(7)
    return {
        "degrees": np.round(52.3 + 0.4 * rng.random(N), 5),
        "pressure": np.round(1013.0 + 0.3 * rng.normal(size=N), 1),
        "close pressure": 1013.0 + np.round(1e-4 * rng.random(N), 6),
        "time": 1_794_000_000_000.0 + np.floor(9e8 * rng.random(N)),
        "close time": 1_794_000_000_000.0 + np.arange(N) // 2,
        "zip": np.floor(20_001 + 998 * rng.random(N)),
        "id": 9_007_199_254_000_000.0 + np.arange(N) // 2,
        "tiny": 1e-9 * np.round(rng.random(N), 4),
        "huge": 1e12 * np.round(1.0 + rng.random(N), 4),
        "days": np.floor(18_300 + 900 * rng.random(N)),
        "count": np.floor(40 * rng.random(N)),
        "money": np.round(np.exp(9.0 + rng.normal(size=N)), 2),
        "measured": rng.normal(size=N),
    }


COLUMNS = _columns()
