"""In which order nodes are split, and when to stop.

May import ``splitters`` and what these may. Growth is a generator of events: fitting
exhausts it, progress and cancelling are the same loop. A new order is one file here.
"""

from .alternating import Alternation
from .binary_growth import BinaryGrowth
from .edited import EditedGrowth, Grown
from .families import FewerFeatures, SplitterFamily, binary_sprout, nodewise_sprout, stop_below
from .family import Family, Sprout
from .frontier_kernels import Stop
from .growth import Growth, GrowthEvent, SearchProgress, ThresholdGrowth
from .hybrid import HybridGrowth
from .latent_family import LatentFamily
from .latent_growth import LatentGrowth
from .nodewise import NodeSplitter, NodewiseGrowth
from .peeling import PeelGrowth
