"""Questions to a fitted tree; the answers are frozen dataclasses of arrays.

May import everything from ``tree`` to ``estimators``, and no data set, figure or page.
A new question is one file and a line here.
"""

from .fidelity import slice_fidelity
from .growth import GrowthFrames, growth_frames, last_reason
from .raster import Raster, raster
from .regions import Regions, regions
from .replay import finds_stored_split, split_search
from .rules import Condition, MachineCondition, ObliqueCondition, conditions
from .scores import Scores, scores
from .separability import SeparabilityStep, SeparabilitySteps, separability
from .telling import feature_gains

__all__ = [
    "Condition",
    "GrowthFrames",
    "MachineCondition",
    "ObliqueCondition",
    "Raster",
    "Regions",
    "Scores",
    "SeparabilityStep",
    "SeparabilitySteps",
    "conditions",
    "feature_gains",
    "finds_stored_split",
    "growth_frames",
    "last_reason",
    "raster",
    "regions",
    "scores",
    "separability",
    "slice_fidelity",
    "split_search",
]
