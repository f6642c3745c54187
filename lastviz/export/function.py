"""A tree as a Python function that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from lastviz.tree import Kind, Tree

from .code_words import labels_of, machines_refused, weighted_sum_code

__all__ = ["as_function"]

DEEPEST = 40  # nested tests in one function; Python takes at most 100 levels of indentation


def as_function(tree: Tree, labels: Sequence[object] | None = None) -> str:
    """Return the source of ``predict(row)``: tests in plain Python, one row at a time.

    Parameters
    ----------
    tree : Tree
        ``estimator.tree_``.
    labels : sequence, optional
        What the classes are called; the tree's own classes if not given.

    Raises
    ------
    ValueError
        If the tree holds kernel machines.

    Notes
    -----
    ``row`` maps a feature's name to its value. Where a value that decides is missing (None or
    NaN), the function returns None. Deep trees are spread over several functions.
    """
    machines_refused(tree, "a Python function")
    return _Writer(tree, labels_of(tree, labels)).source()


class _Writer:
    """Writes one tree; subtrees that start too deep wait for a function of their own."""

    def __init__(self, tree: Tree, labels: list[object]) -> None:
        self.tree, self.labels = tree, labels
        self.waiting = [0]

    def source(self) -> str:
        features = ", ".join(self.tree.feature_names)
        parts = [
            [
                '"""A decision tree, written by lastviz."""',
                "",
                "",
                "def predict(row):",
                f'    """Return the class of a row, a mapping of {_short(features)} to values.',
                "",
                "    None where a value that decides is missing (None or NaN).",
                '    """',
                '    known = {k: float("nan") if v is None else v for k, v in row.items()}',
                "    return node_0(known)",
            ]
        ]
        while self.waiting:
            top = self.waiting.pop(0)
            parts.append([f"def node_{top}(row):", *self._body(top)])
        return "\n\n\n".join("\n".join(part) for part in parts) + "\n"

    def _body(self, top: int) -> list[str]:
        lines, first = [], int(self.tree.depth[top])
        stack: list[tuple[int, str | None]] = [(top, None)]
        while stack:
            node, line = stack.pop()
            level = 1 + int(self.tree.depth[node]) - first
            if line is not None:
                lines.append("    " * (level - 1) + line)
            indent = "    " * level
            if self.tree.is_leaf(node):
                lines.append(f"{indent}return {self.labels[self.tree.prediction[node]]!r}")
            elif level > DEEPEST:
                self.waiting.append(node)
                lines.append(f"{indent}return node_{node}(row)")
            else:
                self._open(node, stack)
        return lines

    def _open(self, node: int, stack: list[tuple[int, str | None]]) -> None:
        """Put the branches of a node on the stack, the first one on top."""
        children = list(self.tree.children(node))
        subject, threshold = self._subject(node)
        tests = [f"if {subject} <= {threshold!r}:", f"elif {subject} > {threshold!r}:"]
        stack.extend(reversed(list(zip(children, tests, strict=True))))

    def _subject(self, node: int) -> tuple[str, float]:
        tree = self.tree
        if tree.kind[node] == Kind.OBLIQUE:
            row = int(tree.split_row[node])
            weights, threshold = tree.oblique.weights[row], float(tree.oblique.threshold[row])
            return weighted_sum_code(weights, tree.feature_names, _item), threshold
        return _item(tree.feature_names[tree.feature[node]]), float(tree.threshold[node])


def _item(name: str) -> str:
    return f"row[{name!r}]"


def _short(features: str) -> str:
    text = features if len(features) <= 60 else f"{features[:57]}..."
    return text.replace("\\", " ").replace('"', "'")
