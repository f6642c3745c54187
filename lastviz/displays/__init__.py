"""Figures in one line, in scikit-learn's manner: ``BoundaryDisplay.from_estimator(tree, X, y)``.

A display reads the model and its rows once, and asks the functions of ``inspection`` and
``plots`` that the pages ask; ``plot`` draws, ``figure_`` is the plotly Figure. May import
everything up to ``plots``, never the pages or streamlit. A new display is one file and a line
here.
"""

from .boundary_display import BoundaryDisplay, show
from .growth_display import GrowthDisplay
from .hyperplane_display import HyperplaneDisplay, search_drawing
from .node_candidates import NodeCandidates, as_cut, basis_of, candidate_of, lab_drawing
from .split_display import SplitDisplay
from .tree_display import PruningDisplay, TreeDisplay, error_curve

__all__ = [
    "BoundaryDisplay",
    "GrowthDisplay",
    "HyperplaneDisplay",
    "NodeCandidates",
    "PruningDisplay",
    "SplitDisplay",
    "TreeDisplay",
    "as_cut",
    "basis_of",
    "candidate_of",
    "error_curve",
    "lab_drawing",
    "search_drawing",
    "show",
]
