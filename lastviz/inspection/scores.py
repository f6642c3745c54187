"""How often a tree is right, on which classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Scores", "scores"]


@dataclass(frozen=True, eq=False)
class Scores:
    """True against predicted classes of some rows.

    Attributes
    ----------
    confusion : ndarray of intp, shape (n_classes, n_classes)
        Rows of each true class (first axis) by predicted class (second axis).
    """

    confusion: np.ndarray

    def __bool__(self) -> bool:
        """Whether there are any rows."""
        return self.n_samples > 0

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return int(self.confusion.sum())

    @property
    def n_right(self) -> int:
        """Number of rows whose predicted class is the true one."""
        return int(np.trace(self.confusion))

    @property
    def accuracy(self) -> float:
        """Share of rows that are right; NaN without rows."""
        return self.n_right / self.n_samples if self.n_samples else float("nan")

    @property
    def mean_absolute_error(self) -> float:
        """Mean distance of true and predicted class in the order of the classes; NaN without rows.

        MCDF eq 18.
        """
        places = np.arange(len(self.confusion))
        distance = np.abs(places[:, None] - places)
        return float((self.confusion * distance).sum() / self.n_samples) if self else float("nan")

    @property
    def accuracy_by_class(self) -> np.ndarray:
        """Share of each true class that is right, shape (n_classes,); NaN without rows."""
        totals = self.confusion.sum(axis=1)
        right = np.diagonal(self.confusion).astype(np.float64)
        return np.divide(right, totals, out=np.full(len(totals), np.nan), where=totals > 0)


def scores(y: np.ndarray, predicted: np.ndarray, n_classes: int) -> Scores:
    """Return how class indices `predicted` compare with the true ones, `y`."""
    pairs = np.asarray(y, dtype=np.intp) * n_classes + np.asarray(predicted, dtype=np.intp)
    counts = np.bincount(pairs, minlength=n_classes * n_classes)
    return Scores(counts.reshape(n_classes, n_classes))
