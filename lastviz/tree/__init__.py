"""A tree: the frozen table of its nodes, the log of its growth, the routing of samples.

May import: ``_numba``, ``_params``, ``_random`` and numpy. Every estimator ends in a
:class:`Tree`; a new kind of split adds a row to :class:`Kind`, its columns to
:class:`Tree` and its test to the routing kernel.
"""

from .basis import LatentBasis as LatentBasis
from .boxes import LeafBoxes as LeafBoxes
from .boxes import leaf_boxes as leaf_boxes
from .boxes import monotone_predictions as monotone_predictions
from .codes import Action as Action
from .codes import Kind as Kind
from .codes import Missing as Missing
from .codes import Reason as Reason
from .digits import decimals_of as decimals_of
from .digits import digits as digits
from .digits import threshold_decimals as threshold_decimals
from .kernel_splits import NO_MACHINES as NO_MACHINES
from .kernel_splits import FeatureScaling as FeatureScaling
from .kernel_splits import KernelFunction as KernelFunction
from .kernel_splits import KernelSplits as KernelSplits
from .tree import CategorySplits as CategorySplits
from .tree import GrowthLog as GrowthLog
from .tree import ObliqueSplits as ObliqueSplits
from .tree import ThresholdsInRows as ThresholdsInRows
from .tree import Tree as Tree
from .tree import branch_shares as branch_shares
from .tree import tree_of as tree_of
