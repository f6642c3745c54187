"""Questions to a fitted tree; the answers are frozen dataclasses of arrays.

May import everything from ``tree`` to ``estimators``, and no data set, figure or page.
A new question is one file and a line here.
"""

from .flips.flip import Flip, nearest, nearest_row
from .flips.leeway import METRICS, Leeway, leeway_of
from .forest import (
    ForestOverview,
    ForestRegions,
    VotesOfSample,
    class_supports,
    forest_overview,
    forest_regions,
    forest_regions_in_steps,
    predicted_in_steps,
)
from .growth import Divergence, GrowthFrames, divergence, growth_frames, last_reason
from .latent_view import LatentView, latent_regions, latent_splits, latent_view
from .matching import Change, TreeDiff, tree_diff
from .monotonicity import (
    CounterExample,
    MonotonicityAudit,
    comparable_pairs,
    has_thresholds,
    monotonicity_audit,
    monotonicity_audit_in_steps,
    single_step,
)
from .projections import Projection, best_projection, projection_fidelity
from .pruning_curves import (
    FAMILIES,
    CrossValidated,
    PrunedTrees,
    cross_validate_in_steps,
    least_and_one_error,
    pruned_trees,
)
from .regions.banded import Band, banded_regions
from .regions.growth_regions import GrowthRegions, Raised, growth_regions
from .regions.overlay import Overlay, grid_overlay, overlay, plane_nodes, regions_overlay
from .regions.raster import Raster, plane_raster, raster
from .regions.regions import Regions, plane_regions, regions, tree_regions
from .regions.slices import PlaneCut, cut_predictions, line_across, plane_cut, slice_fidelity
from .row_changes import RowChanges, row_changes
from .rules.explanation import SPREADS, STOPS, Explanation, explain
from .rules.rule_cover import MOST_COMBINATIONS, RuleCover, rule_cover
from .rules.rule_list import Rule, RuleList, rules
from .rules.rules import (
    Condition,
    MachineCondition,
    NominalCondition,
    ObliqueCondition,
    Supports,
    class_counts,
    condition_of,
    condition_steps,
    conditions,
    stopping_nodes,
    supports,
)
from .scores import NumberScores, Scores, number_scores, scores, spread_by_feature
from .search.candidates import (
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
from .search.card_numbers import card_candidate
from .search.feature_gains import feature_gains
from .search.replay import finds_stored_split, split_search, split_search_in_steps
from .search.split_geometry import (
    ClassMargin,
    ClassSpread,
    Dichotomy,
    Nearest,
    SplitGeometry,
    split_geometry,
)
from .search.ties import tied_candidates, tied_ranks
from .separability import SeparabilityStep, SeparabilitySteps, separability
from .textbook.entropy_prices import (
    PricedTree,
    literal_prices,
    optimal_prices,
    parting_prices,
    priced,
)
from .textbook.partition import MOST_CELLS, Partition, combinations, partition
from .textbook.regression import CutSums, ResponseSteps, Steps, cut_sums, response_steps, steps
from .textbook.worked_example import (
    RANKINGS,
    FeatureSums,
    ImpurityCurves,
    NodeSums,
    NominalTable,
    impurity_curves,
    node_sums,
)
from .violations import (
    SuggestedDirections,
    Violations,
    suggest_directions,
    violations,
    violations_in_steps,
)

__all__ = [
    "FAMILIES",
    "METRICS",
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
    "Change",
    "ClassMargin",
    "ClassSpread",
    "Condition",
    "CounterExample",
    "CrossValidated",
    "CutSums",
    "Dichotomy",
    "Divergence",
    "Explanation",
    "FeatureSums",
    "Flip",
    "ForestOverview",
    "ForestRegions",
    "GrowthFrames",
    "GrowthRegions",
    "ImpurityCurves",
    "LatentView",
    "Leeway",
    "MachineCondition",
    "MonotonicityAudit",
    "Nearest",
    "NodeSums",
    "NominalCondition",
    "NominalTable",
    "NumberScores",
    "ObliqueCondition",
    "Overlay",
    "Partition",
    "PlaneCut",
    "PricedTree",
    "Projection",
    "PrunedTrees",
    "Raised",
    "Raster",
    "Regions",
    "ResponseSteps",
    "RowChanges",
    "Rule",
    "RuleCover",
    "RuleList",
    "Scores",
    "SeparabilityStep",
    "SeparabilitySteps",
    "SplitGeometry",
    "Steps",
    "SuggestedDirections",
    "Supports",
    "TreeDiff",
    "Violations",
    "VotesOfSample",
    "agreement",
    "apply_rule",
    "banded_regions",
    "best_of_each_feature",
    "best_projection",
    "candidate_table",
    "card_candidate",
    "class_counts",
    "class_supports",
    "combinations",
    "comparable_pairs",
    "condition_of",
    "condition_steps",
    "conditions",
    "cross_validate_in_steps",
    "cut_predictions",
    "cut_sums",
    "divergence",
    "explain",
    "feature_gains",
    "finds_stored_split",
    "forest_overview",
    "forest_regions",
    "forest_regions_in_steps",
    "grid_overlay",
    "growth_frames",
    "growth_regions",
    "has_thresholds",
    "impurity_curves",
    "last_reason",
    "latent_regions",
    "latent_splits",
    "latent_view",
    "least_and_one_error",
    "leeway_of",
    "line_across",
    "literal_prices",
    "monotonicity_audit",
    "monotonicity_audit_in_steps",
    "nearest",
    "nearest_row",
    "node_sums",
    "number_scores",
    "optimal_prices",
    "overlay",
    "parting_prices",
    "partition",
    "plane_cut",
    "plane_nodes",
    "plane_raster",
    "plane_regions",
    "predicted_in_steps",
    "priced",
    "projection_fidelity",
    "pruned_trees",
    "rank_columns",
    "raster",
    "regions",
    "regions_overlay",
    "response_steps",
    "row_changes",
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
    "tied_candidates",
    "tied_ranks",
    "tree_diff",
    "tree_regions",
    "violations",
    "violations_in_steps",
]
