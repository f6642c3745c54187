"""A tree as one SQL expression."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz.inspection import conditions, rules, stopping_nodes
from lastviz.tree import Kind, Missing, Tree
from lastviz.tree.routing import shares_of_nodes

from .code_words import (
    SQL,
    about_missing,
    condition_code,
    labels_of,
    machines_refused,
    outcomes,
)

IN_PARTS = "A row without a value that decides goes down all branches, in parts."


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
    Where the tree has a branch for missing values, NULL takes it. Where rows go down several
    branches in parts (C4.5), a row whose value is NULL or a category that training did not see is
    shared out in a subquery that needs no table; it nests as deep as the tree. Else a row gets
    NULL if a value that decides about it is NULL.
    """
    machines_refused(tree, "SQL")
    predicted = outcomes(tree, labels)
    spreads = tree.missing == Missing.FRACTIONS and tree.n_nodes > 1
    about = IN_PARTS if spreads else about_missing(tree, "NULL")
    lines = [f"-- A decision tree, written by lastviz. {about}", "CASE"]
    rests = stopping_nodes(tree)
    if rests and tree.missing == Missing.REFUSE:
        used = np.unique(tree.feature[tree.feature >= 0])
        absent = " OR ".join(f"{SQL.name(tree.feature_names[f])} IS NULL" for f in used)
        lines.append(f"  WHEN {absent} THEN NULL")
    leaves = [(rule.node, rule.conditions) for rule in rules(tree)]
    for node, found in leaves + [(node, conditions(tree, node)) for node in rests]:
        premise = " AND ".join(condition_code(tree, c, SQL) for c in found) or "1 = 1"
        lines.append(f"  WHEN {premise} THEN {SQL.literal(predicted[node])}")
    if spreads:
        lines.append(f"  ELSE {_spread(tree, labels_of(tree, labels))}")
    return "\n".join([*lines, "END"]) + "\n"


def _spread(tree: Tree, labels: Sequence[object]) -> str:
    """Return what a row gets that is in parts in several leaves."""
    if tree.is_regression:
        return f"({_mean(tree, tree.prediction)})"
    names = _free_names(tree, len(labels))
    shares = shares_of_nodes(tree)
    found = [f"{_mean(tree, shares[:, k])} AS {name}" for k, name in enumerate(names)]
    cases = []
    for k, label in enumerate(labels):
        others = [f"{names[k]} >= {other} - 1e-12" for other in names if other != names[k]]
        premise = " AND ".join(others) or "1 = 1"
        cases.append(f"WHEN {premise} THEN {SQL.literal(label)}")
    inside = ",\n    ".join(found)
    return f"(SELECT CASE {' '.join(cases)} END FROM (SELECT\n    {inside}) AS shares)"


def _free_names(tree: Tree, n: int) -> list[str]:
    """Return names for the shares of classes that no feature has."""
    taken = {name.lower() for name in tree.feature_names}
    stem = next(s for s in ("share", "share_", "share__", "share___") if f"{s}0" not in taken)
    return [f"{stem}{k}" for k in range(n)]


def _mean(tree: Tree, values: np.ndarray) -> str:
    """Return the mean of the leaves' values by the parts of a row in them, as one expression."""
    codes: list[str] = [""] * tree.n_nodes
    for node in range(tree.n_nodes - 1, -1, -1):  # children come after their parent
        if tree.is_leaf(node):
            codes[node] = repr(float(values[node]))
            continue
        parts = [f"{_part(tree, node, child)} * {codes[child]}" for child in tree.children(node)]
        codes[node] = f"({' + '.join(parts)})"
    return codes[0]


def _part(tree: Tree, node: int, child: int) -> str:
    """Return the part of a row at a node that goes to a child: all, nothing, or the child's share.

    Unless one of the two comparisons is true the value is missing or new.
    """
    feature, first = int(tree.feature[node]), int(tree.first_child[node])
    name, share = SQL.name(tree.feature_names[feature]), repr(float(tree.branch_weight[child]))
    if tree.kind[node] == Kind.THRESHOLD:
        cut = repr(float(tree.threshold[node]))
        here, there = (f"{name} <= {cut}", f"{name} > {cut}")
        if child != first:
            here, there = there, here
        return f"CASE WHEN {here} THEN 1.0 WHEN {there} THEN 0.0 ELSE {share} END"
    branch = tree.categories.branch[tree.split_row[node]]
    known = tree.feature_categories[feature]
    taken = [SQL.literal(known[code]) for code in np.flatnonzero(branch == child - first)]
    other = np.flatnonzero((branch >= 0) & (branch != child - first))
    cases = [f"WHEN {name} IN ({', '.join(taken)}) THEN 1.0"] if taken else []
    if len(other):
        elsewhere = ", ".join(SQL.literal(known[code]) for code in other)
        cases.append(f"WHEN {name} IN ({elsewhere}) THEN 0.0")
    return f"CASE {' '.join(cases)} ELSE {share} END"
