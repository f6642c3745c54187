"""Least costs of trees of depth one and two, exactly, and the words that they read.

A node is a matrix of words (n_features, n), a line a feature, its rows in the order of that
feature: weight << 32 | row << 8 | class << 1 | (another value than in the word before). Costs are
whole numbers: the weight of the rows that are wrong, and a price for each split.

Three facts bound them. Taking rows away raises no least cost, so that the cost of the first child
never falls, and that of the second never rises, as a cut moves up. A cut that moves over rows of
weight d changes either by at most d. And a tree of depth d names at most 2^d classes.
"""

import numpy as np

from lastviz._numba import inline_kernel, kernel

MOST_ROWS = 1 << 24
MOST_CLASSES = 127


@inline_kernel
def _row(word):
    return (word >> 8) & 0xFFFFFF


@inline_kernel
def _class(word):
    return (word >> 1) & 127


@kernel
def pack_words(order, fresh, y, weight, words):
    """Fill in the words (m, n) of sorted columns; y and weight are by row."""
    for g in range(order.shape[0]):
        for j in range(order.shape[1]):
            row = np.int64(order[g, j])
            new = np.int64(1 if j > 0 and fresh[g, j] else 0)
            words[g, j] = (weight[row] << 32) | (row << 8) | (y[row] << 1) | new


@kernel
def class_weights(words, n_classes):
    """Weight of each class at a node."""
    total = np.zeros(n_classes, dtype=np.int64)
    for j in range(words.shape[1]):
        total[_class(words[0, j])] += words[0, j] >> 32
    return total


@kernel
def divide(words, feature, cut, first):
    """Words of both sides of the cut after position `cut` of a feature.

    first is room for a flag of each row. Whether a value is new passes to the next row of a side
    where the row that had it went to the other.
    """
    m, n = words.shape
    for j in range(n):
        first[_row(words[feature, j])] = j <= cut
    left = np.empty((m, cut + 1), dtype=np.int64)
    right = np.empty((m, n - cut - 1), dtype=np.int64)
    for g in range(m):
        a, b, new_left, new_right = 0, 0, 0, 0
        for j in range(n):
            word = words[g, j]
            new_left |= word & 1
            new_right |= word & 1
            if first[_row(word)]:
                left[g, a] = (word & ~1) | (new_left if a > 0 else 0)
                a += 1
                new_left = 0
            else:
                right[g, b] = (word & ~1) | (new_right if b > 0 else 0)
                b += 1
                new_right = 0
    return left, right


@kernel
def best_stump(words, n_classes, price):
    """Least cost of a leaf or a stump, its feature (-1: a leaf) and its position."""
    total = class_weights(words, n_classes)
    weight = total.sum()
    least, feature, cut = weight - total.max(), -1, 0
    left = np.zeros(n_classes, dtype=np.int64)
    for g in range(words.shape[0]):
        left[:] = 0
        for j in range(words.shape[1] - 1):
            left[_class(words[g, j])] += words[g, j] >> 32
            if words[g, j + 1] & 1:
                heaviest, other = 0, 0
                for k in range(n_classes):
                    heaviest = max(heaviest, left[k])
                    other = max(other, total[k] - left[k])
                cost = weight - heaviest - other + price
                if cost < least:
                    least, feature, cut = cost, g, j
    return least, feature, cut


@kernel
def gini_order(words, n_classes):
    """Features by rising order of their best Gini gain, and where that cut is (or -1).

    Scores are sums of whole numbers, of which a division makes the last digit; features of
    equal scores stand in their own order.
    """
    m, n = words.shape
    total, left = class_weights(words, n_classes), np.zeros(n_classes, dtype=np.int64)
    score, at = np.empty(m), np.full(m, -1, dtype=np.int64)
    squares, weight = 0.0, total.sum()
    for k in range(n_classes):
        squares += np.float64(total[k]) * total[k]
    for g in range(m):
        left[:] = 0
        best, inner, mixed, below = -1.0, 0.0, 0.0, 0
        for j in range(n - 1):
            c, w = _class(words[g, j]), words[g, j] >> 32
            inner += np.float64(w) * (2 * left[c] + w)
            mixed += np.float64(w) * total[c]
            left[c] += w
            below += w
            if words[g, j + 1] & 1:
                here = inner / below + (squares - 2.0 * mixed + inner) / (weight - below)
                if here > best:
                    best, at[g] = here, j
        score[g] = -best
    return np.argsort(score, kind="mergesort"), at


@inline_kernel
def _stumps_of_two(words, cut, rank, below, above, price, enough_first, enough_second):
    """Least costs of stumps on both sides of a cut, of two classes.

    With s the sum of the weights of class 0 less those of class 1 up to a cut, a stump is wrong
    about the weight of class 0 less the largest s, or that of class 1 plus the smallest.
    """
    first, second = min(below[0], below[1]), min(above[0], above[1])
    for g in range(words.shape[0]):
        s0, high0, low0, s1, high1, low1 = 0, 0, 0, 0, 0, 0
        for j in range(words.shape[1]):
            word = words[g, j]
            if word & 1:  # a cut of both sides
                high0, low0 = max(high0, s0), min(low0, s0)
                high1, low1 = max(high1, s1), min(low1, s1)
            step = (word >> 32) * (1 - (word & 2))
            here = -np.int64(rank[_row(word)] <= cut)  # all bits are set for a row of the first
            s0 += step & here
            s1 += step & ~here
        first = min(first, min(below[0] - high0, below[1] + low0) + price)
        second = min(second, min(above[0] - high1, above[1] + low1) + price)
        if first <= enough_first and second <= enough_second:
            break
    return first, second


