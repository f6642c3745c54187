"""What the pointer reads over the nodes of a tree, in pieces that the browser puts together.

Each node says its rule, and rules repeat those of the nodes above: sent whole, they would be most
of a page, and writing them most of its time. So each node brings what its last test adds, and the
browser writes the rule of the one node that the pointer is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape

import numpy as np

from lastviz.inspection import condition_steps
from lastviz.plots import (
    condition_words,
    feature_html,
    largest_first,
    number,
    split_words,
    typed_array,
)
from lastviz.plots.visuals.words import threshold_words
from lastviz.tree import Kind, Missing, Tree
from lastviz.ui.text import t

from .model_view import rows_words

MOST_CLASSES = 5  # of which a node says how many rows it holds
MOST_SUPPORTS = 4  # classes of which a node says its share


@dataclass(frozen=True, eq=False)
class SupportTexts:
    """What nodes say of themselves as rules: supports in place of rows by class."""

    numbers: Mapping[int, int]  # leaf -> number of its rule
    # (n_nodes, n_classes) float64, how many held-out rows of each class come to each node.
    held_out: np.ndarray | None
    # Returns what is said of a node between its rule and its test: for trees whose rules are not
    # written by the browser.
    lines: Callable[[int], list[str]]
    row: str  # what one of the rows that the tree holds is called, and several of them; with {n}
    rows: str  # what one of the rows that the tree holds is called, and several of them; with {n}


def node_texts(
    tree: Tree,
    leaves: np.ndarray,
    class_names: tuple[str, ...],
    drawn: list[int],
    supports: SupportTexts | None = None,
) -> dict[str, object]:
    """Return the texts of the nodes of a tree as shown, see ``composed`` of the chart host.

    Where all tests compare a number with a threshold, as "tests": numbers that the browser
    words. Else as "steps": words, and where they stand in the rule.

    Parameters
    ----------
    tree : Tree
    leaves : ndarray of intp
        Nodes that are shown without their test.
    class_names : tuple of str
    drawn : list of int
        The nodes that the pointer can be over.
    supports : SupportTexts, optional
        Said in place of the rows of each class.

    Returns
    -------
    dict
        "node": numbers of the nodes, rising; for each "parent": the place of its parent in that
        list, 0 for the root; "title": its class. "titles": the class names; "words": what joins
        them all. With `supports` the "number" of each rule, 0 for none.
    """
    nodes = _with_ancestors(tree, drawn)
    texts = {
        "node": typed_array(nodes),
        "parent": typed_array(np.searchsorted(nodes, tree.parent[nodes])),
        "title": typed_array(tree.prediction[nodes]),
        "titles": [escape(name, quote=False) for name in class_names],
        "words": _words(supports),
    }
    if supports is not None:
        numbers = supports.numbers
        texts["number"] = typed_array(np.array([numbers.get(node, 0) for node in nodes.tolist()]))
    if not _has_thresholds_alone(tree):
        return texts | {"steps": _steps(tree, nodes, set(leaves.tolist()), supports)}
    texts["tests"] = _tests(tree, nodes, ~np.isin(nodes, leaves))
    if supports is None:
        return texts | {"most": MOST_CLASSES}
    return texts | {"most": MOST_SUPPORTS, "supports": _held_out(tree, nodes, supports)}


def _words(supports: SupportTexts | None) -> dict[str, str]:
    common = {"and": t("and"), "next": t("next: {test}"), "others": t("other classes")}
    if supports is None:
        return common | {"row": t("{n} row"), "rows": t("{n} rows")}
    return common | {
        "row": supports.row,
        "rows": supports.rows,
        "number": t("rule {n}: {name}"),
        "share": t("{rows}, {share} % of all"),
        "right": t("classifies {right} of {rows} held-out rows correctly"),
        "nobody": t("no held-out row reaches this node"),
    }


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
        tree.missing in (Missing.REFUSE, Missing.MAJORITY)
        and bool(np.isin(tree.kind, (Kind.LEAF, Kind.THRESHOLD)).all())
        and bool((tree.value == np.rint(tree.value)).all())
    )


def _tests(tree: Tree, nodes: np.ndarray, inner: np.ndarray) -> dict[str, object]:
    """Return the tests of the nodes; feature -1 where none is shown."""
    parent = np.maximum(tree.parent[nodes], 0)
    return {
        "branch": typed_array(nodes - tree.first_child[parent]),
        "feature": typed_array(np.where(inner, tree.feature[nodes], -1)),
        "threshold": [threshold_words(tree, node) for node in nodes[inner].tolist()],
        "names": [feature_html(name) for name in tree.feature_names],
        "counts": typed_array(tree.value[nodes].astype(np.int64).ravel()),
    }


def _held_out(tree: Tree, nodes: np.ndarray, supports: SupportTexts) -> dict[str, object]:
    """Return how many held-out rows come to the nodes, and for how many of them they are right."""
    if supports.held_out is None:
        return {}
    counts = supports.held_out[nodes].astype(np.int64)
    right = counts[np.arange(len(nodes)), tree.prediction[nodes]]
    return {"held_out": typed_array(counts.sum(axis=1)), "right": typed_array(right)}


def _steps(
    tree: Tree, nodes: np.ndarray, leaves: set[int], supports: SupportTexts | None
) -> dict[str, object]:
    steps = condition_steps(tree, nodes)
    if supports is None:
        amounts = {
            "rows": [rows_words(tree, node) for node in nodes.tolist()],
            "counts": [_counts(values) for values in tree.value[nodes]],
        }
    else:
        amounts = {"lines": [supports.lines(node) for node in nodes.tolist()]}
    return amounts | {
        "place": [place for place, _ in steps],
        "condition": [
            "" if condition is None else condition_words(tree, (condition,))
            for _, condition in steps
        ],
        "next": ["" if node in leaves else split_words(tree, node) for node in nodes.tolist()],
    }


def _counts(values: np.ndarray) -> list[tuple[int, str]]:
    """Return the largest classes with their rows; -1 stands for all others."""
    top, others = largest_first(values, MOST_CLASSES)
    named = [(k, number(round(float(values[k]), 6))) for k in top]
    return named + [(-1, number(others))] * bool(others)
