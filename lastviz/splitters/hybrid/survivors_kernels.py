"""Keeping the best k of all candidates, and choosing among them.

They say the same as the stages `top_k`, `minima`, `argmin` and `argmax` of
:mod:`lastviz.splitters.rule`.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, plain_kernel
from lastviz.criteria.ties_kernels import tie_ceiling, tie_floor


class Survivors(NamedTuple):
    """The candidates left after the first stage, best first."""

    top: np.ndarray  # (k,): the k largest scores
    group: np.ndarray  # (k,): which of the groups of ties they belong to
    feature: np.ndarray  # (k,)
    position: np.ndarray  # (k,)
    value: np.ndarray  # (k,): what the second stage says of them
    other: np.ndarray  # (k,)


@inline_kernel
def add_largest(curve, best, positions, k, top, found):
    """Add a feature's scores to the `found` largest scores in top.

    best is the largest score of the feature.
    """
    if best == -np.inf or (found == k and best <= top[k - 1]):
        return found
    for i in positions:
        score = curve[i]
        if score == -np.inf or (found == k and score <= top[k - 1]):
            continue
        j = found if found < k else k - 1
        while j > 0 and top[j - 1] < score:
            top[j] = top[j - 1]
            j -= 1
        top[j] = score
        found = min(found + 1, k)
    return found


@inline_kernel
def _largest(curves, best, n, k, top):
    """Fill top with the k largest scores, falling; return how many there are."""
    found = 0
    for f in range(curves.shape[0]):
        found = add_largest(curves[f], best[f], range(n), k, top, found)
    return found


@plain_kernel
def keep_best(curves, best, n, k, survivors):
    """Find the k best of curves[:, :n], best first; return how many there are.

    best (m) holds each feature's largest score; -inf is inadmissible. Scores that tie with the
    largest one left form a group; inside a group the order is by feature, then position.
    """
    top, group = survivors.top, survivors.group
    found = _largest(curves, best, n, k, top)
    if found == 0:
        return 0
    leader = 0
    for j in range(found):
        if top[j] < tie_floor(top[leader]):
            leader = j
        group[j] = leader
    last = group[found - 1]
    floor = tie_floor(top[last])
    room_in_last = found - last
    n_survivors = 0
    for f in range(curves.shape[0]):
        if best[f] < floor:
            continue
        for i in range(n):
            score = curves[f, i]
            if score < floor:
                continue
            mine = last
            if score > top[last]:
                j = 0
                while top[j] > score:
                    j += 1
                mine = group[j]
            if mine == last:
                if room_in_last == 0:
                    continue
                room_in_last -= 1
            survivors.other[n_survivors] = mine
            survivors.feature[n_survivors] = f
            survivors.position[n_survivors] = i
            n_survivors += 1
    _sort_by_group(survivors, n_survivors)
    return found


@inline_kernel
def _sort_by_group(survivors, n_survivors):
    """Stable insertion sort by group."""
    key, feature, position = survivors.other, survivors.feature, survivors.position
    for i in range(1, n_survivors):
        g, f, p = key[i], feature[i], position[i]
        j = i - 1
        while j >= 0 and key[j] > g:
            key[j + 1], feature[j + 1], position[j + 1] = key[j], feature[j], position[j]
            j -= 1
        key[j + 1], feature[j + 1], position[j + 1] = g, f, p


@inline_kernel
def first_largest(values, count):
    """First of values[:count] that ties with the largest."""
    largest = -np.inf
    for i in range(count):
        largest = max(largest, values[i])
    for i in range(count):
        if values[i] >= tie_floor(largest):
            return i
    return 0


@inline_kernel
def smallest_ceiling(values, count):
    """Largest value that ties with the smallest of values[:count]."""
    smallest = np.inf
    for i in range(count):
        smallest = min(smallest, values[i])
    return tie_ceiling(smallest)
