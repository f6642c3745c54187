"""Questions to a fitted tree; the answers are frozen dataclasses of arrays.

May import everything from ``tree`` to ``estimators``, and no data set, figure or page.
A new question is one file and a line here.
"""

from .candidates import (
    TABLE_PARAMS,
    Agreement,
    BestOfFeatures,
    CandidateTable,
    agreement,
    apply_rule,
    best_of_each_feature,
    candidate_table,
    rank_columns,
)
from .divergence import Divergence, divergence
from .fidelity import slice_fidelity
from .growth import GrowthFrames, growth_frames, last_reason
from .regions import Regions, regions
from .replay import split_search
from .rules import Condition, conditions
from .scores import Scores, scores
from .split_geometry import (
    ClassMargin,
    ClassSpread,
    Dichotomy,
    Nearest,
    SplitGeometry,
    split_geometry,
)
from .telling import feature_gains

__all__ = [
    "TABLE_PARAMS",
    "Agreement",
    "BestOfFeatures",
    "CandidateTable",
    "ClassMargin",
    "ClassSpread",
    "Condition",
    "Dichotomy",
    "Divergence",
    "GrowthFrames",
    "Nearest",
    "Regions",
    "Scores",
    "SplitGeometry",
    "agreement",
    "apply_rule",
    "best_of_each_feature",
    "candidate_table",
    "conditions",
    "divergence",
    "feature_gains",
    "growth_frames",
    "last_reason",
    "rank_columns",
    "regions",
    "scores",
    "slice_fidelity",
    "split_geometry",
    "split_search",
]
