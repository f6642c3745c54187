"""Routing rows through all trees of a forest, counting their votes or adding up their scores."""

import numpy as np

from lastviz._numba import inline_kernel, kernel

SIDE_BY_SIDE = 16  # rows that walk down a tree together, so that none waits for its next node


@inline_kernel
def _walk(X, start, count, root, depth, feature, threshold, child, at):
    """Bring count rows from start on down to their leaves of a tree, at[r] of each."""
    at[:] = root
    for _ in range(depth):
        for r in range(count):
            node = at[r]
            second = X[start + r, feature[node]] > threshold[node]
            at[r] = child[node] + (1 if second else 0)


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
            _walk(X, start, count, root[t], depth[t], feature, threshold, child, at)
            for r in range(count):
                votes[start + r, label[at[r]]] += weight[t]


@kernel
def add_scores(X, root, depth, feature, threshold, child, score, total):
    """Add to total (n, B) the scores (n_nodes, B) of each row's leaves, tree by tree.

    The table is that of count_votes. O(n sum(depth)).
    """
    at = np.empty(SIDE_BY_SIDE, dtype=np.int64)
    for t in range(root.shape[0]):
        for start in range(0, X.shape[0], SIDE_BY_SIDE):
            count = min(SIDE_BY_SIDE, X.shape[0] - start)
            _walk(X, start, count, root[t], depth[t], feature, threshold, child, at)
            for r in range(count):
                for k in range(total.shape[1]):
                    total[start + r, k] += score[at[r], k]
