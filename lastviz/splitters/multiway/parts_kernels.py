"""Parting the rows of a node among its branches, those of unknown value among several."""

import numpy as np

from lastviz._numba import kernel


@kernel
def part_rows(taken, weights, n_branches, start, place, share):
    """Group a node's rows by branch.

    Fills start (n_branches + 1), and place and share per entry.

    taken (n) is the branch of each row, -1 for a row whose value is unknown: that one goes
    down every branch that known rows take, with the branch's share of their weight. Returns
    the number of entries; where they have no room only start is filled.
    """
    total = 0.0
    known = np.zeros(n_branches)
    size = np.zeros(n_branches, dtype=np.int64)
    n_unknown = 0
    for i in range(taken.shape[0]):
        if taken[i] >= 0:
            known[taken[i]] += weights[i]
            size[taken[i]] += 1
            total += weights[i]
        else:
            n_unknown += 1
    start[0] = 0
    for b in range(n_branches):
        extra = n_unknown if size[b] > 0 else 0
        start[b + 1] = start[b] + size[b] + extra
    if place.shape[0] < start[n_branches]:
        return start[n_branches]
    at = start[:-1].copy()
    for i in range(taken.shape[0]):
        for b in range(n_branches):
            if taken[i] >= 0:
                b = taken[i]
            elif size[b] == 0:
                continue
            place[at[b]] = i
            share[at[b]] = weights[i] if taken[i] >= 0 else weights[i] * (known[b] / total)
            at[b] += 1
            if taken[i] >= 0:
                break
    return start[n_branches]
