"""The criteria by name: the record of one, those of two sides' class counts, the table of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from . import cards
from . import column_kernels as column
from .cards import CardMaker
from .goodness_kernels import (
    CHI2,
    G_STATISTIC,
    GAIN_OVER_ENTROPY,
    MAX_MINORITY,
    SUM_MINORITY,
    TWOING,
)
from .impurity import class_entropy, gain_ratio, gini, impurity_decrease, split_information
from .rank import rank_entropy, rank_mutual_information
from .rank_kernels import ASCENDING, BOTH, DESCENDING, RANK
from .scan_kernels import GAIN, GAIN_RATIO, GINI
from .structure import hellinger


@dataclass(frozen=True)
class Criterion:
    """A criterion of splits: larger is better, unless it says otherwise."""

    title: str  # what people call it
    short: str  # the same in the head of a column
    unit: str  # unit of the score, empty if it has none
    formula: str  # LaTeX, in general form
    card: CardMaker  # `Candidate` -> the formula with the candidate's numbers
    # Class counts (..., n_classes) -> impurity of the node; the one shown beside it where the score
    # is no function of class counts.
    impurity: Callable[[np.ndarray], np.ndarray]
    impurity_title: str  # what people call that impurity
    code: int | None  # how kernels name it; None: they do not, it is a Python function
    # The families of estimators that take it as their `criterion`, and by which word.
    offered_by: Mapping[str, str] = field(default_factory=dict)
    # {"counts", "order", "geometry"}: what it is made of: the children's class counts; the order of
    # the classes along a feature; the rows themselves, normalised.
    reads: str = "counts"
    smaller_is_better: bool = False
    # Class counts of the two children, each (..., n_classes) -> score of the split; None where they
    # do not say it.
    score: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    # What `goodness_kernels` call the goodness of partitions of a node, and the node's class counts
    # -> their scores; None where those kernels do not know the criterion, or count in units of
    # their own.
    of_goodness: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    # Whether the score is the decrease of that impurity, each child weighted by its rows.
    is_decrease: bool = False
    # Whether it depends on the order of the classes, and on the direction of each feature; `score`
    # is that of a feature with which the class rises.
    ordered_classes: bool = False
    stands_for: str = ""  # what its title is short for, empty where it is no abbreviation
    idea: str = ""  # in one sentence; empty of one that was registered
    symbols: str = ""  # what the letters of its formula mean, with LaTeX


# ---- Criteria that compare the two sides of a split directly, from class counts
#
# As in ``impurity.py`` the classes are on the last axis; larger is better.


def misclassification(counts: np.ndarray) -> np.ndarray:
    """Share 1 - max_k p_k of rows that are not of the most frequent class.

    Notes
    -----
    0 for a node without rows. Breiman et al. (1984), section 4.1.
    """
    counts = _by_class(counts)
    total = counts.sum(axis=0)
    return np.divide(_minority(counts), total, out=np.zeros_like(total), where=total > 0)


def twoing(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Twoing criterion, from the class counts of two children.

    ``p_1 p_2 / 4 (sum_k |p_k1 - p_k2|)^2`` of counts (..., n_classes).

    Notes
    -----
    p_1, p_2 are the children's shares of the rows, p_kj the share of class k in child j. From
    0 (alike) to 1/4 (halves without a common class). Breiman et al. (1984), section 4.3.2.
    """
    left, right = _by_class(left), _by_class(right)
    n_left, n_right = left.sum(axis=0), right.sum(axis=0)
    apart = np.abs(left / n_left - right / n_right).sum(axis=0)
    n = n_left + n_right
    return n_left / n * (n_right / n) * np.square(apart) / 4.0


