"""Tests, conditions, names and classes as code: with every digit, in one of several languages."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from lastviz._sentences import Refusal, Statement, isolate
from lastviz.estimators import ImportedBoosting
from lastviz.inspection import Condition, MachineCondition, NominalCondition, ObliqueCondition
from lastviz.tree import Kind, Missing, Tree, tree_of

# Of PostgreSQL, DuckDB and SQLite; a name that is none of them needs no quotes.
SQL_WORDS = """
    abort action add after all alter always analyse analyze and anti any array as asc asof
    asymmetric at attach authorization autoincrement before begin between binary both by cascade
    case cast check collate collation column commit concurrently conflict constraint create cross
    current current_catalog current_date current_role current_schema current_time current_timestamp
    current_user database default deferrable deferred delete desc describe detach distinct do drop
    each else end escape except exclude exclusive exists explain fail false fetch filter first
    following for foreign freeze from full generated glob grant group groups having if ignore ilike
    immediate in index indexed initially inner insert instead intersect into is isnull join key
    lambda last lateral leading left like limit localtime localtimestamp map match materialized
    natural no not nothing notnull null nulls of offset on only or order others outer over overlaps
    partition pivot pivot_longer pivot_wider placing plan positional pragma preceding primary
    qualify query raise range recursive references regexp reindex release rename replace restrict
    returning right rollback row rows savepoint select semi session_user set show similar some
    summarize symmetric table tablesample temp temporary then ties to trailing transaction trigger
    true unbounded union unique unpack unpivot update user using vacuum values variadic verbose view
    virtual when where window with without"""

# What DuckDB takes for its own value in a subquery, in quotes as well, before a column around it.
DUCKDB_VALUES = {
    "user", "current_user", "session_user", "current_role", "current_catalog", "current_schema",
    "current_date", "current_time", "current_timestamp", "localtime", "localtimestamp",
}  # fmt: skip


@dataclass(frozen=True)
class Dialect:
    """Notation of a language for names, values and conditions."""

    name: Callable[[str], str]  # of a feature
    literal: Callable[[object], str]  # of a number or text
    missing: str  # what is true where {x} is missing, and where it is not
    known: str  # what is true where {x} is missing, and where it is not
    words: tuple[str, str, str]  # and, or, in
    chained: bool  # whether `low < x <= high` may be written as such


def plain(value: object) -> object:
    """Label as Python's own int, float, bool or str."""
    return value.item() if isinstance(value, np.generic) else value


def _plain_name(name: str) -> str:
    return isolate(name if name.isidentifier() else '"' + name.replace('"', '""') + '"')


def _sql_name(name: str) -> str:
    """Name, in quotes where it needs some.

    Without them a column that is not there is an error; in quotes SQLite reads it as a text.
    """
    if re.fullmatch("[a-z_][a-z0-9_]*", name) and not re.search(rf"\b{name}\b", SQL_WORDS):
        return name
    return '"' + name.replace('"', '""') + '"'


def _sql_literal(value: object) -> str:
    value = plain(value)
    if isinstance(value, bool):
        return repr(value).upper()
    if isinstance(value, float):
        return _sql_number(value)
    if isinstance(value, int):
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"


def _sql_number(value: float) -> str:
    """Number that every base reads as this very one.

    DuckDB reads up to 15 digits exactly as a decimal, SQLite what is not midway between two
    numbers in double precision; of any other they are given more digits than decide.
    """
    short = repr(value)
    digits = len(re.sub(r"e.*|\D", "", short).lstrip("0"))
    off = abs(Fraction(short) - Fraction(value)) / Fraction(math.ulp(value))
    return short if digits <= 15 and off < Fraction(49, 100) else f"{value:.20e}"


def _python_literal(value: object) -> str:
    return repr(plain(value))


def _plain_literal(value: object) -> str:
    """Literal of a number, without binary noise: 38161.63, not 38161.630000000005."""
    value = plain(value)
    if isinstance(value, float) and math.isfinite(value):
        short = float(f"{value:.12g}")
        value = short if abs(short - value) <= 2.0 * math.ulp(value) else value
    return repr(value)


PLAIN = Dialect(
    _plain_name,
    _plain_literal,
    "{x} is None",
    "{x} is not None",
    ("and", "or", "in"),
    chained=True,
)
PYTHON = Dialect(
    "row[{!r}]".format,
    _python_literal,
    "{x} != {x}",
    "{x} == {x}",
    ("and", "or", "in"),
    chained=True,
)
SQL = Dialect(
    _sql_name,
    _sql_literal,
    "{x} IS NULL",
    "{x} IS NOT NULL",
    ("AND", "OR", "IN"),
    chained=False,
)


def labels_of(tree: Tree, labels: Sequence[object] | None) -> list[object]:
    """Labels of the classes: `labels`, or the tree's own classes.

    Raises
    ------
    ValueError
        If there are not as many labels as classes.
    """
    found = [plain(label) for label in (tree.classes if labels is None else labels)]
    if len(found) != len(tree.classes):
        raise ValueError(f"labels must name {len(tree.classes)} classes, got {len(found)}")
    return found


def outcomes(tree: Tree, labels: Sequence[object] | None) -> list[object]:
    """Prediction of every node: the label of a class, or a number."""
    names, predicted = labels_of(tree, labels), tree.prediction.tolist()
    return predicted if tree.is_regression else [names[k] for k in predicted]


