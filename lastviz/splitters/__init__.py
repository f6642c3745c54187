"""Where to split one node: the candidates, their scores, the selection rule, the winner.

May import ``tree``, ``criteria``, ``latent`` and what these may. Sorting happens once per
data set (:func:`presort`); a splitter answers for a node's rows, so the same code serves
growth and replay. A new way to split is one file here.
"""

from .binary.binary import BinarySearch, BinarySplitter
from .binary.data import BinaryData, BinaryLimits, binary_data
from .boosted.boosted import BoostedSearch, BoostedSplitter, Slopes, bin_cuts, binned
from .cells.presort import Presorted, Unsorted, presort
from .hybrid.hybrid import HybridSplitter
from .hybrid.rule_splitter import RuleChoice, RuleSplitter, rule_of_c45
from .latent import LatentFrame, LatentSearch, LatentSplitter
from .multiway.candidates import MixedTable
from .multiway.multiway import MixedChoice, MixedSplitter
from .oblique.oblique_search import ObliqueMethod, ObliqueSearchSplitter
from .oblique.trajectory import Move, ObliqueSearch
from .optimal.exact_search import ExactSearch
from .optimal.optimal import OptimalSearch, OptimalSplitter
from .rule import Blend, ChoiceRule, Stage, Term, composed_rule
from .search import (
    CandidateTable,
    NodeContext,
    Search,
    Splitter,
    children_of,
    context_of,
    result_of,
    search_in,
)
from .splits import (
    AnySplit,
    CategorySplit,
    KernelSplit,
    ObliqueSplit,
    Split,
    same_split,
    stored_split,
)
from .svm.kernel_svm import KernelSearch, KernelSplitter, MachineChoice, Parting, kernel_table
from .threshold.given import GivenSplitter
from .threshold.threshold import ThresholdSplitter

__all__ = [
    "AnySplit",
    "BinaryData",
    "BinaryLimits",
    "BinarySearch",
    "BinarySplitter",
    "Blend",
    "BoostedSearch",
    "BoostedSplitter",
    "CandidateTable",
    "CategorySplit",
    "ChoiceRule",
    "ExactSearch",
    "GivenSplitter",
    "HybridSplitter",
    "KernelSearch",
    "KernelSplit",
    "KernelSplitter",
    "LatentFrame",
    "LatentSearch",
    "LatentSplitter",
    "MachineChoice",
    "MixedChoice",
    "MixedSplitter",
    "MixedTable",
    "Move",
    "NodeContext",
    "ObliqueMethod",
    "ObliqueSearch",
    "ObliqueSearchSplitter",
    "ObliqueSplit",
    "OptimalSearch",
    "OptimalSplitter",
    "Parting",
    "Presorted",
    "RuleChoice",
    "RuleSplitter",
    "Search",
    "Slopes",
    "Split",
    "Splitter",
    "Stage",
    "Term",
    "ThresholdSplitter",
    "Unsorted",
    "bin_cuts",
    "binary_data",
    "binned",
    "children_of",
    "composed_rule",
    "context_of",
    "kernel_table",
    "presort",
    "result_of",
    "rule_of_c45",
    "same_split",
    "search_in",
    "stored_split",
]
