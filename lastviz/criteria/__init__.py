"""How good a split is: one column of numbers per criterion.

A criterion is its numpy definition (``impurity.py`` and ``partition.py`` for what class
counts say, ``rank.py`` where classes are ordered, ``structure.py`` for the rest), its kernel
(``scan_kernels.py``, ``rank_kernels.py`` and ``structure_kernels.py`` for thresholds,
``goodness_kernels.py`` for any partition) and its row in :data:`CRITERIA`. ``dominance.py``
counts who dominates whom. May import ``_numba`` and ``tree``.
"""

from .cards import Candidate, Card
from .criterion import Criterion
from .impurity import (
    class_entropy,
    gain_ratio,
    gini,
    impurity_decrease,
    mdl_correction,
    split_information,
)
from .partition import chi2, g_statistic, max_minority, misclassification, sum_minority, twoing
from .rank import DOMINANCE, rank_entropy, rank_mutual_information
from .registration import Offered, admissible, register_criterion, unregister_criterion
from .registry import CRITERIA
from .structure import (
    between_margin,
    child_compactness,
    compactness,
    exact_penalty,
    expected_segments,
    hellinger,
    nearest_penalty,
    normalised,
    segment_ratio,
    segments,
)

__all__ = [
    "CRITERIA",
    "DOMINANCE",
    "Candidate",
    "Card",
    "Criterion",
    "Offered",
    "admissible",
    "between_margin",
    "chi2",
    "child_compactness",
    "class_entropy",
    "compactness",
    "exact_penalty",
    "expected_segments",
    "g_statistic",
    "gain_ratio",
    "gini",
    "hellinger",
    "impurity_decrease",
    "max_minority",
    "mdl_correction",
    "misclassification",
    "nearest_penalty",
    "normalised",
    "rank_entropy",
    "rank_mutual_information",
    "register_criterion",
    "segment_ratio",
    "segments",
    "split_information",
    "sum_minority",
    "twoing",
    "unregister_criterion",
]
