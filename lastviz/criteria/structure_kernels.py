"""Margins, penalties and compactness of all thresholds of one feature in one sweep.

A node's rows are normalised to 0..1 and centred on their class once (:func:`fill_geometry`).
A sweep adds one row x of class c after the other to T_c, the sum of its class on the left
side; the centred total of a class is 0, so with a rows left and b right the means are
M_c + T_c / a and M_c - T_c / b, and all that is needed of them follows from T_c.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel

ONE_VS_REST, EXHAUSTIVE, ONE_VS_ONE = 0, 1, 2
NO_SEPARATION = 1e-14  # a smaller distance between classes counts as none
GRAM_LIMIT = 1024  # rows up to which the products of all rows may be stored


class Geometry(NamedTuple):
    """The rows of one node as the sweeps see them; sized for the largest node."""

    x: np.ndarray  # (n, width): normalised rows less their class mean, padded with zeros
    square: np.ndarray  # (n,): their squared lengths
    place: np.ndarray  # (n,): where a row of the data stands in x
    label: np.ndarray  # (n,): classes, by place
    mean: np.ndarray  # (K, width): class means
    spread: np.ndarray  # (K,): sum of the squared lengths of each class
    low: np.ndarray  # (m,): smallest value, times scale
    span: np.ndarray  # (m,): range, times scale; 0 where constant
    scale: np.ndarray  # (m,): 1, or 1/2 where the range overflows
    total: np.ndarray  # (K, width): T
    child_mean: np.ndarray  # (K, width): scratch
    sums: np.ndarray  # (K,): |T|^2
    part: np.ndarray  # (K,): sum of squared lengths on the left
    left: np.ndarray  # (K,): rows on the left
    last: np.ndarray  # (K,): scratch distances
    following: np.ndarray  # (K,): scratch distances
    ahead: np.ndarray  # (n,): scratch distances
    gram: np.ndarray  # (g, g): products of the rows where there are fewer rows than features
    member: np.ndarray  # (g,): rows on the left, grouped by class
    first: np.ndarray  # (K,): where a class begins in it


@kernel
def fill_places(cells, start, end, packing, rows, geometry):
    """Number the rows of the node, rows[start:end], and note their classes."""
    row_bits, row_mask, class_mask, _ = packing
    for i in range(start, end):
        geometry.place[rows[i]] = i - start
    for i in range(start, end):
        cell = cells[0, i]
        geometry.label[geometry.place[cell & row_mask]] = (cell >> row_bits) & class_mask


@kernel
def fill_ranges(cells, start, end, packing, columns, geometry):
    """Note the range of each feature over the node."""
    row_mask = packing[1]
    for f in range(cells.shape[0]):
        low = columns[f, cells[f, start] & row_mask]
        high = columns[f, cells[f, end - 1] & row_mask]
        scale = 0.5 if np.isinf(high - low) else 1.0
        geometry.low[f] = low * scale
        geometry.span[f] = high * scale - low * scale
        geometry.scale[f] = scale


@kernel
def fill_geometry(start, end, rows, columns, counts, geometry):
    """Normalise the node's rows and centre them; needs its places and ranges."""
    m = columns.shape[0]
    n = end - start
    x, mean, label = geometry.x, geometry.mean, geometry.label
    for f in range(m):
        low, span, scale = geometry.low[f], geometry.span[f], geometry.scale[f]
        for i in range(n):
            value = columns[f, rows[start + i]] * scale - low
            x[i, f] = value / span if span > 0.0 else 0.0
    mean[:, :] = 0.0
    for i in range(n):
        k = label[i]
        for f in range(m):
            mean[k, f] += x[i, f]
    for k in range(counts.shape[0]):
        geometry.spread[k] = 0.0
        for f in range(m):
            mean[k, f] /= max(counts[k], 1)
    for i in range(n):
        k = label[i]
        square = 0.0
        for f in range(m):
            x[i, f] -= mean[k, f]
            square += x[i, f] * x[i, f]
        geometry.square[i] = square
        geometry.spread[k] += square
    if n < min(m, geometry.gram.shape[0] + 1):
        _fill_gram(n, counts, geometry)


