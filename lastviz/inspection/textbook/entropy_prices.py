"""At which prices of a leaf two ways of pruning by the entropy cost part."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from lastviz.pruning import (
    PruneTable,
    cost_complexity_path,
    entropy_bits,
    entropy_cost_table,
    prune_entropy_cost,
)
from lastviz.tree import Tree


@dataclass(frozen=True, eq=False)
class PricedTree:
    """A tree cut back at one price of a leaf."""

    tree: Tree
    entropy: np.ndarray  # (n_nodes,) float64, n_t H_t of the nodes of the grown tree, in bits
    costs: PruneTable  # what they cost as leaves and as subtrees


def priced(tree: Tree, alpha: float, *, literal: bool = False) -> PricedTree:
    """Return what is left of a grown tree at a price of `alpha` bits a leaf, with all costs."""
    costs = entropy_cost_table(tree, alpha, literal=literal)
    pruned = prune_entropy_cost(tree, alpha, literal=literal)[0]
    return PricedTree(pruned, entropy_bits(tree), costs)


def optimal_prices(tree: Tree) -> np.ndarray:
    """Return the prices in bits, rising, at which the tree of least entropy cost changes."""
    path = cost_complexity_path(tree, "entropy")
    prices = path.alpha * tree.weighted_n_node_samples[0]
    return prices[1:] if path.n_leaves[0] == tree.n_leaves else prices


def literal_prices(tree: Tree) -> np.ndarray:
    """Return the prices in bits, rising, at which the printed loop (5.4) takes a node back.

    A node goes when its children are leaves, by then, and together cost as much as it does.
    """
    entropy = entropy_bits(tree)
    price = np.zeros(tree.n_nodes)
    for node in np.flatnonzero(tree.n_children)[::-1]:  # children before their parents
        below = list(tree.children(node))
        own = (entropy[node] - entropy[below].sum()) / (len(below) - 1)
        price[node] = max(own, *price[below])
    return np.unique(price[tree.n_children > 0])


def parting_prices(tree: Tree) -> list[tuple[float, float]]:
    """Return the intervals [low, high) of prices at which both ways leave different trees."""
    stops = np.unique(np.r_[0.0, optimal_prices(tree), literal_prices(tree)])
    intervals: list[tuple[float, float]] = []
    for low, high in itertools.pairwise(stops):
        middle = (low + high) / 2.0
        if high - low <= 1e-9 * max(1.0, high):  # the same price, but for rounding
            continue
        left = [priced(tree, middle, literal=literal).tree for literal in (False, True)]
        if left[0].n_nodes != left[1].n_nodes:
            if intervals and intervals[-1][1] == low:
                low = intervals.pop()[0]
            intervals.append((float(low), float(high)))
    return intervals
