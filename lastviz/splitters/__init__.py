"""Where to split one node: the candidates, their scores, the rule of choice, the winner.

May import ``tree``, ``criteria``, ``latent`` and what these may. Sorting happens once per
data set (:func:`presort`); a splitter answers for a node's rows, so the same code serves
growth and replay. A new way to split is one file here.
"""

from .hybrid import HybridSplitter
from .latent import LatentFrame, LatentSearch, LatentSplitter
from .oblique_search import ObliqueMethod, ObliqueSearchSplitter
from .presort import Presorted, presort
from .rule import Blend, Rule, Stage, Term
from .search import NodeContext, Search, Splitter, context_of
from .splits import ObliqueSplit, Split, same_split, stored_split
from .threshold import ThresholdSplitter
from .trajectory import Move, ObliqueSearch

__all__ = [
    "Blend",
    "HybridSplitter",
    "LatentFrame",
    "LatentSearch",
    "LatentSplitter",
    "Move",
    "NodeContext",
    "ObliqueMethod",
    "ObliqueSearch",
    "ObliqueSearchSplitter",
    "ObliqueSplit",
    "Presorted",
    "Rule",
    "Search",
    "Split",
    "Splitter",
    "Stage",
    "Term",
    "ThresholdSplitter",
    "context_of",
    "presort",
    "same_split",
    "stored_split",
]
