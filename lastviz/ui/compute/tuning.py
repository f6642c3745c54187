"""Parameters that cross-validation chooses on the data at hand, where an algorithm asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from sklearn.model_selection import StratifiedKFold

from lastviz.estimators import TreeClassifier, entry_of
from lastviz.host.memory import remembered
from lastviz.ui.state.selection import Model, Pairs, Selection, changed

from . import cache

FOLDS = 5
MOST_ROWS = 5000  # of more rows the choice would be felt as a pause


@dataclass(frozen=True)
class Tuned:
    """How often each setting is right about the rows of the fold left out.

    Attributes
    ----------
    n_rows : int
    names : tuple of str
        The parameters.
    settings : tuple of tuple
        Their values.
    right, leaves : tuple of int
        Rows predicted rightly and leaves, summed over the folds, of each setting.
    """

    n_rows: int
    names: tuple[str, ...]
    settings: tuple[tuple[float, ...], ...]
    right: tuple[int, ...]
    leaves: tuple[int, ...]

    @cached_property
    def best(self) -> int:
        """The setting right most often; of equal ones that of fewest leaves, then the first."""
        order = range(len(self.settings))
        return min(order, key=lambda i: (-self.right[i], self.leaves[i]))

    def is_best(self, place: int | None) -> bool:
        """Tell whether no setting is right about more rows than the one at a place."""
        return place is not None and self.right[place] == max(self.right)

    def place_of(self, given: Pairs) -> int | None:
        """Return the setting that a model has, None if it has another; its default is the first."""
        values = dict(given)
        setting = tuple(
            values.get(name, first)
            for name, first in zip(self.names, self.settings[0], strict=True)
        )
        return self.settings.index(setting) if setting in self.settings else None


def tuned(selection: Selection, key: str) -> Tuned | None:
    """Return what cross-validation on the training rows says of an algorithm's settings.

    None where the algorithm does not ask for it.
    """
    cls = entry_of(key).cls
    grid = getattr(cls, "TUNED_ON", {}).get(selection.data)
    if grid is None:
        return None
    divided = cache.division(selection)
    y = divided.y[divided.train_rows]
    if len(y) > MOST_ROWS or np.bincount(y).min() < FOLDS:
        return None
    X = divided.values[divided.train_rows]
    return _tuned(f"{cache.division_key(selection)}|{key}", cls, dict(grid), X, y)


def usual_model(selection: Selection, key: str) -> Model:
    """Return an algorithm as it begins on the data: with its defaults, or with what was chosen."""
    found = tuned(selection, key)
    if found is None:
        return Model(key)
    params: Pairs = ()
    chosen = dict(zip(found.names, found.settings[found.best], strict=True))
    for param in entry_of(key).cls.PARAMS:
        if param.name in chosen:
            params = changed(params, param, chosen[param.name])
    return Model(key, params)


@remembered
def _tuned(
    key: str, cls: type[TreeClassifier], grid: dict[str, tuple], X: np.ndarray, y: np.ndarray
) -> Tuned:
    names, settings = tuple(grid), tuple(product(*grid.values()))
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y))

    def counts(setting: tuple[float, ...]) -> Iterator[tuple[int, int]]:
        for train, test in folds:
            model = cls(**dict(zip(names, setting, strict=True))).fit(X[train], y[train])
            yield int((model.predict(X[test]) == y[test]).sum()), model.tree_.n_leaves

    found = [np.sum(list(counts(setting)), axis=0).tolist() for setting in settings]
    right, leaves = zip(*found, strict=True)
    return Tuned(len(y), names, settings, right, leaves)
