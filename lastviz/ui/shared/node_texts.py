"""What the pointer reads over the nodes of a tree, in pieces that the browser puts together.

Each node says its rule, and rules repeat those of the nodes above: sent whole, they would be most
of a page, and writing them most of its time. So each node brings what its last test adds, and the
browser writes the rule of the one node that the pointer is over.
"""

from __future__ import annotations

import numpy as np

from lastviz.inspection import condition_steps
from lastviz.plots import (
    condition_words,
    exact_array,
    feature_html,
    number,
    split_words,
    typed_array,
)
from lastviz.tree import Kind, Missing, Tree
from lastviz.ui.text import t

from .model_view import ModelView, rows_words

__all__ = ["node_texts"]

MOST_CLASSES = 5  # of which a node says how many rows it holds


def node_texts(
    view: ModelView, class_names: tuple[str, ...], drawn: list[int]
) -> dict[str, object]:
    """Return the texts of the nodes of the tree as shown, see ``composed`` of the chart host.

    Where all tests compare a number with a threshold, as "tests": numbers that the browser
    words. Else as "steps": words, and where they stand in the rule.

    Parameters
    ----------
    view : ModelView
    class_names : tuple of str
    drawn : list of int
        The nodes that the pointer can be over.

    Returns
    -------
    dict
        "node": numbers of the nodes, rising; for each "parent": the place of its parent in that
        list, 0 for the root; "title": its class. "titles": the class names; "words": what joins
        them all.
    """
    tree = view.tree
    nodes = _with_ancestors(tree, drawn)
    texts = {
        "node": typed_array(nodes),
        "parent": typed_array(np.searchsorted(nodes, tree.parent[nodes])),
        "title": typed_array(tree.prediction[nodes]),
        "titles": class_names,
        "words": {
            "and": t("and"), "next": t("next: {test}"), "row": t("{n} row"), "rows": t("{n} rows"),
        },
    }  # fmt: skip
    if _has_thresholds_alone(tree):
        inner = ~np.isin(nodes, view.leaves)
        return texts | {"most": MOST_CLASSES, "tests": _tests(tree, nodes, inner)}
    return texts | {"steps": _steps(tree, nodes, set(view.leaves.tolist()))}


def _with_ancestors(tree: Tree, nodes: list[int]) -> np.ndarray:
    wanted = np.zeros(tree.n_nodes, dtype=bool)
    wanted[[0, *nodes]] = True
    while True:  # once for each level
        parents = tree.parent[wanted]
        parents = parents[parents >= 0]
        if wanted[parents].all():
            return np.flatnonzero(wanted)
        wanted[parents] = True


def _has_thresholds_alone(tree: Tree) -> bool:
    """Whether every test is a number against a threshold, and rows are whole."""
    return (
        tree.missing == Missing.REFUSE
        and bool(np.isin(tree.kind, (Kind.LEAF, Kind.THRESHOLD)).all())
        and bool((tree.value == np.rint(tree.value)).all())
    )


def _tests(tree: Tree, nodes: np.ndarray, inner: np.ndarray) -> dict[str, object]:
    """Return the tests of the nodes; feature -1 where none is shown."""
    parent = np.maximum(tree.parent[nodes], 0)
    return {
        "branch": typed_array(nodes - tree.first_child[parent]),
        "feature": typed_array(np.where(inner, tree.feature[nodes], -1)),
        "threshold": exact_array(tree.threshold[nodes[inner]]),
        "names": [feature_html(name) for name in tree.feature_names],
        "counts": typed_array(tree.value[nodes].astype(np.int64).ravel()),
    }


def _steps(tree: Tree, nodes: np.ndarray, leaves: set[int]) -> dict[str, object]:
    steps = condition_steps(tree, nodes)
    return {
        "place": [place for place, _ in steps],
        "condition": [
            "" if condition is None else condition_words(tree, (condition,))
            for _, condition in steps
        ],
        "rows": [rows_words(tree, node) for node in nodes.tolist()],
        "counts": [_counts(values) for values in tree.value[nodes]],
        "next": ["" if node in leaves else split_words(tree, node) for node in nodes.tolist()],
    }


def _counts(values: np.ndarray) -> list[tuple[int, str]]:
    top = np.argsort(-values, kind="stable")[:MOST_CLASSES].tolist()
    return [(k, number(round(float(values[k]), 6))) for k in top if values[k] > 0]
