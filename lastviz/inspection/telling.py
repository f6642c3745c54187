"""Which features tell the classes apart by themselves."""

from __future__ import annotations

import numpy as np

from lastviz.estimators import CARTClassifier
from lastviz.splitters import Presorted

__all__ = ["feature_gains"]


def feature_gains(presorted: Presorted, y: np.ndarray, n_classes: int) -> np.ndarray:
    """Return the largest Gini gain that one threshold of each feature reaches on all rows.

    Parameters
    ----------
    presorted : Presorted
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    n_classes : int

    Returns
    -------
    ndarray, shape (n_features,)
        0 for a constant feature. O(n_features n_samples).
    """
    splitter = CARTClassifier().splitter_on(presorted, y, n_classes)
    search = splitter.search(splitter.root())
    gains = np.zeros(presorted.X.shape[1])
    np.maximum.at(gains, search.feature, search.columns["gini"])
    return gains
