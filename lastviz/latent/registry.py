"""The latent spaces by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lastviz.tree import LatentBasis

from .independent import independent_components
from .orthogonal import features_themselves, principal_components, singular_vectors


@dataclass(frozen=True)
class LatentSpace:
    """A way to find a latent space.

    Attributes
    ----------
    title : str
        What people call it.
    component : str
        What people call one of its components.
    basis : callable
        Finite rows (n, n_features), n >= 1 -> LatentBasis.
    """

    title: str
    component: str
    basis: Callable[[np.ndarray], LatentBasis]


LATENT_SPACES: dict[str, LatentSpace] = {
    "svd": LatentSpace("SVD", "singular vector", singular_vectors),
    "pca": LatentSpace("PCA", "principal component", principal_components),
    "ica": LatentSpace("ICA", "independent component", independent_components),
    "none": LatentSpace("no change", "feature", features_themselves),
}
