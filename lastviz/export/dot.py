"""A tree for Graphviz."""

from __future__ import annotations

from collections.abc import Sequence

from lastviz.inspection import condition_of
from lastviz.tree import Tree, tree_of

from .code_words import PLAIN, condition_code, outcomes


def as_dot(tree: Tree, labels: Sequence[object] | None = None) -> str:
    """Return a tree in the language of Graphviz, root at the left: ``dot -Tsvg tree.dot``.

    The label of a node is its class and its rows, that of an edge what it asks of a row. A
    machine is called f and the number of its node.

    Parameters
    ----------
    tree : Tree
        ``estimator.tree_``.
    labels : sequence, optional
        What the classes are called; the tree's own classes if not given.
    """
    tree = tree_of(tree)
    predicted = outcomes(tree, labels)
    lines = ["digraph tree {", "  rankdir=LR;", "  node [shape=box];"]
    for node in range(tree.n_nodes):
        counts = ", ".join(f"{count:.15g}" for count in tree.value[node])
        rows = f"{tree.weighted_n_node_samples[node]:.15g} training rows: {counts}"
        lines.append(f"  {node} [label={_quoted(str(predicted[node]))}, tooltip={_quoted(rows)}];")
    for node in range(tree.n_nodes):
        for branch, child in enumerate(tree.children(node)):
            condition = condition_code(tree, condition_of(tree, node, branch), PLAIN)
            lines.append(f"  {node} -> {child} [label={_quoted(condition)}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
