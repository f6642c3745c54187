"""Kernel functions of one row against many, and the decision values of kernel machines.

Each row is worked out by itself and in one order, so a row's decision value has the same
bits whether it comes alone, with the training rows or with a whole table: growth, replay
and routing agree even where a value is next to nothing.
"""

import math

import numpy as np

from lastviz._numba import kernel

LINEAR = 0
RBF = 1
POLY = 2


@kernel
def kernel_row(x, vectors, code, rate, degree, out):
    """Write K(x, v) of every row v of `vectors` (n, m) into `out` (n,)."""
    n_vectors, n_features = vectors.shape
    if code == RBF:
        for j in range(n_vectors):
            distance = 0.0
            for f in range(n_features):
                gap = x[f] - vectors[j, f]
                distance += gap * gap
            out[j] = math.exp(-rate * distance)
        return
    for j in range(n_vectors):
        product = 0.0
        for f in range(n_features):
            product += x[f] * vectors[j, f]
        out[j] = product
        if code != LINEAR:
            out[j] = 1.0
            for _ in range(degree):  # powers are rounded in more than one way
                out[j] *= 1.0 + rate * product


@kernel
def decide_rows(X, vectors, code, rate, degree, start, index, coef, intercept, out):
    """Write the decision values (n, n_machines).

    Machine s has the entries from start[s] on.
    """
    row = np.empty(len(vectors))
    for i in range(X.shape[0]):
        kernel_row(X[i], vectors, code, rate, degree, row)
        for s in range(len(intercept)):
            total = 0.0
            for e in range(start[s], start[s + 1]):
                total += coef[e] * row[index[e]]
            out[i, s] = total + intercept[s]