@inline_kernel
def _rest(counts, total, side, n_classes):
    """Errors of a stump whose first leaf holds the counts of one of two sides."""
    one, two, weight = 0, 0, 0
    for k in range(n_classes):
        here = counts[side + k]
        one, two = max(one, here), max(two, total[k] - here)
        weight += total[k]
    return weight - one - two


@inline_kernel
def _stumps_of_many(words, cut, rank, below, above, price, enough_first, enough_second, counts):
    """Same for any number of classes.

    A cut that is worse than the best by some weight is followed by none that is better until rows
    of more than that weight have passed: only then a cut is scored.
    """
    n_classes = below.shape[0]
    leaf0, leaf1 = below.sum() - below.max(), above.sum() - above.max()
    first, second = leaf0, leaf1
    for g in range(words.shape[0]):
        counts[:] = 0
        left0, left1 = leaf0 + price - first, leaf1 + price - second  # weights yet to pass
        for j in range(words.shape[1]):
            word = words[g, j]
            if word & 1:  # a cut of both sides
                if left0 < 0:
                    cost = _rest(counts, below, 0, n_classes) + price
                    first = min(first, cost)
                    left0 = cost - first
                if left1 < 0:
                    cost = _rest(counts, above, n_classes, n_classes) + price
                    second = min(second, cost)
                    left1 = cost - second
            w = word >> 32
            here = -np.int64(rank[_row(word)] <= cut)  # all bits are set for a row of the first
            counts[(n_classes & ~here) + _class(word)] += w
            left0 -= w & here
            left1 -= w & ~here
        if first <= enough_first and second <= enough_second:
            break
    return first, second


@inline_kernel
def _names_bound(counts, price):
    """Lower bound on the cost of a stump: its leaves name two classes."""
    one, two, weight = 0, 0, 0
    for v in counts:
        weight += v
        if v > one:
            one, two = v, one
        elif v > two:
            two = v
    return min(weight - one, weight - one - two + price)


@inline_kernel
def _cuts_of(words, f, rank, cuts, moved):
    """Fill in a feature's cuts, each row's rank and the weights up to it.

    Returns the number of cuts.
    """
    n_cuts, weight, n = 0, 0, words.shape[1]
    for j in range(n):
        rank[_row(words[f, j])] = j
        weight += words[f, j] >> 32
        moved[j] = weight
        if j < n - 1 and words[f, j + 1] & 1:
            cuts[n_cuts] = j
            n_cuts += 1
    return n_cuts


@kernel
def best_of_depth_two(words, n_classes, price, limit, floor, rank):
    """Least cost of a tree of depth two, its feature (-1: a leaf) and its position.

    A cost that is not below `limit` is a bound at or above it; the search ends at `floor`. rank is
    room for a number of each row. A feature's cuts are halved: each cut that is scored bounds those
    on either side, and rules out its neighbours up to the weight by which it is worse than the
    best.
    """
    n = words.shape[1]
    total = class_weights(words, n_classes)
    best, feature, position = min(total.sum() - total.max(), limit), -1, 0
    if best <= floor or n < 2:
        return max(best, floor), -1, 0
    named = np.sort(total)[::-1]
    least = total.sum() - named[: min(4, n_classes)].sum()  # four leaves name four classes
    if least >= best:
        return least, -1, 0
    features, gini_cut = gini_order(words, n_classes)
    below, above = np.zeros(n_classes, np.int64), np.zeros(n_classes, np.int64)
    room = np.zeros(2 * n_classes, np.int64)
    cuts, moved = np.empty(n, np.int64), np.empty(n, np.int64)
    stack = np.empty((2 * n + 8, 4), np.int64)  # intervals of cuts, least costs of both children
    for f in features:
        if gini_cut[f] < 0:
            continue
        n_cuts = _cuts_of(words, f, rank, cuts, moved)
        waiting, middle = 1, np.searchsorted(cuts[:n_cuts], gini_cut[f])
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, n_cuts - 1, 0, 0
        while waiting > 0:
            waiting -= 1
            low, high, first, second = stack[waiting]
            if first + second + price >= best:
                continue
            middle = middle if middle >= 0 else (low + high) // 2
            cut, place = cuts[middle], middle
            middle = -1
            below[:] = 0
            for j in range(cut + 1):
                below[_class(words[f, j])] += words[f, j] >> 32
            above[:] = total - below
            one, two = (
                max(first, _names_bound(below, price)),
                max(second, _names_bound(above, price)),
            )
            if one + two + price < best:  # else these bounds say enough
                if n_classes == 2:
                    one, two = _stumps_of_two(words, cut, rank, below, above, price, one, two)
                else:
                    one, two = _stumps_of_many(
                        words, cut, rank, below, above, price, one, two, room
                    )
            worse = one + two + price - best
            if worse < 0:
                best, feature, position, worse = best + worse, f, cut, 0
                if best <= floor:
                    return best, feature, position
            lower, upper = place - 1, place + 1
            while lower >= low and moved[cut] - moved[cuts[lower]] <= worse:
                lower -= 1
            while upper <= high and moved[cuts[upper]] - moved[cut] <= worse:
                upper += 1
            if low <= lower:
                stack[waiting] = low, lower, first, max(second, two)
                waiting += 1
            if upper <= high:
                stack[waiting] = upper, high, max(first, one), second
                waiting += 1
    return best, feature, position
