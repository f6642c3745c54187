"""Minimum-error pruning: the m-estimate of a leaf's error rate."""

from __future__ import annotations

import math

import numpy as np

from lastviz.tree import Tree

from .prune_table import PruneTable, check_of_classes, prune_table


def minimum_error_table(
    tree: Tree, m: float = 2.0, *, kept: np.ndarray | None = None
) -> PruneTable:
    """Weigh each node by the errors that the m-estimate expects.

    Parameters
    ----------
    tree : Tree
        Of classes.
    m : float, default 2.0
        How many rows the shares of the root are worth, >= 0; more prunes more, as a rule.
    kept
        See :func:`~lastviz.pruning.prune_table`.

    Raises
    ------
    ValueError
        If `m` is out of range, or the tree predicts numbers.

    Notes
    -----
    A leaf of n rows, n_c of them of the class that it predicts, is expected to err on
    n (1 - (n_c + m p_c) / (n + m)) of them, p_c that class's share of all rows. Cestnik and
    Bratko (1991), section 3. Trees of two values of m are not nested. O(n_nodes).
    Deviation: the class is the one that the leaf predicts, its largest; the paper takes the one
    of the largest estimate, which may differ where they nearly tie.
    """
    check_of_classes(tree, "minimum-error pruning")
    if not (math.isfinite(m) and m >= 0.0):
        raise ValueError(f"m must be a finite number >= 0 of rows, got {m!r}")
    n, predicted = tree.weighted_n_node_samples, tree.prediction
    own = tree.value[np.arange(tree.n_nodes), predicted]
    prior = tree.value[0, predicted] / n[0]
    # n (n + m - n_c - m p_c) / (n + m): an empty node without m errs on none.
    share = np.divide(n, n + m, out=np.zeros(tree.n_nodes), where=n + m > 0.0)
    return prune_table(tree, share * (n + m - own - m * prior), kept=kept)
