"""The machine without a bias: box constraints only, one coordinate after the other."""

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.tree.kernel_machine_kernels import kernel_row


@inline_kernel
def _best_coordinate(alpha, gradient, diagonal, C):
    """Coordinate whose step lowers the dual most, that step, the worst violation."""
    best, step, most, worst = -1, 0.0, 0.0, 0.0
    for i in range(len(alpha)):
        g = gradient[i]
        if (g >= 0.0 and alpha[i] <= 0.0) or (g <= 0.0 and alpha[i] >= C):
            continue
        worst = max(worst, abs(g))
        move = min(max(alpha[i] - g / diagonal[i], 0.0), C) - alpha[i]
        lowered = -move * (g + 0.5 * diagonal[i] * move)
        if lowered > most:
            best, step, most = i, move, lowered
    return best, step, worst


@kernel
def descend(X, sign, code, rate, degree, C, tolerance, max_iter, columns, alpha):
    """Minimise a'Qa/2 - sum a over 0 <= a <= C, starting from a = 0.

    Q_ij = s_i s_j K(x_i, x_j).

    `columns` (n_slots, n) keeps the columns of K used last; `alpha` (n,) takes the solution.
    Returns the number of steps and whether no coordinate violates optimality by more than
    `tolerance`.
    """
    n, n_slots = len(sign), len(columns)
    slot_of = np.full(n, -1, dtype=np.int64)
    owner = np.full(n_slots, -1, dtype=np.int64)
    gradient = np.full(n, -1.0)
    diagonal = np.empty(n)
    for i in range(n):
        kernel_row(X[i], X[i : i + 1], code, rate, degree, diagonal[i : i + 1])
        diagonal[i] = max(diagonal[i], 1e-12)
    used = 0
    for iteration in range(max_iter + 1):
        best, step, worst = _best_coordinate(alpha, gradient, diagonal, C)
        if worst <= tolerance:
            return iteration, True
        if best < 0 or iteration == max_iter:
            return iteration, False
        slot = slot_of[best]
        if slot < 0:
            slot = used % n_slots
            used += 1
            if owner[slot] >= 0:
                slot_of[owner[slot]] = -1
            owner[slot], slot_of[best] = best, slot
            kernel_row(X[best], X, code, rate, degree, columns[slot])
        alpha[best] = min(max(alpha[best] + step, 0.0), C)
        signed = step * sign[best]
        for j in range(n):
            gradient[j] += signed * sign[j] * columns[slot, j]
    return max_iter, False
