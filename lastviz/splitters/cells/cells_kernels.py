"""Sorted columns as packed cells: sorting, packing, and the stable partition of a node.

The layout of a cell is described in ``lastviz/criteria/scan_kernels.py``; `packing` is the
tuple (row_bits, row_mask, class_mask, top_bit), all of the cells' own dtype so that the
bit operations stay unsigned.
"""

import numpy as np

from lastviz._numba import inline_kernel, kernel

# Three digits of 11 + 11 + 10 bits cover the high 32 bits of a float64: sign, exponent and
# 20 bits of the mantissa. That orders most columns; the rest is finished by comparing values.
_DIGIT_BITS = 11
_BUCKETS = 1 << _DIGIT_BITS


@inline_kernel
def sort_short_run(values, order, start, end):
    """Insertion sort of order[start:end] by value; linear where it is sorted already."""
    for i in range(start + 1, end):
        row = order[i]
        value = values[row]
        j = i - 1
        while j >= start and values[order[j]] > value:
            order[j + 1] = order[j]
            j -= 1
        order[j + 1] = row


@inline_kernel
def _finish_runs(values, keys, order):
    """Sort by full value inside each run of equal keys."""
    n = order.shape[0]
    start = 0
    while start < n:
        end = start + 1
        sorted_already = True
        while end < n and (keys[end] >> np.uint64(32)) == (keys[start] >> np.uint64(32)):
            sorted_already &= values[order[end - 1]] <= values[order[end]]
            end += 1
        if not sorted_already:
            if end - start <= 32:
                sort_short_run(values, order, start, end)
            else:
                inside = order[start:end].copy()
                order[start:end] = inside[np.argsort(values[inside], kind="mergesort")]
        start = end


@inline_kernel
def _radix_pass(source, target, histogram, shift):
    """Scatter source into target by one digit; skip a digit that is equal everywhere."""
    n = source.shape[0]
    mask = np.uint64(_BUCKETS - 1)
    total = 0
    for b in range(_BUCKETS):
        count = histogram[b]
        if count == n:
            return False
        histogram[b] = total
        total += count
    for i in range(n):
        key = source[i]
        digit = (key >> np.uint64(shift)) & mask
        target[histogram[digit]] = key
        histogram[digit] += 1
    return True


@kernel
def order_of(values, bits, source, target, histograms, order):
    """Fill order with the rows by rising value; source and target are scratch keys."""
    n = values.shape[0]
    mask = np.uint64(_BUCKETS - 1)
    histograms[:] = 0
    sign = np.uint64(1) << np.uint64(63)
    for i in range(n):
        word = bits[i]
        word = ~word if word & sign else word | sign
        key = (word & np.uint64(0xFFFFFFFF00000000)) | np.uint64(i)
        source[i] = key
        histograms[0, (key >> np.uint64(32)) & mask] += 1
        histograms[1, (key >> np.uint64(43)) & mask] += 1
        histograms[2, key >> np.uint64(54)] += 1
    for digit in range(3):
        if _radix_pass(source, target, histograms[digit], 32 + _DIGIT_BITS * digit):
            source, target = target, source
    for i in range(n):
        order[i] = source[i] & np.uint64(0xFFFFFFFF)
    _finish_runs(values, source, order)


@kernel
def sort_columns(columns, resolution, order, fresh):
    """Fill order (m, n) with each column's rows by rising value.

    `fresh` (m, n) receives marks of new values.

    columns (m, n) is finite and holds no -0.0. A value is new where it exceeds the one before
    it by more than the column's resolution (m). A radix sort; O(n) per column where the high
    halves of the values tell them apart.
    """
    m, n = columns.shape
    source = np.empty(n, dtype=np.uint64)
    target = np.empty(n, dtype=np.uint64)
    histograms = np.empty((3, _BUCKETS), dtype=np.int64)
    for f in range(m):
        values = columns[f]
        order_of(values, values.view(np.uint64), source, target, histograms, order[f])
        for i in range(n):
            fresh[f, i] = i == 0 or values[order[f, i]] - values[order[f, i - 1]] > resolution[f]


@kernel
def take_rows(order, fresh, position, out_order, out_fresh):
    """Keep the rows with position[row] >= 0, renumbered to it, in each sorted column."""
    m, n = order.shape
    for f in range(m):
        count = 0
        pending = False
        for i in range(n):
            pending |= fresh[f, i]
            row = position[order[f, i]]
            if row >= 0:
                out_order[f, count] = row
                out_fresh[f, count] = pending
                pending = False
                count += 1


@kernel
def pack_cells(order, fresh, y, packing, cells):
    """Pack row, class and new-value mark of each sorted column into cells (m, n)."""
    row_bits, _, _, top_bit = packing
    zero = top_bit ^ top_bit
    m, n = order.shape
    for f in range(m):
        for i in range(n):
            row = order[f, i]
            mark = top_bit if fresh[f, i] else zero
            cells[f, i] = mark | (y[row] << row_bits) | row


@inline_kernel
def partition_cells(column, start, middle, end, goes_left, packing, keep_left, keep_right, spare):
    """Partition cells stably by child.

    Those whose rows go left move to column[start:middle], the others behind them.

    A side that is not kept is left undefined. The new-value bit of a cell becomes the OR of
    its own and those of the dropped cells since the last kept one.
    """
    _, row_mask, _, top_bit = packing
    low = ~top_bit
    zero = top_bit ^ top_bit
    to_left = start
    to_right = 0
    mark_left = zero
    mark_right = zero
    if keep_left and keep_right:
        for i in range(start, end):
            cell = column[i]
            left = np.intp(goes_left[cell & row_mask])
            mark = cell & top_bit
            mark_left |= mark
            mark_right |= mark
            column[to_left] = (cell & low) | mark_left
            spare[to_right] = (cell & low) | mark_right
            if left:
                mark_left = zero
            else:
                mark_right = zero
            to_left += left
            to_right += 1 - left
    elif keep_left:
        for i in range(start, end):
            cell = column[i]
            mark_left |= cell & top_bit
            column[to_left] = (cell & low) | mark_left
            if goes_left[cell & row_mask]:
                mark_left = zero
                to_left += 1
    else:
        for i in range(start, end):
            cell = column[i]
            mark_right |= cell & top_bit
            spare[to_right] = (cell & low) | mark_right
            if not goes_left[cell & row_mask]:
                mark_right = zero
                to_right += 1
    if keep_right:
        column[middle:end] = spare[: end - middle]


@inline_kernel
def partition_rows(rows, start, middle, end, goes_left, spare):
    """Stably move the rows that go left to rows[start:middle], the others behind them."""
    to_left = start
    to_right = 0
    for i in range(start, end):
        row = rows[i]
        left = np.intp(goes_left[row])
        rows[to_left] = row
        spare[to_right] = row
        to_left += left
        to_right += 1 - left
    rows[middle:end] = spare[: end - middle]