@inline_kernel
def _fill_gram(n, counts, geometry):
    x, gram = geometry.x, geometry.gram
    for i in range(n):
        for j in range(i + 1):
            product = 0.0
            for f in range(x.shape[1]):
                product += x[i, f] * x[j, f]
            gram[i, j] = product
            gram[j, i] = product
    begin = 0
    for k in range(counts.shape[0]):
        geometry.first[k] = begin
        begin += counts[k]


@inline_kernel
def _mean_margin(counts, left, sums, root):
    """Return the mean over the classes on both sides of |m_left - m_right|^2."""
    total = 0.0
    both = 0
    for k in range(counts.shape[0]):
        a = left[k]
        b = counts[k] - a
        if a > 0 and b > 0:
            factor = counts[k] / (np.float64(a) * b)
            term = factor * factor * sums[k]
            total += np.sqrt(term) if root else term
            both += 1
    return total / both if both > 0 else 0.0


@inline_kernel
def _margin_curve(column, start, end, packing, counts, by_products, geometry, root, curve):
    row_bits, row_mask, class_mask, top_bit = packing
    n = end - start
    place, x, total = geometry.place, geometry.x, geometry.total
    left, sums = geometry.left, geometry.sums
    left[:] = 0
    sums[:] = 0.0
    total[:, :] = 0.0
    for i in range(n - 1):
        cell = column[start + i]
        k = (cell >> row_bits) & class_mask
        p = place[cell & row_mask]
        if by_products:
            square = sums[k] + geometry.gram[p, p]
            begin = geometry.first[k]
            for j in range(begin, begin + left[k]):
                square += 2.0 * geometry.gram[p, geometry.member[j]]
            geometry.member[begin + left[k]] = p
            sums[k] = max(square, 0.0)
        else:
            s0 = 0.0
            s1 = 0.0
            s2 = 0.0
            s3 = 0.0
            for j in range(0, x.shape[1], 4):
                t0 = total[k, j] + x[p, j]
                t1 = total[k, j + 1] + x[p, j + 1]
                t2 = total[k, j + 2] + x[p, j + 2]
                t3 = total[k, j + 3] + x[p, j + 3]
                total[k, j] = t0
                total[k, j + 1] = t1
                total[k, j + 2] = t2
                total[k, j + 3] = t3
                s0 += t0 * t0
                s1 += t1 * t1
                s2 += t2 * t2
                s3 += t3 * t3
            sums[k] = (s0 + s1) + (s2 + s3)
        left[k] += 1
        if column[start + i + 1] >= top_bit:
            curve[i] = _mean_margin(counts, left, sums, root)


@kernel
def margin_curves(cells, start, end, packing, counts, geometry, root, curves):
    """Fill curves[f, i] with the margin (eq 5) of feature f's cut after position start + i.

    O(n (m + K)) a feature; with fewer rows than features O(n (n + K)) by the products of the
    rows. Only where there is a cut.
    """
    m = cells.shape[0]
    by_products = end - start < min(m, geometry.gram.shape[0] + 1)
    for f in range(m):
        _margin_curve(cells[f], start, end, packing, counts, by_products, geometry, root, curves[f])


@inline_kernel
def _nearest(distance):
    """Return the mean over the classes of own plus nearest other distance; inf marks absence."""
    total = 0.0
    nearest = np.inf
    second = np.inf
    present = 0
    for k in range(distance.shape[0]):
        d = distance[k]
        if d < np.inf:
            present += 1
            total += d
            second = min(second, max(d, nearest))
            nearest = min(nearest, d)
    if present < 2:
        return 0.0
    return (total + (present - 1) * nearest + second) / present


