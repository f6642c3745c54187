"""Set rows aside at random so that every class gives its share and keeps at least one row."""

from __future__ import annotations

import numpy as np


def set_aside(codes: np.ndarray, n_aside: int, random_state: int) -> np.ndarray:
    """Return which rows are set aside.

    The rows of each class are put into a random order and spread evenly over (0, 1); the
    rows with the lowest places go. So the shares of the classes are met to within a row, the
    number is exact, and a larger part contains every smaller one of the same seed.

    Parameters
    ----------
    codes : ndarray of int, shape (n_samples,)
        Class index of each row.
    n_aside : int
        How many rows; at most n_samples less the number of classes that occur, because one
        row of every class stays.
    random_state : int
        Seed, >= 0.

    Returns
    -------
    ndarray of bool, shape (n_samples,)
    """
    shuffled = np.random.default_rng(random_state).permutation(len(codes))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    _, start, size = np.unique(codes[by_class], return_index=True, return_counts=True)
    number = np.arange(len(codes)) - np.repeat(start, size)
    place = (number + 0.5) / np.repeat(size, size)
    place[start + size - 1] = 2.0  # the row that each class keeps
    # The second key mixes the classes where their places are equal.
    turn = np.empty(len(codes), dtype=np.intp)
    turn[shuffled] = np.arange(len(codes))
    order = by_class[np.lexsort((turn[by_class], place))]
    aside = np.zeros(len(codes), dtype=bool)
    aside[order[: min(n_aside, len(codes) - len(size))]] = True
    return aside
