"""Routing rows through all trees of a forest, and counting their votes."""

import numpy as np

from lastviz._numba import kernel

SIDE_BY_SIDE = 16  # rows that walk down a tree together, so that none waits for its next node


@kernel
def count_votes(X, root, depth, feature, threshold, child, label, weight, votes):
    """Fill votes (n, K) with the weights of the trees that vote for each class.

    The nodes of all trees stand in one table, tree t from root[t] on; a leaf is its own first
    child and has a threshold that no value exceeds, so that every row walks exactly depth[t] steps.
    X (n, m) is finite. Weights are added in the order of the trees. O(n sum(depth)).
    """
    at = np.empty(SIDE_BY_SIDE, dtype=np.int64)
    votes[:] = 0.0
    for t in range(root.shape[0]):
        for start in range(0, X.shape[0], SIDE_BY_SIDE):
            count = min(SIDE_BY_SIDE, X.shape[0] - start)
            at[:] = root[t]
            for _ in range(depth[t]):
                for r in range(count):
                    node = at[r]
                    second = X[start + r, feature[node]] > threshold[node]
                    at[r] = child[node] + (1 if second else 0)
            for r in range(count):
                votes[start + r, label[at[r]]] += weight[t]
