"""CSN of thresholds of one feature in one sweep.

See ``geometry_kernels.py`` for the rows and sums that the sweeps work on.
"""

import numpy as np

from lastviz._numba import inline_kernel, plain_kernel

from .geometry_kernels import add_row

ONE_VS_REST, EXHAUSTIVE, ONE_VS_ONE = 0, 1, 2
NO_SEPARATION = 1e-14  # a smaller distance between classes counts as none


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


@plain_kernel
def child_csn(sizes, within, ecoc, mean, centre, width):
    """CSN of a child, eq (11): class sizes, class means and within-class squares."""
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
        centre[:] = 0.0
        for k in range(sizes.shape[0]):
            if sizes[k] > 0:
                for j in range(width):
                    centre[j] += sizes[k] * mean[k, j]
        for j in range(width):
            centre[j] /= n
        if ecoc == ONE_VS_REST:
            between = _between_one_and_rest(sizes, n, mean, centre, width)
        elif ecoc == EXHAUSTIVE:
            between = _between_groups(sizes, n, mean, centre, width)
        else:
            raise ValueError("no division of the classes has this code")
    return max(within, 0.0) / between if between > NO_SEPARATION else np.inf


@inline_kernel
def _both_children(n, counts, geometry, ecoc):
    """CSN (eq 14) of the cut that the sums in `geometry` describe."""
    total, mean, out = geometry.total, geometry.mean, geometry.child_mean
    left, part, width = geometry.left, geometry.part, geometry.x.shape[1]
    sizes = geometry.held[: counts.shape[0]]
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
        value = child_csn(sizes, within, ecoc, out, geometry.centre, width)
        if value > 0.0:
            result += rows / np.float64(n) * value
    return result


@inline_kernel
def _csn_curve(column, start, end, packing, counts, geometry, ecoc, wanted_cuts, curve):
    row_bits, row_mask, class_mask, _ = packing
    n = end - start
    left, part = geometry.left, geometry.part
    x, total = geometry.x, geometry.total
    column = column[start:end]
    present = counts.shape[0]
    left[:present] = 0
    part[:present] = 0.0
    total[:present] = 0.0
    until = 0
    for i in range(n - 1):
        if wanted_cuts[i]:
            until = i + 1
    for i in range(until):
        cell = column[i]
        k = geometry.number[(cell >> row_bits) & class_mask]
        p = geometry.place[cell & row_mask]
        add_row(x, total, k, p)
        part[k] += geometry.square[p]
        left[k] += 1
        if wanted_cuts[i]:
            curve[i] = _both_children(n, counts, geometry, ecoc)


@plain_kernel
def csn_curves(
    cells, start, end, packing, counts, geometry, ecoc, wanted_features, wanted_cuts, curves
):
    """Fill curves[f, i] with CSN of the wanted cuts of the wanted features.

    counts holds the rows of the node's classes. O(n m) a feature, and O(K m) more for each wanted
    cut (one_vs_one K^2 m, exhaustive 2^K m).
    """
    for f in range(cells.shape[0]):
        if wanted_features[f]:
            _csn_curve(
                cells[f], start, end, packing, counts, geometry, ecoc, wanted_cuts[f], curves[f]
            )
