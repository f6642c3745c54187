"""Events of a turning direction at which two points of a plane change places, in order.

A direction is a key: -w_x / (|w_x| + w_y) of the normal w at which the projections of both points
are equal, from -1 at 0 to 1 at 180 degrees. Points are integers below 2^24, so no two different
directions of events are closer than doubles tell apart.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel

ID_BITS = 12  # of the number of a point in an event
MOST_POINTS = 1 << ID_BITS
KEY_BITS = 64 - 2 * ID_BITS
BUCKET_BITS = 7  # of the key by which events are dealt out
DIGIT_BITS = 11
N_DIGITS = 3  # of DIGIT_BITS: the bits of the key that are left


class DistinctPoints(NamedTuple):
    """Distinct points of a plane, sorted by x, then y, with their class counts."""

    x: np.ndarray  # (n,) int64
    y: np.ndarray  # (n,) int64
    counts: np.ndarray  # (n, K) int64: rows of each class
    alike: np.ndarray  # (n,) int64: points of one number have the same counts
    span_x: float  # of the grid
    span_y: float


@inline_kernel
def key_of(points, word):
    """Direction's key of an event: d_y / (|d_y| + d_x)."""
    i = (word >> np.uint64(ID_BITS)) & np.uint64(MOST_POINTS - 1)
    j = word & np.uint64(MOST_POINTS - 1)
    dx = points.x[j] - points.x[i]
    dy = points.y[j] - points.y[i]
    return np.float64(dy) / np.float64(abs(dy) + dx)


@inline_kernel
def _word(points, i, j):
    """Event of two points of different x, i < j: 40 bits of the key, then both."""
    dx = points.x[j] - points.x[i]
    dy = points.y[j] - points.y[i]
    key = np.float64(dy) / np.float64(abs(dy) + dx)
    bits = np.uint64((1.0 + key) * np.float64(1 << (KEY_BITS - 1)))
    return (bits << np.uint64(2 * ID_BITS)) | np.uint64(i << ID_BITS | j)


@inline_kernel
def _sort_bucket(words, spare, ends):
    """Sort events with equal first key bits by their other bits, digit by digit.

    `spare` is as long; `ends` (2^DIGIT_BITS) is written over. O(len(words)).
    """
    n, mask = words.shape[0], np.uint64((1 << DIGIT_BITS) - 1)
    for digit in range(N_DIGITS):
        shift = np.uint64(2 * ID_BITS + digit * DIGIT_BITS)
        ends[:] = 0
        for e in range(n):
            ends[(words[e] >> shift) & mask] += 1
        if ends[(words[0] >> shift) & mask] == n:
            continue
        total = 0
        for value in range(ends.shape[0]):
            total += ends[value]
            ends[value] = total - ends[value]
        for e in range(n):
            value = (words[e] >> shift) & mask
            spare[ends[value]] = words[e]
            ends[value] += 1
        words[:] = spare


@kernel
def sorted_events(points):
    """Events in the order of 40 bits of their keys, of equal ones that of the points.

    Points of equal x never change places. O(n^2): the pairs are dealt out by the first bits of
    the key and each lot is sorted by the others, within a cache of the processor.
    """
    n = points.x.shape[0]
    shift = np.uint64(64 - BUCKET_BITS)
    begins = np.zeros((1 << BUCKET_BITS) + 1, dtype=np.int64)
    for i in range(n):
        for j in range(i + 1, n):
            if points.x[j] > points.x[i]:
                begins[(_word(points, i, j) >> shift) + np.uint64(1)] += 1
    longest = begins.max()
    for bucket in range(1, begins.shape[0]):
        begins[bucket] += begins[bucket - 1]
    words, at = np.empty(begins[-1], dtype=np.uint64), begins[:-1].copy()
    for i in range(n):
        for j in range(i + 1, n):
            if points.x[j] > points.x[i]:
                word = _word(points, i, j)
                words[at[word >> shift]] = word
                at[word >> shift] += 1
    spare, ends = np.empty(longest, dtype=np.uint64), np.empty(1 << DIGIT_BITS, dtype=np.int64)
    for bucket in range(at.shape[0]):
        begin, end = begins[bucket], begins[bucket + 1]
        if end - begin > 1:
            _sort_bucket(words[begin:end], spare[: end - begin], ends)
    return words


@inline_kernel
def order_by_key(points, words, begin, end):
    """Sort words[begin:end], which agree in the bits of the key, by the key itself."""
    for a in range(begin + 1, end):
        word = words[a]
        key = key_of(points, word)
        b = a - 1
        while b >= begin and key_of(points, words[b]) > key:
            words[b + 1] = words[b]
            b -= 1
        words[b + 1] = word
