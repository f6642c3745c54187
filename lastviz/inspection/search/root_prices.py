"""The price of every root: the fewest training errors of a tree that begins with each threshold."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from lastviz.splitters import ExactSearch, Presorted, presort, pulsing, result_of

BEYOND = 1.1  # times the fewest errors: what roots that make more are not told apart by


@dataclass(frozen=True, eq=False)
class RootPrices:
    """The fewest training errors of a tree of some depth with each candidate as its root."""

    feature: np.ndarray  # (n_candidates,) intp, as in the table of candidates of the node
    threshold: np.ndarray  # (n_candidates,) float64, the largest value of the first child
    errors: np.ndarray  # (n_candidates,) float64, NaN where they are above `most`
    depth: int
    fewest: int  # of all trees of the depth, a leaf included
    most: int  # up to which errors are told apart
    leaf_errors: int  # of the node as a leaf

    @property
    def near(self) -> int:
        """The most errors that are told apart and at most a tenth above the fewest."""
        return min(int(BEYOND * self.fewest), self.most)

    @property
    def close(self) -> int:
        """The most errors at most a hundredth above the fewest: ties alone below 100 errors."""
        return min(self.fewest * 101 // 100, self.most)

    def n_within(self, errors: float) -> int:
        """Return how many roots make at most so many errors, which must not be above `most`."""
        return int(np.count_nonzero(self.errors <= errors))


def root_prices(
    data: Presorted | np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    n_classes: int,
    *,
    depth: int = 3,
    beyond: float | None = BEYOND,
) -> RootPrices:
    """Return the fewest training errors of a tree of `depth` below each candidate of a node.

    Parameters
    ----------
    data : Presorted or ndarray of float64, shape (n_samples, n_features)
        Numbers without missing values.
    y : ndarray of intp, shape (n_samples,)
        Class indices.
    rows : ndarray of intp
        The rows of the node.
    n_classes : int
    depth : {2, 3}, default 3
    beyond : float or None, default 1.1
        Errors are told apart up to so many times the fewest; None: all are.

    Notes
    -----
    Exact, see :class:`~lastviz.splitters.ExactSearch`. The fewest errors are found first, in order
    to know where to stop; the prices take 4 to 23 times as long as that.
    """
    steps = root_prices_in_steps(data, y, rows, n_classes, depth=depth, beyond=beyond)
    return result_of(steps)


def price_of_root(
    X: np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    n_classes: int,
    feature: int,
    threshold: float,
    *,
    depth: int = 3,
) -> int:
    """Return the fewest training errors of a tree of `depth` 3 that begins with one split.

    Exact, and as fast as two searches of a level less.
    """
    left = X[rows, feature] <= threshold
    return sum(
        root_prices(X, y, side, n_classes, depth=depth - 1, beyond=1.0).fewest
        for side in (rows[left], rows[~left])
    )


def root_prices_in_steps(
    data: Presorted | np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    n_classes: int,
    *,
    depth: int = 3,
    beyond: float | None = BEYOND,
) -> Generator[float, None, RootPrices]:
    """Work out prices as :func:`root_prices` does; yield often what share of it is done."""
    rows = np.sort(np.asarray(rows, dtype=np.intp))
    here = data.take(rows) if isinstance(data, Presorted) else presort(np.asarray(data)[rows])
    labels = np.unique(np.asarray(y)[rows], return_inverse=True)[1]
    n_present = int(labels.max(initial=0)) + 1
    search = ExactSearch(here, labels, n_present, depth, fewest_leaves=False)
    fewest = (yield from pulsing(search.solve(search.words, depth), 0.0)).cost
    leaf_errors = search.leaf_cost(search.words)
    most = leaf_errors if beyond is None else min(int(beyond * fewest), leaf_errors)
    by_feature = []
    for f in range(here.n_features):
        steps = search.root_costs(search.words, f, depth, most + 1)
        costs = yield from pulsing(steps, f / here.n_features)
        by_feature.append(costs.astype(np.float64))
    errors = np.concatenate([*by_feature, np.zeros(0)])
    feature, position = np.nonzero(here.fresh[:, 1:])
    return RootPrices(
        feature=feature,
        threshold=here.columns[feature, here.order[feature, position]],
        errors=np.where(errors > most, np.nan, errors),
        depth=depth,
        fewest=int(fewest),
        most=most,
        leaf_errors=leaf_errors,
    )
