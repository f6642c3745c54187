"""Names of criteria and algorithms that no newcomer knows, each in about ten words."""

from __future__ import annotations

from collections.abc import Iterable

from lastviz.ui.text import t

from .figures import column_title

__all__ = ["ALGORITHMS", "COLUMNS", "expanded"]

COLUMNS = {
    "bnm": "between-node margin within the same class",
    "csn": "within-class compactness and between-class separation in the same node",
    "stage": "score of the first stage of the rule",
}
"""Columns of a table of candidates."""

ALGORITHMS = {
    "gsodt": "C4.5 in one latent space by singular value decomposition, the same for all nodes",
    "lsodt": "C4.5 in latent spaces by singular value decomposition, another one for each node",
    "hybrid": "Gini gain with BNM, the between-node margin within the same class, and CSN, "
    "within-class compactness and between-class separation in the same node",
    "oc1": "a search for slanted splits that turns a line weight by weight, from random starts",
    "cart_lc": "CART with linear combinations of features: a slanted split, set weight by weight",
    "svm_tree": "a support vector machine at each node takes the most separable class off",
    "tao": "tree alternating optimization: one split after the other is chosen anew",
    "remt": "a tree by rank mutual information, for classes that rise with the features",
    "mcdf": "a forest of REMT trees, for classes that rise with the features",
    "adaboost_m1": "adaptive boosting: each tree counts rows more that those before got wrong",
}
"""Algorithms by their key."""


def expanded(columns: Iterable[str]) -> list[str]:
    """Return what columns are short for: "BNM: between-node margin within the same class."."""
    return [
        t("{name}: {about}.", name=column_title(name), about=t(COLUMNS[name]))
        for name in columns
        if name in COLUMNS
    ]