@inline_kernel
def _penalty_curve(column, start, end, packing, values, f, geometry, curve):
    row_bits, row_mask, class_mask, top_bit = packing
    n = end - start
    last, following, ahead = geometry.last, geometry.following, geometry.ahead
    low, span, scale = geometry.low[f], geometry.span[f], geometry.scale[f]
    last[:] = -np.inf
    following[:] = np.inf
    for i in range(n - 1, -1, -1):
        cell = column[start + i]
        k = (cell >> row_bits) & class_mask
        ahead[i] = following[k]
        following[k] = (values[cell & row_mask] * scale - low) / span
    behind, beyond = geometry.sums, geometry.part
    for i in range(n - 1):
        cell = column[start + i]
        k = (cell >> row_bits) & class_mask
        z = (values[cell & row_mask] * scale - low) / span
        last[k] = z
        following[k] = ahead[i]
        if column[start + i + 1] >= top_bit:
            for c in range(last.shape[0]):
                behind[c] = z - last[c]
                beyond[c] = following[c] - z
            curve[i] = _nearest(behind) + _nearest(beyond)


@kernel
def penalty_curves(cells, start, end, packing, columns, geometry, curves):
    """Fill curves[f, i] with P + Q (eq 7) of feature f's cut after position start + i.

    Only the nearest and the second-nearest class matter: O(n K) a feature. Needs the ranges.
    """
    for f in range(cells.shape[0]):
        if geometry.span[f] > 0.0:
            _penalty_curve(cells[f], start, end, packing, columns[f], f, geometry, curves[f])


@inline_kernel
def _mean_finite(distance):
    total = 0.0
    present = 0
    for k in range(distance.shape[0]):
        if distance[k] < np.inf:
            total += np.sqrt(distance[k])
            present += 1
    return total / present if present > 0 else 0.0


@kernel
def _closest_as_it_grows(column, first, step, n, packing, geometry, closest):
    """Fill closest[i] with the mean nearest distance between classes of the first i + 1 rows.

    Rows are taken from column[first] on, in steps of `step`. A child's smallest distances
    only shrink as it grows. O(n^2 m).
    """
    row_bits, row_mask, class_mask, _ = packing
    x, mean, least = geometry.x, geometry.mean, geometry.last
    least[:] = np.inf
    for i in range(n):
        cell = column[first + step * i]
        k = (cell >> row_bits) & class_mask
        p = geometry.place[cell & row_mask]
        for j in range(i):
            other = column[first + step * j]
            c = (other >> row_bits) & class_mask
            if c == k:
                continue
            bound = max(least[k], least[c])
            r = geometry.place[other & row_mask]
            square = 0.0
            for f in range(x.shape[1]):
                gap = (x[p, f] + mean[k, f]) - (x[r, f] + mean[c, f])
                square += gap * gap
                if square >= bound:
                    break
            least[k] = min(least[k], square)
            least[c] = min(least[c], square)
        closest[i] = _mean_finite(least)


@kernel
def exact_penalty_curves(cells, start, end, packing, geometry, curves):
    """Fill curves[f, i] with P + Q of eq (6) of feature f's cut after position start + i.

    O(n^2 m) a feature.
    """
    n = end - start
    for f in range(cells.shape[0]):
        if geometry.span[f] > 0.0:
            column, curve, back = cells[f], curves[f], geometry.ahead
            _closest_as_it_grows(column, start, 1, n, packing, geometry, curve)
            _closest_as_it_grows(column, end - 1, -1, n, packing, geometry, back)
            for i in range(n - 1):
                curve[i] += back[n - 2 - i]


@inline_kernel
def _between_pairs(sizes, mean, width):
    total = 0.0
    for a in range(sizes.shape[0]):
        for b in range(a):
            if sizes[a] > 0 and sizes[b] > 0:
                for j in range(width):
                    gap = mean[a, j] - mean[b, j]
                    total += gap * gap
    return total


@inline_kernel
def _between_one_and_rest(sizes, n, mean, centre, width):
    total = 0.0
    for k in range(sizes.shape[0]):
        if sizes[k] > 0:
            square = 0.0
            for j in range(width):
                gap = mean[k, j] - centre[j]
                square += gap * gap
            weight = n / np.float64(n - sizes[k])
            total += weight * weight * square
    return total


