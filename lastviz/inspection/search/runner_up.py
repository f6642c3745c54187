"""By how much a split won, and over whom."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.estimators import TreeClassifier
from lastviz.splitters import (
    Blend,
    ExactSearch,
    Presorted,
    Search,
    Stage,
    presort,
    pulsing,
    result_of,
    same_split,
    stored_split,
)

NEAR = 0.01
"""A near-tie: the share of the winner's score by which another feature falls short at most."""
MOST_CELLS_SEARCHED = 4_000_000


@dataclass(frozen=True)
class RunnerUp:
    """The best split of another feature than the one that was chosen."""

    candidate: int  # its place among the candidates of the search
    feature: int  # a component where the search went through a latent space
    threshold: float  # NaN where it is nominal
    column: str | Blend  # what the last stage of the rule reads
    score: float  # of both by that column
    winner_score: float  # of both by that column
    n_rivals: int  # other features that the last stage of the rule judged
    n_near: int  # those of them that are near-ties: within 1 % of the winner's score
    axis_name: str = ""  # of its component; empty where it is a feature
    decimals: int = 0  # how many its threshold is to be read with

    @property
    def times(self) -> float:
        """Ratio of the larger to the smaller score; NaN where one is not above 0."""
        low, high = sorted((self.score, self.winner_score))
        return high / low if low > 0 else np.nan


@dataclass(frozen=True)
class Won:
    """Account of the choice of a search's winner."""

    stage: Stage  # the last one of the rule
    score: float  # by the column that it reads
    n_judged: int  # candidates that came so far by other columns
    n_candidates: int
    over: RunnerUp | Stage | None  # see `runner_up`


def how_won(search: Search) -> Won:
    """Account of the choice of a search's winner; the search must have one."""
    stage, others = search.rule.stages[-1], search.rule.stages[:-1]
    by_it_alone = all(each.column == stage.column for each in others)
    return Won(
        stage=stage,
        score=float(stage.scores(search.columns, np.array([search.winner]))[0]),
        n_candidates=search.n_candidates,
        n_judged=search.n_candidates if by_it_alone else len(_judged(search)),
        over=runner_up(search),
    )


def _judged(search: Search) -> np.ndarray:
    """Candidates that the last stage of the rule judged."""
    survivors = search.survivors
    return survivors[-2] if len(survivors) > 1 else np.arange(search.n_candidates)


def runner_up(search: Search) -> RunnerUp | Stage | None:
    """Runner-up of a search: the best candidate of any feature but the winner's.

    Only candidates count that the last stage of the rule judged. If no other feature came so
    far, the stage that excluded the last of them; None if no other feature had an admissible
    candidate, or nothing was chosen. O(n_candidates).
    """
    if search.winner < 0:
        return None
    last, judged = search.rule.stages[-1], _judged(search)
    scores = last.scores(search.columns, judged)
    better = -scores if last.keeps == "argmin" else scores
    feature = search.feature[judged]
    rivals = np.flatnonzero((feature != search.feature[search.winner]) & np.isfinite(scores))
    if not len(rivals):
        return _left_alone(search)
    winner = float(scores[judged == search.winner][0])
    best = np.full(int(feature.max()) + 1, -np.inf)
    np.maximum.at(best, feature[rivals], better[rivals])
    best = best[best > -np.inf]
    floor = (-winner if last.keeps == "argmin" else winner) - NEAR * abs(winner)
    second = int(rivals[np.argmax(better[rivals])])
    candidate = int(judged[second])
    basis = getattr(search, "basis", None)
    in_features = basis is None or basis.space == "none"
    return RunnerUp(
        candidate=candidate,
        feature=int(search.feature[candidate]),
        threshold=float(search.threshold[candidate]),
        column=last.column,
        score=float(scores[second]),
        winner_score=winner,
        n_rivals=len(best),
        n_near=int(np.count_nonzero(best >= floor)),
        axis_name="" if in_features else basis.names[int(search.feature[candidate])],
        decimals=search.decimals_at(candidate),
    )


def _left_alone(search: Search) -> Stage | None:
    """Stage after which only the winner's feature was left.

    None for a first stage that takes the best of each feature: it excludes the inadmissible.
    """
    own = search.feature[search.winner]
    for place, (stage, alive) in enumerate(zip(search.rule.stages, search.survivors, strict=True)):
        if (search.feature[alive] == own).all():
            return stage if place or stage.keeps != "best_within_feature" else None
    return None


def runner_ups(
    estimator: TreeClassifier,
    X: np.ndarray,
    y: np.ndarray,
    *,
    presorted: Presorted | None = None,
    most_cells: float = MOST_CELLS_SEARCHED,
) -> dict[int, Won]:
    """Result of :func:`how_won` for the grown tree's inner nodes, the topmost first.

    Parameters
    ----------
    estimator : TreeClassifier
        Fitted.
    X, y : array-like
        The very data that it was fitted on.
    presorted : Presorted, optional
        The sorted columns of `X`.
    most_cells : float, default 4,000,000
        No node is searched once so many values have been.

    Returns
    -------
    dict of int to Won
        By node. Empty where nodes have no candidates that a rule chooses from; nodes are missing
        where a hand chose the split, and those that were not searched.
    """
    grown = estimator.grown_tree_
    if len(grown.kernel) or estimator.TAGS.hyperplanes:
        return {}
    splitter = estimator.splitter(X, y, presorted)
    found: dict[int, Won] = {}
    waiting, spent = deque([(0, splitter.root())]), 0.0
    while waiting and spent < most_cells:
        node, context = waiting.popleft()
        if not grown.n_children[node]:
            continue
        search, split = splitter.search(context), stored_split(grown, node)
        if not isinstance(search, Search):
            return {}
        if same_split(estimator.as_stored(search.split, X), split):
            found[node] = how_won(search)
        spent += _cells(estimator, search, len(context.rows))
        for branch, child in enumerate(grown.children(node)):
            waiting.append((int(child), splitter.child(context, split, branch)))
    return found


def _cells(estimator: TreeClassifier, search: Search, n_rows: int) -> float:
    """Approximate number of values that a search reads.

    Where rows are measured, it reads all values for each feature.
    """
    n_features = float(estimator.n_features_in_)
    cells = n_rows * n_features
    if any(CRITERIA[name].reads == "geometry" for name in search.rule.columns):
        exact = estimator.get_params().get("penalty") == "exact"
        cells *= n_features * (n_rows if exact else 1)
    return cells


# ---- The price of every root: the fewest training errors of a tree that begins with each threshold


BEYOND = 1.1  # times the fewest errors: what roots that make more are not told apart by


@dataclass(frozen=True, eq=False)
class RootPrices:
    """Fewest training errors of a tree of some depth with each candidate as its root."""

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
        """Largest number of errors at most a hundredth above the fewest.

        Below 100 errors this includes ties alone.
        """
        return min(self.fewest * 101 // 100, self.most)

    def n_within(self, errors: float) -> int:
        """Number of roots with at most `errors` errors, which must not exceed `most`."""
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
    """Fewest training errors of a tree of `depth` below each candidate of a node.

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
    """Fewest training errors of a tree of `depth` 3 that begins with one split.

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
    """Compute prices as :func:`root_prices` does, often yielding the share done."""
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
