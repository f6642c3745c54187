"""Hybrid splits: the purity of the children weighed or followed by the classes' structure.

Growth runs the same search kernel on its own cells (``lastviz/builders/hybrid_growth_kernels.py``)
and keeps the winner only; here all candidates are kept, for replay.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lastviz.criteria import entropy_scale
from lastviz.criteria.column_kernels import (
    BNM5,
    CSN,
    EXACT,
    GAIN,
    GAIN_RATIO,
    HELLINGER,
    N_CURVES,
    NEAREST,
    NO_PENALTY,
    PENALTY,
    RATIO,
    SEGMENT_SUM,
    SEGMENTS,
    Options,
)
from lastviz.criteria.compactness_kernels import EXHAUSTIVE, ONE_VS_ONE, ONE_VS_REST
from lastviz.criteria.scan_kernels import GINI
from lastviz.splitters.cells.presort import Presorted, Unsorted
from lastviz.splitters.rule import Blend, ChoiceRule, RuleTerm, Stage, best_by, larger_is_better
from lastviz.splitters.search import CandidateTable, NodeContext, Search, Split, search_in
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.splitters.threshold.threshold import ThresholdSplitter, midpoints
from lastviz.tree import Reason

from .hybrid_kernels import BY_BLEND, BY_CSN, BY_RATIO, BY_SEGMENTS, NOTHING, QUINLAN, HybridChoice
from .workspace import score_candidates

_USUAL = Options(1.0, 1, NEAREST, ONE_VS_REST, fewest=False, root=False)


@dataclass(frozen=True)
class RuleChoice:
    """Choice rule of a splitter, and the candidates that it admits."""

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
        """Fewest rows that a child of an admitted candidate may hold."""
        if self.small_child_ends:
            return 1
        if not self.release_8:
            return self.min_samples_leaf
        return int(np.ceil(min(25.0, max(self.min_samples_leaf, 0.1 * n / n_classes))))


def rule_of_c45(criterion: str) -> ChoiceRule:
    """C4.5's choice rule for a criterion other than the gain and its ratios."""
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
        """All candidates of a node and the selection rule's choice among them."""
        choice, n = self._choice, len(context.rows)
        least = choice.smallest_branch(n, self._n_classes)
        here, y = self.presorted.take(context.rows), self._y[context.rows]
        options = choice.options._replace(min_leaf=least)
        table = score_candidates(here, y, self._n_classes, choice.rule.columns, options)
        if not choice.cut_at_value:
            table = replace(table, threshold=midpoints(table.threshold, table.upper))
        return self.judge(table)

    def judge(self, table: CandidateTable) -> Search:
        """Search of a node whose candidates are scored already, under this rule."""
        return search_in(table, self._choice.rule)

    def best(self, context: NodeContext) -> Split | Reason:
        """Chosen split, or why the node has none."""
        return self.settled(self.search(context), context)

    def settled(self, found: Search, context: NodeContext) -> Split | Reason:
        """Winner of the search of a node, or why it has none."""
        return resolve_winner(found, len(context.rows), self._choice)


def resolve_winner(found: Search, n_rows: int, choice: RuleChoice | HybridChoice) -> Split | Reason:
    """Winner of the search of a node of so many rows, or why it has none."""
    if found.split is None:
        return Reason.NO_GAIN if found.n_candidates else Reason.NO_CANDIDATE
    n_left = int(found.left_counts[found.winner].sum())
    smaller = min(n_left, n_rows - n_left)
    if choice.small_child_ends and smaller < choice.min_samples_leaf:
        return Reason.CHILD_TOO_SMALL
    return found.split


# ---------------------------------------------------------------- hybrid


PENALTIES = {"approximate": NEAREST, "exact": EXACT, "none": NO_PENALTY}
ECOC = {"one_vs_rest": ONE_VS_REST, "exhaustive": EXHAUSTIVE, "one_vs_one": ONE_VS_ONE}

# First column, whether BNM is added, what decides between the k survivors, curves read.
HYBRID_CRITERIA = {
    "gini": (GINI, False, NOTHING, (GINI,)),
    "gain_ratio": (QUINLAN, False, NOTHING, (GAIN, GAIN_RATIO)),
    "gain_ratio_raw": (GAIN_RATIO, False, NOTHING, (GAIN, GAIN_RATIO)),
    "bnm": (GINI, True, NOTHING, (GINI, BNM5, PENALTY)),
    "csn": (GINI, False, BY_CSN, (GINI, CSN)),
    "bnm+csn": (GINI, True, BY_CSN, (GINI, BNM5, PENALTY, CSN)),
    "segment": (GAIN_RATIO, False, BY_SEGMENTS, (GAIN, GAIN_RATIO, SEGMENTS)),
    "spes": (GAIN_RATIO, False, BY_BLEND, (GAIN, GAIN_RATIO, SEGMENTS)),
    "spce": (HELLINGER, False, BY_RATIO, (HELLINGER, SEGMENTS, SEGMENT_SUM, RATIO)),
}


