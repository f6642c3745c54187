"""A node's rows with each feature at mean 0 and standard deviation 1."""

from typing import NamedTuple

import numpy as np

from lastviz._numba import kernel


class Space(NamedTuple):
    """The node's rows, each feature with mean 0 and standard deviation 1."""

    Z: np.ndarray  # (m, n); zero where a feature is constant
    centre: np.ndarray  # (m,): mean of the feature
    scale: np.ndarray  # (m,): its standard deviation, 0 where it is constant


@kernel
def standardise(columns, rows, space):
    """Fill space with the rows' standardised values of columns (m, N).

    They are free of overflow and of offsets.
    """
    n = rows.shape[0]
    for j in range(columns.shape[0]):
        lowest = np.inf
        highest = -np.inf
        for i in range(n):
            lowest = min(lowest, columns[j, rows[i]])
            highest = max(highest, columns[j, rows[i]])
        half = highest / 2.0 - lowest / 2.0
        z = space.Z[j]
        if half <= 0.0:
            z[:] = 0.0
            space.centre[j] = lowest
            space.scale[j] = 0.0
            continue
        total = 0.0
        for i in range(n):
            z[i] = (columns[j, rows[i]] / 2.0 - lowest / 2.0) / half
            total += z[i]
        mean = total / n
        squares = 0.0
        for i in range(n):
            z[i] -= mean
            squares += z[i] * z[i]
        deviation = np.sqrt(squares / n)
        for i in range(n):
            z[i] /= deviation
        space.centre[j] = lowest + mean * half + mean * half
        space.scale[j] = half * (2.0 * deviation)
