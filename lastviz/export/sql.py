"""A tree as one SQL expression."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz._sentences import Refusal, Statement
from lastviz.inspection import conditions, rules
from lastviz.tree import Kind, Missing, Tree
from lastviz.tree.routing import votes_of_nodes

from .code_words import (
    DUCKDB_VALUES,
    SQL,
    about_answers,
    condition_code,
    held_tree,
    labels_of,
    outcomes,
    sending,
    used_features,
)

LARGEST = "CAST({}1.7976931348623157e308 AS DOUBLE PRECISION)"
AT_ONCE = 20  # terms in one pair of brackets: sums of thousands must not nest as deep


def as_sql(tree: Tree, labels: Sequence[object] | None = None) -> str:
    """Tree as an expression of standard SQL over columns named as its features.

    It is a ``CASE`` with one ``WHEN`` a rule, in brackets, and its nesting does not grow with the
    depth of the tree. SQLite, PostgreSQL and DuckDB run it.

    Parameters
    ----------
    tree : Tree
        ``estimator.tree_``.
    labels : sequence, optional
        What the classes are called; the tree's own classes if not given.

    Raises
    ------
    ValueError
        If the tree holds kernel machines, a monotone envelope decides, or a name the character NUL.

    Notes
    -----
    The first lines say which columns it needs and what becomes of missing, infinite and new
    values; where the tree has no answer a row gets NULL. A column that the table lacks is an
    error, or where its name needs quotes, which SQLite reads as a text, NULL for every row. A
    text in a column of numbers counts as the number that it says; one that says none is an
    error, in SQLite NULL.
    """
    tree = held_tree(tree, "SQL")
    reason = sql_refusal(tree, labels)
    if reason is not None:
        raise Refusal(reason)
    about, tree, predicted = about_answers(tree, "NULL"), sending(tree), outcomes(tree, labels)
    asked = used_features(tree)
    names = [SQL.name(tree.feature_names[f]) for f in asked]
    lines = ["-- A decision tree, written by lastviz."]
    lines += [f"-- Columns: {', '.join(names).replace(chr(10), ' ')}"] * bool(asked)
    lines += [f"-- {line}" for line in about]
    lines += [
        f"-- DuckDB takes {SQL.name(name)} for a value of its own here: rename that column in it."
        for name in (tree.feature_names[f] for f in asked)
        if name.lower() in DUCKDB_VALUES
    ]
    given, fit = _free_name(tree, "given"), _free_name(tree, "fit")
    if asked:
        read = [_read(tree, f) for f in asked]
        fits = _joined([each for f in asked for each in _fits(tree, f)] or ["1 = 1"], " AND ")
        lines.append(f"(WITH {given} ({', '.join([*names, fit])}) AS (")
        lines += [f"  SELECT {', '.join(read)},", f"  {fits})"]
    lines += ["SELECT CASE", f"  WHEN NOT {fit} THEN NULL"] if asked else ["(SELECT CASE"]
    for rule in rules(tree):
        lines.append(f"  WHEN {_premise(tree, rule.node)} THEN {SQL.literal(predicted[rule.node])}")
    if tree.missing == Missing.FRACTIONS and tree.n_nodes > 1:
        lines.append(f"  ELSE {_spread(tree, labels_of(tree, labels))}")
    else:
        lines += [f"  WHEN {when} THEN {then}" for when, then in _stops(tree, predicted)]
    lines.append(f"END FROM {given})" if asked else "END)")
    return "\n".join(lines) + "\n"


def sql_refusal(tree: Tree, labels: Sequence[object] | None = None) -> Statement | None:
    """Reason why :func:`as_sql` cannot write a tree of no machines, or None."""
    known = [each for each in tree.feature_categories if each is not None]
    for name in (
        *tree.feature_names,
        *labels_of(tree, labels),
        *(c for each in known for c in each),
    ):
        if "\0" in str(name):
            return Statement("SQL cannot hold the character NUL; rename {name!r}", name=str(name))
    return None


def _premise(tree: Tree, node: int) -> str:
    return " AND ".join(condition_code(tree, c, SQL) for c in conditions(tree, node)) or "1 = 1"


def _stops(tree: Tree, predicted: Sequence[object]) -> list[tuple[str, str]]:
    """Conditions of rows that stop at no leaf, with predictions, deepest node first."""
    if not len(tree.categories):
        return []
    found, inner = [], np.flatnonzero(tree.n_children > 0)
    for node in inner[np.argsort(-tree.depth[inner], kind="stable")].tolist():
        then = "NULL"
        if tree.kind[node] == Kind.CATEGORIES or tree.missing == Missing.BRANCH:
            then = SQL.literal(predicted[node])
        if then != "NULL" and tree.missing == Missing.REFUSE:
            name = SQL.name(tree.feature_names[tree.feature[node]])
            then = f"CASE WHEN {name} IS NOT NULL THEN {then} END"
        found.append((_premise(tree, node), then))
    return found


def _read(tree: Tree, feature: int) -> str:
    """Expression that reads a column: numbers in double precision."""
    name = SQL.name(tree.feature_names[feature])
    numeric = tree.feature_categories[feature] is None
    return f"CAST({name} AS DOUBLE PRECISION)" if numeric else name


def _fits(tree: Tree, feature: int) -> list[str]:
    """Conditions that a column exists and holds finite numbers.

    They are false where it is not there, or holds no finite number.
    """
    name, known = SQL.name(tree.feature_names[feature]), tree.feature_categories[feature]
    if known is None:
        return [f"({name} BETWEEN {LARGEST.format('-')} AND {LARGEST.format('')})"]
    own = tree.feature_names[feature]
    return [f"CAST({name} AS TEXT) <> {SQL.literal(own)}"] * (name[0] == '"' and own not in known)


def _joined(terms: list[str], sign: str) -> str:
    """Terms joined by a sign, in brackets that nest as little as possible."""
    while len(terms) > 1:
        parts = [terms[i : i + AT_ONCE] for i in range(0, len(terms), AT_ONCE)]
        terms = [f"({sign.join(part)})" if len(part) > 1 else part[0] for part in parts]
    return terms[0]


def _spread(tree: Tree, labels: Sequence[object]) -> str:
    """Prediction of a row that is in parts in several leaves."""
    if tree.is_regression:
        return _mean(tree, tree.prediction)
    names = [_free_name(tree, f"share{k}") for k in range(len(labels))]
    votes = votes_of_nodes(tree)
    found = [f"{_mean(tree, votes[:, k])} AS {name}" for k, name in enumerate(names)]
    cases = []
    for k, label in enumerate(labels):
        others = [f"{names[k]} >= {other} - 1e-12" for other in names if other != names[k]]
        cases.append(f"WHEN {_joined(others or ['1 = 1'], ' AND ')} THEN {SQL.literal(label)}")
    inside = ",\n    ".join(found)
    return f"(SELECT CASE {' '.join(cases)} END FROM (SELECT\n    {inside}) AS shares)"


def _free_name(tree: Tree, name: str) -> str:
    """Name that no feature has."""
    taken = {each.lower() for each in tree.feature_names}
    return name if name not in taken else _free_name(tree, f"{name}_")


def _mean(tree: Tree, values: np.ndarray) -> str:
    """Mean of the leaves' values by the parts of a row in them, as one expression."""
    paths = {0: []}
    for child in range(1, tree.n_nodes):
        parent = int(tree.parent[child])
        paths[child] = [*paths[parent], _part(tree, parent, child)]
    leaves = np.flatnonzero((tree.n_children == 0) & (values != 0)).tolist()
    terms = [" * ".join([SQL.literal(float(values[leaf])), *paths[leaf]]) for leaf in leaves]
    return _joined(terms or ["0.0"], " + ")


def _part(tree: Tree, node: int, child: int) -> str:
    """Part of a row at a node that goes to a child: all, none, or the child's share.

    Unless one of the two comparisons is true the value is missing or new.
    """
    feature, first = int(tree.feature[node]), int(tree.first_child[node])
    name = SQL.name(tree.feature_names[feature])
    share = SQL.literal(float(tree.branch_weight[child]))
    if tree.kind[node] == Kind.THRESHOLD:
        cut = SQL.literal(float(tree.threshold[node]))
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
