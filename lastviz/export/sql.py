"""A tree as one SQL expression."""

from __future__ import annotations

from collections.abc import Sequence

from lastviz.inspection import rules
from lastviz.tree import Tree

from .code_words import SQL, condition_code, labels_of, machines_refused

__all__ = ["as_sql"]


def as_sql(tree: Tree, labels: Sequence[object] | None = None) -> str:
    """Return a tree as a ``CASE`` expression of standard SQL over columns named as its features.

    One ``WHEN`` a rule, so that the nesting does not grow with the depth of the tree.

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
    A row with NULL in a column that decides about it gets NULL.
    """
    machines_refused(tree, "SQL")
    names = labels_of(tree, labels)
    about = "-- A decision tree, written by lastviz. NULL where a value that decides is NULL."
    lines = [about, "CASE"]
    for rule in rules(tree):
        premise = " AND ".join(condition_code(tree, c, SQL) for c in rule.conditions) or "1 = 1"
        lines.append(f"  WHEN {premise} THEN {SQL.literal(names[rule.prediction])}")
    return "\n".join([*lines, "END"]) + "\n"
