"""A tree as one SQL expression."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import conditions, rules, stopping_nodes
from lastviz.tree import Missing, Tree

from .code_words import SQL, about_missing, condition_code, machines_refused, outcomes

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
    Where the tree has a branch for missing values, NULL takes it. Else a row gets NULL if a
    value that decides about it is NULL: the fractions of C4.5, which go down several branches,
    are not written as SQL, and neither are its categories that training did not see.
    """
    machines_refused(tree, "SQL")
    predicted = outcomes(tree, labels)
    lines = [f"-- A decision tree, written by lastviz. {about_missing(tree, 'NULL')}", "CASE"]
    rests = stopping_nodes(tree)
    if rests and tree.missing == Missing.REFUSE:
        used = np.unique(tree.feature[tree.feature >= 0])
        absent = " OR ".join(f"{SQL.name(tree.feature_names[f])} IS NULL" for f in used)
        lines.append(f"  WHEN {absent} THEN NULL")
    leaves = [(rule.node, rule.conditions) for rule in rules(tree)]
    for node, found in leaves + [(node, conditions(tree, node)) for node in rests]:
        premise = " AND ".join(condition_code(tree, c, SQL) for c in found) or "1 = 1"
        lines.append(f"  WHEN {premise} THEN {SQL.literal(predicted[node])}")
    return "\n".join([*lines, "END"]) + "\n"
