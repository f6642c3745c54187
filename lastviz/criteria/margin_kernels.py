"""The margins of BNM of all thresholds of one feature in one sweep.

See ``geometry_kernels.py`` for the rows and sums that the sweeps work on.
"""

import numpy as np

from lastviz._numba import inline_kernel, plain_kernel

from .geometry_kernels import add_row

ROUNDING = 1e-15  # more than a float64 loses in a sum or a product
LOOSE = 1e-6  # by which bounds are widened


@inline_kernel
def _add_and_measure(x, total, k, p):
    """Do as :func:`add_row`; return the total's squared length.

    Both are taken four numbers at a time, which the compiler does at once.
    """
    s0 = 0.0
    s1 = 0.0
    s2 = 0.0
    s3 = 0.0
    for j in range(x.shape[1]):
        t0 = total[k, j, 0] + x[p, j, 0]
        t1 = total[k, j, 1] + x[p, j, 1]
        t2 = total[k, j, 2] + x[p, j, 2]
        t3 = total[k, j, 3] + x[p, j, 3]
        total[k, j, 0] = t0
        total[k, j, 1] = t1
        total[k, j, 2] = t2
        total[k, j, 3] = t3
        s0 += t0 * t0
        s1 += t1 * t1
        s2 += t2 * t2
        s3 += t3 * t3
    return (s0 + s1) + (s2 + s3)


@inline_kernel
def _length(total, k):
    """Result of the last :func:`_add_and_measure`, bit by bit."""
    s0 = 0.0
    s1 = 0.0
    s2 = 0.0
    s3 = 0.0
    for j in range(total.shape[1]):
        s0 += total[k, j, 0] * total[k, j, 0]
        s1 += total[k, j, 1] * total[k, j, 1]
        s2 += total[k, j, 2] * total[k, j, 2]
        s3 += total[k, j, 3] * total[k, j, 3]
    return (s0 + s1) + (s2 + s3)


@inline_kernel
def _begin(counts, geometry):
    """Put all rows on the right."""
    for k in range(counts.shape[0]):
        geometry.left[k] = 0
        geometry.part[k] = 0.0  # in the sweeps of margins: what the classes add to them
        geometry.sums[k] = 0.0
        geometry.is_moved[k] = False


@inline_kernel
def _move(k, counts, geometry, n_moved, both):
    """Move a sample of class k to the left.

    Returns the number of classes moved, and the number that lie on both sides.
    """
    a = geometry.left[k] + 1
    geometry.left[k] = a
    geometry.moved[n_moved] = k
    n_moved += not geometry.is_moved[k]
    geometry.is_moved[k] = True
    both += a == 1
    both -= a == counts[k]
    return n_moved, both


@inline_kernel
def _mean_margin(n_moved, both, counts, geometry, terms, inverse, root):
    """Margin of a cut from the lengths in sums.

    A class counts n_c^2 / (a b)^2 |T_c|^2; only those change of which rows moved.
    """
    left, sums, moved = geometry.left, geometry.sums, geometry.moved
    for t in range(n_moved):
        k = moved[t]
        geometry.is_moved[k] = False
        a = left[k]
        b = counts[k] - a
        factor = counts[k] * inverse[a] * inverse[b] if b > 0 else 0.0
        term = factor * factor * sums[k]
        terms[k] = np.sqrt(term) if root else term
    margin = 0.0
    for k in range(counts.shape[0]):
        margin += terms[k]
    return margin * inverse[both]


@inline_kernel
def _sweep(column, n, packing, counts, geometry, x, total, inverse, root, curve):
    """Fill curve[i] with the margin of the cut after the i-th row, row by row."""
    row_bits, row_mask, class_mask, top_bit = packing
    sums, moved = geometry.sums, geometry.moved
    _begin(counts, geometry)
    total[: counts.shape[0]] = 0.0
    n_moved = 0
    both = 0
    for i in range(n - 1):
        cell = column[i]
        k = geometry.number[(cell >> row_bits) & class_mask]
        p = geometry.place[cell & row_mask]
        n_moved, both = _move(k, counts, geometry, n_moved, both)
        if column[i + 1] < top_bit:
            add_row(geometry.x, geometry.total, k, p)
            continue
        sums[k] = _add_and_measure(x, total, k, p)
        for t in range(n_moved):
            if moved[t] != k:
                sums[moved[t]] = _length(total, moved[t])
        curve[i] = _mean_margin(n_moved, both, counts, geometry, geometry.part, inverse, root)
        n_moved = 0


