"""Prices at which branches fall, as the textbook works them out."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from lastviz.criteria import gini, misclassification
from lastviz.criteria.ties_kernels import TIE
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


def prune_at_price(tree: Tree, alpha: float, *, literal: bool = False) -> PricedTree:
    """Tree pruned at a price of `alpha` bits a leaf, with all costs."""
    costs = entropy_cost_table(tree, alpha, literal=literal)
    pruned = prune_entropy_cost(tree, alpha, literal=literal)[0]
    return PricedTree(pruned, entropy_bits(tree), costs)


def optimal_prices(tree: Tree) -> np.ndarray:
    """Prices in bits, rising, at which the tree of least entropy cost changes."""
    path = cost_complexity_path(tree, "entropy")
    prices = path.alpha * tree.weighted_n_node_samples[0]
    return prices[1:] if path.n_leaves[0] == tree.n_leaves else prices


def literal_prices(tree: Tree) -> np.ndarray:
    """Prices in bits, rising, at which the printed loop (5.4) takes a node back.

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
    """Intervals [low, high) of prices at which both ways leave different trees."""
    stops = np.unique(np.r_[0.0, optimal_prices(tree), literal_prices(tree)])
    intervals: list[tuple[float, float]] = []
    for low, high in itertools.pairwise(stops):
        middle = (low + high) / 2.0
        if high - low <= 1e-9 * max(1.0, high):  # the same price, but for rounding
            continue
        left = [prune_at_price(tree, middle, literal=literal).tree for literal in (False, True)]
        if left[0].n_nodes != left[1].n_nodes:
            if intervals and intervals[-1][1] == low:
                low = intervals.pop()[0]
            intervals.append((float(low), float(high)))
    return intervals


# ---- Cost-complexity pruning worked out by hand: the weakest link of each tree, one after another


_RISKS = {"gini": gini, "misclassification": misclassification}


@dataclass(frozen=True)
class Link:
    """An inner node of a tree, weighed against its subtree as it is by then."""

    node: int
    as_leaf: float  # impurity of the node, by its share of all rows
    inside: float  # those of the leaves below it
    n_leaves: int  # leaves below it
    price: float  # (as_leaf - inside) / (n_leaves - 1)


@dataclass(frozen=True, eq=False)
class LinkStep:
    """One tree of the sequence and its next cut."""

    links: tuple[Link, ...]  # all its inner nodes, in their order
    price: float  # the lowest of their prices: from there on the next tree costs less
    # The nodes of that price, which become leaves together; none below another one.
    goes: tuple[int, ...]
    n_leaves: int  # of this tree
    n_leaves_after: int  # of the next one


def weakest_link_steps(tree: Tree, risk: str = "gini") -> list[LinkStep]:
    """Pruning steps of a classification tree, until only its root is left.

    Parameters
    ----------
    tree : Tree
    risk : {"gini", "misclassification"}, default "gini"

    Notes
    -----
    The definition, node by node, for small trees: O(n_nodes^2) a step. The trees are those of
    :func:`lastviz.pruning.cost_complexity_path`, which also leaves out at once what gains nothing.
    Li, Statistical Learning Methods, algorithm 5.7; Breiman et al. (1984), section 3.3.
    """
    share = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    cost = _RISKS[risk](tree.value) * share
    leaves = set(np.flatnonzero(tree.n_children == 0).tolist())
    steps = []
    while 0 not in leaves:
        links = [_weighed(tree, node, leaves, cost) for node in _inner(tree, leaves)]
        price = min(link.price for link in links)
        lowest = {link.node for link in links if link.price <= price + TIE}
        goes = tuple(n for n in sorted(lowest) if not lowest & set(tree.path(n)[:-1]))
        after = {n for n in leaves if not set(goes) & set(tree.path(n))} | set(goes)
        steps.append(LinkStep(tuple(links), price, goes, len(leaves), len(after)))
        leaves = after
    return steps


def _inner(tree: Tree, leaves: set[int]) -> list[int]:
    return sorted({node for leaf in leaves for node in tree.path(leaf)[:-1]})


def _weighed(tree: Tree, node: int, leaves: set[int], cost: np.ndarray) -> Link:
    below = [leaf for leaf in leaves if node in tree.path(leaf)]
    as_leaf, inside = float(cost[node]), float(cost[below].sum())
    return Link(node, as_leaf, inside, len(below), (as_leaf - inside) / (len(below) - 1))
