"""The criteria by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from . import column_kernels as column
from .goodness_kernels import MAX_MINORITY, SUM_MINORITY, TWOING
from .impurity import class_entropy, gain_ratio, gini, impurity_decrease, split_information
from .partition import chi2, g_statistic, max_minority, misclassification, sum_minority, twoing
from .rank import rank_entropy, rank_mutual_information
from .rank_kernels import ASCENDING, BOTH, DESCENDING, RANK
from .scan_kernels import GAIN, GAIN_RATIO, GINI
from .structure import hellinger

__all__ = ["CRITERIA", "Criterion"]

GAIN_OVER_ENTROPY, CHI2, G_STATISTIC = 23, 24, 25  # no threshold scan knows them


@dataclass(frozen=True)
class Criterion:
    """A criterion of splits: larger is better, unless it says otherwise.

    Attributes
    ----------
    title : str
        What people call it.
    unit : str
        Unit of the score, empty if it has none.
    formula : str
        LaTeX, in general form.
    impurity : callable
        Class counts (..., n_classes) -> impurity of the node; the one shown beside it where
        the score is no function of class counts.
    impurity_title : str
        What people call that impurity.
    code : int
        How kernels name it.
    reads : {"counts", "order", "geometry"}
        What it is made of: the children's class counts; the order of the classes along a
        feature; the rows themselves, normalised.
    smaller_is_better : bool
    score : callable or None
        Class counts of the two children, each (..., n_classes) -> score of the split; None
        where they do not say it.
    is_decrease : bool
        Whether the score is the decrease of that impurity, each child weighted by its rows.
    ordered_classes : bool
        Whether it depends on the order of the classes, and on the direction of each feature;
        `score` is that of a feature with which the class rises.
    """

    title: str
    unit: str
    formula: str
    impurity: Callable[[np.ndarray], np.ndarray]
    impurity_title: str
    code: int
    reads: str = "counts"
    smaller_is_better: bool = False
    score: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    is_decrease: bool = False
    ordered_classes: bool = False


def _gini_gain(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return impurity_decrease(left, right, gini)


def _information_gain(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return impurity_decrease(left, right, class_entropy)


def _gain_ratio(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    information = split_information(np.sum(left, axis=-1), np.sum(right, axis=-1))
    return gain_ratio(_information_gain(left, right), information)


def _gain_ratio_to_entropy(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    both = np.asarray(left, dtype=np.float64) + right
    return gain_ratio(_information_gain(left, right), class_entropy(both))


CRITERIA: dict[str, Criterion] = {
    "gini": Criterion(
        title="Gini gain",
        unit="",
        formula=r"\Delta G = G(D) - \frac{|D_1|}{|D|}G(D_1) - \frac{|D_2|}{|D|}G(D_2),"
        r"\quad G = 1 - \sum_k p_k^2",
        score=_gini_gain,
        impurity=gini,
        impurity_title="Gini impurity",
        code=GINI,
        is_decrease=True,
    ),
    "gain": Criterion(
        title="information gain",
        unit="bits",
        formula=r"g = H(D) - \frac{|D_1|}{|D|}H(D_1) - \frac{|D_2|}{|D|}H(D_2),"
        r"\quad H = -\sum_k p_k \log_2 p_k",
        score=_information_gain,
        impurity=class_entropy,
        impurity_title="entropy",
        code=GAIN,
        is_decrease=True,
    ),
    "gain_ratio": Criterion(
        title="gain ratio",
        unit="",
        formula=r"g_R = \frac{g}{H_A},\quad H_A = -\sum_j \frac{|D_j|}{|D|}"
        r"\log_2 \frac{|D_j|}{|D|}",
        score=_gain_ratio,
        impurity=class_entropy,
        impurity_title="entropy",
        code=GAIN_RATIO,
    ),
    "gain_ratio_entropy": Criterion(
        title="gain over the node's entropy",
        unit="",
        formula=r"g_R = \frac{g}{H(D)},\quad H(D) = -\sum_k p_k \log_2 p_k",
        score=_gain_ratio_to_entropy,
        impurity=class_entropy,
        impurity_title="entropy",
        code=GAIN_OVER_ENTROPY,
    ),
    "chi2": Criterion(
        title="chi-squared",
        unit="",
        formula=r"\chi^2 = \sum_{j,k} \frac{(n_{jk} - e_{jk})^2}{e_{jk}},"
        r"\quad e_{jk} = \frac{n_j n_k}{n}",
        score=chi2,
        impurity=gini,
        impurity_title="Gini impurity",
        code=CHI2,
    ),
    "g_statistic": Criterion(
        title="G statistic",
        unit="",
        formula=r"G = 2 \sum_{j,k} n_{jk} \ln \frac{n_{jk}}{e_{jk}} = 2 n g \ln 2,"
        r"\quad e_{jk} = \frac{n_j n_k}{n}",
        score=g_statistic,
        impurity=class_entropy,
        impurity_title="entropy",
        code=G_STATISTIC,
    ),
    "twoing": Criterion(
        title="twoing",
        unit="",
        formula=r"\Phi = \frac{|D_1|\,|D_2|}{4\,|D|^2}"
        r"\Bigl(\sum_k \bigl|p_k(D_1) - p_k(D_2)\bigr|\Bigr)^2",
        score=twoing,
        impurity=gini,
        impurity_title="Gini impurity",
        code=TWOING,
    ),
    "sum_minority": Criterion(
        title="sum minority",
        unit="",
        formula=r"\Delta M = M(D) - \frac{|D_1|}{|D|}M(D_1) - \frac{|D_2|}{|D|}M(D_2),"
        r"\quad M = 1 - \max_k p_k",
        score=sum_minority,
        impurity=misclassification,
        impurity_title="minority share",
        code=SUM_MINORITY,
        is_decrease=True,
    ),
    "max_minority": Criterion(
        title="max minority",
        unit="",
        formula=r"\Delta M = M(D) - \max_j \frac{|D_j|}{|D|}M(D_j),\quad M = 1 - \max_k p_k",
        score=max_minority,
        impurity=misclassification,
        impurity_title="minority share",
        code=MAX_MINORITY,
    ),
    "hellinger": Criterion(
        title="Hellinger distance",
        unit="",
        formula=r"d_H = \max_c \sqrt{\sum_{i=1}^{2}\left(\sqrt{\frac{n_{c,i}}{n_c}}"
        r" - \sqrt{\frac{n_{\bar c,i}}{n_{\bar c}}}\right)^2}",
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.HELLINGER,
        score=hellinger,
    ),
    "segments": Criterion(
        title="expected segments",
        unit="segments",
        formula=r"S = \frac{|D_1|}{|D|}\mathrm{Seg}(D_1) + \frac{|D_2|}{|D|}\mathrm{Seg}(D_2)",
        impurity=class_entropy,
        impurity_title="entropy",
        code=column.SEGMENTS,
        reads="order",
        smaller_is_better=True,
    ),
    "segment_sum": Criterion(
        title="segments in all",
        unit="segments",
        formula=r"S = \mathrm{Seg}(D_1) + \mathrm{Seg}(D_2)",
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.SEGMENT_SUM,
        reads="order",
        smaller_is_better=True,
    ),
    "ratio": Criterion(
        title="ratio of segments",
        unit="",
        formula=r"R = \frac{\min(\mathrm{Seg}(D_1), \mathrm{Seg}(D_2))}"
        r"{\max(\mathrm{Seg}(D_1), \mathrm{Seg}(D_2))}",
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.RATIO,
        reads="order",
    ),
    "bnm5": Criterion(
        title="BNM without penalty",
        unit="",
        formula=r"\mathrm{BNM} = \frac{1}{C}\sum_{c=1}^{C}\lVert m_l^{(c)} - m_r^{(c)}\rVert^2",
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.BNM5,
        reads="geometry",
    ),
    "penalty": Criterion(
        title="penalty of BNM",
        unit="",
        formula=r"P + Q,\quad P = \frac{1}{C_l}\sum_{p=1}^{C_l}\left("
        r"\min|x_l^{(p)} - t| + \min|t - x_l^{(\neq p)}|\right)",
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.PENALTY,
        reads="geometry",
        smaller_is_better=True,
    ),
    "bnm": Criterion(
        title="BNM",
        unit="",
        formula=r"\mathrm{BNM}' = \frac{1}{C}\sum_{c=1}^{C}\lVert m_l^{(c)} - m_r^{(c)}\rVert^2"
        r" - (P + Q)",
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.BNM,
        reads="geometry",
    ),
    "csn": Criterion(
        title="CSN",
        unit="",
        formula=r"\mathrm{CSN} = \sum_{i=1}^{2}\frac{|D_i|}{|D|}\,"
        r"\frac{\sum_k \sum_{x \in k}\lVert x - m_k\rVert^2}"
        r"{\sum_{A|B}\lVert m_A - m_B\rVert^2}",
        impurity=gini,
        impurity_title="Gini impurity",
        code=column.CSN,
        reads="geometry",
        smaller_is_better=True,
    ),
    "rmi": Criterion(
        title="rank mutual information",
        unit="nats",
        formula=r"\mathrm{RMI} = -\frac{1}{|D|}\sum_{i} \log \frac{|[x_i]^{\geq}|\,|[y_i]^{\geq}|}"
        r"{|D|\,|[x_i]^{\geq} \cap [y_i]^{\geq}|}",
        score=rank_mutual_information,
        impurity=rank_entropy,
        impurity_title="rank entropy",
        code=RANK + ASCENDING,
        ordered_classes=True,
    ),
    "rmi_descending": Criterion(
        title="rank mutual information, descending",
        unit="nats",
        formula=r"\mathrm{RMI} = -\frac{1}{|D|}\sum_{i} \log \frac{|[x_i]^{\leq}|\,|[y_i]^{\leq}|}"
        r"{|D|\,|[x_i]^{\leq} \cap [y_i]^{\leq}|}",
        score=partial(rank_mutual_information, dominance="descending"),
        impurity=partial(rank_entropy, dominance="descending"),
        impurity_title="rank entropy, descending",
        code=RANK + DESCENDING,
        ordered_classes=True,
    ),
    "rmi_mean": Criterion(
        title="rank mutual information, mean of both",
        unit="nats",
        formula=r"\mathrm{RMI} = \tfrac{1}{2}\bigl(\mathrm{RMI}^{\geq} + \mathrm{RMI}^{\leq}\bigr)",
        score=partial(rank_mutual_information, dominance="mean"),
        impurity=partial(rank_entropy, dominance="mean"),
        impurity_title="rank entropy, mean of both",
        code=RANK + BOTH,
        ordered_classes=True,
    ),
}