@inline_kernel
def _sweep_by_products(column, n, packing, counts, geometry, inverse, root, curve):
    """Do the same with the products of the rows: |T + x|^2 = |T|^2 + |x|^2 + 2 T x."""
    row_bits, row_mask, class_mask, top_bit = packing
    gram, member = geometry.gram, geometry.member
    left, sums = geometry.left, geometry.sums
    _begin(counts, geometry)
    n_moved = 0
    both = 0
    for i in range(n - 1):
        cell = column[i]
        k = geometry.number[(cell >> row_bits) & class_mask]
        p = geometry.place[cell & row_mask]
        square = sums[k] + gram[p, p]
        begin = geometry.first[k]
        for j in range(begin, begin + left[k]):
            square += 2.0 * gram[p, member[j]]
        member[begin + left[k]] = p
        sums[k] = max(square, 0.0)
        n_moved, both = _move(k, counts, geometry, n_moved, both)
        if column[i + 1] >= top_bit:
            curve[i] = _mean_margin(n_moved, both, counts, geometry, geometry.part, inverse, root)
            n_moved = 0


@inline_kernel
def _by_products(n, m, geometry):
    """Whether products are at hand, and the node has fewer samples than features."""
    return n < min(m, geometry.gram.shape[0] + 1)


@plain_kernel
def margin_curve(column, start, end, m, packing, counts, geometry, inverse, root, curve):
    """Fill curve[i] with the margin (eq 5) of a feature's cut after start + i.

    m is the number of features, counts the rows of the node's classes, inverse holds 1 / x.
    O(n (m + K)); with fewer rows than features O(n (n + K)) by the products of the rows. Only
    where there is a cut.
    """
    n = end - start
    if _by_products(n, m, geometry):
        _sweep_by_products(column[start:end], n, packing, counts, geometry, inverse, root, curve)
        return
    fours = geometry.x.shape[1] // 4
    x = geometry.x.reshape((geometry.x.shape[0], fours, 4))
    total = geometry.total.reshape((geometry.total.shape[0], fours, 4))
    _sweep(column[start:end], n, packing, counts, geometry, x, total, inverse, root, curve)


@inline_kernel
def _slack(count, spread, n, m, geometry):
    """Upper bound of the rounding error of |T_c|^2.

    The error arises in the means of a class and in the sweeps.
    """
    size = np.float64(count)
    lost = size * size * size * (spread + size * m) * ROUNDING * ROUNDING / LOOSE
    if _by_products(n, m, geometry):  # a sum of up to size^2 products of m numbers
        lost += size * (size * size + m) * spread * ROUNDING
    return lost


@inline_kernel
def _length_bound(k, counts, geometry, slack):
    """Upper bound of |T_c|^2 as the sweeps compute it.

    A sum of a vectors is at most a times the sum of their squares long, squared; the rows on the
    right sum up to the same length, since those of a class sum up to 0.
    """
    left, part, spread = geometry.left, geometry.part, geometry.spread
    rest = max(spread[k] - part[k], 0.0) + ROUNDING * counts[k] * spread[k]
    bound = min(left[k] * part[k], (counts[k] - left[k]) * rest)
    return (1.0 + LOOSE) * bound + slack[k]


@inline_kernel
def largest_margin(n, m, counts, geometry, root):
    """Upper bound of all margins of the node.

    A class adds at most 4 |x|^2 of its longest x.

    With a rows left and b right a sum is at most min(a, b) |x| long, and n^2 / max(a, b)^2 at
    most 4.
    """
    longest = 0.0
    for i in range(n):
        longest = max(longest, geometry.square[i])
    spare = 0.0
    for k in range(counts.shape[0]):
        # A slack is divided by (a b / n)^2, which is at least (1 - 1 / n)^2 and so 1 / 4.
        spare = max(spare, 4.0 * _slack(counts[k], geometry.spread[k], n, m, geometry))
    largest = (1.0 + 2.0 * LOOSE) * 4.0 * longest + 2.0 * spare
    return np.sqrt(largest) if root else largest


@plain_kernel
def margin_bounds(column, start, end, m, packing, counts, geometry, inverse, root, curve):
    """Fill curve[i] with upper bounds of :func:`margin_curve`: O(n K) for any m."""
    row_bits, row_mask, class_mask, top_bit = packing
    n = end - start
    inside = column[start:end]
    part, moved = geometry.part, geometry.moved
    slack, terms = geometry.last, geometry.following  # scratch that nobody reads now
    _begin(counts, geometry)
    for k in range(counts.shape[0]):
        terms[k] = 0.0
        slack[k] = _slack(counts[k], geometry.spread[k], n, m, geometry)
    n_moved = 0
    both = 0
    for i in range(n - 1):
        cell = inside[i]
        k = geometry.number[(cell >> row_bits) & class_mask]
        part[k] += geometry.square[geometry.place[cell & row_mask]]
        n_moved, both = _move(k, counts, geometry, n_moved, both)
        if inside[i + 1] >= top_bit:
            for t in range(n_moved):
                geometry.sums[moved[t]] = _length_bound(moved[t], counts, geometry, slack)
            curve[i] = _mean_margin(n_moved, both, counts, geometry, terms, inverse, root)
            n_moved = 0


@plain_kernel
def margin_curves(cells, start, end, packing, counts, geometry, inverse, root, curves):
    """Fill curves[f, i] with the margin (eq 5) of feature f's cut after start + i."""
    m = cells.shape[0]
    for f in range(m):
        margin_curve(cells[f], start, end, m, packing, counts, geometry, inverse, root, curves[f])
