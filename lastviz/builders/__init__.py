"""In which order nodes are split, and when to stop.

May import ``splitters`` and what these may. Growth is a generator of events: fitting
exhausts it, progress and cancelling are the same loop. A new order is one file here.
"""

from .alternating import Alternation, PeelGrowth
from .binary_growth import BinaryGrowth
from .edited import EditedGrowth, Grown
from .family import (
    Family,
    FewerFeatures,
    SplitterFamily,
    Sprout,
    binary_sprout,
    nodewise_sprout,
    stop_below,
)
from .frontier_kernels import Stop
from .growth import Growth, GrowthEvent, SearchProgress, ThresholdGrowth
from .hybrid_growth import HybridGrowth
from .latent_growth import LatentFamily, LatentGrowth
from .nodewise import NodeSplitter, NodewiseGrowth
