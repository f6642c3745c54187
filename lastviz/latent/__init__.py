"""Spaces to split in: rows -> :class:`LatentBasis`.

May import ``tree``, numpy, scipy, and scikit-learn for FastICA. A component that every row
has at zero is never offered. A new space is one function and its row in
:data:`LATENT_SPACES`.
"""

from lastviz.tree import LatentBasis

from .bases import LATENT_SPACES, LatentSpace, positions_along

__all__ = ["LATENT_SPACES", "LatentBasis", "LatentSpace", "positions_along"]
