"""The rows of a node as BNM and CSN see them.

A node's rows are normalised to 0..1 and centred on their class once (:func:`fill_geometry`).
A sweep adds one row x of class c after the other to T_c, the sum of its class on the left
side; the centred total of a class is 0, so with a rows left and b right the means are
M_c + T_c / a and M_c - T_c / b, and all that is needed of them follows from T_c.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, kernel

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
    along: np.ndarray  # (n,): scratch values
    gram: np.ndarray  # (g, g): products of a class's rows where rows are fewer than features
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
    """Fill in the products of the rows of each class, four sums side by side."""
    x, gram, label, member = geometry.x, geometry.gram, geometry.label, geometry.member
    begin = 0
    for k in range(counts.shape[0]):
        geometry.first[k] = begin
        size = 0
        for i in range(n):
            if label[i] == k:
                member[begin + size] = i
                size += 1
        begin += size
        for a in range(size):
            i = member[begin - size + a]
            for b in range(0, a + 1, 4):
                # Beyond the last row the last one is taken again.
                j0 = member[begin - size + b]
                j1 = member[begin - size + min(b + 1, a)]
                j2 = member[begin - size + min(b + 2, a)]
                j3 = member[begin - size + min(b + 3, a)]
                p0 = 0.0
                p1 = 0.0
                p2 = 0.0
                p3 = 0.0
                for f in range(x.shape[1]):
                    value = x[i, f]
                    p0 += value * x[j0, f]
                    p1 += value * x[j1, f]
                    p2 += value * x[j2, f]
                    p3 += value * x[j3, f]
                gram[i, j0] = p0
                gram[j0, i] = p0
                gram[i, j1] = p1
                gram[j1, i] = p1
                gram[i, j2] = p2
                gram[j2, i] = p2
                gram[i, j3] = p3
                gram[j3, i] = p3
