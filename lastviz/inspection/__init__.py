"""Questions to a fitted tree; the answers are frozen dataclasses of arrays.

May import everything from ``tree`` to ``estimators``, and no data set, figure or page.
A new question is one file and a line here.
"""

from .fidelity import slice_fidelity
from .growth import GrowthFrames, growth_frames
from .regions import Regions, regions
from .replay import split_search
from .rules import Condition, conditions

__all__ = [
    "Condition",
    "GrowthFrames",
    "Regions",
    "conditions",
    "growth_frames",
    "regions",
    "slice_fidelity",
    "split_search",
]
