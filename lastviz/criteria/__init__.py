"""How good a split is: one column of numbers per criterion.

A criterion is its numpy definition (``impurity.py``), its scan in a kernel
(``scan_kernels.py``) and its row in :data:`CRITERIA`. May import ``_numba`` and ``tree``.
"""

from .impurity import (
    class_entropy,
    gain_ratio,
    gini,
    impurity_decrease,
    mdl_correction,
    split_information,
)
from .registry import CRITERIA, Criterion

__all__ = [
    "CRITERIA",
    "Criterion",
    "class_entropy",
    "gain_ratio",
    "gini",
    "impurity_decrease",
    "mdl_correction",
    "split_information",
]
