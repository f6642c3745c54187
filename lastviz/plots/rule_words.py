"""What leads to a node, in words."""

from __future__ import annotations

from lastviz.inspection import Condition, MachineCondition, ObliqueCondition, conditions
from lastviz.tree import Tree

from .equation import weighted_sum
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
    ``x1 ≤ 0.606 and 0.1 < x2 ≤ 0.57``, ``0.8 x1 + 0.6 x2 > 0.3``; in a tree of machines
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
    if isinstance(condition, ObliqueCondition):
        name = weighted_sum(condition.weights, names)
    else:
        name = names[condition.feature]
    less, more = ("&lt;", "&gt;") if html else ("<", ">")
    if condition.low is None:
        return f"{name} ≤ {number(condition.high)}"
    if condition.high is None:
        return f"{name} {more} {number(condition.low)}"
    return f"{number(condition.low)} {less} {name} ≤ {number(condition.high)}"
