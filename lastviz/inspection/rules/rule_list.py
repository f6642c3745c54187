"""The leaves of a tree as rules, each made when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import overload

import numpy as np

from lastviz._on_read import OnRead
from lastviz.tree import Tree, tree_of

from .rules import AnyCondition, Supports, condition_of, narrowed, supports


@dataclass(frozen=True, eq=False)
class Rule:
    """A leaf as a rule: if all conditions hold, then this class."""

    number: int  # 1 for the rule with the largest support, and so on
    node: int  # the leaf
    # Simplified: at most one a feature, see `conditions`. May be given as a function, and is then
    # worked out when it is read.
    conditions: tuple[AnyCondition, ...] = OnRead()
    prediction: int | float  # class index; of a regression tree the number
    support: float  # see `Supports`
    share: float  # see `Supports`
    confidence: float  # see `Supports`
    coverage: float  # see `Supports`
    class_supports: np.ndarray  # (n_classes,) float64


class RuleList(Sequence[Rule]):
    """The rules of a tree, the largest support first; a slice is a list of rules.

    Parameters
    ----------
    tree : Tree

    Notes
    -----
    A rule is made when it is first asked for, and its conditions when they are read: what the
    tests above leaves have in common is simplified once.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._held: Supports = supports(tree)
        leaves = np.flatnonzero(tree.n_children == 0)
        order = np.argsort(-self._held.support[leaves], kind="stable")
        self._leaves: list[int] = leaves[order].tolist()
        self._made: list[Rule | None] = [None] * len(leaves)
        self._reached: dict[int, tuple[AnyCondition, ...]] = {0: ()}

    def __len__(self) -> int:
        return len(self._leaves)

    @overload
    def __getitem__(self, place: int) -> Rule: ...

    @overload
    def __getitem__(self, place: slice) -> list[Rule]: ...

    def __getitem__(self, place: int | slice) -> Rule | list[Rule]:
        if isinstance(place, slice):
            return [self._rule(i) for i in range(len(self))[place]]
        return self._rule(range(len(self))[place])

    def _rule(self, place: int) -> Rule:
        made = self._made[place]
        if made is None:
            made = self._made[place] = self._make(place)
        return made

    def _make(self, place: int) -> Rule:
        leaf, held = self._leaves[place], self._held
        return Rule(
            number=place + 1,
            node=leaf,
            conditions=partial(self._conditions, leaf),
            prediction=self._tree.prediction[leaf].item(),
            support=float(held.support[leaf]),
            share=float(held.share[leaf]),
            confidence=float(held.confidence[leaf]),
            coverage=float(held.coverage[leaf]),
            class_supports=held.classes[leaf],
        )

    def _conditions(self, node: int) -> tuple[AnyCondition, ...]:
        """Return what leads to a node, from the nearest node above it that is known already."""
        tree, below = self._tree, []
        while node not in self._reached:
            below.append(node)
            node = int(tree.parent[node])
        reached = self._reached[node]
        for child in reversed(below):
            branch = child - int(tree.first_child[node])
            reached = narrowed(reached, condition_of(tree, node, branch))
            self._reached[child] = reached
            node = child
        return reached


def rules(tree: Tree) -> RuleList:
    """Return the leaves of a tree (``estimator.tree_``) as rules, the largest support first.

    The rules exclude each other; they are complete but for rows that stop earlier, see
    :func:`stopping_nodes`, or are spread over several leaves. O(n_nodes) to begin with; the
    conditions of a rule are worked out when they are read, in as many steps as the leaf is deep,
    each of which copies as many conditions as features have been used.
    """
    return RuleList(tree_of(tree))
