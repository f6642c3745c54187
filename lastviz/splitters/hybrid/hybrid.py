"""Hybrid splits: the purity of the children weighed or followed by the classes' structure.

Growth runs the same search kernel on its own cells (``lastviz/builders/hybrid_growth_kernels.py``)
and keeps the winner only; here all candidates are kept, for replay.
"""

from __future__ import annotations

import numpy as np

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
from lastviz.splitters.rule import Blend, ChoiceRule, Stage, Term
from lastviz.splitters.search import CandidateTable, NodeContext, Search, search_in
from lastviz.splitters.splits import Split
from lastviz.splitters.threshold.choice_kernels import Choice
from lastviz.splitters.threshold.scoring import entropy_scale
from lastviz.splitters.threshold.threshold import ThresholdSplitter
from lastviz.tree import Reason

from .candidates import score_candidates
from .hybrid_kernels import (
    BY_BLEND,
    BY_CSN,
    BY_RATIO,
    BY_SEGMENTS,
    NOTHING,
    QUINLAN,
    HybridChoice,
)
from .rule_splitter import settled

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
    """Return the choice of one of :data:`HYBRID_CRITERIA`; its scale is filled in later."""
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
    """Return the choice with the units of the entropy scores of that many rows."""
    scale = entropy_scale(n_samples)
    return choice._replace(
        options=choice.options._replace(scale=scale), c45=choice.c45._replace(scale=scale)
    )


def hybrid_rule(choice: HybridChoice) -> ChoiceRule:
    """Return the rule that the search kernel carries out."""
    if choice.first == QUINLAN:
        return ChoiceRule((
            Stage("best_within_feature", "gain"), Stage("positive", "gain"),
            Stage("at_least_mean", "gain"), Stage("argmax", "gain_ratio"),
        ))  # fmt: skip
    first: str | Blend = {GINI: "gini", GAIN_RATIO: "gain_ratio", HELLINGER: "hellinger"}[
        choice.first
    ]
    if choice.with_margin:
        first = Blend((Term(choice.w1, "gini"), Term(choice.w2, "bnm")))
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
    few = Term(1.0 - choice.alpha, "segments", "reversed")
    return (Stage("argmax", Blend((Term(choice.alpha, "gain_ratio"), few))),)


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
        """Return all candidates of a node and what the selection rule makes of them.

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
        """Return the winner of the search of a node, or why it has none."""
        return settled(found, len(context.rows), self._choice)

    def judge(self, table: CandidateTable) -> Search:
        """Return the search of a node whose candidates are scored already, under this rule.

        Weights and numbers of survivors change no column, so a moved weight needs no sweep.
        """
        return search_in(table, hybrid_rule(self._choice))
