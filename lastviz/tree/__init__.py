"""What a tree is: the frozen table of its nodes, the log of its growth, routing of rows.

May import: ``_numba``, ``_params``, ``_random`` and numpy. Every estimator ends in a
:class:`Tree`; a new kind of split adds a row to :class:`Kind`, its columns to
:class:`Tree` and its test to the routing kernel.
"""

from .basis import LatentBasis as LatentBasis
from .boxes import LeafBoxes as LeafBoxes
from .boxes import leaf_boxes as leaf_boxes
from .boxes import monotone_predictions as monotone_predictions
from .categories import CategorySplits as CategorySplits
from .digits import decimals_by_rows as decimals_by_rows
from .digits import decimals_of as decimals_of
from .digits import digits as digits
from .digits import threshold_decimals as threshold_decimals
from .growth_log import Action as Action
from .growth_log import GrowthLog as GrowthLog
from .growth_log import Reason as Reason
from .kernel_splits import FeatureScaling as FeatureScaling
from .kernel_splits import KernelFunction as KernelFunction
from .kernel_splits import KernelSplits as KernelSplits
from .kernel_splits import ObliqueSplits as ObliqueSplits
from .tree import Kind as Kind
from .tree import Missing as Missing
from .tree import Tree as Tree
from .tree import branch_shares as branch_shares
from .tree import tree_of as tree_of
