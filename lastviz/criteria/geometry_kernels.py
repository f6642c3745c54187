"""The rows of a node as BNM and CSN see them.

A node's rows are normalised to 0..1 and centred on their class once (:func:`fill_geometry`).
A sweep adds one row x of class c after the other to T_c, the sum of its class on the left
side; the centred total of a class is 0, so with a rows left and b right the means are
M_c + T_c / a and M_c - T_c / b, and all that is needed of them follows from T_c.

Classes are numbered among those that the node holds (:func:`number_classes`): most nodes hold few
of many, and a class that is not there would add nothing but time.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel, plain_kernel

BLOCK = 8  # numbers that fill a line of the cache
GRAM_LIMIT = 1024  # rows up to which the products of all rows may be stored


class NodeGeometry(NamedTuple):
    """The rows of one node as the sweeps see them; sized for the largest node.

    Whatever has a place for each class has it by the class's number in the node. Numbers that are
    looked up by are unsigned: nobody asks whether they count from the end.
    """

    number: np.ndarray  # (K,): of a class of the data
    sizes: np.ndarray  # (K,): rows of the node's classes

    values: np.ndarray  # (n, width): the values of all rows of the data, padded with zeros
    x: np.ndarray  # (n, width): normalised rows less their class mean, padded with zeros
    square: np.ndarray  # (n,): their squared lengths
    place: np.ndarray  # (n,): where a row of the data stands in x
    label: np.ndarray  # (n,): numbers of the classes, by place
    mean: np.ndarray  # (K, width): class means
    spread: np.ndarray  # (K,): sum of the squared lengths of each class
    low: np.ndarray  # (m,): smallest value, times scale
    span: np.ndarray  # (m,): range, times scale; 0 where constant
    scale: np.ndarray  # (m,): 1, or 1/2 where the range overflows
    divisor: np.ndarray  # (m,): span, 1 where constant
    total: np.ndarray  # (K, width): T
    child_mean: np.ndarray  # (K, width): scratch
    sums: np.ndarray  # (K,): |T|^2
    part: np.ndarray  # (K,): sum of squared lengths on the left
    left: np.ndarray  # (K,): rows on the left
    moved: np.ndarray  # (K + 1,): classes that moved since the last cut
    is_moved: np.ndarray  # (K,) bool
    held: np.ndarray  # (K,): rows of a child
    centre: np.ndarray  # (width,): mean of a child
    last: np.ndarray  # (K,): scratch distances
    following: np.ndarray  # (K,): scratch distances
    ahead: np.ndarray  # (n,): scratch distances
    along: np.ndarray  # (n,): scratch values
    gram: np.ndarray  # (g, g): products of a class's rows where rows are fewer than features
    member: np.ndarray  # (g,): rows on the left, grouped by class
    first: np.ndarray  # (K,): where a class begins in it
    block: np.ndarray  # (width, BLOCK): scratch
    products: np.ndarray  # (BLOCK,): scratch


@inline_kernel
def add_row(x, total, k, p):
    """Add row p to the total of class k."""
    for j in range(x.shape[1]):
        total[k, j] += x[p, j]


@inline_kernel
def number_classes(counts, geometry):
    """Number the classes of which the node has rows; return how many."""
    present = 0
    for k in range(counts.shape[0]):
        geometry.number[k] = present
        if counts[k] > 0:
            geometry.sizes[present] = counts[k]
            present += 1
    return present


@plain_kernel
def fill_places(cells, start, end, packing, rows, geometry):
    """Number the rows of the node, rows[start:end], and note their classes."""
    row_bits, row_mask, class_mask, _ = packing
    for i in range(start, end):
        geometry.place[rows[i]] = i - start
    for i in range(start, end):
        cell = cells[0, i]
        k = geometry.number[(cell >> row_bits) & class_mask]
        geometry.label[geometry.place[cell & row_mask]] = k


@plain_kernel
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
        geometry.divisor[f] = geometry.span[f] if geometry.span[f] > 0.0 else 1.0


@plain_kernel
def fill_geometry(start, end, rows, m, counts, geometry):
    """Normalise the node's rows and centre them; needs its places and ranges.

    counts holds the rows of the node's classes, by number.
    """
    n = end - start
    x, mean, label, values = geometry.x, geometry.mean, geometry.label, geometry.values
    low, scale, divisor = geometry.low, geometry.scale, geometry.divisor
    mean[: counts.shape[0]] = 0.0
    for i in range(n):
        row = rows[start + i]
        k = label[i]
        for f in range(m):  # a constant feature is 0 everywhere
            x[i, f] = (values[row, f] * scale[f] - low[f]) / divisor[f]
        for f in range(m):
            mean[k, f] += x[i, f]
    for k in range(counts.shape[0]):
        geometry.spread[k] = 0.0
        for f in range(m):
            mean[k, f] /= counts[k]
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
    """Fill in the products of the rows of each class, of some of them at a time.

    Each sum runs over the features from the first to the last, whatever stands beside it.
    """
    x, gram, label, member = geometry.x, geometry.gram, geometry.label, geometry.member
    width = x.shape[1]
    block = geometry.block
    begin = 0
    for k in range(counts.shape[0]):
        geometry.first[k] = begin
        size = 0
        for i in range(n):
            if label[i] == k:
                member[begin + size] = i
                size += 1
        for b in range(0, size, BLOCK):
            beside = min(BLOCK, size - b)
            for j in range(beside):
                for f in range(width):
                    block[f, j] = x[member[begin + b + j], f]
            for a in range(b, size):
                i = member[begin + a]
                _products_with(x[i], block, geometry.products)
                for j in range(beside):
                    gram[i, member[begin + b + j]] = geometry.products[j]
                    gram[member[begin + b + j], i] = geometry.products[j]
        begin += size


@plain_kernel
def _products_with(row, block, out):
    """Fill out with a row (width) times the columns of a block (width, 8)."""
    p0 = p1 = p2 = p3 = p4 = p5 = p6 = p7 = 0.0
    for f in range(row.shape[0]):
        value = row[f]
        p0 += value * block[f, 0]
        p1 += value * block[f, 1]
        p2 += value * block[f, 2]
        p3 += value * block[f, 3]
        p4 += value * block[f, 4]
        p5 += value * block[f, 5]
        p6 += value * block[f, 6]
        p7 += value * block[f, 7]
    out[0], out[1], out[2], out[3] = p0, p1, p2, p3
    out[4], out[5], out[6], out[7] = p4, p5, p6, p7
