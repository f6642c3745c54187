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
    """A way to find a latent space."""

    title: str  # what people call it
    component: str  # what people call one of its components
    basis: Callable[[np.ndarray], LatentBasis]  # finite rows (n, n_features), n >= 1 -> LatentBasis


LATENT_SPACES: dict[str, LatentSpace] = {
    "svd": LatentSpace("SVD", "singular vector", singular_vectors),
    "pca": LatentSpace("PCA", "principal component", principal_components),
    "ica": LatentSpace("ICA", "independent component", independent_components),
    "none": LatentSpace("no change", "feature", features_themselves),
}
