"""Slow, obvious twins of pruning by the entropy cost: every pruned subtree is tried."""

from math import log2

from tests.naive_pruning import pruned_trees


def pruned_subtrees(tree):
    """All sets of leaves that remain when any inner nodes become leaves."""
    return [leaves for leaves, _ in pruned_trees(tree)]


def cost(tree, leaves, alpha):
    """C_alpha: - sum over leaves and classes of n_tk log2(n_tk / n_t), plus alpha a leaf."""
    total = alpha * len(leaves)
    for leaf in leaves:
        n = tree.value[leaf].sum()
        total -= sum(c * log2(c / n) for c in tree.value[leaf] if c > 0)
    return total


def minimisers(tree, alpha):
    """The sets of leaves of least cost, up to rounding."""
    scored = [(cost(tree, leaves, alpha), leaves) for leaves in pruned_subtrees(tree)]
    least = min(c for c, _ in scored)
    return [leaves for c, leaves in scored if c <= least + 1e-9]


def printed_loop(tree, alpha):
    """Algorithm 5.4 word by word: while a group of sibling leaves costs no less, take it back."""
    leaves = set(next(s for s in pruned_subtrees(tree) if all(map(tree.is_leaf, s))))
    again = True
    while again:
        again = False
        for node in range(tree.n_nodes):
            siblings = set(tree.children(node))
            if siblings and siblings <= leaves:
                after = (leaves - siblings) | {node}
                if cost(tree, after, alpha) <= cost(tree, leaves, alpha) + 1e-9:
                    leaves, again = after, True
    return leaves