def hybrid_choice(
    criterion: str,
    *,
    w1: float,
    w2: float,
    k: int,
    alpha: float,
    min_samples_leaf: int,
    node_rule: bool,
    penalty: str,
    ecoc: str,
    fewest: bool,
    root: bool,
) -> HybridChoice:
    """Choice of one of :data:`HYBRID_CRITERIA`; its scale is filled in later."""
    first, with_margin, second, curves = HYBRID_CRITERIA[criterion]
    need = np.zeros(N_CURVES, dtype=np.bool_)
    need[list(curves)] = True
    need[PENALTY] &= penalty != "none"
    least = 1 if node_rule else min_samples_leaf
    c45 = Choice(
        criterion=GAIN_RATIO,
        scale=1.0,
        min_samples_leaf=least,
        release_8=False,
        mdl_correction=False,
        average_gain=True,
        needs_gain=True,
        raw_scores_decide=False,
    )
    return HybridChoice(
        first=first,
        with_margin=with_margin,
        second=second,
        w1=float(w1),
        w2=float(w2),
        alpha=float(alpha),
        k=k,
        min_samples_leaf=min_samples_leaf,
        small_child_ends=node_rule,
        need=need,
        options=Options(1.0, least, PENALTIES[penalty], ECOC[ecoc], fewest, root),
        c45=c45,
    )


def with_scale(choice: HybridChoice, n_samples: int) -> HybridChoice:
    """Choice with the units of the entropy scores of that many rows."""
    scale = entropy_scale(n_samples)
    return choice._replace(
        options=choice.options._replace(scale=scale), c45=choice.c45._replace(scale=scale)
    )


def hybrid_rule(choice: HybridChoice) -> ChoiceRule:
    """Rule that the search kernel carries out."""
    if choice.first == QUINLAN:
        return ChoiceRule((
            Stage("best_within_feature", "gain"), Stage("positive", "gain"),
            Stage("at_least_mean", "gain"), Stage("argmax", "gain_ratio"),
        ))  # fmt: skip
    first: str | Blend = {GINI: "gini", GAIN_RATIO: "gain_ratio", HELLINGER: "hellinger"}[
        choice.first
    ]
    if choice.with_margin:
        first = Blend((RuleTerm(choice.w1, "gini"), RuleTerm(choice.w2, "bnm")))
    if choice.second == NOTHING:
        return ChoiceRule((Stage("argmax", first),))
    return ChoiceRule((Stage("top_k", first, choice.k), *_second_stages(choice)))


def _second_stages(choice: HybridChoice) -> tuple[Stage, ...]:
    if choice.second == BY_CSN:
        return (Stage("argmin", "csn"),)
    if choice.second == BY_SEGMENTS:
        return (Stage("argmin", "segments"),)
    if choice.second == BY_RATIO:
        return (Stage("minima", "segment_sum"), Stage("argmax", "ratio"))
    few = RuleTerm(1.0 - choice.alpha, "segments", "reversed")
    return (Stage("argmax", Blend((RuleTerm(choice.alpha, "gain_ratio"), few))),)


class HybridSplitter(ThresholdSplitter):
    """Searches a node for the split that a hybrid criterion chooses.

    Thresholds are attribute values: the first child takes the rows with x <= v.

    Parameters
    ----------
    presorted : Presorted or Unsorted
        The training rows.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int
    choice : HybridChoice
        How a split is chosen.
    """

    def __init__(
        self, presorted: Presorted | Unsorted, y: np.ndarray, n_classes: int, choice: HybridChoice
    ) -> None:
        self.presorted = presorted
        self._y = y
        self._n_classes = n_classes
        self._choice = with_scale(choice, presorted.n_samples)

    @property
    def _rule(self) -> ChoiceRule:
        return hybrid_rule(self._choice)

    def search(self, context: NodeContext) -> Search:
        """All candidates of a node and the selection rule's choice among them.

        Notes
        -----
        O(n_features^2 n_samples) where BNM or CSN are read, else as for other thresholds.
        All candidates get all columns of the rule, not the survivors of its first stage alone.
        """
        here = self.presorted.take(context.rows)
        y = self._y[context.rows]
        rule = hybrid_rule(self._choice)
        table = score_candidates(here, y, self._n_classes, rule.columns, self._choice.options)
        return search_in(table, rule)

    def settled(self, found: Search, context: NodeContext) -> Split | Reason:
        """Winner of the search of a node, or why it has none."""
        return resolve_winner(found, len(context.rows), self._choice)

    def judge(self, table: CandidateTable) -> Search:
        """Search of a node whose candidates are scored already, under this rule.

        Weights and numbers of survivors change no column, so a moved weight needs no sweep.
        """
        return search_in(table, hybrid_rule(self._choice))
