"""Tests, conditions, names and classes as code: with every digit, in one of several languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lastviz._sentences import Refusal, Sentence
from lastviz.inspection import Condition, MachineCondition, NominalCondition, ObliqueCondition
from lastviz.tree import Missing, Tree


@dataclass(frozen=True)
class Dialect:
    """How a language writes names, values and conditions.

    Attributes
    ----------
    name : callable
        Of a feature.
    literal : callable
        Of a number or text.
    missing, known : str
        What is true where {x} is missing, and where it is not.
    words : (str, str, str)
        And, or, in.
    chained : bool
        Whether ``low < x <= high`` may be written as such.
    """

    name: Callable[[str], str]
    literal: Callable[[object], str]
    missing: str
    known: str
    words: tuple[str, str, str]
    chained: bool


def plain(value: object) -> object:
    """Return a label as Python's own int, float, bool or str."""
    return value.item() if isinstance(value, np.generic) else value


def _plain_name(name: str) -> str:
    return name if name.isidentifier() else '"' + name.replace('"', '""') + '"'


def _sql_literal(value: object) -> str:
    value = plain(value)
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int | float):
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"


def _python_literal(value: object) -> str:
    return repr(plain(value))


PLAIN = Dialect(
    _plain_name,
    _python_literal,
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
    lambda name: '"' + name.replace('"', '""') + '"',
    _sql_literal,
    "{x} IS NULL",
    "{x} IS NOT NULL",
    ("AND", "OR", "IN"),
    chained=False,
)


def labels_of(tree: Tree, labels: Sequence[object] | None) -> list[object]:
    """Return what the classes are called: `labels`, or the tree's own classes.

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
    """Return what every node predicts: the label of a class, or a number."""
    names, predicted = labels_of(tree, labels), tree.prediction.tolist()
    return predicted if tree.is_regression else [names[k] for k in predicted]


def machines_refused(tree: Tree, what: str) -> None:
    """Raise a ValueError for trees of kernel machines, which `what` cannot hold."""
    if len(tree.kernel):
        raise Refusal(no_machines(what))


def no_machines(what: str) -> Sentence:
    """Return why `what` cannot hold a tree of kernel machines."""
    return Sentence(
        "{what} cannot hold kernel machines: a machine is a sum over its support vectors; export a "
        "tree of thresholds, categories or hyperplanes",
        what=Sentence(what),
    )


def about_missing(tree: Tree, nothing: str) -> str:
    """Return a sentence about rows with missing values; `nothing` is what they get, if so."""
    if tree.missing == Missing.BRANCH:
        return "A missing value goes where the tree sends it."
    return f"{nothing} where a value that decides is missing."


def condition_code(
    tree: Tree,
    condition: Condition | NominalCondition | ObliqueCondition | MachineCondition,
    dialect: Dialect,
) -> str:
    """Return a condition that is true, in code, exactly where it holds."""
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
    """Return the terms in rising order of the features: the order in which the tree sums."""
    used = np.flatnonzero(weights)
    return " + ".join(f"{float(weights[f])!r} * {dialect.name(names[f])}" for f in used)


def _among(
    subject: str, categories: Sequence[object], condition: NominalCondition, dialect: Dialect
) -> str:
    inside = [dialect.literal(categories[code]) for code in condition.categories]
    end = "," if len(inside) == 1 and dialect is not SQL else ""
    return f"{subject} {dialect.words[2]} ({', '.join(inside)}{end})"


def _interval(subject: str, low: float | None, high: float | None, dialect: Dialect) -> str:
    if low is not None and high is not None and dialect.chained:
        return f"{low!r} < {subject} <= {high!r}"
    parts = [f"{subject} > {low!r}"] if low is not None else []
    parts += [f"{subject} <= {high!r}"] if high is not None else []
    return f" {dialect.words[0]} ".join(parts)
