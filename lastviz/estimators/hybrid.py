"""Trees whose splits weigh the purity of the children against the structure of the classes."""

from __future__ import annotations

from typing import ClassVar

from lastviz._params import param, with_params
from lastviz._sentences import Refusal
from lastviz.builders import FewerFeatures, HybridGrowth, Sprout, nodewise_sprout, stop_below
from lastviz.criteria import Offered
from lastviz.criteria.column_kernels import Options
from lastviz.splitters import (
    HybridSplitter,
    NodeContext,
    Presorted,
    RuleChoice,
    RuleSplitter,
    Unsorted,
    composed_rule,
)
from lastviz.splitters.hybrid.hybrid import ECOC, HYBRID_CRITERIA, PENALTIES, hybrid_choice
from lastviz.splitters.hybrid.hybrid_kernels import HybridChoice
from lastviz.tree import Reason

from .base import MAX_DEPTH, MIN_SAMPLES_SPLIT, Alternative, Recipe, splitter_recipe
from .reading import TrainingData
from .tree_estimator import TreeClassifier

OWN = "rule"
NOTHING = "none"
_OFFERED = Offered("hybrid", first=(*HYBRID_CRITERIA, OWN))
_COLUMNS = Offered(None)
_COLUMNS_OR_NONE = Offered(None, first=(NOTHING,))

_MOST_CLASSES_EXHAUSTIVE = 10  # divisions of the classes in two groups double with each class


def usual_w2(n_features: int) -> float:
    """Weight of BNM that suits a number of features, since BNM sums over them."""
    return min(0.02, 0.1 / n_features)


