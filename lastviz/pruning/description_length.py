"""Pruning by the minimum description length: the shortest way to write tree and classes down."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from lastviz.tree import Tree

from .prune_table import PruneTable, check_of_classes, prune_table


def description_length_table(tree: Tree, *, kept: np.ndarray | None = None) -> PruneTable:
    """Weigh each node by the bits that say what its rows are.

    Parameters
    ----------
    tree : Tree
        Of classes.
    kept
        See :func:`~lastviz.pruning.prune_table`.

    Raises
    ------
    ValueError
        If the tree predicts numbers.

    Notes
    -----
    One bit says whether a node is a leaf. A leaf then lists the classes of its rows, each coded
    by what was seen before it: - log2 of Gamma(K/2) prod_k Gamma(n_k + 1/2) /
    (Gamma(1/2)^K Gamma(n + K/2)), Krichevsky and Trofimov (1981). A split names one of the
    features and one of the n - 1 places of a threshold: log2(features) + log2(n - 1). Quinlan
    and Rivest (1989), section 2. O(n_nodes n_classes).
    Deviation: they code the exceptions to a leaf's class; a test that is no threshold is priced
    as if it were one, a hyperplane too.
    """
    check_of_classes(tree, "pruning by description length")
    n_classes = tree.value.shape[1]
    total = tree.value.sum(axis=1)
    likelihood = (
        gammaln(n_classes / 2.0)
        + gammaln(tree.value + 0.5).sum(axis=1)
        - n_classes * gammaln(0.5)
        - gammaln(total + n_classes / 2.0)
    )
    places = np.maximum(tree.n_node_samples - 1, 1)
    return prune_table(
        tree,
        1.0 - likelihood / np.log(2.0),
        1.0 + np.log2(tree.n_features) + np.log2(places),
        kept=kept,
    )
