"""Search for a node's split: the candidates, their scores, the selection rule, the winner.

May import ``tree``, ``criteria``, ``latent`` and what these may. Sorting happens once per
data set (:func:`presort`); a splitter answers for a node's rows, so the same code serves
growth and replay. A new way to split is one file here.
"""

from .binary.binary import BinarySearch as BinarySearch
from .binary.binary import BinarySplitter as BinarySplitter
from .binary.data import BinaryData as BinaryData
from .binary.data import BinaryLimits as BinaryLimits
from .binary.data import binary_data as binary_data
from .boosted.boosted import BoostedSearch as BoostedSearch
from .boosted.boosted import BoostedSplitter as BoostedSplitter
from .boosted.boosted import Slopes as Slopes
from .boosted.boosted import bin_cuts as bin_cuts
from .boosted.boosted import bin_values as bin_values
from .cells.presort import Presorted as Presorted
from .cells.presort import Unsorted as Unsorted
from .cells.presort import presort as presort
from .hybrid.hybrid import HybridSplitter as HybridSplitter
from .hybrid.hybrid import RuleChoice as RuleChoice
from .hybrid.hybrid import RuleSplitter as RuleSplitter
from .hybrid.hybrid import rule_of_c45 as rule_of_c45
from .latent import LatentFrame as LatentFrame
from .latent import LatentSearch as LatentSearch
from .latent import LatentSplitter as LatentSplitter
from .multiway.multiway import MixedChoice as MixedChoice
from .multiway.multiway import MixedSplitter as MixedSplitter
from .multiway.multiway import MixedTable as MixedTable
from .oblique.oblique_search import ObliqueMethod as ObliqueMethod
from .oblique.oblique_search import ObliqueSearchSplitter as ObliqueSearchSplitter
from .oblique.trajectory import Move as Move
from .oblique.trajectory import ObliqueSearch as ObliqueSearch
from .optimal.exact_search import ExactSearch as ExactSearch
from .optimal.optimal import Bounds as Bounds
from .optimal.optimal import OptimalSearch as OptimalSearch
from .optimal.optimal import OptimalSplitter as OptimalSplitter
from .rule import Blend as Blend
from .rule import ChoiceRule as ChoiceRule
from .rule import RuleTerm as RuleTerm
from .rule import Stage as Stage
from .rule import composed_rule as composed_rule
from .search import AnySplit as AnySplit
from .search import CandidateTable as CandidateTable
from .search import CategorySplit as CategorySplit
from .search import KernelSplit as KernelSplit
from .search import NodeContext as NodeContext
from .search import ObliqueSplit as ObliqueSplit
from .search import Search as Search
from .search import Split as Split
from .search import Splitter as Splitter
from .search import children_of as children_of
from .search import context_of as context_of
from .search import pulsing as pulsing
from .search import result_of as result_of
from .search import same_split as same_split
from .search import search_in as search_in
from .search import stored_split as stored_split
from .svm.kernel_svm import KernelSearch as KernelSearch
from .svm.kernel_svm import KernelSplitter as KernelSplitter
from .svm.kernel_svm import MachineChoice as MachineChoice
from .svm.kernel_svm import Parting as Parting
from .svm.kernel_svm import kernel_table as kernel_table
from .threshold.threshold import GivenSplitter as GivenSplitter
from .threshold.threshold import ThresholdSplitter as ThresholdSplitter
