"""Questions to a fitted tree; the answers are frozen dataclasses of arrays.

May import everything from ``tree`` to ``estimators``, and no data set, figure or page.
A new question is one file and a line here.
"""

from .fidelity import slice_fidelity
from .growth import GrowthFrames, growth_frames, last_reason
from .latent_view import LatentView, latent_regions, latent_view
from .projections import Projection, best_projection, projection_fidelity
from .raster import Raster, plane_raster, raster
from .regions import Regions, plane_regions, regions
from .replay import finds_stored_split, split_search
from .rules import Condition, MachineCondition, ObliqueCondition, conditions
from .scores import Scores, scores
from .separability import SeparabilityStep, SeparabilitySteps, separability
from .telling import feature_gains

__all__ = [
    "Condition",
    "GrowthFrames",
    "LatentView",
    "MachineCondition",
    "ObliqueCondition",
    "Projection",
    "Raster",
    "Regions",
    "Scores",
    "SeparabilityStep",
    "SeparabilitySteps",
    "best_projection",
    "conditions",
    "feature_gains",
    "finds_stored_split",
    "growth_frames",
    "last_reason",
    "latent_regions",
    "latent_view",
    "plane_raster",
    "plane_regions",
    "projection_fidelity",
    "raster",
    "regions",
    "scores",
    "separability",
    "slice_fidelity",
    "split_search",
]