def held_tree(model: object, what: str) -> Tree:
    """Tree of a model, or the tree itself; refused if the form cannot hold it."""
    tree = tree_of(model)
    reason = refusal_of(tree, what)
    if reason is not None:
        raise Refusal(reason)
    return tree


def refusal_of(tree: Tree, what: str) -> Statement | None:
    """Reason why a form cannot hold a tree, as a sentence, or None."""
    if tree.enveloped:
        return no_envelope(what)
    return no_machines(what) if len(tree.kernel) else None


def no_envelope(what: str) -> Statement:
    """Refusal of a tree whose monotone envelope decides."""
    return Statement(
        "{what} cannot hold a monotone envelope: it decides by all leaves at once; export a model "
        "with monotone=False",
        what=Statement(what),
    )


def sums_refusal(model: object, what: str) -> Statement | None:
    """Reason why a form cannot hold a model; None unless it is a sum of scores."""
    if not isinstance(model, ImportedBoosting):
        return None
    return Statement(
        "{what} cannot hold a sum of scores; export one of its trees, such as "
        "model.estimators_[0].tree_",
        what=Statement(what),
    )


def no_machines(what: str) -> Statement:
    """Refusal of a tree of kernel machines."""
    return Statement(
        "{what} cannot hold kernel machines: a machine is a sum over its support vectors; export a "
        "tree of thresholds, categories or hyperplanes",
        what=Statement(what),
    )


def sending(tree: Tree) -> Tree:
    """Tree whose nodes name the branch of missing values, if one takes them at all."""
    if tree.missing != Missing.MAJORITY:
        return tree
    return replace(tree, missing=Missing.BRANCH, missing_branch=tree.sent_missing)


def used_features(tree: Tree) -> list[int]:
    """Features that any test asks for, in rising order."""
    if len(tree.kernel):
        return list(range(tree.n_features))
    planes = tree.oblique.weights[tree.split_row[tree.kind == Kind.OBLIQUE]]
    return np.union1d(tree.feature[tree.feature >= 0], np.flatnonzero(planes.any(axis=0))).tolist()


def about_answers(tree: Tree, nothing: str) -> list[str]:
    """Sentences on the treatment of incomplete rows by a tree.

    `nothing` is what a row without an answer gets, such as None.
    """
    found = {
        Missing.REFUSE: f"{nothing} where a test on a row's path asks for a missing value.",
        Missing.FRACTIONS: "Where a test asks for a missing value a row goes down all branches, in "
        "parts.",
        Missing.BRANCH: "A missing value goes where the tree sends it.",
        Missing.MAJORITY: "A missing value goes where most training rows went: none of them lacked "
        "one.",
    }[tree.missing]
    sentences = [found, "Values that no test on the path asks for may be missing."]
    if len(tree.categories):
        as_missing = "A category that training did not see counts as missing."
        stops = "A category that training did not see ends the path: its node predicts."
        sentences.append(as_missing if tree.missing == Missing.FRACTIONS else stops)
    if any(tree.feature_categories[f] is None for f in used_features(tree)):
        sentences += ["Numbers are read in double precision.", f"{nothing} where one is infinite."]
    return sentences


def condition_code(
    tree: Tree,
    condition: Condition | NominalCondition | ObliqueCondition | MachineCondition,
    dialect: Dialect,
) -> str:
    """Condition that is true, in code, exactly where it holds."""
    if isinstance(condition, MachineCondition):
        return f"f{condition.node} {'>' if condition.branch == 0 else '<='} 0"
    if isinstance(condition, ObliqueCondition):
        subject = _weighted_sum(condition.weights, tree.feature_names, dialect)
        return _interval(subject, condition.low, condition.high, dialect)
    subject = dialect.name(tree.feature_names[condition.feature])
    if condition.only_missing:
        return dialect.missing.format(x=subject)
    if isinstance(condition, NominalCondition):
        code = _among(subject, tree.feature_categories[condition.feature], condition, dialect)
    elif condition.only_known:
        return dialect.known.format(x=subject)
    else:
        code = _interval(subject, condition.low, condition.high, dialect)
    if condition.missing:
        code = f"({code} {dialect.words[1]} {dialect.missing.format(x=subject)})"
    return code


def _weighted_sum(weights: np.ndarray, names: Sequence[str], dialect: Dialect) -> str:
    """Terms in rising order of the features: the order in which the tree sums."""
    used = np.flatnonzero(weights)
    return " + ".join(
        f"{dialect.literal(float(weights[f]))} * {dialect.name(names[f])}" for f in used
    )


def _among(
    subject: str, categories: Sequence[object], condition: NominalCondition, dialect: Dialect
) -> str:
    inside = [dialect.literal(categories[code]) for code in condition.categories]
    end = "," if len(inside) == 1 and dialect is not SQL else ""
    return f"{subject} {dialect.words[2]} ({', '.join(inside)}{end})"


def _interval(subject: str, low: float | None, high: float | None, dialect: Dialect) -> str:
    if low is not None and high is not None and dialect.chained:
        return f"{dialect.literal(low)} < {subject} <= {dialect.literal(high)}"
    parts = [f"{subject} > {dialect.literal(low)}"] if low is not None else []
    parts += [f"{subject} <= {dialect.literal(high)}"] if high is not None else []
    return f" {dialect.words[0]} ".join(parts)
