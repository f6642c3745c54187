"""Numbers of samples shared by two trees' nodes, and the matching of these nodes."""

import numpy as np

from lastviz._numba import inline_kernel, kernel

MATCHED = 0.5  # least overlap of two nodes that may correspond


@kernel
def shared_rows(first_parent, second_parent, first_stop, second_stop, out):
    """Fill out (n_first, n_second) with the rows that each pair of nodes shares.

    first_stop and second_stop (n) are the nodes where the rows stop.
    """
    out[:, :] = 0
    for i in range(first_stop.shape[0]):
        out[first_stop[i], second_stop[i]] += 1
    for a in range(out.shape[0] - 1, 0, -1):
        for b in range(out.shape[1]):
            out[first_parent[a], b] += out[a, b]
    for a in range(out.shape[0]):
        for b in range(out.shape[1] - 1, 0, -1):
            out[a, second_parent[b]] += out[a, b]


@inline_kernel
def overlap_of(shared, a, b):
    """Jaccard index of the rows of two nodes; the roots hold all rows."""
    together = shared[a, 0] + shared[0, b] - shared[a, b]
    return shared[a, b] / together if together > 0 else 0.0


@kernel
def most_alike(shared, node, overlap):
    """Fill node and overlap (n_first) with the second tree's node of largest overlap."""
    for a in range(shared.shape[0]):
        node[a], overlap[a] = 0, overlap_of(shared, a, 0)
        for b in range(1, shared.shape[1]):
            found = overlap_of(shared, a, b)
            if found > overlap[a]:
                node[a], overlap[a] = b, found


@kernel
def assignment(weight):
    """Largest sum of weights (p, q) >= 0, at most one of each row and column.

    The Hungarian method with potentials (Kuhn 1955), O(p^2 q) for p <= q: rows enter one by
    one along a shortest augmenting path.
    """
    weight = weight.T.copy() if weight.shape[0] > weight.shape[1] else weight.copy()
    p, q = weight.shape
    row_price, column_price = np.zeros(p + 1), np.zeros(q + 1)
    taken_by, came_from = np.zeros(q + 1, dtype=np.intp), np.zeros(q + 1, dtype=np.intp)
    for row in range(1, p + 1):
        taken_by[0] = row
        least = np.full(q + 1, np.inf)
        done = np.zeros(q + 1, dtype=np.bool_)
        column = 0
        while True:
            done[column] = True
            here, nearest, step = taken_by[column], 0, np.inf
            for j in range(1, q + 1):
                if done[j]:
                    continue
                price = -weight[here - 1, j - 1] - row_price[here] - column_price[j]
                if price < least[j]:
                    least[j], came_from[j] = price, column
                if least[j] < step:
                    step, nearest = least[j], j
            for j in range(q + 1):
                if done[j]:
                    row_price[taken_by[j]] += step
                    column_price[j] -= step
                else:
                    least[j] -= step
            column = nearest
            if taken_by[column] == 0:
                break
        while column != 0:
            taken_by[column] = taken_by[came_from[column]]
            column = came_from[column]
    total = 0.0
    for j in range(1, q + 1):
        if taken_by[j] > 0:
            total += weight[taken_by[j] - 1, j - 1]
    return total


@kernel
def match(first_child, first_count, second_child, second_count, shared, below, weight):
    """Fill weight and below (n_first, n_second) with weights of the best matching.

    weight is that of the subtrees of two nodes, below that of what lies below both. The two
    counts are the numbers of children of each node.
    """
    for a in range(weight.shape[0] - 1, -1, -1):
        a_end = first_child[a] + first_count[a]
        for b in range(weight.shape[1] - 1, -1, -1):
            b_end = second_child[b] + second_count[b]
            inside = 0.0
            if first_count[a] == 2 and second_count[b] == 2:
                c, d = first_child[a], second_child[b]
                straight = weight[c, d] + weight[c + 1, d + 1]
                inside = max(straight, weight[c, d + 1] + weight[c + 1, d])
            elif first_count[a] > 0 and second_count[b] > 0:
                c, d = first_child[a], second_child[b]
                inside = assignment(weight[c:a_end, d:b_end])
            if first_count[a] > 0 and second_count[b] > 0:
                for c in range(first_child[a], a_end):
                    inside = max(inside, below[c, b])
                for d in range(second_child[b], b_end):
                    inside = max(inside, below[a, d])
            below[a, b] = inside
            best, found = inside, overlap_of(shared, a, b)
            if found >= MATCHED:
                best = inside + found
            if first_count[a] > 0:
                for c in range(first_child[a], a_end):
                    best = max(best, weight[c, b])
            if second_count[b] > 0:
                for d in range(second_child[b], b_end):
                    best = max(best, weight[a, d])
            weight[a, b] = best
