"""The width of a kernel and the price of slack, chosen by cross-validation of the tree itself."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

import numpy as np

from lastviz._random import node_rng
from lastviz.builders import GrowthEvent, PeelGrowth, SearchProgress
from lastviz.criteria import Criterion
from lastviz.pruning import folds
from lastviz.splitters import KernelSplit, KernelSplitter, MachineChoice
from lastviz.tree import GrowthLog, Tree

MOST_ROWS = 1000  # rows that take part: machines cost more than their square
MOST_FOLDS = 5
MOST_MACHINES = 40  # about as many are trained for each pair of settings
_ROWS_KEY = 5  # no node has this key with more than negligible probability


@dataclass(frozen=True)
class Tried:
    """A pair of settings, and how the trees of the other folds did under it."""

    sigma: float
    C: float
    # n_right, n_judged: Rows that were right, of those held out. They are not all of the folds'
    # rows if the trial ended early, because not even all the others could have made it the best.
    n_right: int
    n_judged: int


@dataclass(frozen=True)
class SettingsCrossValidation:
    """Result of a cross-validation: the settings compared, the folds and the samples."""

    tried: tuple[Tried, ...]  # in the order in which they were tried
    chosen: Tried  # that with the most rows right; of equal ones the first
    n_folds: int
    n_rows: int  # training rows that took part

    @property
    def accuracy(self) -> float:
        """Share of the held-out rows that are right under the chosen settings."""
        return self.chosen.n_right / self.chosen.n_judged


class _Folds:
    """Some of the training rows in folds, whatever the order in which the rows come."""

    def __init__(self, X: np.ndarray, y: np.ndarray, random_state: int) -> None:
        order = np.lexsort((*X.T[::-1], y))
        order = order[_spread_rows(y[order], random_state)]
        self.X, self.y = np.ascontiguousarray(X[order]), y[order]
        sizes = np.bincount(self.y)
        self.n_classes = len(sizes)
        wanted = np.clip(MOST_MACHINES // max(self.n_classes - 1, 1), 2, MOST_FOLDS)
        self.n_folds = int(min(wanted, len(self.y)))
        fold = folds(self.y, self.n_folds, random_state, stratify=True)
        # The machines need a row of every class.
        self.fold = np.where(sizes[self.y] > 1, fold, -1)

    def judged(self, choice: MachineChoice) -> Iterator[tuple[int, int]]:
        """Yield the number of correct samples and of all samples of each fold.

        Each fold is predicted by the tree of the others.
        """
        for k in range(self.n_folds):
            held = self.fold == k
            splitter = KernelSplitter(self.X[~held], self.y[~held], self.n_classes, choice)
            predicted = _predicted(splitter, self.X[held], self.n_classes)
            yield int(np.count_nonzero(predicted == self.y[held])), len(predicted)


def choose_settings(
    X: np.ndarray,
    y: np.ndarray,
    sigmas: tuple[float, ...],
    Cs: tuple[float, ...],
    choice: Callable[[float, float], MachineChoice],
    random_state: int,
) -> Generator[float, None, SettingsCrossValidation | None]:
    """Compare all `sigmas` with the first C, then the other `Cs` with the best sigma.

    Yields the share that is done.

    Parameters
    ----------
    X : ndarray of float64, shape (n_samples, n_features)
        Scaled.
    y : ndarray of intp, shape (n_samples,)
        Class indices; every class has a row.
    sigmas, Cs : tuple of float
        The first is preferred where others are as good.
    choice : callable
        (sigma, C) -> MachineChoice.
    random_state : int
        Of the folds.

    Returns
    -------
    SettingsCrossValidation or None
        None if no class has two rows, so that none can be held out.

    Notes
    -----
    Stratified folds of at most 1,000 rows: five, fewer from ten classes on, at least two. The
    trees are grown to their full depth. Rows are put into an order of their own first. A trial
    that cannot become the best any more ends early, which changes no choice.
    """
    parts = _Folds(X, y, random_state)
    n_held = int(np.count_nonzero(parts.fold >= 0))
    if n_held == 0:
        return None
    n_trials, tried = len(sigmas) + len(Cs) - 1, []

    def trial(sigma: float, C: float) -> Generator[float, None, None]:
        to_beat = max((one.n_right for one in tried), default=-1)
        n_right = n_judged = 0
        for right, rows in parts.judged(choice(sigma, C)):
            n_right, n_judged = n_right + right, n_judged + rows
            yield (len(tried) + n_judged / n_held) / n_trials
            if n_right + n_held - n_judged <= to_beat:
                break
        tried.append(Tried(sigma, C, n_right, n_judged))

    for sigma in sigmas:
        yield from trial(sigma, Cs[0])
    for C in Cs[1:]:
        yield from trial(_best(tried[: len(sigmas)]).sigma, C)
    return SettingsCrossValidation(tuple(tried), _best(tried), parts.n_folds, len(parts.y))


def _best(tried: list[Tried]) -> Tried:
    return max(tried, key=lambda one: one.n_right)


class GrowthOnceChosen:
    """A growth that begins once the settings of its machines are chosen.

    Parameters
    ----------
    steps : generator
        Yields the share of the choice that is done, returns the growth.
    n_samples : int
        Rows of the root.

    Notes
    -----
    The same interface as :class:`~lastviz.builders.PeelGrowth`.
    """

    def __init__(self, steps: Generator[float, None, PeelGrowth], n_samples: int) -> None:
        self._steps = steps
        self._n_samples = n_samples
        self._growth: PeelGrowth | None = None

    def __iter__(self) -> Iterator[GrowthEvent | SearchProgress]:
        """Choose, then grow, yielding signs of life and one event after the other."""
        while self._growth is None:
            try:
                yield SearchProgress(0, next(self._steps), self._n_samples)
            except StopIteration as finished:
                self._growth = finished.value
        yield from self._growth

    def run(self) -> GrowthOnceChosen:
        """Choose and grow to the end without looking at the events."""
        for _ in self:
            pass
        return self

    def log(self) -> GrowthLog:
        """Events of the growth as arrays."""
        return self._growth.log()

    def tree(
        self, feature_names: tuple[str, ...], classes: np.ndarray, criterion: Criterion
    ) -> Tree:
        """Grown tree, once the events are exhausted."""
        return self._growth.tree(feature_names, classes, criterion)


def _predicted(splitter: KernelSplitter, X: np.ndarray, n_classes: int) -> np.ndarray:
    """Class of each scaled row under a splitter's tree; idle machines are spared."""
    predicted = np.empty(len(X), dtype=np.intp)
    waiting = [(np.arange(n_classes), np.arange(len(X)))]
    while waiting:
        live, rows = waiting.pop()
        if len(live) == 1:
            predicted[rows] = live[0]
        elif len(rows):
            parting = splitter.part(live)
            first = _decided(splitter.trained(parting), X[rows]) > 0.0
            waiting += [(parting.first, rows[first]), (parting.second, rows[~first])]
    return predicted


def _decided(split: KernelSplit, Z: np.ndarray) -> np.ndarray:
    """Values of f on scaled samples, faster than but not bit-equal to predictions."""
    machine = split.machine
    return split.kernel.block(Z, split.vectors) @ machine.dual_coef + machine.intercept


def _spread_rows(y: np.ndarray, random_state: int) -> np.ndarray:
    """Positions of samples in `y`, rising.

    These are all of them or, of many, some at random with the class shares kept.

    Of each class two rows are among them, if it has as many.
    """
    sizes = np.bincount(y)
    most = max(MOST_ROWS, 2 * len(sizes))
    if len(y) <= most:
        return np.arange(len(y))
    mixed = node_rng(random_state, _ROWS_KEY).permutation(len(y))
    mixed = mixed[np.argsort(y[mixed], kind="stable")]
    place = np.arange(len(y)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    share = np.where(place < 2, -1.0, place / np.repeat(sizes, sizes))
    return np.sort(mixed[np.argsort(share, kind="stable")[:most]])
