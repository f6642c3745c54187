"""Display of a model's decision boundaries, with the samples in the plane."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import Signature, signature
from typing import Self, TypeVar

import numpy as np
import plotly.graph_objects as go
from sklearn.base import BaseEstimator

from lastviz._sentences import HUNDRED
from lastviz.inspection import (
    ForestRegions,
    Regions,
    banded_regions,
    cut_predictions,
    forest_regions,
    regions,
    response_steps,
    slice_fidelity,
    tree_regions,
)
from lastviz.plots import (
    Drawing,
    Plane,
    Points,
    ThemeName,
    boundary_and_tree_plot,
    boundary_plot,
    forest_plot,
    regression_plane_plot,
    regression_plot,
)

from .display import Display, for_notebook
from .model import Names, ShownModel, read_model

HEIGHT, TREE_HEIGHT, WIDTH = 480, 150, 640  # pixels, as of a single model in the app
NUMBERS_HEIGHT = 200  # of a tree whose leaves say their numbers
Shown = TypeVar("Shown", bound=Callable)


def regions_in_plane(
    estimator: BaseEstimator, plane: Plane, max_depth: int | None = None
) -> Regions:
    """Regions of a tree in a plane and around it, exact unless splits are curves."""
    if plane.is_banded:
        axes, bands = plane.numeric_in(plane.form), plane.bands_in(plane.form)
        found = banded_regions(estimator, plane.around, axes, plane.at, bands, max_depth)
        names = tuple(plane.names[f] for f in plane.features)
        return replace(found, features=plane.features, feature_names=names)
    return regions(estimator, plane.around, plane.features, plane.at)


@dataclass(eq=False, repr=False)
class BoundaryDisplay(Display):
    """Exact decision boundaries of a tree or a forest.

    Make it by :meth:`from_estimator`.

    Attributes
    ----------
    model : ShownModel
    plane : Plane
        The features on the axes, and where the others are fixed.
    regions_ : Regions or ForestRegions
        Of the window and around it.
    max_depth : int or None
        Where the tree is cut for the picture.
    node : int
        The node that is framed; 0: none.
    held_out : ndarray of bool, shape (n_samples,)
        Rows kept from training.
    with_tree : bool
        Whether the tree stands below the plane.
    target_name : str
        What is predicted, if numbers are.
    figure_ : plotly.graph_objects.Figure
    """

    model: ShownModel
    plane: Plane
    regions_: Regions | ForestRegions
    max_depth: int | None
    node: int
    held_out: np.ndarray
    with_tree: bool
    target_name: str

    @classmethod
    def from_estimator(
        cls,
        estimator: BaseEstimator,
        X: object,
        y: object = None,
        *,
        features: Sequence[int | str] | None = None,
        feature_names: Names | None = None,
        class_names: Names | None = None,
        max_depth: int | None = None,
        tree: int | None = None,
        node: int = 0,
        row: int | None = None,
        held_out: Sequence[bool] | None = None,
        show_tree: bool = False,
        target_name: str | None = None,
        theme: ThemeName | None = None,
        height: int | None = None,
    ) -> Self:
        """Draw the regions of a fitted model.

        Parameters
        ----------
        estimator : estimator
            A fitted tree or forest of this package or of scikit-learn, for classes or numbers.
        X : array-like or DataFrame, shape (n_samples, n_features)
            Rows to draw; of more than 5,000 as many evenly spaced ones.
        y : array-like, shape (n_samples,), optional
            Their labels, or numbers; no rows are drawn without it.
        features : sequence of one or two int or str, optional
            On the axes; default: the two that tell the classes best, each by itself. The others
            are fixed at their medians and most frequent categories.
        feature_names, class_names : sequence of str, or mapping, optional
            Default: what the model knows.
        max_depth : int, optional
            Where a tree is cut for the picture; default: it is not.
        tree : int, optional
            Which tree of a forest; default: the whole forest. Of a gradient boosting one must be
            named: it predicts what its leaves add to a score, and `y` is not drawn.
        node : int, default 0
            A node of the tree to frame; 0, the root, frames none.
        row : int, optional
            A row through which the plane goes.
        held_out : sequence of bool, shape (n_samples,), optional
            Rows kept from training, drawn as diamonds; default: none.
        show_tree : bool, default False
            Whether the tree stands below the plane. A forest has none.
        target_name : str, optional
            What is predicted, where numbers are; default: the name of a Series `y`, else "y", of
            a tree of a gradient boosting "score".
        theme : {"light", "dark"}, optional
            Default: see :meth:`plot`.
        height : int, optional
            Of the figure in pixels, legend and tree left out; default: 480.

        Returns
        -------
        BoundaryDisplay
            Its figure is in ``figure_``; a notebook shows it.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If the model is not fitted.
        ValueError
            If anything does not fit the model; the message says what.

        Notes
        -----
        O(n_nodes) for a tree; for a forest, and a tree with a monotone envelope, exact up to 399
        thresholds an axis, see :func:`lastviz.inspection.forest_regions`.

        Examples
        --------
        >>> import numpy as np
        >>> from lastviz import BoundaryDisplay, CARTClassifier
        >>> X, y = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), [0, 1, 1, 1]
        >>> display = BoundaryDisplay.from_estimator(CARTClassifier().fit(X, y), X, y)
        >>> len(display.figure_.data) > 0
        True
        """
        model = read_model(
            estimator, X, y, feature_names=feature_names, class_names=class_names, tree=tree
        )
        plane = model.plane(features, row)
        if model.is_regression:
            found = _regions_of_numbers(model, plane)
        elif model.is_ensemble:
            found = _regions_of_forest(model, plane)
        else:
            model.check_node(node)
            found = regions_in_plane(model.estimator, plane, max_depth)
        mask = np.zeros(len(model.values), dtype=bool)
        if held_out is not None:
            mask = np.asarray(held_out, dtype=bool)
            if mask.shape != (len(model.values),):
                raise ValueError(
                    f"held_out must be {len(model.values)} truth values, got shape {mask.shape}"
                )
        if target_name is None:
            named = "score" if model.adds_to else getattr(y, "name", None)
            target_name = str(named or "y")
        shown = cls(model, plane, found, max_depth, node, mask, show_tree, target_name)
        return shown.plot(theme=theme, height=height)

    def _figure(self, theme: ThemeName, height: int | None) -> go.Figure:
        drawing, names = self.drawing(theme, height), self.model.class_names
        return for_notebook(drawing, theme, names, note=self.slice_words())

    def slice_words(self) -> str:
        """Meaning of the colours in a slice and of scores, else ""."""
        model, plane = self.model, self.plane
        added = f"Leaves add to {model.adds_to}. " if model.adds_to else ""
        axes = set(plane.features)
        fixed = len(model.feature_names) - len(axes)
        if not fixed:
            return added.rstrip()
        message = f"{added}A slice: {fixed} other feature{'s' * (fixed > 1)} fixed"
        if model.is_regression or model.is_ensemble or not len(model.values):
            return f"{message}."
        share = HUNDRED * slice_fidelity(model.tree, model.values, list(axes), plane.at)
        return f"{message}; {share:.1f} % of the rows lie on the colour of their prediction."

    def drawing(
        self,
        theme: ThemeName = "light",
        height: int | None = None,
        hover: Mapping[int, str] | None = None,
    ) -> Drawing:
        """Figure as the app draws it, without legend and ground.

        What `hover` says of nodes is for the app's own chart.
        """
        height = HEIGHT if height is None else height
        if self.model.is_regression:
            return self._numbers(theme, height)
        common = {
            "theme": theme,
            "class_names": self.model.class_names,
            "height": height,
            "sample": self._sample(),
            "equal": self.plane.equal,
            "view": self.plane.view,
            "units": self.plane.units,
        }
        if isinstance(self.regions_, ForestRegions):
            names = tuple(self.plane.names[f] for f in self.plane.features)
            return forest_plot(self.regions_, self._points(), feature_names=names, **common)
        tree = self.model.tree
        common |= {"selected": self.node, "depth": self.max_depth, "bands": self.plane.bands}
        common["hover"] = hover or {}
        if not self.with_tree:
            return boundary_plot(self.regions_, tree, self._points(), **common)
        path = tree.path(self.node) if self.node else None
        return boundary_and_tree_plot(
            self.regions_,
            tree,
            self._points(),
            path=path,
            tree_height=TREE_HEIGHT,
            width_hint=WIDTH,
            **common,
        )

    def _points(self) -> Points:
        if self.model.y is None:
            nothing = np.empty(0)
            return Points.plain(nothing, nothing, nothing)
        drawn = self.plane.drawn
        return Points(
            x=self.plane.x[drawn],
            y=self.plane.y[drawn],
            label=self.model.y[drawn],
            held_out=self.held_out[drawn],
            wrong=(self._predicted() != self.model.y)[drawn],
            row=drawn + 1,
            texts=self.plane.texts(drawn),
        )

    def _predicted(self) -> np.ndarray:
        if self.model.is_ensemble:
            return self.model.estimator.predict_codes(self.model.values)
        tree = self.model.tree
        return cut_predictions(tree, self.model.values, tree.at_depth(self.max_depth))

    def _sample(self) -> tuple[float, float] | None:
        at = self.plane.row
        return None if at is None else (self.plane.x[at], self.plane.y[at])

    def _numbers(self, theme: ThemeName, height: int) -> Drawing:
        across, up = self.plane.features
        values, y = self.model.values, self.model.y
        known = ~np.isnan(values[:, [across, up]]).any(axis=1)
        known &= y is not None
        y = np.zeros(len(values)) if y is None else y
        names, held_out = self.plane.names, self.held_out[known]
        tree = self.model.tree if self.with_tree else None
        below = {"tree": tree, "tree_height": NUMBERS_HEIGHT}
        below |= {"width_hint": WIDTH, "height": height, "theme": theme, "held_out": held_out}
        if across == up:
            return regression_plot(
                self.regions_,
                values[known, across],
                y[known],
                names=(names[across], self.target_name),
                **below,
            )
        return regression_plane_plot(
            self.regions_,
            self.model.tree.prediction,
            np.column_stack([values[known, across], values[known, up], y[known]]),
            target=self.target_name,
            view=self.plane.view,
            **below,
        )


def _like_from_estimator(show: Shown) -> Shown:
    """Set `show`'s signature to that of the method it calls, for help and completion."""
    given = list(signature(BoundaryDisplay.from_estimator).parameters.values())
    given = [each.replace(default=True) if each.name == "show_tree" else each for each in given]
    show.__signature__ = Signature(given, return_annotation=BoundaryDisplay)
    return show


