"""Tolerances within which scores count as equal, defined only here."""

import numpy as np

from lastviz._numba import inline_kernel

TIE = 1e-12  # scores closer than this (relative above 1) count as equal


@inline_kernel
def tie_slack(score, unit):
    """Difference from a score up to which another one still ties.

    `unit` is 1 of the criterion.
    """
    return TIE * max(unit, abs(score))


@inline_kernel
def tie_floor(best):
    """Smallest score that still ties with the largest one, `best`."""
    return best - tie_slack(best, 1.0)


@inline_kernel
def tie_ceiling(best):
    """Largest score that still ties with the smallest one, `best`."""
    return best + tie_slack(best, 1.0)


def tie_floors(best):
    """Elementwise :func:`tie_floor` of an array.

    Infinite scores are their own floors.
    """
    slack = TIE * np.maximum(1.0, np.abs(best))
    return best - np.where(np.isinf(best), 0.0, slack)
