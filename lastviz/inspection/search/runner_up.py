"""By how much a split won, and over whom."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.estimators import TreeClassifier
from lastviz.splitters import Blend, Presorted, Search, Stage, same_split, stored_split

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
        """How many times the larger score is the smaller one; NaN where one is not above 0."""
        low, high = sorted((self.score, self.winner_score))
        return high / low if low > 0 else np.nan


@dataclass(frozen=True)
class Won:
    """How the winner of a search was chosen."""

    stage: Stage  # the last one of the rule
    score: float  # by the column that it reads
    n_judged: int  # candidates that came so far by other columns
    n_candidates: int
    over: RunnerUp | Stage | None  # see `runner_up`


def how_won(search: Search) -> Won:
    """Return how the winner of a search was chosen; the search must have one."""
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
    """Return the candidates that the last stage of the rule judged."""
    survivors = search.survivors
    return survivors[-2] if len(survivors) > 1 else np.arange(search.n_candidates)


def runner_up(search: Search) -> RunnerUp | Stage | None:
    """Return whom the winner of a search won over: the best candidate of any other feature.

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
    """Return the stage after which only the winner's feature was left.

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
    """Return :func:`how_won` of the inner nodes of the grown tree, the topmost first.

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
    """Return how many values a search looks at; where rows are measured, for each feature all."""
    n_features = float(estimator.n_features_in_)
    cells = n_rows * n_features
    if any(CRITERIA[name].reads == "geometry" for name in search.rule.columns):
        exact = estimator.get_params().get("penalty") == "exact"
        cells *= n_features * (n_rows if exact else 1)
    return cells