def sum_minority(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Decrease of the sum of minorities by the split, as a share of the samples.

    Notes
    -----
    A minority is the rows that are not of their node's most frequent class. Heath, Kasif and
    Salzberg (1993); Murthy, Kasif and Salzberg (1994), section 2.4.
    Deviation: the papers minimise the number itself; the share saved orders splits alike.
    """
    left, right = _by_class(left), _by_class(right)
    both = left + right
    return (_minority(both) - _minority(left) - _minority(right)) / both.sum(axis=0)


def max_minority(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Decrease from the node's minority to the larger minority of its children.

    Notes
    -----
    As a share of the rows. References and deviation as for :func:`sum_minority`.
    """
    left, right = _by_class(left), _by_class(right)
    both = left + right
    larger = np.maximum(_minority(left), _minority(right))
    return (_minority(both) - larger) / both.sum(axis=0)


def chi2(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Pearson's chi-squared of the table of two children's class counts.

    Notes
    -----
    sum over children and classes of (n_jk - e_jk)^2 / e_jk with e_jk = n_j n_k / n. Mingers
    (1989), "An empirical comparison of selection measures for decision-tree induction".
    """
    left, right = _by_class(left), _by_class(right)
    both = left + right
    n, total = both.sum(axis=0), np.zeros(both.shape[1:])
    for child in (left, right):
        expected = both * (child.sum(axis=0) / n)
        terms = np.divide(
            np.square(child - expected), expected, out=np.zeros_like(child), where=expected > 0
        )
        total += terms.sum(axis=0)
    return total


def g_statistic(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """G statistic: 2 n ln 2 times the information gain in bits.

    Mingers (1989).
    """
    n = np.sum(left, axis=-1) + np.sum(right, axis=-1)
    return 2.0 * np.log(2.0) * n * impurity_decrease(left, right, class_entropy)


def _by_class(counts: np.ndarray) -> np.ndarray:
    """Counts with the classes as the first axis.

    For many splits, numpy sums quickly over a few classes there.
    """
    return np.ascontiguousarray(np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0))


def _minority(by_class: np.ndarray) -> np.ndarray:
    return by_class.sum(axis=0) - by_class.max(axis=0)


# ---- All criteria

_information_gain = partial(impurity_decrease, impurity=class_entropy)


def _gain_ratio(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    information = split_information(np.sum(left, axis=-1), np.sum(right, axis=-1))
    return gain_ratio(_information_gain(left, right), information)


def _gain_ratio_to_entropy(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    both = np.asarray(left, dtype=np.float64) + right
    return gain_ratio(_information_gain(left, right), class_entropy(both))


def _of_gini_goodness(goodness: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return (goodness - np.square(counts).sum() / counts.sum()) / counts.sum()


def _of_twoing_goodness(goodness: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return goodness / (4.0 * counts.sum() ** 2)


def _of_minority_goodness(goodness: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return (goodness + counts.sum() - counts.max()) / counts.sum()


# What letters of formulas mean.
BRANCHES = (
    "$D$: rows of the node; $D_1$, $D_2$: rows of its branches; $p_k$: share of class $k$ in them."
)
COUNTS = (
    "$n_{ jk}$: rows of class $k$ in branch $j$; $n_j$, $n_k$, $n$: rows of the branch, of the "
    "class and of the node; $e_{ jk}$: the number expected."
)
RUNS = "$\\mathrm{Seg}(D_j)$: runs of rows of one class in branch $j$, along the feature."
RANKS = (
    "$[x_i]$: rows whose value is at least (≥) or at most (≤) that of row $i$; $[y_i]$: rows whose "
    "class is; $D$: rows of the node."
)

CRITERIA: dict[str, Criterion] = {
    "gini": Criterion(
        title="Gini gain",
        short="Gini",
        unit="",
        formula=r"\Delta G = G(D) - \frac{|D_1|}{|D|}G(D_1) - \frac{|D_2|}{|D|}G(D_2),"
        r"\quad G = 1 - \sum_k p_k^2",
        score=partial(impurity_decrease, impurity=gini),
        idea="By how much a split lowers the Gini impurity: the chance that two rows of a "
        "node, drawn at random, differ in class.",
        symbols=BRANCHES,
        card=cards.decrease(gini),
        impurity=gini,
        impurity_title="Gini impurity",
        code=GINI,
        of_goodness=_of_gini_goodness,
        is_decrease=True,
        offered_by={"cart": "gini", "oblique": "gini"},
    ),
    "gain": Criterion(
        title="information gain",
        short="gain",
        unit="bits",
        formula=r"g = H(D) - \frac{|D_1|}{|D|}H(D_1) - \frac{|D_2|}{|D|}H(D_2),"
        r"\quad H = -\sum_k p_k \log_2 p_k",
        score=_information_gain,
        idea="By how many bits a split lowers the entropy of the classes: how much the "
        "answer to its test tells about the class.",
        symbols=BRANCHES,
        card=cards.decrease(class_entropy),
        impurity=class_entropy,
        impurity_title="entropy",
        code=GAIN,
        is_decrease=True,
        offered_by={
            "id3": "gain",
            "c45": "gain",
            "sodt": "gain",
            "cart": "entropy",
            "oblique": "gain",
        },
    ),
    "gain_ratio": Criterion(
        title="gain ratio",
        short="gain ratio",
        unit="",
        formula=r"g_R = \frac{g}{H_A},\quad H_A = -\sum_j \frac{|D_j|}{|D|}"
        r"\log_2 \frac{|D_j|}{|D|}",
        score=_gain_ratio,
        idea="The information gain divided by the entropy of the branch sizes, so that "
        "many small branches are no advantage.",
        symbols="$g$: information gain; $H_A$: entropy of the branch sizes; $|D_j|$: rows of "
        "branch $j$.",
        card=cards.gain_ratio,
        impurity=class_entropy,
        impurity_title="entropy",
        code=GAIN_RATIO,
        offered_by={"id3": "gain_ratio", "c45": "gain_ratio", "sodt": "gain_ratio"},
    ),
    "gain_ratio_entropy": Criterion(
        title="gain over the node's entropy",
        short="gain / entropy",
        unit="",
        formula=r"g_R = \frac{g}{H(D)},\quad H(D) = -\sum_k p_k \log_2 p_k",
        score=_gain_ratio_to_entropy,
        idea="The information gain as a share of the node's entropy: 1 if the split "
        "separates the classes completely.",
        symbols="$g$: information gain; $H(D)$: entropy of the node; $p_k$: share of class "
        "$k$ in it.",
        card=cards.gain_over_entropy,
        impurity=class_entropy,
        impurity_title="entropy",
        code=GAIN_OVER_ENTROPY,
        offered_by={"id3": "gain_ratio_entropy"},
    ),
    "chi2": Criterion(
        title="chi-squared",
        short="chi-squared",
        unit="",
        formula=r"\chi^2 = \sum_{j,k} \frac{(n_{jk} - e_{jk})^2}{e_{jk}},"
        r"\quad e_{jk} = \frac{n_j n_k}{n}",
        score=chi2,
        idea="How far the class counts of the branches are from those expected if the "
        "test had nothing to do with the class: squared differences over expected "
        "counts.",
        symbols=COUNTS,
        card=cards.chi2,
        impurity=gini,
        impurity_title="Gini impurity",
        code=CHI2,
        offered_by={"c45": "chi2"},
    ),
    "g_statistic": Criterion(
        title="G statistic",
        short="G",
        unit="",
        formula=r"G = 2 \sum_{j,k} n_{jk} \ln \frac{n_{jk}}{e_{jk}} = 2 n g \ln 2,"
        r"\quad e_{jk} = \frac{n_j n_k}{n}",
        score=g_statistic,
        idea="How much better each branch's own class shares explain the counts than the "
        "shares of the node: twice the logarithm of the likelihood ratio.",
        symbols=COUNTS,
        card=cards.g_statistic,
        impurity=class_entropy,
        impurity_title="entropy",
        code=G_STATISTIC,
        offered_by={"c45": "g_statistic"},
    ),
    "twoing": Criterion(
        title="twoing",
        short="twoing",
        unit="",
        formula=r"\Phi = \frac{|D_1|\,|D_2|}{4\,|D|^2}"
        r"\Bigl(\sum_k \bigl|p_k(D_1) - p_k(D_2)\bigr|\Bigr)^2",
        score=twoing,
        idea="How different the class shares of the two branches are, weighted so that "
        "branches of equal size count most.",
        symbols=BRANCHES,
        card=cards.twoing,
        impurity=gini,
        impurity_title="Gini impurity",
        code=TWOING,
        of_goodness=_of_twoing_goodness,
        offered_by={"cart": "twoing", "oblique": "twoing"},
    ),
    "sum_minority": Criterion(
        title="sum minority",
        short="sum minority",
        unit="",
        formula=r"\Delta M = M(D) - \frac{|D_1|}{|D|}M(D_1) - \frac{|D_2|}{|D|}M(D_2),"
        r"\quad M = 1 - \max_k p_k",
        score=sum_minority,
        idea="By how much a split lowers the share of rows outside the majority class of "
        "their branch, which is the training error.",
        symbols=BRANCHES,
        card=cards.decrease(misclassification),
        impurity=misclassification,
        impurity_title="minority share",
        code=SUM_MINORITY,
        of_goodness=_of_minority_goodness,
        is_decrease=True,
        offered_by={"oblique": "sum_minority"},
    ),
    "max_minority": Criterion(
        title="max minority",
        short="max minority",
        unit="",
        formula=r"\Delta M = M(D) - \max_j \frac{|D_j|}{|D|}M(D_j),\quad M = 1 - \max_k p_k",
        score=max_minority,
        idea="By how much the worse branch has a smaller share of the node's rows outside "
        "its majority class than the node itself.",
        symbols=BRANCHES,
        card=cards.max_minority,
        impurity=misclassification,
        impurity_title="minority share",
        code=MAX_MINORITY,
        of_goodness=_of_minority_goodness,
        offered_by={"oblique": "max_minority"},
    ),
    "hellinger": Criterion(
        title="Hellinger distance",
        short="Hellinger",
        unit="",
        formula=r"d_H = \max_c \sqrt{\sum_{i=1}^{2}\left(\sqrt{\frac{n_{c,i}}{n_c}}"
        r" - \sqrt{\frac{n_{\bar c,i}}{n_{\bar c}}}\right)^2}",
        idea="How differently a class and all other rows are distributed over the "
        "branches; each counts by its own size, so rare classes weigh as much as "
        "frequent ones.",
        symbols="$n_{ c,i}$: rows of class $c$ in branch $i$; $n_c$: rows of class $c$; "
        "$\\bar c$: all other classes.",
        card=cards.hellinger,
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.HELLINGER,
        score=hellinger,
    ),
    "segments": Criterion(
        title="expected segments",
        short="segments",
        unit="segments",
        formula=r"S = \frac{|D_1|}{|D|}\mathrm{Seg}(D_1) + \frac{|D_2|}{|D|}\mathrm{Seg}(D_2)",
        idea="How many runs of one class the rows of a branch form along the feature, the "
        "branches weighted by their rows; small is better.",
        symbols=RUNS,
        card=cards.segments,
        impurity=class_entropy,
        impurity_title="entropy",
        code=column.SEGMENTS,
        reads="order",
        smaller_is_better=True,
    ),
    "segment_sum": Criterion(
        title="segments in all",
        short="segments in all",
        unit="segments",
        formula=r"S = \mathrm{Seg}(D_1) + \mathrm{Seg}(D_2)",
        idea="How many runs of one class the rows of both branches form along the "
        "feature; small is better.",
        symbols=RUNS,
        card=cards.segment_sum,
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.SEGMENT_SUM,
        reads="order",
        smaller_is_better=True,
    ),
    "ratio": Criterion(
        title="ratio of segments",
        short="segment ratio",
        unit="",
        formula=r"R = \frac{\min(\mathrm{Seg}(D_1), \mathrm{Seg}(D_2))}"
        r"{\max(\mathrm{Seg}(D_1), \mathrm{Seg}(D_2))}",
        idea="The smaller number of runs of one class in a branch divided by the larger "
        "one: 1 if both branches are equally simple.",
        symbols=RUNS,
        card=cards.segment_ratio,
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.RATIO,
        reads="order",
    ),
    "bnm5": Criterion(
        title="BNM without penalty",
        short="BNM, no penalty",
        unit="",
        formula=r"\mathrm{BNM} = \frac{1}{C}\sum_{c=1}^{C}\lVert m_l^{(c)} - m_r^{(c)}\rVert^2",
        idea="How far apart a split puts the two parts of each class: the squared "
        "distance of their centres, averaged over the classes.",
        card=cards.bnm_without_penalty,
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.BNM5,
        reads="geometry",
    ),
    "penalty": Criterion(
        title="penalty of BNM",
        short="penalty",
        unit="",
        formula=r"P + Q,\quad P = \frac{1}{C_l}\sum_{p=1}^{C_l}\left("
        r"\min|x_l^{(p)} - t| + \min|t - x_l^{(\neq p)}|\right)",
        idea="How far the rows nearest to the split are from it, on both sides. BNM "
        "subtracts it; small is better.",
        card=cards.penalty,
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.PENALTY,
        reads="geometry",
        smaller_is_better=True,
    ),
    "bnm": Criterion(
        title="BNM",
        short="BNM",
        unit="",
        formula=r"\mathrm{BNM}' = \frac{1}{C}\sum_{c=1}^{C}\lVert m_l^{(c)} - m_r^{(c)}\rVert^2"
        r" - (P + Q)",
        idea="How far apart a split puts the two parts of each class, less the penalty: "
        "it finds gaps between clusters of one class before any impurity falls.",
        card=cards.bnm,
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.BNM,
        reads="geometry",
        stands_for="between-node margin within the same class",
    ),
    "csn": Criterion(
        title="CSN",
        short="CSN",
        unit="",
        formula=r"\mathrm{CSN} = \sum_{i=1}^{2}\frac{|D_i|}{|D|}\,"
        r"\frac{\sum_k \sum_{x \in k}\lVert x - m_k\rVert^2}"
        r"{\sum_{A|B}\lVert m_A - m_B\rVert^2}",
        idea="The spread of the classes in each branch divided by the distances between "
        "them, the branches weighted by their rows; small is better.",
        card=cards.csn,
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.CSN,
        reads="geometry",
        smaller_is_better=True,
        stands_for="within-class compactness and between-class separation in the same node",
    ),
    "rmi": Criterion(
        title="rank mutual information",
        short="RMI",
        unit="nats",
        formula=r"\mathrm{RMI} = -\frac{1}{|D|}\sum_{i} \log \frac{|[x_i]^{\geq}|\,|[y_i]^{\geq}|}"
        r"{|D|\,|[x_i]^{\geq} \cap [y_i]^{\geq}|}",
        score=rank_mutual_information,
        idea="How much the order of a feature's values tells about the order of the "
        "classes: information gain for ordered classes, from the rows at or above "
        "each row.",
        symbols=RANKS,
        card=cards.rank_information(False),
        impurity=rank_entropy,
        impurity_title="rank entropy",
        code=RANK + ASCENDING,
        ordered_classes=True,
    ),
    "rmi_descending": Criterion(
        title="rank mutual information, descending",
        short="RMI, descending",
        unit="nats",
        formula=r"\mathrm{RMI} = -\frac{1}{|D|}\sum_{i} \log \frac{|[x_i]^{\leq}|\,|[y_i]^{\leq}|}"
        r"{|D|\,|[x_i]^{\leq} \cap [y_i]^{\leq}|}",
        score=partial(rank_mutual_information, dominance="descending"),
        idea="Rank mutual information from the rows at or below each row.",
        symbols=RANKS,
        card=cards.rank_information(True),
        impurity=partial(rank_entropy, dominance="descending"),
        impurity_title="rank entropy, descending",
        code=RANK + DESCENDING,
        ordered_classes=True,
    ),
    "rmi_mean": Criterion(
        title="rank mutual information, mean of both",
        short="RMI, mean",
        unit="nats",
        formula=r"\mathrm{RMI} = \tfrac{1}{2}\bigl(\mathrm{RMI}^{\geq} + \mathrm{RMI}^{\leq}\bigr)",
        score=partial(rank_mutual_information, dominance="mean"),
        idea="The mean of the rank mutual information upwards and downwards.",
        symbols=RANKS,
        card=cards.rank_information(False, True),
        impurity=partial(rank_entropy, dominance="mean"),
        impurity_title="rank entropy, mean of both",
        code=RANK + BOTH,
        ordered_classes=True,
    ),
}
