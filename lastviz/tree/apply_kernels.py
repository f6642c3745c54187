"""Routing rows through a tree."""

from lastviz._numba import kernel


@kernel
def route(X, feature, threshold, first_child, out):
    """Write the node where each row of X (n, m) stops. A test that is not met goes second."""
    for i in range(X.shape[0]):
        node = 0
        while first_child[node] >= 0:
            child = first_child[node]
            node = child if X[i, feature[node]] <= threshold[node] else child + 1
        out[i] = node
