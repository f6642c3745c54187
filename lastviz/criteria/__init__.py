"""Criteria for splits: one column of scores per criterion.

A criterion is its numpy definition (``registry.py`` and ``impurity.py`` from class counts,
``rank.py`` where classes are ordered, ``structure.py`` for the rest), its kernel
(``scan_kernels.py`` and ``rank_kernels.py`` for thresholds, ``goodness_kernels.py`` for any
partition) and its row in :data:`CRITERIA`. May import ``_numba`` and ``tree``.
"""

from .cards import Candidate as Candidate
from .cards import Card as Card
from .impurity import ScanUnits as ScanUnits
from .impurity import class_entropy as class_entropy
from .impurity import entropy_scale as entropy_scale
from .impurity import gain_ratio as gain_ratio
from .impurity import gini as gini
from .impurity import impurity_decrease as impurity_decrease
from .impurity import mdl_correction as mdl_correction
from .impurity import scan_units as scan_units
from .impurity import split_information as split_information
from .rank import DOMINANCE as DOMINANCE
from .rank import rank_entropy as rank_entropy
from .rank import rank_mutual_information as rank_mutual_information
from .registration import Offered as Offered
from .registration import admissible as admissible
from .registration import limit_criteria as limit_criteria
from .registration import register_criterion as register_criterion
from .registration import unregister_criterion as unregister_criterion
from .registry import CRITERIA as CRITERIA
from .registry import Criterion as Criterion
from .registry import chi2 as chi2
from .registry import g_statistic as g_statistic
from .registry import max_minority as max_minority
from .registry import misclassification as misclassification
from .registry import sum_minority as sum_minority
from .registry import twoing as twoing
from .structure import between_margin as between_margin
from .structure import child_compactness as child_compactness
from .structure import compactness as compactness
from .structure import exact_penalty as exact_penalty
from .structure import expected_segments as expected_segments
from .structure import hellinger as hellinger
from .structure import nearest_penalty as nearest_penalty
from .structure import scale_to_range as scale_to_range
from .structure import segment_ratio as segment_ratio
from .structure import segments as segments
