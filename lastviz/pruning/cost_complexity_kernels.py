"""Weakest links: in which order the nodes of a tree become leaves as size is priced higher."""

import numpy as np

from lastviz._numba import inline_kernel, kernel
from lastviz.criteria.ties_kernels import TIE


@kernel
def weakest_links(parent, first_child, n_children, risk, step, alpha, inside, leaves):
    """Fill step (n_nodes) with the step at which each inner node becomes a leaf.

    alpha[k] receives the price per leaf at which step k happens, alpha[0] = 0. Leaves and
    nodes that disappear with an ancestor keep -1. inside, leaves (n_nodes) are
    scratch: the risk and the number of leaves of each subtree as it is now. A node of infinite
    risk never becomes a leaf, and no ancestor of it may have less. Returns the number of steps.
    O(n_inner^2) at most.
    """
    n = parent.shape[0]
    for node in range(n - 1, -1, -1):
        step[node] = -1
        inside[node] = risk[node]
        leaves[node] = 1
        if n_children[node] > 0:
            inside[node] = 0.0
            leaves[node] = 0
            for child in range(first_child[node], first_child[node] + n_children[node]):
                inside[node] += inside[child]
                leaves[node] += leaves[child]
    alive = np.flatnonzero(n_children > 0)
    last = 0
    alpha[0] = 0.0
    while alive.shape[0] > 0:
        lowest = np.inf
        for node in alive:
            lowest = min(lowest, (risk[node] - inside[node]) / (leaves[node] - 1))
        if lowest == np.inf:
            break
        if lowest > alpha[last] + TIE:
            last += 1
            alpha[last] = lowest
        n_alive = 0
        for i in range(alive.shape[0]):  # rising, so a parent is decided before its children
            node = alive[i]
            above = parent[node]
            if above >= 0 and (step[above] >= 0 or leaves[above] == 0):
                leaves[node] = 0  # it disappears with its ancestor
            elif (risk[node] - inside[node]) / (leaves[node] - 1) <= alpha[last] + TIE:
                step[node] = last
            else:
                alive[n_alive] = node
                n_alive += 1
        alive = alive[:n_alive]
        _sum_up(first_child, n_children, risk, step, alive, inside, leaves)
    return last + 1


@inline_kernel
def _sum_up(first_child, n_children, risk, step, alive, inside, leaves):
    """Bring inside and leaves of the nodes `alive` (rising) up to date."""
    for i in range(alive.shape[0] - 1, -1, -1):
        node = alive[i]
        inside[node] = 0.0
        leaves[node] = 0
        for child in range(first_child[node], first_child[node] + n_children[node]):
            cut = step[child] >= 0
            inside[node] += risk[child] if cut else inside[child]
            leaves[node] += 1 if cut else leaves[child]
