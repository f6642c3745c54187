"""The sums of a least squares split on one feature, cut by cut, as a textbook writes them out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["CutSums", "cut_sums"]


@dataclass(frozen=True, eq=False)
class CutSums:
    """All cuts R1 = {x <= s}, R2 = {x > s} of some points; arrays of shape (n_cuts,).

    Attributes
    ----------
    s : ndarray of float64
        The largest x of R1, so that the cut lies between it and the next one.
    threshold : ndarray of float64
        The middle between the two.
    n_left, n_right : ndarray of intp
    c1, c2 : ndarray of float64
        Means of y on both sides.
    loss1, loss2, loss : ndarray of float64
        Sums of squared distances from them, and their sum (5.21).
    """

    s: np.ndarray
    threshold: np.ndarray
    n_left: np.ndarray
    n_right: np.ndarray
    c1: np.ndarray
    c2: np.ndarray
    loss1: np.ndarray
    loss2: np.ndarray

    @property
    def loss(self) -> np.ndarray:
        """The loss of each cut."""
        return self.loss1 + self.loss2

    @property
    def best(self) -> int:
        """The cut of smallest loss, the lowest of equal ones; -1 if there is none."""
        if len(self.s) == 0:
            return -1
        loss = self.loss
        return int(np.flatnonzero(loss <= loss.min() + 1e-12 * max(1.0, loss.min()))[0])


def cut_sums(x: np.ndarray, y: np.ndarray) -> CutSums:
    """Work out means and losses of every cut between two different values of `x`.

    Parameters
    ----------
    x, y : ndarray, shape (n,)
        In any order.

    Notes
    -----
    Li, Statistical Learning Methods, (5.19)-(5.21). O(n log n).
    """
    order = np.argsort(x, kind="stable")
    x, y = np.asarray(x, dtype=np.float64)[order], np.asarray(y, dtype=np.float64)[order]
    last = np.flatnonzero(np.diff(x) > 0)  # the last row of R1
    n_left = last + 1
    n_right = len(x) - n_left
    shift = y.mean() if len(y) else 0.0  # sums of squares of small numbers lose no digits
    sums, squares = np.cumsum(y - shift), np.cumsum(np.square(y - shift))
    left, right = sums[last], sums[-1:] - sums[last]
    square_left, square_right = squares[last], squares[-1:] - squares[last]
    return CutSums(
        s=x[last],
        threshold=x[last] / 2.0 + x[last + 1] / 2.0,
        n_left=n_left,
        n_right=n_right,
        c1=shift + left / n_left,
        c2=shift + right / n_right,
        loss1=np.maximum(square_left - np.square(left) / n_left, 0.0),
        loss2=np.maximum(square_right - np.square(right) / n_right, 0.0),
    )
