"""Routing rows with nominal and missing values, and spreading a row over several leaves.

A nominal value is its category's code; a code below 0 is a category that the data given to fit
did not hold. NaN is missing.
"""

import numpy as np

from lastviz._numba import inline_kernel, kernel

UNKNOWN = -1
# Values of `missing`, those of tree.Missing.
REFUSE, FRACTIONS, BRANCH = 0, 1, 2


@inline_kernel
def branch_taken(value, node, feature, threshold, split_row, branch):
    """Branch that a value takes at a node, -1 where the test cannot say."""
    if value != value:
        return UNKNOWN
    row = split_row[node]
    if row < 0:
        return 0 if value <= threshold[node] else 1
    code = int(value)
    if code < 0 or code >= branch.shape[1]:
        return UNKNOWN
    return int(branch[row, code])


@kernel
def route_known(X, feature, threshold, first_child, out):
    """As `route_nominal`, where all features are numeric and `missing` is FRACTIONS."""
    n_spread = 0
    for i in range(X.shape[0]):
        node = 0
        known = True
        while first_child[node] >= 0:
            value = X[i, feature[node]]
            if value != value:
                known = False
                break
            child = first_child[node]
            node = child if value <= threshold[node] else child + 1
        if not known:
            n_spread += 1
            node = -1 - node
        out[i] = node
    return n_spread


@kernel
def route_nominal(
    X, feature, threshold, split_row, branch, missing, missing_branch, first_child, out
):
    """Write the node where each row of X (n, m) stops.

    Returns the number of rows to be spread.

    Of a row that has to be spread over several branches (`missing` is FRACTIONS) out receives
    -1 less the node where that begins.
    """
    n_spread = 0
    for i in range(X.shape[0]):
        node = 0
        while first_child[node] >= 0:
            value = X[i, feature[node]]
            taken = branch_taken(value, node, feature, threshold, split_row, branch)
            if taken < 0 and missing == BRANCH and value != value:
                taken = missing_branch[node]
            if taken < 0:
                break
            node = first_child[node] + taken
        if first_child[node] >= 0 and missing == FRACTIONS:
            n_spread += 1
            node = -1 - node
        out[i] = node
    return n_spread


@kernel
def spread(
    X, begin, feature, threshold, split_row, branch, branch_weight, first_child, n_children,
    row, leaf, weight,
):  # fmt: skip
    """Spread each row of X over the leaves below node begin[i].

    Returns the number of triples.

    Where the test cannot say, a row goes down all branches with their weights; branches of
    weight 0 are left out. row, leaf and weight receive the triples as far as they have room.
    """
    count = 0
    nodes = np.empty(first_child.shape[0], dtype=np.int64)
    shares = np.empty(first_child.shape[0])
    for i in range(X.shape[0]):
        nodes[0] = begin[i]
        shares[0] = 1.0
        size = 1
        while size > 0:
            size -= 1
            node = nodes[size]
            share = shares[size]
            first = first_child[node]
            if first < 0:
                if count < row.shape[0]:
                    row[count] = i
                    leaf[count] = node
                    weight[count] = share
                count += 1
                continue
            value = X[i, feature[node]]
            taken = branch_taken(value, node, feature, threshold, split_row, branch)
            for c in range(n_children[node]):
                part = branch_weight[first + c] if taken < 0 else 1.0
                if (taken < 0 or taken == c) and part > 0.0:
                    nodes[size] = first + c
                    shares[size] = share * part
                    size += 1
    return count
