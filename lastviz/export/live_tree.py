"""A tree as a browser follows a typed row through it: tests, their names, ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import condition_of
from lastviz.plots.visuals.rule_words import condition_words
from lastviz.tree import Kind, Tree
from lastviz.tree.routing import shares_of_nodes

from .code_words import held_tree, outcomes, plain, sending, used_features


def live_tree(
    tree: Tree, model: str, labels: Sequence[object], usual: Sequence[object]
) -> dict[str, object]:
    """Return a tree as a value of JSON, for ``live.js``.

    Parameters
    ----------
    tree : Tree
    model : str
        What it is called.
    labels : sequence
        What the classes are called; nothing for a tree of numbers.
    usual : sequence, shape (n_features,)
        What the fields hold at first: numbers, and names of categories.

    Raises
    ------
    ValueError
        If the tree holds kernel machines, or a monotone envelope decides.
    """
    tree = held_tree(tree, "an offline page")
    conditions = [_condition(tree, node) for node in range(1, tree.n_nodes)]
    tree, planes, groups = sending(tree), {}, {}
    for node in np.flatnonzero(tree.n_children).tolist():
        row = int(tree.split_row[node])
        if tree.kind[node] == Kind.OBLIQUE:
            planes[node] = [*tree.oblique.weights[row].tolist(), float(tree.oblique.threshold[row])]
        elif tree.kind[node] == Kind.CATEGORIES:
            known = tree.feature_categories[tree.feature[node]]
            pairs = zip(known, tree.categories.branch[row].tolist(), strict=False)
            groups[node] = {str(label): branch for label, branch in pairs if branch >= 0}
    return {
        "model": model,
        "features": list(tree.feature_names),
        "asked": used_features(tree),
        "categories": [
            None if known is None else [str(label) for label in known]
            for known in tree.feature_categories
        ],
        "usual": [str(plain(value)) for value in usual],
        "missing": tree.missing.name.lower(),
        "first": tree.first_child.tolist(),
        "children": tree.n_children.tolist(),
        "feature": tree.feature.tolist(),
        "threshold": [str(value) for value in tree.threshold.tolist()],
        "lacking": tree.missing_branch.tolist(),
        "part": np.nan_to_num(tree.branch_weight).tolist(),
        "planes": planes,
        "groups": groups,
        "conditions": ["", *conditions],
        "outcomes": [str(plain(each)) for each in outcomes(tree, labels or None)],
        "shares": [] if tree.is_regression else shares_of_nodes(tree).tolist(),
        "labels": [str(label) for label in labels],
        "rows": tree.n_node_samples.tolist(),
        "mean": tree.prediction.tolist() if tree.is_regression else [],
    }


def _condition(tree: Tree, node: int) -> str:
    parent = int(tree.parent[node])
    branch = node - int(tree.first_child[parent])
    return condition_words(tree, [condition_of(tree, parent, branch)], html=False)
