"""Answers drawn: pure functions from arrays and dataclasses to plotly figures.

May import plotly, ``tree`` and the dataclasses of ``inspection``; never an estimator or
streamlit. ``theme.py`` holds all colours and sizes, ``marks.py`` all marks, ``panel.py``
makes figures of them. A new figure is one file with a function of the same name, and a
line here.
"""

from .boundary_and_tree_plot import boundary_and_tree_plot
from .boundary_plot import boundary_plot
from .class_counts_plot import class_counts_plot
from .confusion_plot import confusion_plot
from .encode import figure_json
from .equation import weighted_sum
from .flow_layout import FlowLayout, flow_layout
from .flow_tree_plot import flow_tree_plot
from .histogram_plot import histogram_plot
from .labels import Words, feature_html, node_html, number, split_words
from .points import Points, padded, surroundings
from .rule_words import rule_words
from .scatter_matrix_plot import scatter_matrix_plot
from .scatter_plot import scatter_plot
from .theme import THEMES, Theme, ThemeName, symbol

__all__ = [
    "THEMES",
    "FlowLayout",
    "Points",
    "Theme",
    "ThemeName",
    "Words",
    "boundary_and_tree_plot",
    "boundary_plot",
    "class_counts_plot",
    "confusion_plot",
    "feature_html",
    "figure_json",
    "flow_layout",
    "flow_tree_plot",
    "histogram_plot",
    "node_html",
    "number",
    "padded",
    "rule_words",
    "scatter_matrix_plot",
    "scatter_plot",
    "split_words",
    "surroundings",
    "symbol",
    "weighted_sum",
]
