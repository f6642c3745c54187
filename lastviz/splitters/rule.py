"""The selection rule: a short tuple of stages, each of which keeps some candidates.

C4.5 is ``best_within_feature(gain) -> positive(gain) -> at_least_mean(gain) ->
argmax(gain_ratio)``, CART is ``best_within_feature(gini) -> argmax(gini)``, BNM+CSN is
``top_k(gini + w2 bnm) -> argmin(csn)``. Candidates are ordered by feature, then by threshold,
until `top_k` orders them by score; a tie goes to the first of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lastviz.criteria import CRITERIA
from lastviz.criteria.scan_kernels import MEAN_SLACK
from lastviz.criteria.ties_kernels import TIE, tie_floors


@dataclass(frozen=True)
class RuleTerm:
    """One column of a weighted sum."""

    weight: float
    column: str
    # {"no", "range", "reversed"}: as it is; scaled to 0..1 by its range over the candidates that
    # the stage judges (0 if they are all equal); or 1 less that.
    scaled: str = "no"

    def values(self, values: np.ndarray) -> np.ndarray:
        """Weighted `values` of the candidates that the stage judges."""
        if self.weight == 0.0:
            return np.zeros(len(values))
        if self.scaled != "no":
            admitted = values[np.isfinite(values)]
            low, high = (admitted.min(), admitted.max()) if len(admitted) else (0.0, 0.0)
            shift = values - low
            values = shift / (high - low) if high > low else shift
        if self.scaled == "reversed":
            values = 1.0 - values
        return self.weight * values


@dataclass(frozen=True)
class Blend:
    """A column made of columns: their weighted sum; inadmissible where any of them is."""

    terms: tuple[RuleTerm, ...]

    def scores(self, columns: Mapping[str, np.ndarray], alive: np.ndarray | slice) -> np.ndarray:
        """Sums for the candidates `alive`."""
        parts = [columns[term.column][alive] for term in self.terms]
        admitted = np.logical_and.reduce([part > -np.inf for part in parts])
        total = np.full(len(admitted), -np.inf)
        sums = [t.values(part[admitted]) for t, part in zip(self.terms, parts, strict=True)]
        total[admitted] = sum(sums[1:], start=sums[0])
        return total


@dataclass(frozen=True)
class Stage:
    """One step of a rule: the candidates it keeps, and the column that judges them."""

    # "best_within_feature", "positive", "at_least", "at_least_mean", "argmax", "argmin", "minima",
    # "largest" or "top_k". `minima` and `largest` keep all that tie with the smallest or the
    # largest, `argmin` and `argmax` the first of them, `top_k` the `k` largest, best first.
    keeps: str
    column: str | Blend  # of the search, or a weighted sum of its columns
    k: int | None = None  # of `top_k`: how many are kept, fewer if there are fewer
    floor: float = 0.0  # of `at_least`: the smallest score that is kept
    # Of `at_least_mean`: where there are any, only positive scores count in the mean, but for those
    # of `nominal` features, which always do, and those `left_out`, which never do.
    nominal: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()

    def scores(self, columns: Mapping[str, np.ndarray], alive: np.ndarray | slice) -> np.ndarray:
        """Scores of the candidates `alive` in this stage; -inf is inadmissible."""
        if isinstance(self.column, Blend):
            return self.column.scores(columns, alive)
        return columns[self.column][alive]

    def keep(self, values: np.ndarray, feature: np.ndarray) -> np.ndarray:
        """Positions of the `values` that are kept, in their new order."""
        if self.keeps == "top_k":
            return _top_k(values, self.k)
        if self.keeps == "at_least":
            return np.flatnonzero(values >= self.floor - TIE)
        if self.nominal or self.left_out:
            counts = (values > TIE) | np.isin(feature, self.nominal)
            counts &= ~np.isin(feature, self.left_out)
            return _at_least(values, values[counts])
        return _KEEP[self.keeps](values, feature)


@dataclass(frozen=True)
class ChoiceRule:
    """Stages in order; the last one leaves a single candidate."""

    stages: tuple[Stage, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that the stages read, in order.

        A column read repeatedly is at the place of its last reading.
        """
        names: list[str] = []
        for stage in self.stages:
            blend = isinstance(stage.column, Blend)
            names += [t.column for t in stage.column.terms] if blend else [stage.column]
        return tuple(reversed(dict.fromkeys(reversed(names))))

    def apply(
        self, feature: np.ndarray, columns: Mapping[str, np.ndarray]
    ) -> tuple[np.ndarray, ...]:
        """Candidates that survive each stage: rising, or best first from `top_k` on.

        Parameters
        ----------
        feature : ndarray of intp, shape (n_candidates,)
            The feature of each candidate, rising.
        columns : mapping of str to ndarray, shape (n_candidates,)
            Scores; -inf is inadmissible.
        """
        everything, *later = self.stages
        # A slice copies nothing of a table that may have millions of candidates.
        alive = everything.keep(everything.scores(columns, slice(None)), feature)
        survivors = [alive]
        for stage in later:
            alive = alive[stage.keep(stage.scores(columns, alive), feature[alive])]
            survivors.append(alive)
        return tuple(survivors)

    def score(self, columns: Mapping[str, np.ndarray], survivors: tuple[np.ndarray, ...]) -> float:
        """Winner's score in the last stage."""
        before = len(columns[next(iter(columns))])
        judged = survivors[-2] if len(survivors) > 1 else np.arange(before)
        scores = self.stages[-1].scores(columns, judged)
        return float(scores[judged == survivors[-1][0]][0])


