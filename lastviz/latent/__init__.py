"""Spaces to split in: rows -> :class:`LatentBasis`.

May import ``tree``, numpy, scipy, and scikit-learn for FastICA. A component that every row
has at zero is never offered. A new space is one function and its row in
:data:`LATENT_SPACES`.
"""

from lastviz.tree import LatentBasis

from .positions import positions_along
from .registry import LATENT_SPACES, LatentSpace

__all__ = ["LATENT_SPACES", "LatentBasis", "LatentSpace", "positions_along"]
