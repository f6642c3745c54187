"""The criteria by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .impurity import class_entropy, gini
from .scan_kernels import GAIN, GAIN_RATIO, GINI

__all__ = ["CRITERIA", "Criterion"]


@dataclass(frozen=True)
class Criterion:
    """A criterion of splits: larger is better.

    Attributes
    ----------
    title : str
        What people call it.
    unit : str
        Unit of the score, empty if it has none.
    formula : str
        LaTeX, in general form.
    impurity : callable
        Class counts (..., n_classes) -> impurity of the node.
    impurity_title : str
        What people call that impurity.
    code : int
        How kernels name it.
    """

    title: str
    unit: str
    formula: str
    impurity: Callable[[np.ndarray], np.ndarray]
    impurity_title: str
    code: int


CRITERIA: dict[str, Criterion] = {
    "gini": Criterion(
        title="Gini gain",
        unit="",
        formula=r"\Delta G = G(D) - \frac{|D_1|}{|D|}G(D_1) - \frac{|D_2|}{|D|}G(D_2),"
        r"\quad G = 1 - \sum_k p_k^2",
        impurity=gini,
        impurity_title="Gini impurity",
        code=GINI,
    ),
    "gain": Criterion(
        title="information gain",
        unit="bits",
        formula=r"g = H(D) - \frac{|D_1|}{|D|}H(D_1) - \frac{|D_2|}{|D|}H(D_2),"
        r"\quad H = -\sum_k p_k \log_2 p_k",
        impurity=class_entropy,
        impurity_title="entropy",
        code=GAIN,
    ),
    "gain_ratio": Criterion(
        title="gain ratio",
        unit="",
        formula=r"g_R = \frac{g}{H_A},\quad H_A = -\sum_j \frac{|D_j|}{|D|}"
        r"\log_2 \frac{|D_j|}{|D|}",
        impurity=class_entropy,
        impurity_title="entropy",
        code=GAIN_RATIO,
    ),
}
