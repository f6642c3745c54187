"""The frontier: its next node, the log of that node, and the places of its children.

The bodies serve every growth whose records have the columns that they name: ``Nodes`` of
``growth_kernels.py`` and ``BinaryNodes`` of ``binary_growth_kernels.py``.
"""

from typing import NamedTuple

import numpy as np

from lastviz._numba import inline_kernel
from lastviz.tree import Reason

# Places in `state`.
NODE_COUNT, EVENT_COUNT, FRONTIER_SIZE, LEAF_COUNT = 0, 1, 2, 3

BEST_SPLIT, PURE = int(Reason.BEST_SPLIT), int(Reason.PURE)
MAX_DEPTH, MIN_SAMPLES = int(Reason.MAX_DEPTH), int(Reason.MIN_SAMPLES)
NO_CANDIDATE, NO_GAIN = int(Reason.NO_CANDIDATE), int(Reason.NO_GAIN)
MAX_LEAF_NODES, SMALL_DECREASE = int(Reason.MAX_LEAF_NODES), int(Reason.SMALL_DECREASE)


class Stop(NamedTuple):
    """Limits of growth, and the order in which nodes are split."""

    max_depth: int  # -1: no limit
    min_samples_split: int
    max_leaf_nodes: int  # 0: no limit, depth first; else best first


@inline_kernel
def reason_not_to_search(node, pure, min_samples_leaf, nodes, stop):
    """Reason why a node is a leaf whatever its candidates, BEST_SPLIT if none."""
    n = nodes.end[node] - nodes.start[node]
    return reason_of(n, nodes.depth[node], pure, min_samples_leaf, stop)


@inline_kernel
def reason_of(n, depth, pure, min_samples_leaf, stop):
    """Reason why n samples make a leaf whatever the candidates, BEST_SPLIT if none."""
    reason = BEST_SPLIT
    if pure:
        reason = PURE
    elif stop.max_depth >= 0 and depth >= stop.max_depth:
        reason = MAX_DEPTH
    elif n < stop.min_samples_split or n < 2 * min_samples_leaf:
        reason = MIN_SAMPLES
    return reason


@inline_kernel
def push_root(nodes):
    """Put the root, the only node so far, on the frontier."""
    nodes.frontier[0] = 0
    nodes.state[NODE_COUNT] = 1
    nodes.state[FRONTIER_SIZE] = 1
    nodes.state[LEAF_COUNT] = 1


@inline_kernel
def next_node(best_first, nodes):
    """Take the next node off the frontier.

    Depth first this is the last one, best first that of highest priority, leaves first.
    """
    size = nodes.state[FRONTIER_SIZE]
    picked = size - 1
    if best_first:
        most = -np.inf
        for i in range(size):
            node = nodes.frontier[i]
            priority = nodes.priority[node] if nodes.reason[node] == BEST_SPLIT else np.inf
            if priority > most:
                most = priority
                picked = i
    taken = nodes.frontier[picked]
    for i in range(picked, size - 1):
        nodes.frontier[i] = nodes.frontier[i + 1]
    nodes.state[FRONTIER_SIZE] = size - 1
    return taken


@inline_kernel
def log_event(node, nodes):
    """Append to the log that node is split, or why it is a leaf."""
    event = nodes.state[EVENT_COUNT]
    nodes.event_node[event] = node
    nodes.event_reason[event] = nodes.reason[node]
    nodes.state[EVENT_COUNT] = event + 1


@inline_kernel
def next_event(max_leaf_nodes, nodes):
    """Take the next node off the frontier, log it and return it.

    It becomes a leaf if there is no room for one more.

    Without a limit (0) the order is depth first, else best first.
    """
    node = next_node(max_leaf_nodes > 0, nodes)
    full = max_leaf_nodes > 0 and nodes.state[LEAF_COUNT] >= max_leaf_nodes
    if full and nodes.reason[node] == BEST_SPLIT:
        nodes.reason[node] = MAX_LEAF_NODES
    log_event(node, nodes)
    return node


@inline_kernel
def room_for_children(node, middle, nodes):
    """Append the two children of node, whose rows part at `middle`; return the first."""
    first = nodes.state[NODE_COUNT]
    nodes.state[NODE_COUNT] = first + 2
    nodes.state[LEAF_COUNT] += 1
    nodes.first_child[node] = first
    for child in range(first, first + 2):
        nodes.parent[child] = node
        nodes.depth[child] = nodes.depth[node] + 1
        nodes.start[child] = nodes.start[node] if child == first else middle
        nodes.end[child] = middle if child == first else nodes.end[node]
    return first


@inline_kernel
def push_children(node, best_first, nodes):
    """Push the children of node onto the frontier.

    Depth first takes the last one, so the left child is pushed last.
    """
    size = nodes.state[FRONTIER_SIZE]
    left = nodes.first_child[node]
    nodes.frontier[size] = left if best_first else left + 1
    nodes.frontier[size + 1] = left + 1 if best_first else left
    nodes.state[FRONTIER_SIZE] = size + 2
