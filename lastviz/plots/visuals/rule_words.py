"""What leads to a node, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lastviz._sentences import isolated
from lastviz.inspection import (
    Condition,
    MachineCondition,
    NominalCondition,
    ObliqueCondition,
    conditions,
)
from lastviz.tree import Tree, threshold_decimals

from .words import (
    IS_KNOWN,
    IS_MISSING,
    category_words,
    feature_html,
    largest_weight,
    machine_words,
    number,
    say,
    weighted_sum,
)

OR_MISSING = "or missing"
AnyCondition = Condition | NominalCondition | ObliqueCondition | MachineCondition


def rule_words(
    tree: Tree,
    node: int,
    *,
    joint: str | None = None,
    html: bool = True,
    missing: str | None = None,
) -> str:
    """Return the simplified conditions of a node, "" at the root.

    Parameters
    ----------
    tree : Tree
    node : int
    joint : str, optional
        What stands between two conditions; default " and ".
    html : bool
        Whether for plotly html (names with low figures, signs escaped) or plain text.
    missing : str, optional
        What stands behind a condition that rows without a value meet, too; default "or missing".

    Examples
    --------
    ``x1 ≤ 0.606 and 0.1 < x2 ≤ 0.57``, ``x1 + 0.75 x2 > 0.3``; in a tree of machines
    ``f(1 | 2, 3) ≤ 0``.
    """
    return condition_words(tree, conditions(tree, node), joint=joint, html=html, missing=missing)


def condition_words(
    tree: Tree,
    found: Sequence[AnyCondition],
    *,
    joint: str | None = None,
    html: bool = True,
    missing: str | None = None,
) -> str:
    """Return conditions in words, as :func:`rule_words` does for those of a node."""
    joint = f" {say('and')} " if joint is None else joint
    missing = say(OR_MISSING) if missing is None else missing
    parts = []
    for condition in found:
        words = _words(tree, condition, html=html)
        too = getattr(condition, "missing", False) and not condition.only_missing
        parts.append(f"{words} {missing}" if too else words)
    return joint.join(parts)


def _words(tree: Tree, condition: AnyCondition, *, html: bool) -> str:
    if isinstance(condition, MachineCondition):
        return machine_words(tree, condition.node, branch=condition.branch, html=html)
    if isinstance(condition, NominalCondition):
        name = tree.feature_names[condition.feature]
        labels = tree.feature_categories[condition.feature]
        name = feature_html(name) if html else isolated(name)
        return category_words(name, labels, condition.categories, html=html)
    return _interval(tree, condition, html=html)


def _interval(tree: Tree, condition: Condition | ObliqueCondition, *, html: bool) -> str:
    less, more = ("&lt;", "&gt;") if html else ("<", ">")
    low, high = condition.low, condition.high
    if isinstance(condition, ObliqueCondition):
        largest = largest_weight(condition.weights)
        names = [feature_html(name) if html else isolated(name) for name in tree.feature_names]
        name = weighted_sum(condition.weights / largest, names)
        low, high = (None if end is None else end / largest for end in (low, high))
        ends = [end for end in (low, high) if end is not None]
        decimals = threshold_decimals(np.array(ends)) if len(ends) > 1 else None
    else:
        name = tree.feature_names[condition.feature]
        name = feature_html(name) if html else isolated(name)
        if condition.only_missing:
            return say(IS_MISSING).format(name=name)
        if condition.only_known:
            return say(IS_KNOWN).format(name=name)
        largest, decimals = 1.0, tree.decimals[condition.feature]
    low, high = (None if end is None else number(end, decimals) for end in (low, high))
    if largest < 0:
        return _turned(name, low, high, less)
    if low is None:
        return f"{name} ≤ {high}"
    if high is None:
        return f"{name} {more} {low}"
    return f"{low} {less} {name} ≤ {high}"


def _turned(name: str, low: str | None, high: str | None, less: str) -> str:
    """The words after a division by a negative weight: high <= name < low."""
    if low is None:
        return f"{name} ≥ {high}"
    if high is None:
        return f"{name} {less} {low}"
    return f"{high} ≤ {name} {less} {low}"
