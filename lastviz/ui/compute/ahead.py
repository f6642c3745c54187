"""Better splits of a node: all lines of a plane, the best trees of two and three levels.

Each is worked out once.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial

import numpy as np

from lastviz.estimators import what_if
from lastviz.inspection import (
    BEYOND,
    Landscape,
    Lookahead,
    RootPrices,
    RowChanges,
    landscape_in_steps,
    lookahead_cost,
    lookahead_in_steps,
    root_prices_in_steps,
    row_changes,
)
from lastviz.plots import number
from lastviz.splitters import ObliqueSplit
from lastviz.splitters.edits import ForcedSplit, path_of
from lastviz.splitters.optimal.exact_search import MOST_WORK
from lastviz.ui.text import CannotShow, t

from .outcome import outcome
from .selected import Key
from .training import explained_refusals
from .work import Work

DEPTH = 3  # of the trees whose roots are priced
ALL_PRICES = 50_000  # rows x features squared up to which no root is left without its price
PRICES_AT_ONCE = 1_700  # rows x features squared up to which prices take some 40 ms
AT_ONCE = 2e7  # steps of a lookahead that nobody needs to ask for


@dataclass(frozen=True, eq=False)
class Regrown:
    """A tree that is split otherwise at a node."""

    leaves: tuple[int, int]  # before and after
    n_held_out: int
    errors: tuple[int, int]  # on the rows held out, before and after
    changes: RowChanges | None  # of these rows; None if there are none


def lines_of(
    key: Key,
    values: np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    n_classes: int,
    axes: tuple[int, int],
    criterion: str,
    min_samples_leaf: int,
) -> Landscape:
    """Landscape of a node in the plane of two axes; `key` names the node's rows.

    Raises
    ------
    CannotShow
        If the rows make no plane there.
    Working
        If it takes long or was cancelled.
    """
    if axes[0] == axes[1]:
        raise CannotShow(t("A single feature spans no plane; see its score curve above."))
    plane = values[np.ix_(rows, list(axes))]
    if len(np.unique(plane[~np.isnan(plane).any(axis=1)], axis=0)) < 2:
        sentence = (
            "In this plane all rows of the node lie on one point: choose another feature across "
            "or up."
        )
        raise CannotShow(t(sentence))
    steps = partial(
        landscape_in_steps, values, y, rows, n_classes, axes, criterion,
        min_samples_leaf=min_samples_leaf,
    )  # fmt: skip
    name = (*key, "lines", axes, criterion, min_samples_leaf)
    return outcome(name, t("The landscape of all lines"), steps)


def levels_ahead(
    key: Key, data: np.ndarray, y: np.ndarray, rows: np.ndarray, n_classes: int
) -> Lookahead:
    """Best trees of depth two below a node's candidates; `key` names its rows.

    Raises
    ------
    Working
        If it takes long or was cancelled.
    """
    steps = partial(lookahead_in_steps, data, y, rows, n_classes)
    quick = lookahead_cost(len(rows), data.shape[1], n_classes) <= AT_ONCE
    title = t("The best trees of two levels")
    return outcome((*key, "ahead"), title, steps, at_once=quick)


def prices_of(
    key: Key, data: np.ndarray, y: np.ndarray, rows: np.ndarray, n_classes: int
) -> RootPrices:
    """Price of every root of a node at depth three; `key` names the node's rows.

    Raises
    ------
    CannotShow
        If that would take too long.
    Working
        If it takes long or was cancelled.
    """
    size = len(rows) * data.shape[1] ** 2
    if size > MOST_WORK[DEPTH]:
        words = t(
            "Too large for trees of three levels: {n} rows x {m} features squared are more than "
            "{most}. Choose a node below or fewer columns.",
            n=number(len(rows)), m=number(data.shape[1]), most=number(MOST_WORK[DEPTH]),
        )  # fmt: skip
        raise CannotShow(words)
    beyond = None if size <= ALL_PRICES else BEYOND
    steps = partial(root_prices_in_steps, data, y, rows, n_classes, depth=DEPTH, beyond=beyond)
    title = t("The best trees of three levels")
    return outcome((*key, "prices"), title, steps, at_once=size <= PRICES_AT_ONCE)


def regrow_along(work: Work, node: int, line: ObliqueSplit) -> Regrown:
    """Tree of the first model that is split along a line of the features at a node.

    Raises
    ------
    CannotShow
        If the algorithm does not let its trees be changed so; the message says why.
    Working
        If it takes long or was cancelled.
    """
    about = node, line.threshold, np.asarray(line.weights).tobytes()
    name = (*work.first.cache_key, "regrown", *about)
    title = t("The tree regrown from the best line")
    return outcome(name, title, lambda: explained_refusals(_regrow(work, node, line)))


def _regrow(work: Work, node: int, line: ObliqueSplit) -> Generator[float, None, Regrown]:
    yield 0.0
    before, divided = work.first.estimator, work.first.division
    path = path_of(before.grown_tree_, work.first.node(node).origin)
    X, y = divided.learnt
    sorted_rows = work.first.sorted_training
    forced = ForcedSplit(path, line)
    others = [e for e in before.edits_ if (e.path, e.slot) != (forced.path, forced.slot)]
    after = what_if(before, X, y, [*others, forced], presorted=sorted_rows)
    X_new, y_new = divided.X.iloc[divided.held_out_rows], divided.y[divided.held_out_rows]
    leaves = before.tree_.n_leaves, after.tree_.n_leaves
    if not len(y_new):
        return Regrown(leaves, 0, (0, 0), None)
    wrong = [int(np.count_nonzero(tree.predict(X_new) != y_new)) for tree in (before, after)]
    return Regrown(leaves, len(y_new), tuple(wrong), row_changes(before, after, X_new, y_new))