@inline_kernel
def _between_groups(sizes, n, mean, centre, width):
    """Sum over all divisions of the present classes in two groups."""
    present = 0
    for k in range(sizes.shape[0]):
        present += sizes[k] > 0
    total = 0.0
    for code in range(1, 1 << (present - 1)):
        square = 0.0
        inside = 0
        for j in range(width):
            gap = 0.0
            bit = 0
            inside = 0
            for k in range(sizes.shape[0]):
                if sizes[k] > 0:
                    if (code >> bit) & 1:
                        gap += sizes[k] * (mean[k, j] - centre[j])
                        inside += sizes[k]
                    bit += 1
            square += gap * gap
        weight = n / (np.float64(inside) * (n - inside))
        total += weight * weight * square
    return total


@kernel
def child_csn(sizes, within, ecoc, mean, centre, width):
    """Return eq (11) of a child from its class sizes, class means and within-class squares."""
    n = 0
    present = 0
    for k in range(sizes.shape[0]):
        n += sizes[k]
        present += sizes[k] > 0
    if present < 2:
        return 0.0
    if present == 2 or ecoc == ONE_VS_ONE:
        between = _between_pairs(sizes, mean, width)
    else:
        for j in range(width):
            centre[j] = 0.0
            for k in range(sizes.shape[0]):
                if sizes[k] > 0:
                    centre[j] += sizes[k] * mean[k, j]
            centre[j] /= n
        if ecoc == ONE_VS_REST:
            between = _between_one_and_rest(sizes, n, mean, centre, width)
        else:
            between = _between_groups(sizes, n, mean, centre, width)
    return max(within, 0.0) / between if between > NO_SEPARATION else np.inf


@inline_kernel
def _both_children(n, counts, geometry, sizes, ecoc, centre):
    """Return CSN (eq 14) of the cut that the sums in `geometry` describe."""
    total, mean, out = geometry.total, geometry.mean, geometry.child_mean
    left, part, width = geometry.left, geometry.part, geometry.x.shape[1]
    result = 0.0
    for side in range(2):
        sign = 1.0 if side == 0 else -1.0
        within = 0.0
        rows = 0
        for k in range(counts.shape[0]):
            size = left[k] if side == 0 else counts[k] - left[k]
            sizes[k] = size
            rows += size
            if size > 0:
                square = 0.0
                for j in range(width):
                    out[k, j] = mean[k, j] + sign * total[k, j] / size
                    square += total[k, j] * total[k, j]
                lengths = part[k] if side == 0 else geometry.spread[k] - part[k]
                within += max(lengths - square / size, 0.0)
        value = child_csn(sizes, within, ecoc, out, centre, width)
        if value > 0.0:
            result += rows / np.float64(n) * value
    return result


@inline_kernel
def _csn_curve(column, start, end, packing, counts, geometry, sizes, ecoc, centre, wanted, curve):
    row_bits, row_mask, class_mask, _ = packing
    n = end - start
    x, total, left, part = geometry.x, geometry.total, geometry.left, geometry.part
    left[:] = 0
    part[:] = 0.0
    total[:, :] = 0.0
    until = 0
    for i in range(n - 1):
        if wanted[i]:
            until = i + 1
    for i in range(until):
        cell = column[start + i]
        k = (cell >> row_bits) & class_mask
        p = geometry.place[cell & row_mask]
        for j in range(x.shape[1]):
            total[k, j] += x[p, j]
        part[k] += geometry.square[p]
        left[k] += 1
        if wanted[i]:
            curve[i] = _both_children(n, counts, geometry, sizes, ecoc, centre)


@kernel
def csn_curves(cells, start, end, packing, counts, geometry, ecoc, asked, wanted, curves):
    """Fill curves[f, i] with CSN of the cuts with wanted[f, i] of the features asked for.

    O(n m) a feature, and O(K m) more for each wanted cut (one_vs_one K^2 m, exhaustive
    2^K m).
    """
    sizes = np.zeros_like(geometry.left)
    centre = np.zeros(geometry.x.shape[1])
    for f in range(cells.shape[0]):
        if asked[f]:
            _csn_curve(
                cells[f], start, end, packing, counts, geometry, sizes, ecoc, centre,
                wanted[f], curves[f],
            )  # fmt: skip
