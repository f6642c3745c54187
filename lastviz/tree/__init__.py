"""What a tree is: the frozen table of its nodes, the log of its growth, routing of rows.

May import: ``_numba``, ``_params``, ``_random`` and numpy. Every estimator ends in a
:class:`Tree`; a new kind of split adds a row to :class:`Kind`, its columns to
:class:`Tree` and its test to the routing kernel.
"""

from .basis import LatentBasis
from .boxes import LeafBoxes, leaf_boxes, monotone_predictions
from .categories import CategorySplits
from .feature_scaling import FeatureScaling
from .growth_log import Action, GrowthLog, Reason
from .kernel_function import KernelFunction
from .kernel_splits import KernelSplits
from .oblique import ObliqueSplits
from .routing import branch_shares
from .tree import Kind, Missing, Tree

__all__ = [
    "Action",
    "CategorySplits",
    "FeatureScaling",
    "GrowthLog",
    "KernelFunction",
    "KernelSplits",
    "Kind",
    "LatentBasis",
    "LeafBoxes",
    "Missing",
    "ObliqueSplits",
    "Reason",
    "Tree",
    "branch_shares",
    "leaf_boxes",
    "monotone_predictions",
]
