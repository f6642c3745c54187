"""Where to split one node: the candidates, their scores, the rule of choice, the winner.

May import ``tree``, ``criteria``, ``latent`` and what these may. Sorting happens once per
data set (:func:`presort`); a splitter answers for a node's rows, so the same code serves
growth and replay. A new way to split is one file here.
"""

from .hybrid import HybridSplitter
from .presort import Presorted, presort
from .rule import Blend, Rule, Stage, Term
from .search import Search, Split
from .threshold import ThresholdSplitter

__all__ = [
    "Blend",
    "HybridSplitter",
    "Presorted",
    "Rule",
    "Search",
    "Split",
    "Stage",
    "Term",
    "ThresholdSplitter",
    "presort",
]
