"""Figures in one line, in scikit-learn's manner: ``BoundaryDisplay.from_estimator(tree, X, y)``.

A display reads the model and its rows once, and asks the functions of ``inspection`` and
``plots`` that the pages ask; ``plot`` draws, ``figure_`` is the plotly Figure. May import
everything up to ``plots``, never the pages or streamlit. A new display is one file and a line
here.
"""

from .boundary_display import BoundaryDisplay, show

__all__ = ["BoundaryDisplay", "show"]
