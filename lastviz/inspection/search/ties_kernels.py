"""Ranks that equals share."""

import numpy as np

from lastviz._numba import kernel
from lastviz.criteria.ties_kernels import tie_floor


@kernel
def ranks_of_falling(falling, order, ranks):
    """Give each score the rank of the largest that it ties with; 1 is the best.

    Parameters
    ----------
    falling : ndarray of float64, shape (n,)
        Scores from the largest to the smallest.
    order : ndarray of intp, shape (n,)
        Where each of them stands in `ranks`.
    ranks : ndarray of intp, shape (n,)
        Filled in.
    """
    leader, floor = 0, np.inf
    for place in range(len(falling)):
        score = falling[place]
        if score < floor:
            leader = place
        if leader == place:
            floor = score if np.isinf(score) else tie_floor(score)
        ranks[order[place]] = leader + 1
