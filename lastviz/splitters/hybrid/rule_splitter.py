"""Thresholds chosen by any rule over any criteria, in Python.

What no kernel chooses: criteria that are Python functions, and rules that a reader put together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lastviz.criteria.column_kernels import NEAREST, Options
from lastviz.criteria.compactness_kernels import ONE_VS_REST
from lastviz.splitters.cells.presort import Presorted, Unsorted
from lastviz.splitters.rule import ChoiceRule, Stage, best_by, larger_is_better
from lastviz.splitters.search import CandidateTable, NodeContext, Search, search_in
from lastviz.splitters.splits import Split
from lastviz.splitters.threshold.threshold import ThresholdSplitter, midpoints
from lastviz.tree import Reason

from .candidates import score_candidates
from .hybrid_kernels import HybridChoice

_USUAL = Options(1.0, 1, NEAREST, ONE_VS_REST, fewest=False, root=False)


@dataclass(frozen=True)
class RuleChoice:
    """What may be chosen, and how."""

    rule: ChoiceRule  # Rule, over keys of CRITERIA, none of them of ordered classes
    min_samples_leaf: int
    # How structure is measured; its fewest rows of a child and its scale are filled in.
    options: Options = _USUAL
    # Whether a branch needs min(25, max(min_samples_leaf, 0.1 n / K)) rows, as in C4.5.
    release_8: bool = False
    # Whether a winner with a smaller child makes the node a leaf; else such candidates are not
    # admitted.
    small_child_ends: bool = False
    cut_at_value: bool = False  # the threshold is a value of the node, not a midpoint

    def smallest_branch(self, n: int, n_classes: int) -> int:
        """Return the fewest rows that a child of an admitted candidate may hold."""
        if self.small_child_ends:
            return 1
        if not self.release_8:
            return self.min_samples_leaf
        return int(np.ceil(min(25.0, max(self.min_samples_leaf, 0.1 * n / n_classes))))


def rule_of_c45(criterion: str) -> ChoiceRule:
    """Return how C4.5 chooses by a criterion other than the gain and its ratios."""
    return ChoiceRule(
        (
            Stage("best_within_feature", larger_is_better(criterion)),
            Stage("positive", "gain"),
            best_by(criterion),
        )
    )


class RuleSplitter(ThresholdSplitter):
    """Searches a node for the threshold that a rule chooses.

    Parameters
    ----------
    presorted : Presorted or Unsorted
        The training rows.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int
    choice : RuleChoice

    Notes
    -----
    Growth asks :meth:`best`, which is :meth:`search` without its table: replay is the same code.
    O(n_features n_samples) and the functions' own time; O(n_features^2 n_samples) where BNM or
    CSN are read.
    """

    def __init__(
        self, presorted: Presorted | Unsorted, y: np.ndarray, n_classes: int, choice: RuleChoice
    ) -> None:
        self.presorted = presorted
        self._y = y
        self._n_classes = n_classes
        self._choice = choice

    @property
    def _rule(self) -> ChoiceRule:
        return self._choice.rule

    def search(self, context: NodeContext) -> Search:
        """Return all candidates of a node and what the selection rule makes of them."""
        choice, n = self._choice, len(context.rows)
        least = choice.smallest_branch(n, self._n_classes)
        here, y = self.presorted.take(context.rows), self._y[context.rows]
        options = choice.options._replace(min_leaf=least)
        table = score_candidates(here, y, self._n_classes, choice.rule.columns, options)
        if not choice.cut_at_value:
            table = replace(table, threshold=midpoints(table.threshold, table.upper))
        return self.judge(table)

    def judge(self, table: CandidateTable) -> Search:
        """Return the search of a node whose candidates are scored already, under this rule."""
        return search_in(table, self._choice.rule)

    def best(self, context: NodeContext) -> Split | Reason:
        """Return the chosen split, or why the node has none."""
        return self.settled(self.search(context), context)

    def settled(self, found: Search, context: NodeContext) -> Split | Reason:
        """Return the winner of the search of a node, or why it has none."""
        return settled(found, len(context.rows), self._choice)


def settled(found: Search, n_rows: int, choice: RuleChoice | HybridChoice) -> Split | Reason:
    """Return the winner of the search of a node of so many rows, or why it has none."""
    if found.split is None:
        return Reason.NO_GAIN if found.n_candidates else Reason.NO_CANDIDATE
    n_left = int(found.left_counts[found.winner].sum())
    smaller = min(n_left, n_rows - n_left)
    if choice.small_child_ends and smaller < choice.min_samples_leaf:
        return Reason.CHILD_TOO_SMALL
    return found.split
