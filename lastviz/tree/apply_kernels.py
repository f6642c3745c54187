"""Routing rows through a tree."""

from lastviz._numba import inline_kernel, kernel


@kernel
def route(X, feature, threshold, first_child, out):
    """Write the node where each row of X (n, m) stops.

    A test that is not met goes second.
    """
    for i in range(X.shape[0]):
        node = 0
        while first_child[node] >= 0:
            child = first_child[node]
            node = child if X[i, feature[node]] <= threshold[node] else child + 1
        out[i] = node


@inline_kernel
def position_along(x, weights):
    """Dot product x . weights, summed in rising order of the features.

    The same order as in `positions`, so that a row has one position, bit for bit, wherever
    it is asked for.
    """
    total = 0.0
    for f in range(x.shape[0]):
        total += x[f] * weights[f]
    return total


@kernel
def positions(X, weights, out):
    """Write X (n, m) times weights (m, k) into out (n, k), each sum in rising order."""
    for i in range(X.shape[0]):
        for c in range(weights.shape[1]):
            out[i, c] = 0.0
        for f in range(X.shape[1]):
            x = X[i, f]
            for c in range(weights.shape[1]):
                out[i, c] += x * weights[f, c]


@kernel
def route_mixed(X, feature, threshold, split_row, weights, offset, first_child, out):
    """As `route`, where nodes with a feature test it and the others their hyperplane."""
    for i in range(X.shape[0]):
        node = 0
        while first_child[node] >= 0:
            child = first_child[node]
            if feature[node] >= 0:
                first = X[i, feature[node]] <= threshold[node]
            else:
                row = split_row[node]
                first = position_along(X[i], weights[row]) <= offset[row]
            node = child if first else child + 1
        out[i] = node
