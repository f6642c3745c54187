"""A tree as a Python function that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from lastviz.inspection import condition_of, stopping_nodes
from lastviz.tree import Kind, Missing, Tree
from lastviz.tree.routing import shares_of_nodes

from .code_words import (
    PYTHON,
    about_answers,
    condition_code,
    held_tree,
    labels_of,
    outcomes,
    plain,
    sending,
    used_features,
)

DEEPEST = 40  # nested tests in one function; Python takes at most 100 levels of indentation

PREDICT = '''NUMBERS = {numbers!r}
WORDS = {words!r}


def predict(row):
    """Return the {what} of a row, a mapping of names of features to values.

    Missing are None, NaN and pandas.NA.
{about}
    """
    known = {{name: float(present(row[name])) for name in NUMBERS}}
    if any(abs(value) == float("inf") for value in known.values()):
        return None
    for name in WORDS:
        value = present(row[name])
        known[name] = value.item() if hasattr(value, "item") else value
    return node_0(known)


def present(value):
    """Return a value, NaN where it is missing."""
    missing = value is None or type(value).__name__ == "NAType"
    return float("nan") if missing else value'''

SPREAD = '''def spread(node, row):
    """Return what a row gets that goes down several branches, in parts, from a node on."""
    shares, waiting = [0.0] * {width}, [(node, 1.0)]
    while waiting:
        node, part = waiting.pop()
        if node in ENDS:
            shares = [a + part * b for a, b in zip(shares, ENDS[node])]
            continue
        name, test, branches = TESTS[node]
        if isinstance(test, dict):
            taken = test.get(row[name])
        else:
            taken = None if row[name] != row[name] else int(not row[name] <= test)
        for place, (child, weight) in enumerate(branches):
            if taken is None and weight > 0:
                waiting.append((child, part * weight))
            elif taken == place:
                waiting.append((child, part))
    {answer}'''


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
        If the tree holds kernel machines, or a monotone envelope decides.

    Notes
    -----
    ``row`` maps a feature's name to its value, a nominal one by its name; it needs those that
    ``NUMBERS`` and ``WORDS`` list, and no others. What becomes of missing, infinite and new values
    the function itself says; where the tree has no answer it returns None. Deep trees are spread
    over several functions.
    """
    tree = held_tree(tree, "a Python function")
    return _Writer(tree, labels).source()


class _Writer:
    """Writes one tree; subtrees that start too deep wait for a function of their own."""

    def __init__(self, tree: Tree, labels: Sequence[object] | None) -> None:
        self.tree, self.labels = sending(tree), labels_of(tree, labels)
        self.about = "\n".join(f"    {line}" for line in about_answers(tree, "None"))
        self.outcome = outcomes(tree, labels)
        self.spreads = tree.missing == Missing.FRACTIONS
        self.stopping = set(stopping_nodes(tree))
        self.waiting = [0]

    def source(self) -> str:
        tree, asked = self.tree, used_features(self.tree)
        names = {f: tree.feature_names[f] for f in asked}
        head = PREDICT.format(
            numbers=[name for f, name in names.items() if tree.feature_categories[f] is None],
            words=[name for f, name in names.items() if tree.feature_categories[f] is not None],
            about=self.about,
            what="number" if tree.is_regression else "class",
        )
        parts = ['"""A decision tree, written by lastviz."""', head]
        while self.waiting:
            top = self.waiting.pop(0)
            parts.append("\n".join([f"def node_{top}(row):", *self._body(top)]))
        if self.spreads:
            parts += [self._spread(), "\n".join(self._tables())]
        return "\n\n\n".join(parts) + "\n"

    def _body(self, top: int) -> list[str]:
        lines, first = [], int(self.tree.depth[top])
        stack: list[tuple[int, int, str]] = [(top, 1, "")]
        while stack:
            node, level, line = stack.pop()
            if line:
                lines.append("    " * (level - 1) + line)
            if node < 0:
                continue
            indent, level = "    " * level, 1 + int(self.tree.depth[node]) - first
            if self.tree.is_leaf(node):
                lines.append(f"{indent}return {self.outcome[node]!r}")
            elif level > DEEPEST:
                self.waiting.append(node)
                lines.append(f"{indent}return node_{node}(row)")
            else:
                stack.extend(reversed(self._branches(node, level)))
        return lines

    def _branches(self, node: int, level: int) -> list[tuple[int, int, str]]:
        """Return the branches of a node as (node, level, line), and what else there is to say."""
        tree, found = self.tree, []
        for branch, child in enumerate(tree.children(node)):
            code = condition_code(tree, condition_of(tree, node, branch), PYTHON)
            found.append((child, level + 1, f"{'el' if branch else ''}if {code}:"))
        rest = self._rest(node)
        return [*found, (-1, level + 1, rest)] if rest else found

    def _rest(self, node: int) -> str:
        """Return what becomes of rows that take no branch; nothing: they get None."""
        if self.spreads:
            return f"return spread({node}, row)"
        if node not in self.stopping:
            return "return None" if self.stopping else ""
        if self.tree.missing == Missing.BRANCH:
            return f"return {self.outcome[node]!r}"
        item = PYTHON.name(self.tree.feature_names[self.tree.feature[node]])
        return f"return {self.outcome[node]!r} if {item} == {item} else None"

    def _spread(self) -> str:
        answer = "return shares[0]"
        if not self.tree.is_regression:
            answer = (
                "best = next(k for k, share in enumerate(shares) if share >= max(shares) - 1e-12)"
                "\n    return CLASSES[best]"
            )
        return SPREAD.format(width=max(len(self.labels), 1), answer=answer)

    def _tables(self) -> list[str]:
        """Return the tests and ends that `spread` looks up."""
        tree, lines = self.tree, [f"CLASSES = {self.labels!r}", "TESTS = {"]
        for node in range(tree.n_nodes):
            if tree.is_leaf(node):
                continue
            name = tree.feature_names[tree.feature[node]]
            parts = [(child, float(tree.branch_weight[child])) for child in tree.children(node)]
            lines.append(f"    {node}: ({name!r}, {self._test(node)!r}, {parts!r}),")
        lines += ["}", "ENDS = {"]
        ends = tree.prediction[:, None] if tree.is_regression else shares_of_nodes(tree)
        for node in range(tree.n_nodes):
            if tree.is_leaf(node):
                lines.append(f"    {node}: {ends[node].tolist()!r},")
        return [*lines, "}"]

    def _test(self, node: int) -> float | dict[object, int]:
        tree = self.tree
        if tree.kind[node] == Kind.THRESHOLD:
            return float(tree.threshold[node])
        categories = tree.feature_categories[tree.feature[node]]
        branch = tree.categories.branch[tree.split_row[node]].tolist()
        return {plain(c): b for c, b in zip(categories, branch, strict=False) if b >= 0}
