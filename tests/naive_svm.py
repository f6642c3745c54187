"""Slow, obvious twins of the SVM tree: every sum of a formula is a loop."""

import math

import numpy as np


def kernel(code, a, b, sigma, degree):
    rate = 1 / (2 * sigma**2)
    if code == 0:
        return float(np.dot(a, b))
    if code == 1:
        return math.exp(-rate * float(np.sum((a - b) ** 2)))
    return (1 + rate * float(np.dot(a, b))) ** degree


def mean_kernel(A, B, K):
    return sum(K(a, b) for a in A for b in B) / (len(A) * len(B))


def centre_distance(A, B, K, cross=-2):
    """Eq (9)."""
    squared = mean_kernel(A, A, K) + cross * mean_kernel(A, B, K) + mean_kernel(B, B, K)
    return math.sqrt(max(squared, 0.0))


def spread(A, K):
    """Eq (11)."""
    if len(A) == 1:
        return 0.0
    own = mean_kernel(A, A, K)
    gaps = [K(x, x) - 2 / len(A) * sum(K(x, a) for a in A) + own for x in A]
    return sum(math.sqrt(max(gap, 0.0)) for gap in gaps) / (len(A) - 1)


def separability(A, B, K, cross=-2):
    """Eq (12)."""
    distance, both = centre_distance(A, B, K, cross), spread(A, K) + spread(B, K)
    return distance / both if both else (math.inf if distance else 0.0)


def input_separability(A, B):
    """Eq (1) with (4)."""
    parts = []
    for X in (A, B):
        centre = sum(X) / len(X)
        total = sum(float(np.sum((x - centre) ** 2)) for x in X)
        parts.append(0.0 if len(X) == 1 else total / (len(X) - 1))
    distance = float(np.linalg.norm(sum(A) / len(A) - sum(B) / len(B)))
    return distance / sum(parts) if sum(parts) else (math.inf if distance else 0.0)


def peel_order(matrix):
    """The classes in the order in which they are peeled off; ties by the whole sorted row."""
    live, order = list(range(len(matrix))), []
    while len(live) > 1:
        rows = {i: sorted(matrix[i][j] for j in live if j != i) for i in live}
        best = list(live)
        for place in range(len(live) - 1):
            largest = max(rows[i][place] for i in best)
            near = largest if math.isinf(largest) else largest - 1e-12 * max(1.0, abs(largest))
            best = [i for i in best if rows[i][place] >= near]
        order.append(best[0])
        live.remove(best[0])
    return order + live


def groups(matrix, live, link):
    """Two groups: the clusters with the lowest linkage merge until two remain."""
    clusters = [(i,) for i in live]
    while len(clusters) > 2:
        pairs = [(a, b) for i, a in enumerate(clusters) for b in clusters[i + 1 :]]
        a, b = min(pairs, key=lambda pair: link([matrix[i][j] for i in pair[0] for j in pair[1]]))
        clusters = sorted([c for c in clusters if c not in (a, b)] + [tuple(sorted(a + b))])
    return sorted(clusters, key=lambda c: (len(c), c))


def bias_free(Q, C, sweeps=20_000):
    """Minimise a'Qa/2 - sum a over 0 <= a <= C by sweeps over all coordinates."""
    alpha = np.zeros(len(Q))
    for _ in range(sweeps):
        before = alpha.copy()
        for i in range(len(Q)):
            gradient = Q[i] @ alpha - 1
            alpha[i] = min(max(alpha[i] - gradient / Q[i, i], 0.0), C)
        if np.abs(alpha - before).max() < 1e-12:
            break
    return alpha


def decision(x, support, coef, intercept, K):
    return sum(c * K(x, s) for c, s in zip(coef, support, strict=True)) + intercept
