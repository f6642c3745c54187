"""What a search might have found: all lines of a plane, and trees of depth two; each once."""

from __future__ import annotations

from functools import partial

import numpy as np

from lastviz.inspection import (
    Landscape,
    Lookahead,
    landscape_in_steps,
    lookahead_cost,
    lookahead_in_steps,
)
from lastviz.splitters import Presorted, presort
from lastviz.ui.text import CannotShow, t
from lastviz.warm_up import LANDSCAPE

from . import cache

__all__ = ["is_quick", "levels_ahead", "lines_of"]

AT_ONCE = 2e7  # steps of a lookahead that nobody needs to ask for


def lines_of(
    key: str,
    values: np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    n_classes: int,
    axes: tuple[int, int],
    criterion: str,
    min_samples_leaf: int,
) -> Landscape:
    """Return the landscape of a node in the plane of two axes; `key` names the node's rows.

    Raises
    ------
    CannotShow
        If the rows make no plane there.
    Working
        If it takes long or was cancelled.
    """
    if axes[0] == axes[1]:
        raise CannotShow(t("One feature spans no plane: its score curve above says it all."))
    plane = values[np.ix_(rows, list(axes))]
    if len(np.unique(plane[~np.isnan(plane).any(axis=1)], axis=0)) < 2:
        sentence = (
            "In this plane all rows of the node lie on one point: choose two other features at "
            "the left."
        )
        raise CannotShow(t(sentence))
    work = partial(
        landscape_in_steps, values, y, rows, n_classes, axes, criterion,
        min_samples_leaf=min_samples_leaf,
    )  # fmt: skip
    name = f"{key}|lines|{axes}|{criterion}|{min_samples_leaf}"
    return cache.outcome(name, t("The landscape of all lines"), work, [LANDSCAPE])


def is_quick(n_samples: int, n_features: int, n_classes: int) -> bool:
    """Tell whether :func:`levels_ahead` takes no time worth waiting for."""
    return lookahead_cost(n_samples, n_features, n_classes) <= AT_ONCE


def levels_ahead(
    key: str, data: Presorted | np.ndarray, y: np.ndarray, rows: np.ndarray, n_classes: int
) -> Lookahead:
    """Return the best trees of depth two below a node's candidates; `key` names its rows.

    Raises
    ------
    Working
        If it takes long or was cancelled.
    """
    sorted_data = data if isinstance(data, Presorted) else presort(data)
    work = partial(lookahead_in_steps, sorted_data, y, rows, n_classes)
    return cache.outcome(f"{key}|ahead", t("Two levels ahead"), work, [LANDSCAPE])
