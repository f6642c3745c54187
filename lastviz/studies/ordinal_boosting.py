"""Gradient boosting for ordered classes: a library's, once for each border between classes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

import numpy as np
from threadpoolctl import threadpool_limits

from lastviz._extras import wanted

__all__ = ["OrdinalBoosting"]


class OrdinalBoosting:
    """Says of each border between classes whether a row lies above it, and counts.

    Constraints of monotonicity mean nothing, or are not to be had, for more than two classes; each
    border has two sides, and a sum of monotone answers is monotone.

    Parameters
    ----------
    monotonic_cst : sequence of {1, -1, 0}, optional
        Direction of each feature; no promise if None.
    max_iter : int, default 100
        Trees for each border.
    random_state : int, default 0
    library : {"scikit-learn", "lightgbm"}, default "scikit-learn"
        Whose boosting; the second need not be installed for the first.

    References
    ----------
    Frank, E. and Hall, M. (2001). A simple approach to ordinal classification. ECML, 145-156.
    """

    def __init__(
        self,
        monotonic_cst: Sequence[int] | None = None,
        max_iter: int = 100,
        random_state: int = 0,
        library: str = "scikit-learn",
    ) -> None:
        self.monotonic_cst = monotonic_cst
        self.max_iter = max_iter
        self.random_state = random_state
        self.library = library

    def fit(self, X: np.ndarray, y: np.ndarray) -> OrdinalBoosting:
        """Fit on class indices `y` (n_samples,) from low to high."""
        self.borders_ = np.unique(y)
        with _one_thread():
            self.models_ = [self._one().fit(X, y > border) for border in self.borders_[:-1]]
        return self

    def _one(self) -> object:
        """Return a model of one border, not fitted."""
        # Imported where it is needed: it would slow the start of the app down.
        if self.library == "lightgbm":
            return wanted("lightgbm", "library='lightgbm'").LGBMClassifier(
                n_estimators=self.max_iter,
                monotone_constraints=self.monotonic_cst,
                random_state=self.random_state,
                **{"n_jobs": 1, "deterministic": True, "force_row_wise": True, "verbosity": -1},
            )
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(
            monotonic_cst=self.monotonic_cst,
            max_iter=self.max_iter,
            early_stopping=False,
            random_state=self.random_state,
        )

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the class index of each row."""
        above = np.zeros(len(X), dtype=np.intp)
        with _one_thread():
            for model in self.models_:
                above += model.predict(X)
        return self.borders_[above]


def _one_thread() -> AbstractContextManager:
    """Keep boosting to one thread: on small data and a busy machine several wait for each other."""
    return threadpool_limits(1, user_api="openmp")
