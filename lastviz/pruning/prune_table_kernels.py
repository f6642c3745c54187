"""Cost of each node as a leaf and as a subtree, from the leaves up."""

import numpy as np

from lastviz._numba import plain_kernel
from lastviz.criteria.ties_kernels import tie_floor


@plain_kernel
def weigh_up(
    first_child, n_children, as_leaf, inner, may_go, sibling_leaves_only, inside, cost, cut
):
    """Fill inside, cost and cut (n_nodes) as :class:`.PruneTable` has them.

    O(n_nodes).

    Children come after their parent. Where only sibling leaves are taken back, a node stays if any
    subtree below it does.
    """
    for node in range(as_leaf.shape[0] - 1, -1, -1):
        inside[node], cost[node], cut[node] = 0.0, as_leaf[node], False
        if n_children[node] == 0:
            continue
        over_leaves = True
        for child in range(first_child[node], first_child[node] + n_children[node]):
            inside[node] += cost[child]
            over_leaves &= n_children[child] == 0 or cut[child]
        as_subtree = inner[node] + inside[node]
        floor = as_leaf[node] if np.isinf(as_leaf[node]) else tie_floor(as_leaf[node])
        if may_go[node] and (over_leaves or not sibling_leaves_only) and floor <= as_subtree:
            cut[node] = True
        else:
            cost[node] = as_subtree
