"""All forms in which a tree can leave the app."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lastviz.inspection import condition_of
from lastviz.tree import Tree, tree_of

from .code_words import PLAIN, condition_code, outcomes, refusal_of
from .function import as_function
from .onnx_graph import as_onnx, onnx_refusal
from .pmml import as_pmml, pmml_refusal
from .rule_list import rules_as_csv, rules_as_text
from .sql import as_sql, sql_refusal
from .tree_json import as_json, json_refusal, model_as_json


def as_dot(tree: Tree, labels: Sequence[object] | None = None) -> str:
    """Tree in the language of Graphviz, root at the left: ``dot -Tsvg tree.dot``.

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


# ---------------------------------------------------------------- forms


@dataclass(frozen=True)
class Form:
    """One form of a tree."""

    title: str  # what it is, in English
    suffix: str  # of its file
    mime: str  # of its file
    # `write(tree, labels) -> str`; raises ValueError for a tree that it cannot hold.
    write: Callable[..., str | bytes]
    # Whether it can hold a tree of kernel machines, and draws one with a monotone envelope.
    machines: bool = False
    # Whether `write` takes `held_out`, the class counts of held-out rows at each node, too.
    judged: bool = False
    # Whether it is for programs: about columns and values as they are stored, whatever people call
    # them.
    stored: bool = False
    # Whether `write` takes `reading`, how columns are read from a file, as a text, too.
    reads: bool = False
    comment: str = ""  # how a line begins that programs pass over; "" if there is none such
    # `refuses(tree, labels) -> str | None`: why it cannot hold a tree without machines.
    refuses: Callable[..., str | None] | None = None

    def refusal(self, tree: object, labels: Sequence[object] | None = None) -> str | None:
        """Reason why `write` would refuse a tree, or None. O(n_classes + n_trees).

        Parameters
        ----------
        tree : Tree or estimator
            What `write` takes.
        labels : sequence, optional
            What the classes are called; the tree's own classes if not given.

        Raises
        ------
        ValueError
            If there are not as many labels as classes.
        """
        if isinstance(tree, Tree) and not self.machines:
            reason = refusal_of(tree, self.title)
            if reason is not None:
                return reason
        return None if self.refuses is None else self.refuses(tree, labels)


FORMATS = {
    "text": Form("Rules as text", "txt", "text/plain", rules_as_text, judged=True),
    "csv": Form("Rules as a table (CSV)", "csv", "text/csv", rules_as_csv, judged=True),
    "python": Form(
        "Python function", "py", "text/x-python", as_function, stored=True, comment="# "
    ),
    "sql": Form(
        "SQL expression",
        "sql",
        "text/plain",
        as_sql,
        stored=True,
        comment="-- ",
        refuses=sql_refusal,
    ),
    "json": Form(
        "Tree as JSON",
        "json",
        "application/json",
        as_json,
        machines=True,
        stored=True,
        refuses=json_refusal,
        reads=True,
    ),
    "pmml": Form(
        "PMML model",
        "pmml",
        "application/xml",
        as_pmml,
        stored=True,
        refuses=pmml_refusal,
    ),
    "dot": Form("Tree for Graphviz (DOT)", "dot", "text/plain", as_dot, machines=True),
}

ONNX = Form(
    "ONNX model", "onnx", "application/octet-stream", as_onnx, stored=True, refuses=onnx_refusal
)
"""The one form that is no text, and needs a package of its own: see :func:`.has_onnx`."""

FOREST_FORMATS = {
    "json": Form(
        "Forest as JSON",
        "json",
        "application/json",
        model_as_json,
        stored=True,
        reads=True,
        refuses=json_refusal,
    ),
    "onnx": Form(
        "Forest as ONNX",
        "onnx",
        "application/octet-stream",
        as_onnx,
        stored=True,
        refuses=onnx_refusal,
    ),
}
"""Forms of a whole forest: what it decides, from all its trees. They write estimators."""