@with_params
class HybridTreeClassifier(TreeClassifier):
    """Decision tree with the hybrid split criteria BNM and CSN, and with their peers.

    Every threshold of every feature is a candidate. "bnm" chooses the largest
    w1 gini + w2 BNM, where BNM is large if the rows of a class fall into distant groups;
    "csn" takes the k candidates of largest Gini gain and of them the one whose children hold
    compact, well separated classes; "bnm+csn" takes the k best of the weighted sum instead.

    Notes
    -----
    Categories, missing values and weights have no part in the distances that BNM and CSN are. The
    paper puts columns of 0 and 1 in place of categories; *compare* leaves these out.
    Features are scaled to 0..1 at each node. Only "gain_ratio" makes no split that gains nothing.
    O(n_features n_samples depth); with BNM times the number of features that may hold one of the
    k best candidates, which is all of them where BNM decides: O(n_features^2 n_samples depth).

    Deviation: eq (8) as printed is the weighted impurity of the children; the Gini gain differs by
    a constant inside a node. Deviation: penalty and CSN of a child with one class are 0, where the
    paper is silent. Deviation: with three or more classes in a child the paper gives no code for
    CSN. Deviation: ``penalty="exact"`` takes a distance that eq (6) as printed squares. Deviation:
    BNM loses P and Q; eq (6) and (7) print no brackets around their sum, so that Q would be added.
    Deviation: CSN is measured as the features are scaled at the node, where the paper names no
    scaling; anew in each child, exclusive or is found half as often.

    References
    ----------
    Du, F. and Chen, S. (2023). New splitting criteria for decision trees that combine structure
    and purity (in Chinese). Journal of NUAA 2023(3), doi 10.16356/j.1005-2615.2023.03.019.
    """

    TUNED: ClassVar = {"w2": (0.02, 0.05, 0.1), "k": (3, 10, 30)}
    # fmt: off
    criterion: str = param(
        str, "bnm+csn", choices=_OFFERED, main=True,
        label="Criterion", help="What makes a split a good one.",
        doc='"gain_ratio" is Quinlan\'s rule (best gain of each feature; those that gain at least '
            "the mean of them less 0.001 bits, his slack; then the ratio), "
            '"gain_ratio_raw" the largest ratio of all candidates. The last three keep the k best '
            'by gain ratio ("spce": by Hellinger distance) and then want few segments of equal '
            'class: "segment" the fewest expected, "spes" a balance of both, "spce" the fewest in '
            'all and then the most even. "rule" is a rule of one\'s own: first + second_weight '
            "second, or among the `k` best of them the best by `last`. A registered criterion, see "
            ":func:`lastviz.register_criterion`, takes its best candidate. By these two, trees "
            "grow in Python.",
    )
    w1: float = param(
        float, 1.0, low=0.0, high=100.0, slider=(0.0, 2.0, 0.05),
        label="Weight of the Gini gain", help="Weight of purity beside BNM.",
        needs=("criterion", ("bnm", "bnm+csn")),
    )
    w2: float | None = param(
        float, None, low=0.0, high=100.0, none=True, none_word="automatic",
        slider=(0.0, 0.1, 0.0025), main=True, label="Weight of BNM",
        help="Weight of the margin between rows of the same class; "
             "None: min(0.02, 0.1 / number of features).",
        needs=("criterion", ("bnm", "bnm+csn")),
    )
    k: int = param(
        int, 3, low=1, high=1000, slider=(1, 50, 1), main=True, unit="candidates",
        label="Length of the shortlist",
        help="How many of the best candidates are shortlisted for the second criterion.",
        needs=("criterion", ("csn", "bnm+csn", "segment", "spes", "spce", OWN)),
    )
    alpha: float = param(
        float, 0.5, low=0.0, high=1.0, slider=(0.0, 1.0, 0.05),
        label="Weight of the gain ratio", help="Against few segments.",
        needs=("criterion", ("spes",)),
    )
    penalty: str = param(
        str, "approximate", choices=("approximate", "exact", "none"), label="Penalty of BNM",
        help="What is subtracted from BNM where different classes meet.",
        doc="Eq (7), along the split feature; eq (6), over all features and slow; or nothing.",
        needs=("criterion", ("bnm", "bnm+csn", OWN)),
    )
    ecoc: str = param(
        str, "one_vs_rest", choices=("one_vs_rest", "exhaustive", "one_vs_one"),
        label="More than two classes", help="Which pairs of class groups CSN looks at.",
        doc='It sums these dichotomies of three or more classes; "exhaustive" up to 10 classes.',
        needs=("criterion", ("csn", "bnm+csn", OWN)),
    )
    segments: str = param(
        str, "split_feature", choices=("split_feature", "minimum"),
        label="Segments along", help="The split feature, or each child's best one.",
        needs=("criterion", ("segment", "spes", "spce", OWN)),
    )
    bnm_root: bool = param(
        bool, False, label="Distance, not its square", help="BNM as the mean distance.",
        needs=("criterion", ("bnm", "bnm+csn", OWN)),
    )
    min_leaf_rule: str = param(
        str, "node", choices=("node", "candidate"), label="A child that is too small",
        help="Makes the node a leaf, or is not a candidate.",
        doc="A child with fewer than `min_samples_leaf` rows makes the whole node a leaf, if such "
            "a split wins; or such splits are no candidates.",
    )
    max_depth: int | None = MAX_DEPTH
    min_samples_split: int = MIN_SAMPLES_SPLIT
    min_samples_leaf: int = param(
        int, 2, low=1, slider=(1, 50, 1), unit="rows",
        label="Smallest child", help="Fewest rows of a child.",
    )
    first: str = param(
        str, "gini", choices=_COLUMNS, type_doc="str", main=True, label="Score",
        help="The criterion by which all candidates are judged.",
        doc="Any of :data:`lastviz.criteria.CRITERIA` but those of ordered classes. Small values "
            "are turned into large ones where they are good.",
        needs=("criterion", (OWN,)),
    )
    second: str = param(
        str, NOTHING, choices=_COLUMNS_OR_NONE, type_doc="str", main=True, label="plus",
        help="Added to the score.", doc="Another criterion, times `second_weight`.",
        needs=("criterion", (OWN,)),
    )
    second_weight: float = param(
        float, 0.1, low=0.0, slider=(0.0, 2.0, 0.05),
        label="times", help="Weight of what is added.", needs=("criterion", (OWN,)),
    )
    last: str = param(
        str, NOTHING, choices=_COLUMNS_OR_NONE, type_doc="str", main=True,
        label="of the best, decide by", help="What decides between the best candidates.",
        doc='There are `k` of them; "none": the best one is taken at once.',
        needs=("criterion", (OWN,)),
    )
    # fmt: on

    def alternative(self) -> Alternative | None:
        """Other rule for small children where this one ended growth, see base."""
        log, reason = self.growth_log_, Reason.CHILD_TOO_SMALL
        ended = log.reason == reason
        if self.min_leaf_rule != "node" or not ended.any():
            return None
        return Alternative("min_leaf_rule", "candidate", reason, int(log.n_samples[ended].sum()))

    @property
    def criterion_column(self) -> str:
        """The purity by which the first stage lets splits compete."""
        if self.criterion == OWN:
            return self.first
        if self.criterion not in HYBRID_CRITERIA:
            return self.criterion
        entropy = ("gain_ratio", "gain_ratio_raw", "segment", "spes")
        return "gain" if self.criterion in entropy else "gini"

    def recipe(self, data: TrainingData) -> Recipe:
        """Compiled criteria of this algorithm, or a rule of one's own in Python."""
        n_classes, stop = len(data.classes), self._stop()
        if self.ecoc == "exhaustive" and n_classes > _MOST_CLASSES_EXHAUSTIVE:
            raise Refusal(
                "ecoc='exhaustive' is for at most {most} classes, got {n_classes}; use "
                "'one_vs_rest' or 'one_vs_one'",
                most=_MOST_CLASSES_EXHAUSTIVE,
                n_classes=n_classes,
            )
        by_rule = self.criterion not in HYBRID_CRITERIA
        choice = self._rule_choice() if by_rule else self._hybrid_choice(data.X.shape[1])

        def searching(columns: Presorted | Unsorted) -> HybridSplitter | RuleSplitter:
            kind = RuleSplitter if by_rule else HybridSplitter
            return kind(columns, data.y, n_classes, choice)

        def growth() -> HybridGrowth:
            return HybridGrowth(data.sorted, data.y, n_classes, choice, stop)

        def sprout(
            splitter: HybridSplitter, context: NodeContext, max_depth: int, without: tuple[int, ...]
        ) -> Sprout:
            if without:
                fewer = FewerFeatures(splitter, without)
                return nodewise_sprout(fewer, data.y, n_classes, stop, context, max_depth)
            here, below = data.sorted.take(context.rows), stop_below(stop, max_depth, context.depth)
            y, n = data.y[context.rows], len(data.y)
            return Sprout(HybridGrowth(here, y, n_classes, choice, below, n), context.rows)

        return splitter_recipe(
            data,
            lambda: searching(data.columns),
            stop,
            self.criterion_column,
            sorting=lambda: searching(data.sorted),
            growth=None if by_rule else growth,
            sprout=None if by_rule else sprout,
        )

    def _hybrid_choice(self, n_features: int) -> HybridChoice:
        return hybrid_choice(
            self.criterion,
            w1=self.w1,
            w2=usual_w2(n_features) if self.w2 is None else self.w2,
            k=self.k,
            alpha=self.alpha,
            min_samples_leaf=self.min_samples_leaf,
            node_rule=self.min_leaf_rule == "node",
            penalty=self.penalty,
            ecoc=self.ecoc,
            fewest=self.segments == "minimum",
            root=self.bnm_root,
        )

    def _rule_choice(self) -> RuleChoice:
        rule = composed_rule(self.criterion_column)
        if self.criterion == OWN:
            second, last = (None if c == NOTHING else c for c in (self.second, self.last))
            rule = composed_rule(self.first, second, self.second_weight, self.k, last)
        options = Options(
            scale=1.0,
            min_leaf=1,
            penalty=PENALTIES[self.penalty],
            ecoc=ECOC[self.ecoc],
            fewest=self.segments == "minimum",
            root=self.bnm_root,
        )
        return RuleChoice(
            rule,
            self.min_samples_leaf,
            options,
            small_child_ends=self.min_leaf_rule == "node",
            cut_at_value=True,
        )
