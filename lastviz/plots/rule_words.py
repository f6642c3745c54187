"""What leads to a node, in words."""

from __future__ import annotations

from lastviz.inspection import Condition, MachineCondition, ObliqueCondition, conditions
from lastviz.tree import Tree

from .equation import largest_weight, weighted_sum
from .labels import feature_html, machine_words, number

__all__ = ["rule_words"]


def rule_words(tree: Tree, node: int, *, joint: str = " and ", html: bool = True) -> str:
    """Return the simplified conditions of a node, "" at the root.

    Parameters
    ----------
    tree : Tree
    node : int
    joint : str
        What stands between two conditions.
    html : bool
        Whether for plotly html (names with low figures, signs escaped) or plain text.

    Examples
    --------
    ``x1 ≤ 0.606 and 0.1 < x2 ≤ 0.57``, ``x1 + 0.75 x2 > 0.3``; in a tree of machines
    ``f(1 | 2, 3) ≤ 0``.
    """
    return joint.join(_words(tree, c, html=html) for c in conditions(tree, node))


def _words(
    tree: Tree, condition: Condition | ObliqueCondition | MachineCondition, *, html: bool
) -> str:
    if isinstance(condition, MachineCondition):
        return machine_words(tree, condition.node, branch=condition.branch, html=html)
    return _interval(tree, condition, html=html)


def _interval(tree: Tree, condition: Condition | ObliqueCondition, *, html: bool) -> str:
    names = [feature_html(name) if html else name for name in tree.feature_names]
    less, more = ("&lt;", "&gt;") if html else ("<", ">")
    low, high = condition.low, condition.high
    if isinstance(condition, ObliqueCondition):
        largest = largest_weight(condition.weights)
        name = weighted_sum(condition.weights / largest, names)
        low, high = (None if end is None else end / largest for end in (low, high))
        if largest < 0:
            return _turned(name, low, high, less)
    else:
        name = names[condition.feature]
    if low is None:
        return f"{name} ≤ {number(high)}"
    if high is None:
        return f"{name} {more} {number(low)}"
    return f"{number(low)} {less} {name} ≤ {number(high)}"


def _turned(name: str, low: float | None, high: float | None, less: str) -> str:
    """The words after a division by a negative weight: high <= name < low."""
    if low is None:
        return f"{name} ≥ {number(high)}"
    if high is None:
        return f"{name} {less} {number(low)}"
    return f"{number(high)} ≤ {name} {less} {number(low)}"
