"""The best matching of two trees by trying all sets of pairs, after the definition of Zhang (1996).

Slow and obvious: what the fast matching must weigh is read off here.
"""

import itertools

import numpy as np


def rows_below(tree, stops, node):
    """The rows that stop at a node or below it."""
    return set(np.flatnonzero([node in tree.path(stop) for stop in stops]).tolist())


def overlap(one, other):
    return len(one & other) / len(one | other) if one | other else 0.0


def lowest_common_ancestor(tree, a, b):
    return [node for node in tree.path(a) if node in tree.path(b)][-1]


def is_above(tree, a, b):
    """Whether a is a proper ancestor of b."""
    return a != b and a in tree.path(b)


def is_constrained(first, second, pairs):
    """One-to-one, keeps ancestry, sends disjoint subtrees to disjoint subtrees."""
    for (a, b), (c, d) in itertools.combinations(pairs, 2):
        if a == c or b == d:
            return False
        if is_above(first, a, c) != is_above(second, b, d):
            return False
        if is_above(first, c, a) != is_above(second, d, b):
            return False
    for (a, b), (c, d), (e, f) in itertools.permutations(pairs, 3):
        above = is_above(first, lowest_common_ancestor(first, a, c), e)
        if above != is_above(second, lowest_common_ancestor(second, b, d), f):
            return False
    return True


def best_weight(first, second, first_stops, second_stops):
    """The largest sum of overlaps over all allowed sets of pairs.

    Node by node of the first tree: each of its partners, or none. A branch of the search ends
    where even the best partner of every node left could not lift it above the best so far.
    """
    ours = [rows_below(first, first_stops, node) for node in range(first.n_nodes)]
    theirs = [rows_below(second, second_stops, node) for node in range(second.n_nodes)]
    partners = []
    for a, one in enumerate(ours):
        found = [(overlap(one, other), (a, b)) for b, other in enumerate(theirs)]
        partners.append(sorted((each for each in found if each[0] >= 0.5), reverse=True))
    hope = np.cumsum([max([0.0, *(worth for worth, _ in p)]) for p in partners[::-1]])[::-1]
    best = 0.0

    def extend(chosen, a, weight):
        nonlocal best
        best = max(best, weight)
        if a == len(partners) or weight + hope[a] <= best:
            return
        for worth, pair in partners[a]:
            if is_constrained(first, second, [*chosen, pair]):
                extend([*chosen, pair], a + 1, weight + worth)
        extend(chosen, a + 1, weight)

    extend([], 0, 0.0)
    return best