@_like_from_estimator
def show(estimator: BaseEstimator, X: object, y: object = None, **options: object) -> Display:
    """Show a model's decision boundaries in one line, of a tree with the tree below.

    Parameters
    ----------
    estimator : estimator
        A fitted tree or forest of this package or of scikit-learn; a pipeline that ends with one,
        drawn in the units in which it gets the rows, or a search for one.
    X : array-like or DataFrame, shape (n_samples, n_features)
    y : array-like, shape (n_samples,), optional
    **options
        As for :meth:`BoundaryDisplay.from_estimator`.

    Returns
    -------
    BoundaryDisplay

    Raises
    ------
    sklearn.exceptions.NotFittedError, ValueError
        As :meth:`BoundaryDisplay.from_estimator`.
    """
    return BoundaryDisplay.from_estimator(estimator, X, y, **{"show_tree": True, **options})


def _regions_of_forest(model: ShownModel, plane: Plane) -> ForestRegions:
    if plane.is_banded:
        raise ValueError(
            "a forest is drawn over numbers, and a feature on an axis has categories or missing "
            "values; name others in features, or a tree in tree"
        )
    if len(set(plane.features)) < 2:
        raise ValueError("a forest is drawn over two features; name two in features")
    return forest_regions(model.estimator, plane.around, plane.features, plane.at, focus=plane.view)


def _regions_of_numbers(model: ShownModel, plane: Plane) -> object:
    if hasattr(model.estimator, "estimators_"):
        raise ValueError(
            "a forest that predicts numbers has no exact picture; name one of its trees in tree"
        )
    named = [model.feature_names[f] for f in plane.features if model.categories[f] is not None]
    if named:
        raise ValueError(f"numbers are drawn over numbers, and {named[0]!r} has categories")
    across, up = plane.features
    if across == up:
        return response_steps(model.tree, across, *plane.view[:2], plane.at)
    return tree_regions(model.tree, plane.around, plane.features, plane.at)
