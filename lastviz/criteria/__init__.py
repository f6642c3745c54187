"""How good a split is: one column of numbers per criterion.

A criterion is its numpy definition (``impurity.py``, ``partition.py``), its kernel
(``scan_kernels.py`` for thresholds, ``goodness_kernels.py`` for any partition) and its row in
:data:`CRITERIA`. May import ``_numba`` and ``tree``.
"""

from .impurity import (
    class_entropy,
    gain_ratio,
    gini,
    impurity_decrease,
    mdl_correction,
    split_information,
)
from .partition import max_minority, misclassification, sum_minority, twoing
from .registry import CRITERIA, Criterion

__all__ = [
    "CRITERIA",
    "Criterion",
    "class_entropy",
    "gain_ratio",
    "gini",
    "impurity_decrease",
    "max_minority",
    "mdl_correction",
    "misclassification",
    "split_information",
    "sum_minority",
    "twoing",
]
