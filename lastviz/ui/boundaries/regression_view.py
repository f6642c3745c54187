"""Regression on the page *boundaries*: the tree, its scores, and the features on the axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.base import BaseEstimator

from lastviz.inspection import NumberScores, number_scores, spread_by_feature
from lastviz.plots import pad_bounds, usual_values
from lastviz.tree import Tree
from lastviz.ui.compute.training import Division
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, t

MOST_DRAWN = 3000  # rows; more would become one blot


@dataclass(frozen=True, eq=False)
class NumberView:
    """Regression tree of the page, with its data, axes and scores."""

    estimator: BaseEstimator
    title: str  # the algorithm's name
    node: int  # the picked one, else the root
    milliseconds: float  # what training took
    division: Division
    target: str  # what is predicted
    names: tuple[str, ...]  # of all features
    units: tuple[str, ...]  # of all features
    drawable: tuple[int, ...]  # the numeric features, which can stand on an axis
    features: tuple[int, int]  # those on the axes; the same twice: steps over one
    at: np.ndarray  # (n_features,), values of the other features
    training: NumberScores
    held_out: NumberScores

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.estimator.tree_

    @property
    def is_steps(self) -> bool:
        """Whether a single feature is on the axes."""
        return self.features[0] == self.features[1]

    @property
    def is_slice(self) -> bool:
        """Whether any other features are fixed."""
        return len(self.names) > len(set(self.features))

    @property
    def rows(self) -> np.ndarray:
        """Rows that are drawn: those with a position, at most MOST_DRAWN, evenly spaced."""
        known = ~np.isnan(self.division.values[:, list(self.features)]).any(axis=1)
        rows = np.flatnonzero(known)
        n = len(rows)
        return rows if n <= MOST_DRAWN else rows[np.arange(MOST_DRAWN) * n // MOST_DRAWN]

    @property
    def is_held_out(self) -> np.ndarray:
        """Of the rows that are drawn."""
        return np.isin(self.rows, self.division.held_out_rows)

    @property
    def view(self) -> tuple[float, float, float, float]:
        """(x_min, x_max, y_min, y_max) of the features on the axes, with some room."""
        values = self.division.values
        return pad_bounds(values[:, self.features[0]], values[:, self.features[1]])


def applies(work: Work) -> bool:
    """Whether the data have numbers to learn."""
    return work.dataset.is_regression


def number_view(work: Work) -> NumberView:
    """Regression tree of a selection, with its data, axes and scores.

    Raises
    ------
    CannotShow
        If there is nothing to learn, no feature can stand on an axis, or an edit cannot be made.
    Working
        If training takes long.
    """
    dataset = work.dataset
    divided, model = work.first.division, work.first.fitted
    tree, names = model.estimator.tree_, tuple(divided.X.columns)
    drawable = tuple(f for f, known in enumerate(divided.categories) if known is None)
    if not drawable:
        raise CannotShow(t("No feature is numeric, so there is no axis to draw numbers over."))
    predicted = model.estimator.predict(divided.X)
    parts = [
        number_scores(divided.y[rows], predicted[rows])
        for rows in (divided.train_rows, divided.held_out_rows)
    ]
    row = work.selection.view.at
    row = row if row is not None and row < len(divided.values) else None
    return NumberView(
        estimator=model.estimator,
        title=work.first.title,
        node=work.first.chosen.node_in(tree) or 0,
        milliseconds=model.milliseconds,
        division=divided,
        target=str(dataset.y.name),
        names=names,
        units=tuple(dataset.units.get(name, "") for name in names),
        drawable=drawable,
        features=_features(work.selection, tree, names, drawable),
        at=usual_values(divided.values, divided.categories, row),
        training=parts[0],
        held_out=parts[1],
    )


def _features(
    selection: Selection, tree: Tree, names: tuple[str, ...], drawable: tuple[int, ...]
) -> tuple[int, int]:
    """Chosen axes, or the two features that the tree owes most to."""
    chosen = selection.view.axes
    if chosen is not None and set(chosen) <= {names[f] for f in drawable}:
        return names.index(chosen[0]), names.index(chosen[1])
    gained = spread_by_feature(tree)[list(drawable)]
    best = sorted(np.argsort(-gained, kind="stable")[:2].tolist())
    return drawable[best[0]], drawable[best[-1]]
