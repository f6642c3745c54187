"""Counting the rows that dominate a row: a sweep in the plane, bit sets beyond.

A row dominates another one if it is at least as large in every column.
"""

import numpy as np

from lastviz._numba import inline_kernel, kernel

BLOCK = 64  # words that are intersected together
_ONE, _ALL = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel
def count_in_plane(order, first, second, y, tree, n_above, n_above_class):
    """Count for every row its dominating rows, and those of its class or a higher one.

    order holds the rows by falling first column; first and second (n) are the ranks of the
    columns, 0 the largest; tree (n_ranks + 1, n_classes) is zero: a Fenwick tree per class
    over the second ranks. Rows of equal first rank are inserted before they are asked for.
    O(n n_classes log n).
    """
    n, n_classes = order.shape[0], tree.shape[1]
    start = 0
    while start < n:
        end = start
        while end < n and first[order[end]] == first[order[start]]:
            place = second[order[end]] + 1
            while place < tree.shape[0]:
                tree[place, y[order[end]]] += 1
                place += place & -place
            end += 1
        for i in range(start, end):
            row = order[i]
            total = 0
            above = 0
            place = second[row] + 1
            while place > 0:
                for k in range(n_classes):
                    total += tree[place, k]
                    if k >= y[row]:
                        above += tree[place, k]
                place -= place & -place
            n_above[row] = total
            n_above_class[row] = above
        start = end


@kernel
def fill_checkpoints(order, step, words):
    """Set the bits of the first samples in falling order at each checkpoint.

    words[f, c] gets those of the first c * step samples of order[f].
    """
    m, n = order.shape
    for f in range(m):
        for c in range(1, words.shape[1]):
            words[f, c] = words[f, c - 1]
            for i in range((c - 1) * step, min(c * step, n)):
                row = order[f, i]
                words[f, c, row >> 6] |= _ONE << np.uint64(row & 63)


@inline_kernel
def _ones(word):
    """Number of set bits of a 64-bit word."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    word = word + (word >> np.uint64(8))
    word = word + (word >> np.uint64(16))
    word = word + (word >> np.uint64(32))
    return np.int64(word & np.uint64(0x7F))


@inline_kernel
def _most_selective_first(reach, row, features):
    """Sort features by how many rows reach the value of `row` in them."""
    for f in range(features.shape[0]):
        j = f - 1
        while j >= 0 and reach[row, features[j]] > reach[row, f]:
            features[j + 1] = features[j]
            j -= 1
        features[j + 1] = f


@inline_kernel
def _intersect(row, block, size, reach, words, step, features, inside, around):
    """Intersect the checkpoints within and around the sets of a sample.

    Returns whether any bit is left.
    """
    left = _ALL
    for s in range(features.shape[0]):
        f = features[s]
        low = reach[row, f] // step
        high = min(-(-reach[row, f] // step), words.shape[1] - 1)
        left = _ALL ^ _ALL
        for w in range(size):
            if s == 0:
                inside[w] = words[f, low, block + w]
                around[w] = words[f, high, block + w]
            else:
                inside[w] &= words[f, low, block + w]
                around[w] &= words[f, high, block + w]
            left |= around[w]
        if left == 0:
            return False
    return True


@inline_kernel
def _dominates(ranks, one, other):
    f = 0
    while f < ranks.shape[1] and ranks[one, f] <= ranks[other, f]:
        f += 1
    return f == ranks.shape[1]


@kernel
def count_with_bits(rows, ranks, reach, words, step, y, at_or_above, n_above, n_above_class):
    """Count samples dominating each of some: all, and those of its class or higher.

    ranks, reach (n, m): the rank of each value, 0 the largest of its column, and how many rows
    reach it. words (m, C + 1, W): see fill_checkpoints; at_or_above (n_classes, W): bits of
    the rows of that class or a higher one. A row's set lies between two checkpoints of each
    column, and only the rows between them are compared value by value.
    """
    n_words = words.shape[2]
    inside = np.empty(BLOCK, dtype=np.uint64)
    around = np.empty(BLOCK, dtype=np.uint64)
    features = np.empty(ranks.shape[1], dtype=np.int64)
    for q in range(rows.shape[0]):
        row = rows[q]
        _most_selective_first(reach, row, features)
        total = 0
        above = 0
        for block in range(0, n_words, BLOCK):
            size = min(BLOCK, n_words - block)
            if not _intersect(row, block, size, reach, words, step, features, inside, around):
                continue
            for w in range(size):
                total += _ones(inside[w])
                above += _ones(inside[w] & at_or_above[y[row], block + w])
                rest = around[w] & (inside[w] ^ _ALL)
                while rest != 0:
                    other = 64 * (block + w) + _ones((rest ^ (rest - _ONE)) >> _ONE)
                    if _dominates(ranks, other, row):
                        total += 1
                        above += y[other] >= y[row]
                    rest &= rest - _ONE
        n_above[q] = total
        n_above_class[q] = above
