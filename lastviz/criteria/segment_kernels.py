"""Segments and Hellinger distances of all thresholds, from the classes along sorted columns."""

import numpy as np

from lastviz._numba import inline_kernel, kernel


@inline_kernel
def hellinger_distance(counts, left, n, n_left):
    """Hellinger distance of the partition with counts left (K) of counts (K)."""
    largest = 0.0
    for k in range(counts.shape[0]):
        if counts[k] == 0 or counts[k] == n:
            continue
        rest = np.float64(n - counts[k])
        p = np.sqrt(left[k] / np.float64(counts[k]))
        r = np.sqrt((n_left - left[k]) / rest)
        first = p - r
        p = np.sqrt((counts[k] - left[k]) / np.float64(counts[k]))
        r = np.sqrt((n - n_left - counts[k] + left[k]) / rest)
        second = p - r
        largest = max(largest, first * first + second * second)
        if counts.shape[0] == 2:
            break
    return np.sqrt(largest)


@kernel
def hellinger_curves(cells, start, end, packing, counts, left, curves):
    """Fill curves[f, i] with Hellinger distances of feature f's cuts after start + i."""
    row_bits, _, class_mask, top_bit = packing
    n = end - start
    for f in range(cells.shape[0]):
        left[:] = 0
        for i in range(n - 1):
            left[(cells[f, start + i] >> row_bits) & class_mask] += 1
            if cells[f, start + i + 1] >= top_bit:
                curves[f, i] = hellinger_distance(counts, left, n, i + 1)


@kernel
def segment_curves(cells, start, end, packing, stamp, first, second):
    """Fill first[f, i] and second[f, i] with segments along feature f. O(n m).

    Equal values count as sorted by class: inside a block of equal values the class changes
    as often as it has classes, less one. stamp (K) is scratch.
    """
    row_bits, _, class_mask, top_bit = packing
    n = end - start
    for f in range(cells.shape[0]):
        column = cells[f]
        stamp[:] = -1
        changes = 0
        previous = -1
        i = 0
        while i < n:
            begin = i
            low = stamp.shape[0]
            high = -1
            inside = -1
            while i < n and (i == begin or column[start + i] < top_bit):
                k = int((column[start + i] >> row_bits) & class_mask)
                if stamp[k] != begin:
                    stamp[k] = begin
                    inside += 1
                low = min(low, k)
                high = max(high, k)
                i += 1
            if begin > 0:
                first[f, begin - 1] = 1 + changes
                changes += previous != low
                second[f, begin - 1] = changes
            changes += inside
            previous = high
        for i in range(n - 1):
            if column[start + i + 1] >= top_bit:
                second[f, i] = 1 + changes - second[f, i]


@kernel
def _sorted_by_class(column, start, end, packing, place, n_classes, sequence):
    """Fill sequence with the places of a column's rows by value, then class."""
    row_bits, row_mask, class_mask, top_bit = packing
    begins = np.zeros(n_classes + 1, dtype=np.int64)
    i = start
    while i < end:
        begin = i
        i += 1
        while i < end and column[i] < top_bit:
            i += 1
        if i == begin + 1:
            sequence[begin - start] = place[column[begin] & row_mask]
            continue
        begins[:] = 0
        for j in range(begin, i):
            begins[((column[j] >> row_bits) & class_mask) + 1] += 1
        for k in range(n_classes):
            begins[k + 1] += begins[k]
        for j in range(begin, i):
            k = (column[j] >> row_bits) & class_mask
            sequence[begin - start + begins[k]] = place[column[j] & row_mask]
            begins[k] += 1


@kernel
def link_neighbours(cells, start, end, packing, place, label, n_classes, links, changes):
    """Fill links (2, n, m) with each sample's neighbours in each column.

    changes (m) gets the number of class changes.

    links[0] is the row before, links[1] the one behind, by place, -1 at the ends; a change is
    a pair of neighbours of different class.
    """
    n = end - start
    sequence = np.empty(n, dtype=np.int64)
    for f in range(cells.shape[0]):
        _sorted_by_class(cells[f], start, end, packing, place, n_classes, sequence)
        changes[f] = 0
        for i in range(n):
            p = sequence[i]
            links[0, p, f] = sequence[i - 1] if i > 0 else -1
            links[1, p, f] = sequence[i + 1] if i < n - 1 else -1
            if i > 0:
                changes[f] += label[p] != label[sequence[i - 1]]


@inline_kernel
def _take_out(p, label, links, changes):
    """Take row p out of every column; return the smallest number of changes left."""
    fewest = np.int64(1) << 62
    for f in range(changes.shape[0]):
        a = links[0, p, f]
        b = links[1, p, f]
        change = changes[f]
        if a >= 0:
            change -= label[a] != label[p]
            links[1, a, f] = b
        if b >= 0:
            change -= label[b] != label[p]
            links[0, b, f] = a
        if a >= 0 and b >= 0:
            change += label[a] != label[b]
        changes[f] = change
        fewest = min(fewest, change)
    return fewest


@kernel
def fewest_segment_curves(
    cells, start, end, packing, place, label, n_classes, wanted_features, first, second
):
    """Fill first[f, i] and second[f, i] with the fewest segments over all features.

    A child that loses its rows one after the other mends each column's list of neighbours in
    constant time: O(n m) for each feature asked for.
    """
    row_mask, top_bit = packing[1], packing[3]
    n, m = end - start, cells.shape[0]
    all_links = np.empty((2, n, m), dtype=np.int32)
    links = np.empty_like(all_links)
    all_changes = np.empty(m, dtype=np.int64)
    changes = np.empty_like(all_changes)
    link_neighbours(cells, start, end, packing, place, label, n_classes, all_links, all_changes)
    for f in range(m):
        if not wanted_features[f]:
            continue
        column = cells[f]
        links[:] = all_links
        changes[:] = all_changes
        for i in range(n - 1):
            fewest = _take_out(place[column[start + i] & row_mask], label, links, changes)
            if column[start + i + 1] >= top_bit:
                second[f, i] = 1 + fewest
        links[:] = all_links
        changes[:] = all_changes
        for i in range(n - 1, 0, -1):
            fewest = _take_out(place[column[start + i] & row_mask], label, links, changes)
            if column[start + i] >= top_bit:
                first[f, i - 1] = 1 + fewest
