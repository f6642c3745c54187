"""Tests, conditions, names and classes as code: with every digit, in one of several languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lastviz.inspection import Condition, MachineCondition, ObliqueCondition
from lastviz.tree import Tree

__all__ = ["PLAIN", "SQL", "Dialect", "condition_code", "labels_of", "machines_refused", "plain"]


@dataclass(frozen=True)
class Dialect:
    """How a language writes names, values and both ends of an interval.

    Attributes
    ----------
    name : callable
        Of a feature.
    literal : callable
        Of a number or text.
    chained : bool
        Whether ``low < x <= high`` may be written as such.
    """

    name: Callable[[str], str]
    literal: Callable[[object], str]
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


PLAIN = Dialect(_plain_name, lambda value: repr(plain(value)), chained=True)
SQL = Dialect(lambda name: '"' + name.replace('"', '""') + '"', _sql_literal, chained=False)


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


def machines_refused(tree: Tree, what: str) -> None:
    """Raise a ValueError for trees of kernel machines, which `what` cannot hold."""
    if len(tree.kernel):
        raise ValueError(
            f"{what} cannot hold kernel machines: a machine is a sum over its support vectors; "
            f"use the pickled estimator, or a tree of thresholds, categories or hyperplanes"
        )


def condition_code(tree: Tree, condition: Condition | ObliqueCondition, dialect: Dialect) -> str:
    """Return a condition that is true, in code, exactly where it holds."""
    if isinstance(condition, MachineCondition):
        return f"f{condition.node} {'>' if condition.branch == 0 else '<='} 0"
    if isinstance(condition, ObliqueCondition):
        subject = weighted_sum_code(condition.weights, tree.feature_names, dialect.name)
    else:
        subject = dialect.name(tree.feature_names[condition.feature])
    return _interval(subject, condition.low, condition.high, dialect)


def weighted_sum_code(
    weights: np.ndarray, names: Sequence[str], write: Callable[[str], str]
) -> str:
    """Return the terms in rising order of the features: the order in which the tree sums."""
    used = np.flatnonzero(weights)
    return " + ".join(f"{float(weights[f])!r} * {write(names[f])}" for f in used)


def _interval(subject: str, low: float | None, high: float | None, dialect: Dialect) -> str:
    if low is not None and high is not None and dialect.chained:
        return f"{low!r} < {subject} <= {high!r}"
    parts = [f"{subject} > {low!r}"] if low is not None else []
    parts += [f"{subject} <= {high!r}"] if high is not None else []
    return " AND ".join(parts)
