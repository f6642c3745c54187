"""Shared parts of generated data sets: two parameters, balanced classes, one constructor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from lastviz._params import param

from .dataset import Dataset

RANDOM_STATE = param(
    int, 0, low=0, high=2**32 - 1,
    label="Seed", help="The same seed gives the same rows.",
)  # fmt: skip
LABEL_NOISE = param(
    float, 0.0, low=0.0, high=0.45, label="Label noise",
    help="Share of the rows whose class is replaced by another one, drawn at random.",
    slider=(0.0, 0.4, 0.01), main=True,
)  # fmt: skip


def rows_param(default: int, slider: tuple[int, int, int], **more: Any) -> Any:
    """Declaration of n_samples with this default and slider."""
    return param(
        int, default, low=20, high=200_000, label="Rows", unit="rows",
        help="Number of rows, shared evenly among the classes.", slider=slider, **more,
    )  # fmt: skip


def balanced_codes(n_samples: int, n_codes: int, rng: np.random.Generator) -> np.ndarray:
    """Codes 0 .. n_codes - 1, each equally often (within one), in random order."""
    return rng.permutation(np.arange(n_samples) % n_codes)


def flip(codes: np.ndarray, n_classes: int, share: float, rng: np.random.Generator) -> np.ndarray:
    """`codes`, each replaced by a different class with probability `share`."""
    replaced = rng.random(len(codes)) < share
    step = rng.integers(1, n_classes, size=len(codes))
    return np.where(replaced, (codes + step) % n_classes, codes)


def make_dataset(points: np.ndarray, codes: np.ndarray, labels: Sequence, **about) -> Dataset:
    """Data set of these points, with features x1, x2, ... and class labels.

    Parameters
    ----------
    points : ndarray, shape (n_samples, n_features)
    codes : ndarray of int, shape (n_samples,)
        Places in `labels`.
    labels : sequence
        The classes in their order.
    **about
        Further fields of :class:`Dataset`.
    """
    X = pd.DataFrame(points, columns=[f"x{j + 1}" for j in range(points.shape[1])])
    y = pd.Series(np.asarray(labels)[codes], name="class")
    return Dataset(X, y, class_order=tuple(labels), **about)
