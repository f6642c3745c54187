"""The leaves of a tree as rules, each made when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import overload

import numpy as np

from lastviz._on_read import OnRead
from lastviz.tree import Tree, tree_of

from .rules import AnyCondition, Supports, class_counts, condition_of, merge_conditions, supports


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
        """Conditions that lead to a node, from its nearest ancestor known already."""
        tree, below = self._tree, []
        while node not in self._reached:
            below.append(node)
            node = int(tree.parent[node])
        reached = self._reached[node]
        for child in reversed(below):
            branch = child - int(tree.first_child[node])
            reached = merge_conditions(reached, condition_of(tree, node, branch))
            self._reached[child] = reached
            node = child
        return reached


def rules(tree: Tree) -> RuleList:
    """Leaves of a tree (``estimator.tree_``) as rules, the largest support first.

    The rules exclude each other; they are complete but for rows that stop earlier, see
    :func:`stopping_nodes`, or are spread over several leaves. O(n_nodes) to begin with; the
    conditions of a rule are worked out when they are read, in as many steps as the leaf is deep,
    each of which copies as many conditions as features have been used.
    """
    return RuleList(tree_of(tree))


# ---- Rows sent down a tree: what each node holds of them, and where each wrong one was lost


NEVER = -1
"""In place of a node: there is none."""


@dataclass(frozen=True, eq=False)
class LostRows:
    """The rows that a tree misclassifies, and the node where each was lost.

    A row is lost at the deepest node on its path whose class is the row's own: had the tree ended
    there, the row would be right; the branch that it took next leads to other classes only.
    """

    row: np.ndarray  # (n_wrong,) intp, positions among the rows that were sent, rising
    # (n_wrong,) intp, where the row was lost; NEVER where no node on its path, the root included,
    # has its class.
    node: np.ndarray
    # (n_wrong,) intp, the branch into which it went from there; NEVER without such a node, and
    # where a row in parts ends there and other parts outvoted it.
    child: np.ndarray
    # (n_wrong,) intp, where it stops; of a row in parts the node that holds most of it.
    end: np.ndarray
    predicted: np.ndarray  # (n_wrong,) intp, class index that it gets
    # (n_nodes,) float64. How many of all rows that were sent, right ones too, come to each node;
    # the parts of a row count as such. The tree may have been grown on fewer of them, where some
    # were held back for pruning.
    come: np.ndarray

    def by_node(self, n_nodes: int) -> np.ndarray:
        """Number of samples lost at each of `n_nodes` nodes."""
        return np.bincount(self.node[self.node >= 0], minlength=n_nodes)


def lost_rows(tree: Tree, X: np.ndarray, y: np.ndarray) -> LostRows:
    """Nodes at which samples that `tree` misclassifies were lost. O(n depth).

    Parameters
    ----------
    tree : Tree
        Of a classifier. The class of a node is its ``prediction``, what the tree would say if it
        ended there, which is the most frequent class of its training rows with most algorithms.
    X : ndarray, shape (n_samples, n_features)
        As for ``tree.apply``.
    y : ndarray of intp, shape (n_samples,)
        True class indices.
    """
    y = np.asarray(y)
    predicted = tree.predict(X)
    row = np.flatnonzero(predicted != y)
    end = tree.apply(np.asarray(X)[row])
    node, child = (np.full(len(row), NEVER, dtype=np.intp) for _ in range(2))
    here, came_from = end.copy(), np.full(len(row), NEVER, dtype=np.intp)
    looking = np.arange(len(row))
    while len(looking):
        own = tree.prediction[here[looking]] == y[row[looking]]
        found = looking[own]
        node[found], child[found] = here[found], came_from[found]
        looking = looking[~own & (here[looking] > 0)]
        came_from[looking], here[looking] = here[looking], tree.parent[here[looking]]
    come = class_counts(tree, X, y).sum(axis=1)
    return LostRows(row, node, child, end, predicted[row], come)


def holding(tree: Tree, X: np.ndarray, y: np.ndarray) -> Tree:
    """`tree` with the counts of these samples in place of its training samples.

    Tests, classes and numbers of the nodes stay: a picture of it shows where these rows go, and
    the confidence of a node is its accuracy on them. The rows it was grown on are not in it.
    """
    counts = class_counts(tree, X, y)
    rows = counts.sum(axis=1)
    return replace(
        tree,
        value=counts,
        weighted_n_node_samples=rows,
        n_node_samples=np.rint(rows).astype(tree.n_node_samples.dtype),
    )
