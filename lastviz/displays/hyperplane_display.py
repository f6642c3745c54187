"""The search for the hyperplane of a node, move by move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import plotly.graph_objects as go
from sklearn.base import BaseEstimator

from lastviz.criteria import CRITERIA
from lastviz.inspection import split_search
from lastviz.plots import (
    Drawing,
    Moves,
    Points,
    ThemeName,
    across,
    along,
    hyperplane_search_plot,
    pad_bounds,
    surroundings,
)
from lastviz.splitters import ObliqueSearch

from .display import Display, for_notebook
from .model import Names, ShownModel, read_model


def search_drawing(
    search: ObliqueSearch,
    at: int,
    X: np.ndarray,
    y: np.ndarray,
    rows: np.ndarray,
    *,
    theme: ThemeName,
    feature_names: tuple[str, ...],
    class_names: tuple[str, ...],
    score: str,
    equal: bool,
    distance_word: str = "distance in standard deviations",
    move_word: str = "move",
) -> Drawing:
    """Draw a node's samples and the hyperplane of move `at`, above all moves' scores.

    Parameters
    ----------
    search : ObliqueSearch
    at : int
    X : ndarray, shape (n, n_features)
        The rows of the node.
    y : ndarray of intp, shape (n,)
    rows : ndarray of intp, shape (n,)
        Their numbers in the data, from 0.
    theme : {"light", "dark"}
    feature_names, class_names : tuple of str
    score : str
        What the criterion is called.
    equal : bool
        Whether one unit is as long on both axes; of two features.
    distance_word, move_word : str
        Names of the axes.
    """
    moves = Moves(search.restart, search.score, at, search.winner)
    flat = X.shape[1] == 2
    if flat:
        x, up, names = X[:, 0], X[:, 1], feature_names
        bounds = pad_bounds(x, up)
        lines = across(search.weights, search.threshold, surroundings(bounds, equal=equal))
    else:
        x, up = along(X, y, search.weights[at], float(search.threshold[at]))
        names = (distance_word, "")
        bounds = pad_bounds(np.append(x, 0.0), up)
        lines = np.array([[0.0, bounds[2], 0.0, bounds[3]]])
    return hyperplane_search_plot(
        Points.plain(x, up, y, rows + 1),
        moves,
        lines,
        theme=theme,
        names=(names[0], names[1]),
        class_names=class_names,
        view=bounds,
        equal=equal and flat,
        score_word=score,
        move_word=move_word,
    )


@dataclass(eq=False, repr=False)
class HyperplaneDisplay(Display):
    """The hyperplanes that OC1 or CART-LC tried at a node, and their scores.

    Make it by :meth:`from_estimator`.

    Attributes
    ----------
    model : ShownModel
    node : int
        In the tree that predicts.
    rows : ndarray of intp
        The rows of `X` that the node held when it was split.
    search : ObliqueSearch
        Replayed.
    move : int
        The one that is shown.
    figure_ : plotly.graph_objects.Figure
    """

    model: ShownModel
    node: int
    rows: np.ndarray
    search: ObliqueSearch
    move: int

    @classmethod
    def from_estimator(
        cls,
        estimator: BaseEstimator,
        X: object,
        y: object,
        *,
        node: int = 0,
        move: int | None = None,
        feature_names: Names | None = None,
        class_names: Names | None = None,
        theme: ThemeName | None = None,
        height: int | None = None,
    ) -> Self:
        """Draw the search of an inner node.

        Parameters
        ----------
        estimator : OC1Classifier or CARTLCClassifier
            Fitted.
        X : array-like or DataFrame, shape (n_samples, n_features)
            The very rows that it was fitted on.
        y : array-like, shape (n_samples,)
            Their labels.
        node : int, default 0
            An inner node.
        move : int, optional
            Which move of the search; default: the one that won.
        feature_names, class_names : sequence of str, or mapping, optional
            Default: what the model knows.
        theme : {"light", "dark"}, optional
            Default: see :meth:`plot`.
        height : int, optional
            Not used: the figure is as high as its curve needs.

        Returns
        -------
        HyperplaneDisplay

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If the model is not fitted.
        ValueError
            If it searches no hyperplanes, the node is a leaf, or anything else does not fit.

        Notes
        -----
        With more than two features the rows lie along the normal of the hyperplane. The search is
        run again, which takes what it took in growth.
        """
        if y is None:
            raise ValueError("y must be given: scores are about rows of known classes")
        model = read_model(estimator, X, y, feature_names=feature_names, class_names=class_names)
        if not (model.is_ours and model.estimator.TAGS.hyperplanes):
            raise ValueError("this model searches no hyperplanes; SplitDisplay shows thresholds")
        model.check_inner(node)
        at = int(model.tree.grown_node[node])
        labels = np.asarray(model.given.classes_)[model.label]
        search = split_search(model.given, model.X, labels, at)
        move = search.winner if move is None else move
        if not 0 <= move < search.n_moves:
            raise ValueError(f"move must be from 0 to {search.n_moves - 1}, got {move}")
        rows = model.estimator.grown_tree_.node_samples(at)[0]
        return cls(model, node, rows, search, move).plot(theme=theme, height=height)

    def drawing(self, theme: ThemeName = "light") -> Drawing:
        """Figure as the app draws it, without legend and ground."""
        names = self.model.feature_names
        return search_drawing(
            self.search,
            self.move,
            self.model.values[self.rows],
            self.model.label[self.rows],
            self.rows,
            theme=theme,
            feature_names=names,
            class_names=self.model.class_names,
            score=CRITERIA[self.model.estimator.criterion_column].title,
            equal=len(names) == 2 and self.model.plane().equal,
        )

    def _figure(self, theme: ThemeName, height: int | None) -> go.Figure:
        return for_notebook(self.drawing(theme), theme, self.model.class_names)
