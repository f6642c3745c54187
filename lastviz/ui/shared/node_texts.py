"""What the pointer reads over the nodes of a tree, in pieces that the browser puts together.

Each node says its rule, and rules repeat those of the nodes above: sent whole, they would be most
of a page. So each node brings what its last test adds, and the browser writes the rule of the one
node that the pointer is over.
"""

from __future__ import annotations

import numpy as np

from lastviz.inspection import condition_steps
from lastviz.plots import condition_words, number, split_words
from lastviz.ui.text import t

from .model_view import ModelView, rows_words

__all__ = ["node_texts"]

MOST_CLASSES = 5  # of which a node says how many rows it holds


def node_texts(view: ModelView, class_names: tuple[str, ...]) -> dict[str, object]:
    """Return the texts of the nodes of the tree as shown, see ``composed`` of the chart host.

    Parameters
    ----------
    view : ModelView
    class_names : tuple of str

    Returns
    -------
    dict
        "node": numbers of the nodes, rising; and for each of them "parent": the place of its
        parent in that list, -1 for the root; "place", "condition": what its last test makes of
        its parent's conditions, see :func:`lastviz.inspection.condition_steps`; "title": its
        class; "rows", "next": words; "counts": (class, rows) pairs. "titles": the class names;
        "words": what joins them all.
    """
    tree, nodes = view.tree, view.shown
    leaves = set(view.leaves.tolist())
    steps = condition_steps(tree, nodes)
    return {
        "node": nodes.tolist(),
        "parent": np.searchsorted(nodes, tree.parent[nodes]).tolist()[1:],
        "place": [place for place, _ in steps],
        "condition": [
            "" if condition is None else condition_words(tree, (condition,))
            for _, condition in steps
        ],
        "title": tree.prediction[nodes].tolist(),
        "titles": class_names,
        "rows": [rows_words(tree, node) for node in nodes.tolist()],
        "counts": [_counts(values) for values in tree.value[nodes]],
        "next": ["" if node in leaves else split_words(tree, node) for node in nodes.tolist()],
        "words": {"and": t("and"), "next": t("next: {test}")},
    }


def _counts(values: np.ndarray) -> list[tuple[int, str]]:
    top = np.argsort(-values, kind="stable")[:MOST_CLASSES].tolist()
    return [(k, number(round(float(values[k]), 6))) for k in top if values[k] > 0]
