"""What the scans of a node read besides its rows: codes, units and tables of logarithms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lastviz.criteria.rank_kernels import BOTH, EITHER, FALLING, RANK, RISING
from lastviz.criteria.scan_kernels import GAIN, GAIN_RATIO, GINI, log_table

from .choice_kernels import Choice

_DIRECTIONS = {1: RISING, -1: FALLING, 0: EITHER}


@dataclass(frozen=True, eq=False)
class ScanScales:
    """How the cuts of every feature are scored."""

    choice: Choice  # with the units of its scores filled in
    code: np.ndarray  # (n_features,) int64, the criterion of each feature, as the scans name it
    # (n_samples + 1,) float64, 1 / x for Gini, log x for the rank criteria; else empty.
    per_count: np.ndarray
    # (n_samples + 1,) int64, x log2 x in units of 1 / scale for the entropy criteria; else empty.
    table: np.ndarray


def entropy_scale(n_samples: int) -> float:
    """Return the units per bit in which x log2 x of all x <= n_samples fits 62 bits."""
    largest = max(n_samples * np.log2(max(n_samples, 2)), 1.0)
    return 2.0 ** (60 - np.ceil(np.log2(largest)))


def scoring_of(
    choice: Choice, n_samples: int, n_features: int, directions: np.ndarray | None = None
) -> ScanScales:
    """Return how a choice scores the cuts of up to `n_samples` rows.

    `directions` (n_features,) holds 1, -1 or 0 and matters to the rank criteria alone.
    """
    code = np.full(n_features, choice.criterion, dtype=np.int64)
    counts = np.maximum(np.arange(n_samples + 1), 1)
    nothing, no_table = np.empty(0), np.empty(0, dtype=np.int64)
    if choice.criterion == GINI:
        return ScanScales(choice._replace(scale=1.0), code, 1.0 / counts, no_table)
    if RANK <= choice.criterion <= RANK + BOTH:
        if directions is not None:
            code += 4 * np.array([_DIRECTIONS[int(sign)] for sign in directions])
        return ScanScales(choice._replace(scale=1.0), code, np.log(counts), no_table)
    if choice.criterion not in (GAIN, GAIN_RATIO):
        raise ValueError(f"no scan of thresholds has the criterion of code {choice.criterion}")
    scale = entropy_scale(n_samples)
    return ScanScales(choice._replace(scale=scale), code, nothing, log_table(n_samples, scale))
