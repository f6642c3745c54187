"""Rows held out by whole units: the last ones, blocks of neighbours, groups of a column."""

from __future__ import annotations

import numpy as np
import pandas as pd

LAST, BLOCKS, GROUPS = UNITS = ("last", "blocks", "groups")
"""Ways to hold out: the last rows, or those of the largest values of a column; stretches of
neighbouring rows, drawn at random; all rows of values of a column, drawn at random."""
N_BLOCKS = 20  # one is as much as a step of the held-out share


def held_units(n: int, how: str, column: pd.Series | None, random_state: int) -> np.ndarray:
    """Unit of each row, numbered in the order in which units are held out.

    Parameters
    ----------
    n : int
        Rows.
    how : {"last", "blocks", "groups"}
    column : Series of length `n` or None
        Whose values are the groups, or say what comes last. Rows without one are a group, and
        the first of all.
    random_state : int
        Seed of the order of blocks and groups.

    Returns
    -------
    ndarray of intp, shape (n,)
    """
    if how == LAST:
        place = np.arange(n) if column is None else pd.factorize(column, sort=True)[0]
        return (place.max() - place).astype(np.intp)
    place = np.arange(n) * N_BLOCKS // n if how == BLOCKS else pd.factorize(column)[0]
    number = np.unique(place, return_inverse=True)[1]
    return np.random.default_rng(random_state).permutation(number.max() + 1)[number]


def units_aside(codes: np.ndarray, units: np.ndarray, n_aside: int) -> np.ndarray:
    """Mask of the samples that are set aside, whole units of them.

    As many units go as come nearest to `n_aside` rows, one at least stays. Where a class would
    have no row left, the unit with it that goes last stays, too. A larger number sets aside the
    rows of a smaller one and more.

    Parameters
    ----------
    codes : ndarray of int, shape (n_samples,)
        Class index of each row.
    units : ndarray of int, shape (n_samples,)
        See :func:`held_units`.
    n_aside : int
        0 for none.

    Returns
    -------
    ndarray of bool, shape (n_samples,)
    """
    ends = np.cumsum(np.bincount(units))[:-1]
    if not n_aside or not len(ends):
        return np.zeros(len(codes), dtype=bool)
    aside = units <= np.argmin(np.abs(ends - n_aside))
    for label in np.setdiff1d(codes, codes[~aside]):
        aside &= units != units[codes == label].max()
    return aside
