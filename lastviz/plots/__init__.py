"""Answers drawn: pure functions from arrays and dataclasses to plotly figures.

May import plotly, ``tree`` and the dataclasses of ``inspection``; never an estimator or
streamlit. ``theme.py`` holds all colours and sizes, ``marks.py`` all marks, ``panel.py``
makes figures of them. A new figure is one file with a function of the same name, and a
line here.
"""

from .agreement_plot import agreement_plot
from .best_tests_plot import best_tests_plot
from .boundary_and_tree_plot import boundary_and_tree_plot
from .boundary_plot import boundary_plot
from .category_tree_plot import branch_words, category_tree_plot
from .class_counts_plot import class_counts_plot
from .conditional_plot import conditional_plot
from .confusion_plot import confusion_plot
from .contradictions_plot import contradictions_plot
from .cost_curve_plot import cost_curve_plot
from .counter_example_plot import counter_example_plot
from .critical_difference_plot import critical_difference_plot
from .cut_plane_plot import Arrow, cut_plane_plot
from .difference_plot import difference_plot
from .draw_plot import DrawnRows, DrawWords, draw_plot
from .feature_strips_plot import feature_strips_plot
from .flow_tree_plot import flow_tree_plot
from .forest_overview_plot import forest_overview_plot
from .forest_plot import forest_plot, region_borders
from .forest_trees_plot import forest_trees_plot
from .growth_plot import growth_plot, growth_values_plot
from .histogram_plot import histogram_plot
from .hyperplane_search_plot import Moves, across, along, hyperplane_search_plot
from .icicle_plot import icicle_layout, icicle_plot
from .impurity_curves_plot import Curve, impurity_curves_plot
from .inclusion_plot import INCLUSION_LEVELS, inclusion_plot
from .intervals_plot import Intervals, intervals_plot
from .landscape_plot import LandscapeMark, landscape_plot
from .level_plot import LevelSeries, level_plot
from .loadings_plot import loadings_plot
from .node_histograms_plot import NodeFeature, node_histograms_plot
from .node_link_plot import node_link_plot
from .paired_results_plot import paired_results_plot
from .partition_plot import partition_plot
from .pixels_plot import TestedPixel, pixels_plot
from .plane_lines_plot import plane_lines_plot
from .posterior_plot import posterior_plot, posterior_triangle_plot
from .pruned_tree_plot import pruned_tree_plot
from .pruning_curve_plot import ErrorCurve, OtherPruner, PruningWords, pruning_curve_plot
from .rank_curves_plot import rank_curves_plot
from .regression_plane_plot import regression_plane_plot
from .regression_plot import regression_plot
from .regression_steps_plot import cut_losses_plot, regression_steps_plot
from .reliability_plot import reliability_plot
from .rule_tree_plot import rule_layout, rule_tree_plot
from .scatter_matrix_plot import scatter_matrix_plot
from .scatter_plot import scatter_plot
from .singular_values_plot import singular_values_plot
from .size_accuracy_plot import size_accuracy_plot, unbeaten
from .split_lab_plot import split_lab_plot
from .study_curves_plot import StudyCurve, learning_curve_plot, time_plot
from .successive_splits_plot import successive_splits_plot
from .value_counts_plot import value_counts_plot
from .visuals.bands import AxisBands
from .visuals.colours import close_pairs, contrast
from .visuals.distance_traces import distance_traces
from .visuals.drawing import Drawing
from .visuals.encode import PLACES, exact_array, figure_json, typed_array
from .visuals.flow_layout import FlowLayout, flow_layout
from .visuals.flow_traces import Outline
from .visuals.plane import Plane, lay_plane, usual_values
from .visuals.plane_axes import PlaneAxis, crowding, side_by_side, stands_on_axis, without_overlaps
from .visuals.points import Bounds, Points, padded, surroundings
from .visuals.rule_rows import RuleTreeWords
from .visuals.rule_words import condition_words, rule_words
from .visuals.score_strips import CandidateCurves, Strip
from .visuals.theme import THEMES, Theme, ThemeName, mix, symbol, template, with_hues
from .visuals.words import (
    Words,
    category_words,
    class_titles,
    feature_html,
    hyperplane_words,
    largest_first,
    machine_words,
    node_html,
    number,
    plain_split,
    split_words,
    weighted_sum,
    words_of_split,
)
from .vote_share_plot import vote_share_plot

__all__ = [
    "INCLUSION_LEVELS",
    "PLACES",
    "THEMES",
    "Arrow",
    "AxisBands",
    "Bounds",
    "CandidateCurves",
    "Curve",
    "DrawWords",
    "Drawing",
    "DrawnRows",
    "ErrorCurve",
    "FlowLayout",
    "Intervals",
    "LandscapeMark",
    "LevelSeries",
    "Moves",
    "NodeFeature",
    "OtherPruner",
    "Outline",
    "Plane",
    "PlaneAxis",
    "Points",
    "PruningWords",
    "RuleTreeWords",
    "Strip",
    "StudyCurve",
    "TestedPixel",
    "Theme",
    "ThemeName",
    "Words",
    "across",
    "agreement_plot",
    "along",
    "best_tests_plot",
    "boundary_and_tree_plot",
    "boundary_plot",
    "branch_words",
    "category_tree_plot",
    "category_words",
    "class_counts_plot",
    "class_titles",
    "close_pairs",
    "condition_words",
    "conditional_plot",
    "confusion_plot",
    "contradictions_plot",
    "contrast",
    "cost_curve_plot",
    "counter_example_plot",
    "critical_difference_plot",
    "crowding",
    "cut_losses_plot",
    "cut_plane_plot",
    "difference_plot",
    "distance_traces",
    "draw_plot",
    "exact_array",
    "feature_html",
    "feature_strips_plot",
    "figure_json",
    "flow_layout",
    "flow_tree_plot",
    "forest_overview_plot",
    "forest_plot",
    "forest_trees_plot",
    "growth_plot",
    "growth_values_plot",
    "histogram_plot",
    "hyperplane_search_plot",
    "hyperplane_words",
    "icicle_layout",
    "icicle_plot",
    "impurity_curves_plot",
    "inclusion_plot",
    "intervals_plot",
    "landscape_plot",
    "largest_first",
    "lay_plane",
    "learning_curve_plot",
    "level_plot",
    "loadings_plot",
    "machine_words",
    "mix",
    "node_histograms_plot",
    "node_html",
    "node_link_plot",
    "number",
    "padded",
    "paired_results_plot",
    "partition_plot",
    "pixels_plot",
    "plain_split",
    "plane_lines_plot",
    "posterior_plot",
    "posterior_triangle_plot",
    "pruned_tree_plot",
    "pruning_curve_plot",
    "rank_curves_plot",
    "region_borders",
    "regression_plane_plot",
    "regression_plot",
    "regression_steps_plot",
    "reliability_plot",
    "rule_layout",
    "rule_tree_plot",
    "rule_words",
    "scatter_matrix_plot",
    "scatter_plot",
    "side_by_side",
    "singular_values_plot",
    "size_accuracy_plot",
    "split_lab_plot",
    "split_words",
    "stands_on_axis",
    "successive_splits_plot",
    "surroundings",
    "symbol",
    "template",
    "time_plot",
    "typed_array",
    "unbeaten",
    "usual_values",
    "value_counts_plot",
    "vote_share_plot",
    "weighted_sum",
    "with_hues",
    "without_overlaps",
    "words_of_split",
]