def larger_is_better(column: str) -> str | Blend:
    """Column of a criterion for a stage that keeps large values, negated if need be."""
    return Blend((RuleTerm(-1.0, column),)) if CRITERIA[column].smaller_is_better else column


def best_by(column: str) -> Stage:
    """Stage that takes the best candidate by a criterion."""
    return Stage("argmin" if CRITERIA[column].smaller_is_better else "argmax", column)


def composed_rule(
    first: str,
    second: str | None = None,
    weight: float = 1.0,
    k: int = 1,
    last: str | None = None,
) -> ChoiceRule:
    """Choice rule ``top_k(first + weight second, k) -> best(last)`` of some criteria.

    Criteria of which small values are good are subtracted. Without `second` the first stage
    reads `first` alone, without `last` it takes its best candidate at once.
    """
    score = larger_is_better(first)
    if second is not None:
        signs = (-1.0 if CRITERIA[name].smaller_is_better else 1.0 for name in (first, second))
        sign_first, sign_second = signs
        score = Blend((RuleTerm(sign_first, first), RuleTerm(sign_second * weight, second)))
    if last is not None:
        return ChoiceRule((Stage("top_k", score, k), best_by(last)))
    return ChoiceRule((Stage("argmax", score) if second is not None else best_by(first),))


def _best_within_feature(values: np.ndarray, feature: np.ndarray) -> np.ndarray:
    if not len(values):
        return np.zeros(0, dtype=np.intp)
    starts = np.flatnonzero(np.r_[True, feature[1:] != feature[:-1]])
    ends = np.r_[starts[1:], len(values)]
    largest = np.fmax.reduceat(values, starts)  # a number that is none is not admissible
    floors = tie_floors(largest)
    admitted = np.flatnonzero(largest > -np.inf)
    return np.array(
        [starts[g] + np.argmax(values[starts[g] : ends[g]] >= floors[g]) for g in admitted],
        dtype=np.intp,
    )


def _positive(values: np.ndarray, feature: np.ndarray) -> np.ndarray:
    return np.flatnonzero(values > TIE)


def _at_least_mean(values: np.ndarray, feature: np.ndarray) -> np.ndarray:
    return _at_least(values, values)


def _at_least(values: np.ndarray, counted: np.ndarray) -> np.ndarray:
    mean = counted.mean() if len(counted) else np.inf
    return np.flatnonzero(values >= mean - MEAN_SLACK)


def _largest(values: np.ndarray, feature: np.ndarray) -> np.ndarray:
    if not len(values) or values.max() == -np.inf:
        return np.zeros(0, dtype=np.intp)
    return np.flatnonzero(values >= tie_floors(values.max()))


def _argmax(values: np.ndarray, feature: np.ndarray) -> np.ndarray:
    return _largest(values, feature)[:1]


def _smallest_ceiling(values: np.ndarray) -> float:
    """Largest admissible value that ties with the smallest one."""
    smallest = values[values > -np.inf].min(initial=np.inf)
    return float(-tie_floors(-smallest))


def _minima(values: np.ndarray, feature: np.ndarray) -> np.ndarray:
    """Candidates tied with the smallest value; `feature` belongs to all stages."""
    return np.flatnonzero((values > -np.inf) & (values <= _smallest_ceiling(values)))


def _argmin(values: np.ndarray, feature: np.ndarray) -> np.ndarray:
    return _minima(values, feature)[:1]


def _top_k(values: np.ndarray, k: int) -> np.ndarray:
    """Keep the k largest values.

    Values that tie with the largest one left keep their order.
    """
    admitted = np.flatnonzero(values > -np.inf)
    k = min(k, len(admitted))
    if k == 0:
        return admitted
    at_least = np.partition(values[admitted], len(admitted) - k)[len(admitted) - k]
    admitted = admitted[values[admitted] >= tie_floors(at_least)]
    order = admitted[np.argsort(-values[admitted], kind="stable")]
    sorted_values = values[order]
    leaders = [0]
    for j in range(1, k):
        tied = sorted_values[j] >= tie_floors(sorted_values[leaders[-1]])
        leaders.append(leaders[-1] if tied else j)
    order = order[sorted_values >= tie_floors(sorted_values[leaders[-1]])]
    group = np.r_[leaders, np.full(len(order) - k, leaders[-1])]
    return order[np.lexsort((order, group))][:k]


_KEEP = {
    "best_within_feature": _best_within_feature,
    "positive": _positive,
    "at_least_mean": _at_least_mean,
    "largest": _largest,
    "argmax": _argmax,
    "argmin": _argmin,
    "minima": _minima,
}
