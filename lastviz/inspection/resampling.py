"""Would other rows have grown the same tree: an algorithm run again on resampled rows."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from lastviz._random import ROOT_KEY, child_keys, node_rng
from lastviz.estimators import TreeClassifier
from lastviz.tree import Kind, Tree

from .forest import check_answered
from .matching_kernels import MATCHED, most_alike, shared_rows
from .monotonicity import codes_of

if TYPE_CHECKING:
    import pandas as pd

STABILITY_KEY = child_keys(ROOT_KEY, np.asarray(0x57AB))
MOST_EXAMINED = 2000  # nodes of the tree in question that are looked for in each refit
LEAF, SLANTED, ABSENT = -1, -2, -3  # in place of the feature of a node of a refit


@dataclass(frozen=True, eq=False)
class Stability:
    """Stability of a fitted tree over refits on resampled data."""

    n_refits: int  # refits so far
    # (n_samples, n_classes) intp, how many refits give each class to each row of the original data.
    votes: np.ndarray
    # (n_places, n_classes) intp, the same for the places that were asked about.
    place_votes: np.ndarray
    # (n_refits,) float64, error of each refit on the rows that it has not seen (out of bag); NaN if
    # it saw all.
    errors: np.ndarray
    n_leaves: np.ndarray  # (n_refits,) intp, leaves of each refit
    # (n_classes,) intp, how many refits drew no row of each class, and know the other classes
    # alone.
    n_lacking: np.ndarray
    # (n_examined,) intp, the nodes of the tree in question that were looked for: those at the top
    # if they are many.
    node: np.ndarray
    # (n_refits, n_examined) intp, what the counterpart of a node in a refit splits: the feature,
    # LEAF if it does not split, SLANTED if it weighs several features or machines decide, ABSENT if
    # it has no counterpart.
    feature: np.ndarray
    # (n_refits, n_examined) float64, of the counterpart; NaN where it has no threshold of one
    # feature.
    threshold: np.ndarray

    @property
    def certainty(self) -> np.ndarray:
        """Share of the refits that give the most frequent class, for each row."""
        return self.votes.max(axis=1) / self.n_refits

    @property
    def agreement(self) -> float:
        """Probability that two refits agree on a random sample; NaN for one refit."""
        pairs = self.n_refits * (self.n_refits - 1)
        if not pairs:
            return float("nan")
        return float(np.mean((self.votes * (self.votes - 1)).sum(axis=1)) / pairs)

    @property
    def error(self) -> float:
        """Mean of the refits' errors out of bag; NaN if none has rows out of bag."""
        known = self.errors[~np.isnan(self.errors)]
        return float(known.mean()) if len(known) else float("nan")

    @property
    def standard_error(self) -> float:
        """Largest standard error of any share of the refits: 1 / (2 sqrt(n_refits))."""
        return 0.5 / np.sqrt(self.n_refits)

    @property
    def found(self) -> np.ndarray:
        """Share of the refits that have a counterpart of each examined node."""
        return np.mean(self.feature != ABSENT, axis=0)

    def error_interval(self, share: float = 0.9) -> tuple[float, float]:
        """Interval of the middle `share` of the refits' errors."""
        known = self.errors[~np.isnan(self.errors)]
        if not len(known):
            return float("nan"), float("nan")
        low, high = np.quantile(known, [(1 - share) / 2, (1 + share) / 2])
        return float(low), float(high)

    def features_of(self, node: int) -> dict[int, float]:
        """Features that a node's counterparts split, with shares, largest share first.

        Keys are features, LEAF or SLANTED; the shares are those of the refits in which the node
        was found. Empty if it never was, or was not examined.
        """
        chosen = self._of(self.feature, node)
        found = chosen[chosen != ABSENT]
        keys, counts = np.unique(found, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        return {int(keys[i]): float(counts[i] / len(found)) for i in order}

    def thresholds_of(self, node: int, feature: int) -> np.ndarray:
        """Thresholds at which the counterparts of a node split a feature, rising."""
        chosen = self._of(self.feature, node) == feature
        return np.sort(self._of(self.threshold, node)[chosen])

    def _of(self, table: np.ndarray, node: int) -> np.ndarray:
        at = int(np.searchsorted(self.node, node))
        if at == len(self.node) or self.node[at] != node:
            return table[:0, 0]
        return table[:, at]


def stability(
    est: TreeClassifier,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    n_refits: int = 100,
    at: np.ndarray | None = None,
    *,
    random_state: int = 0,
    beside: Mapping[str, object] | None = None,
    sample_weight: ArrayLike | None = None,
) -> Iterator[Stability]:
    """Refit an algorithm on resampled data, yielding the stability so far each time.

    Parameters
    ----------
    est : TreeClassifier
        Fitted on `X` and `y`: its tree is the one in question, its parameters are those of the
        refits.
    X : array-like or DataFrame, shape (n_samples, n_features)
        Nominal columns have a categorical dtype, so that all refits know their categories.
    y : array-like, shape (n_samples,)
    n_refits : int, default 100
    at : ndarray, shape (n_places, n_features), optional
        Places that the refits are asked about, encoded as the tree reads them.
    random_state : int, default 0
        Seed of the draws.
    beside : mapping, optional
        What else `fit` is given, the same for all refits.
    sample_weight : array-like, shape (n_samples,), optional
        How often the rows count, where the algorithm takes weights; a drawn row keeps its own.

    Raises
    ------
    ValueError
        If the model is no single tree of classes, or `n_refits` is less than 1.

    Notes
    -----
    A refit learns from n_samples rows drawn with replacement (Efron 1979; for trees Breiman
    1996). Each draw has a generator of its own, so the first 20 of 100 refits are those of 20. A
    draw that misses a class grows a tree of the others. Where costs decide, they do in refits, too.

    The counterpart of a node is the node of the refit with the largest overlap (Jaccard index)
    of all original rows, if that is at least 0.5; so the root is always found. A share of B
    refits has a standard error of at most 1 / (2 sqrt(B)). O(n_nodes n_nodes') a refit beside the
    fit itself.
    """
    steps = stability_in_steps(
        est, X, y, n_refits, at,
        random_state=random_state, beside=beside, sample_weight=sample_weight,
    )  # fmt: skip
    return (found for found in steps if found is not None)


def stability_in_steps(
    est: TreeClassifier,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    n_refits: int = 100,
    at: np.ndarray | None = None,
    *,
    random_state: int = 0,
    beside: Mapping[str, object] | None = None,
    sample_weight: ArrayLike | None = None,
) -> Generator[Stability | None, None, None]:
    """As :func:`stability`; yields None while a long search of a refit goes on."""
    tree = getattr(est, "tree_", None)
    if not isinstance(tree, Tree) or tree.is_regression:
        raise ValueError(f"est must be a fitted classifier with one tree, got {type(est).__name__}")
    if n_refits < 1:
        raise ValueError(f"n_refits must be at least 1, got {n_refits}")
    tally = _Tally(est, X, y, at)
    for number in range(n_refits):
        rows = resampled_rows(len(tally.codes), number, random_state)
        refit = type(est)(**est.get_params())
        given = _taken(X, rows), np.asarray(y)[rows]
        more = dict(beside or {})
        if sample_weight is not None:
            more["sample_weight"] = np.asarray(sample_weight)[rows]
        if est.TAGS.hyperplanes:
            for _ in refit.grow(*given, **more):
                yield None
        else:
            refit.fit(*given, **more)
        tally.count(refit, rows)
        yield tally.so_far()


def resampled_rows(n_samples: int, number: int, random_state: int = 0) -> np.ndarray:
    """Rows of the draw `number` (0, 1, ...): n_samples with replacement, rising."""
    rng = node_rng(random_state, int(child_keys(STABILITY_KEY, np.asarray(number))))
    return np.sort(rng.integers(0, n_samples, n_samples))


def _taken(X: ArrayLike | pd.DataFrame, rows: np.ndarray) -> np.ndarray | pd.DataFrame:
    return X.iloc[rows] if hasattr(X, "iloc") else np.asarray(X)[rows]


class _Tally:
    """The counts of all refits so far."""

    def __init__(
        self, est: TreeClassifier, X: ArrayLike | pd.DataFrame, y: ArrayLike, at: np.ndarray | None
    ) -> None:
        self.classes = est.classes_.tolist()
        self.X = est.encode(X)
        self.at = np.empty((0, self.X.shape[1])) if at is None else np.asarray(at, dtype=float)
        check_answered(self.at, [est.tree_])
        place = {label: code for code, label in enumerate(self.classes)}
        self.codes = np.array([place[label] for label in np.asarray(y).tolist()], dtype=np.intp)
        self.names, self.costs = getattr(est, "categories_", None), est.tree_.costs
        self.node, self.parent, self.stop = _examined(est.tree_, est.tree_.apply(self.X))
        self.votes = np.zeros((len(self.X), len(self.classes)), dtype=np.intp)
        self.place_votes = np.zeros((len(self.at), len(self.classes)), dtype=np.intp)
        self.n_lacking = np.zeros(len(self.classes), dtype=np.intp)
        self.refits: list[tuple[float, int, np.ndarray, np.ndarray]] = []

    def count(self, refit: TreeClassifier, rows: np.ndarray) -> None:
        """Let a refit vote, judge it out of bag, look for the nodes in it."""
        if getattr(refit, "categories_", None) != self.names:
            raise ValueError(
                "nominal columns of X must have a categorical dtype: the refits do not agree on "
                "their categories"
            )
        tree = refit.tree_
        codes = np.array([self.classes.index(label) for label in refit.classes_.tolist()])
        if self.costs is not None:
            refit = refit.with_costs(self.costs[np.ix_(codes, codes)])
        label = codes[codes_of(refit, self.X)]
        self.votes[np.arange(len(label)), label] += 1
        if len(self.at):
            self.place_votes[np.arange(len(self.at)), codes[codes_of(refit, self.at)]] += 1
        self.n_lacking += np.bincount(self.codes[rows], minlength=len(self.classes)) == 0
        unseen = np.ones(len(label), dtype=bool)
        unseen[rows] = False
        wrong = label[unseen] != self.codes[unseen]
        error = float(wrong.mean()) if len(wrong) else float("nan")
        self.refits.append((error, tree.n_leaves, *self._counterparts(tree)))

    def _counterparts(self, tree: Tree) -> tuple[np.ndarray, np.ndarray]:
        """Feature and threshold of the counterpart of each examined node."""
        shared = np.empty((len(self.node), tree.n_nodes), dtype=np.int64)
        shared_rows(self.parent, tree.parent, self.stop, tree.apply(self.X), shared)
        node, overlap = np.empty(len(self.node), dtype=np.intp), np.empty(len(self.node))
        most_alike(shared, node, overlap)
        slanted = (tree.kind == Kind.OBLIQUE) | (tree.kind == Kind.KERNEL)
        feature = np.where(slanted, SLANTED, np.where(tree.n_children > 0, tree.feature, LEAF))
        return np.where(overlap >= MATCHED, feature[node], ABSENT), tree.threshold[node]

    def so_far(self) -> Stability:
        """Stability so far; later refits do not change it."""
        errors, n_leaves, feature, threshold = zip(*self.refits, strict=True)
        return Stability(
            n_refits=len(self.refits),
            votes=self.votes.copy(),
            place_votes=self.place_votes.copy(),
            errors=np.array(errors),
            n_leaves=np.array(n_leaves, dtype=np.intp),
            n_lacking=self.n_lacking.copy(),
            node=self.node,
            feature=np.array(feature),
            threshold=np.array(threshold),
        )


def _examined(tree: Tree, stop: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes to look for, their parents among them and where rows stop there."""
    depth = tree.max_depth
    while depth > 0 and np.count_nonzero(tree.depth <= depth) > MOST_EXAMINED:
        depth -= 1
    node = np.flatnonzero(tree.depth <= depth)
    place = np.full(tree.n_nodes, -1, dtype=np.intp)
    place[node] = np.arange(len(node))
    parent = np.where(tree.parent[node] >= 0, place[tree.parent[node]], -1)
    return node, parent, place[tree.at_depth(depth)[stop]]
