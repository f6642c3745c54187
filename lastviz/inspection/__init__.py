"""Questions to a fitted tree; the answers are frozen dataclasses of arrays.

May import everything from ``tree`` to ``estimators``, and no data set, figure or page.
A new question is one file and a line here.
"""

from .banded import Band, banded_regions
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
from .cut_tree import cut_predictions
from .divergence import Divergence, divergence
from .explanation import SPREADS, STOPS, Explanation, explain
from .fidelity import slice_fidelity
from .forest import (
    ForestRegions,
    VotesOfSample,
    class_supports,
    forest_regions,
    forest_regions_in_steps,
    predicted_in_steps,
)
from .forest_overview import ForestOverview, forest_overview
from .growth import GrowthFrames, growth_frames, last_reason
from .growth_regions import GrowthRegions, Raised, growth_regions
from .latent_view import LatentView, latent_regions, latent_splits, latent_view
from .monotonicity import CounterExample, MonotonicityAudit, comparable_pairs, monotonicity_audit
from .plane_cut import PlaneCut, line_across, plane_cut
from .projections import Projection, best_projection, projection_fidelity
from .raster import Raster, plane_raster, raster
from .regions import Regions, plane_regions, regions
from .replay import finds_stored_split, split_search, split_search_in_steps
from .rules import (
    Condition,
    MachineCondition,
    NominalCondition,
    ObliqueCondition,
    Rule,
    Supports,
    condition_of,
    conditions,
    rules,
    stopping_nodes,
    supports,
)
from .scores import Scores, scores
from .separability import SeparabilityStep, SeparabilitySteps, separability
from .split_geometry import (
    ClassMargin,
    ClassSpread,
    Dichotomy,
    Nearest,
    SplitGeometry,
    split_geometry,
)
from .telling import feature_gains
from .violations import SuggestedDirections, Violations, suggest_directions, violations

__all__ = [
    "SPREADS",
    "STOPS",
    "TABLE_PARAMS",
    "Agreement",
    "Band",
    "BestOfFeatures",
    "CandidateTable",
    "ClassMargin",
    "ClassSpread",
    "Condition",
    "CounterExample",
    "Dichotomy",
    "Divergence",
    "Explanation",
    "ForestOverview",
    "ForestRegions",
    "GrowthFrames",
    "GrowthRegions",
    "LatentView",
    "MachineCondition",
    "MonotonicityAudit",
    "Nearest",
    "NominalCondition",
    "ObliqueCondition",
    "PlaneCut",
    "Projection",
    "Raised",
    "Raster",
    "Regions",
    "Rule",
    "Scores",
    "SeparabilityStep",
    "SeparabilitySteps",
    "SplitGeometry",
    "SuggestedDirections",
    "Supports",
    "Violations",
    "VotesOfSample",
    "agreement",
    "apply_rule",
    "banded_regions",
    "best_of_each_feature",
    "best_projection",
    "candidate_table",
    "class_supports",
    "comparable_pairs",
    "condition_of",
    "conditions",
    "cut_predictions",
    "divergence",
    "explain",
    "feature_gains",
    "finds_stored_split",
    "forest_overview",
    "forest_regions",
    "forest_regions_in_steps",
    "growth_frames",
    "growth_regions",
    "last_reason",
    "latent_regions",
    "latent_splits",
    "latent_view",
    "line_across",
    "monotonicity_audit",
    "plane_cut",
    "plane_raster",
    "plane_regions",
    "predicted_in_steps",
    "projection_fidelity",
    "rank_columns",
    "raster",
    "regions",
    "rules",
    "scores",
    "separability",
    "slice_fidelity",
    "split_geometry",
    "split_search",
    "split_search_in_steps",
    "stopping_nodes",
    "suggest_directions",
    "supports",
    "violations",
]
