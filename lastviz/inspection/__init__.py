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
from .entropy_prices import PricedTree, literal_prices, optimal_prices, parting_prices, priced
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
from .monotonicity import (
    CounterExample,
    MonotonicityAudit,
    comparable_pairs,
    has_thresholds,
    monotonicity_audit,
    monotonicity_audit_in_steps,
    single_step,
)
from .number_scores import NumberScores, number_scores, spread_by_feature
from .partition import MOST_CELLS, Partition, combinations, partition
from .plane_cut import PlaneCut, line_across, plane_cut
from .projections import Projection, best_projection, projection_fidelity
from .raster import Raster, plane_raster, raster
from .regions import Regions, plane_regions, regions, tree_regions
from .replay import finds_stored_split, split_search, split_search_in_steps
from .response import ResponseSteps, response_steps
from .rule_cover import MOST_COMBINATIONS, RuleCover, rule_cover
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
from .steps import Steps, steps
from .telling import feature_gains
from .violations import (
    SuggestedDirections,
    Violations,
    suggest_directions,
    violations,
    violations_in_steps,
)
from .worked_cuts import CutSums, cut_sums
from .worked_example import (
    RANKINGS,
    FeatureSums,
    ImpurityCurves,
    NodeSums,
    NominalTable,
    impurity_curves,
    node_sums,
)

__all__ = [
    "MOST_CELLS",
    "MOST_COMBINATIONS",
    "RANKINGS",
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
    "CutSums",
    "Dichotomy",
    "Divergence",
    "Explanation",
    "FeatureSums",
    "ForestOverview",
    "ForestRegions",
    "GrowthFrames",
    "GrowthRegions",
    "ImpurityCurves",
    "LatentView",
    "MachineCondition",
    "MonotonicityAudit",
    "Nearest",
    "NodeSums",
    "NominalCondition",
    "NominalTable",
    "NumberScores",
    "ObliqueCondition",
    "Partition",
    "PlaneCut",
    "PricedTree",
    "Projection",
    "Raised",
    "Raster",
    "Regions",
    "ResponseSteps",
    "Rule",
    "RuleCover",
    "Scores",
    "SeparabilityStep",
    "SeparabilitySteps",
    "SplitGeometry",
    "Steps",
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
    "combinations",
    "comparable_pairs",
    "condition_of",
    "conditions",
    "cut_predictions",
    "cut_sums",
    "divergence",
    "explain",
    "feature_gains",
    "finds_stored_split",
    "forest_overview",
    "forest_regions",
    "forest_regions_in_steps",
    "growth_frames",
    "growth_regions",
    "has_thresholds",
    "impurity_curves",
    "last_reason",
    "latent_regions",
    "latent_splits",
    "latent_view",
    "line_across",
    "literal_prices",
    "monotonicity_audit",
    "monotonicity_audit_in_steps",
    "node_sums",
    "number_scores",
    "optimal_prices",
    "parting_prices",
    "partition",
    "plane_cut",
    "plane_raster",
    "plane_regions",
    "predicted_in_steps",
    "priced",
    "projection_fidelity",
    "rank_columns",
    "raster",
    "regions",
    "response_steps",
    "rule_cover",
    "rules",
    "scores",
    "separability",
    "single_step",
    "slice_fidelity",
    "split_geometry",
    "split_search",
    "split_search_in_steps",
    "spread_by_feature",
    "steps",
    "stopping_nodes",
    "suggest_directions",
    "supports",
    "tree_regions",
    "violations",
    "violations_in_steps",
]
