"""The parameters of the hybrid tree on XOR that cross-validation chooses from a small grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from sklearn.model_selection import StratifiedKFold

from lastviz.estimators import ESTIMATORS, HybridTreeClassifier
from lastviz.ui.state.selection import Model, Pairs, Selection, changed

from . import cache
from .memory import remembered
from .preparing import are_ready, is_complete

__all__ = ["FOLDS", "Tuned", "tuned", "usual_model"]

TUNED_ON, TUNED = "xor", "hybrid"
WEIGHTS, CANDIDATES = (0.02, 0.05, 0.1), (3, 10, 30)
FOLDS = 5
MOST_ROWS = 5000  # of more rows the choice would be felt as a pause


@dataclass(frozen=True)
class Tuned:
    """How often each pair of parameters is right about the rows of the fold left out.

    Attributes
    ----------
    n_rows : int
    pairs : tuple of (float, int)
        The weight of BNM and the candidates that CSN decides between.
    right, leaves : tuple of int
        Rows predicted rightly and leaves, summed over the folds, of each pair.
    """

    n_rows: int
    pairs: tuple[tuple[float, int], ...]
    right: tuple[int, ...]
    leaves: tuple[int, ...]

    @cached_property
    def best(self) -> int:
        """The pair right most often; of equal ones that of fewest leaves, then the first."""
        return min(range(len(self.pairs)), key=lambda i: (-self.right[i], self.leaves[i]))

    def is_best(self, place: int | None) -> bool:
        """Tell whether no pair is right about more rows than the one at a place."""
        return place is not None and self.right[place] == max(self.right)

    def place_of(self, given: Pairs) -> int | None:
        """Return the pair that a model has among its parameters, None if it has another."""
        values = dict(given)
        pair = (values.get("w2", WEIGHTS[0]), values.get("k", CANDIDATES[0]))
        return self.pairs.index(pair) if pair in self.pairs else None


def tuned(selection: Selection) -> Tuned | None:
    """Return what cross-validation on the training rows says; None where it is not asked.

    Nor is it while the machine code that it runs is being compiled.
    """
    if selection.data != TUNED_ON or not (are_ready([TUNED]) or is_complete()):
        return None
    divided = cache.division(selection)
    y = divided.y[divided.train_rows]
    if len(y) > MOST_ROWS or np.bincount(y).min() < FOLDS:
        return None
    return _tuned(cache.division_key(selection), divided.values[divided.train_rows], y)


def usual_model(selection: Selection, key: str) -> Model:
    """Return an algorithm as it begins on the data: with its defaults, or with what was chosen."""
    found = tuned(selection) if key == TUNED else None
    if found is None:
        return Model(key)
    params: Pairs = ()
    chosen = dict(zip(("w2", "k"), found.pairs[found.best], strict=True))
    for param in ESTIMATORS[key].cls.PARAMS:
        if param.name in chosen:
            params = changed(params, param, chosen[param.name])
    return Model(key, params)


@remembered
def _tuned(key: str, X: np.ndarray, y: np.ndarray) -> Tuned:
    pairs = tuple(product(WEIGHTS, CANDIDATES))
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y))
    counts = [[_counts(pair, X, y, *fold) for fold in folds] for pair in pairs]
    right, leaves = np.sum(counts, axis=1).T.tolist()
    return Tuned(len(y), pairs, tuple(right), tuple(leaves))


def _counts(
    pair: tuple[float, int], X: np.ndarray, y: np.ndarray, train: Sequence, test: Sequence
) -> tuple[int, int]:
    model = HybridTreeClassifier(w2=pair[0], k=pair[1]).fit(X[train], y[train])
    return int((model.predict(X[test]) == y[test]).sum()), model.tree_.n_leaves
