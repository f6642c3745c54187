"""What the growth of a tree is told from: the model, its rows, the plane it is seen in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from lastviz.datasets import Dataset
from lastviz.estimators import TreeClassifier, is_imported
from lastviz.inspection import level_by_level
from lastviz.plots import ThemeName
from lastviz.tree import Tree
from lastviz.ui.compute import cache
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.plane import Plane
from lastviz.ui.state.selection import Selection

MOST_POINTS = 1500
WINDOW = 0.2  # of the view, around it, where regions are read off a grid


@dataclass(frozen=True, eq=False)
class GrowthScene:
    """A trained tree with the rows that grew it."""

    selection: Selection
    plane: Plane
    picture: str  # {"plane", "values"}
    dataset: Dataset
    names: tuple[str, ...]  # of the classes
    theme: ThemeName  # str
    model: TreeClassifier
    tree: Tree  # as it was grown, before any pruning
    curved: bool  # whether its splits are curves
    division: cache.Division  # all rows, encoded as the model reads them
    rows: np.ndarray  # intp, the training rows
    frame: pd.DataFrame
    X: np.ndarray  # (n_rows, n_features) float64
    y: np.ndarray  # (n_rows,) intp
    drawn: np.ndarray  # intp, which of `rows` are drawn
    # Where regions are worked out: x from and to, y from and to.
    bounds: tuple[float, float, float, float]


def growth_scene(selection: Selection, plane: Plane, picture: str, theme: ThemeName) -> GrowthScene:
    """Return what the growth of the first model is told from.

    Parameters
    ----------
    selection : Selection
    plane : Plane
    picture : {"plane", "values"}
    theme : {"light", "dark"}
    """
    dataset = cache.data(selection).dataset
    model = cache.fitted(selection, 0).estimator
    if is_imported(selection.models[0].key):
        model = level_by_level(model)
    tree = model.grown_tree_
    curved = len(tree.kernel) > 0
    divided = cache.division(selection)
    rows = divided.train_rows
    return GrowthScene(
        selection=selection,
        plane=plane,
        picture=picture,
        dataset=dataset,
        names=class_names_of(dataset),
        theme=theme,
        model=model,
        tree=tree,
        curved=curved,
        division=divided,
        rows=rows,
        frame=divided.X.iloc[rows],
        X=divided.values[rows],
        y=divided.y[rows],
        drawn=_drawn(len(rows), tree.kernel.rows),
        bounds=_bounds(plane, curved),
    )


def _bounds(plane: Plane, curved: bool) -> tuple[float, float, float, float]:
    if not curved:
        return plane.around
    x0, x1, y0, y1 = plane.view
    across, up = WINDOW * (x1 - x0), WINDOW * (y1 - y0)
    return x0 - across, x1 + across, y0 - up, y1 + up


def _drawn(n: int, support: np.ndarray) -> np.ndarray:
    """Return the rows that are drawn: all, or evenly many of them, support vectors first."""
    if n <= MOST_POINTS:
        return np.arange(n)
    some = support[:: max(1, -(-len(support) // MOST_POINTS))]
    others = np.setdiff1d(np.arange(n), some)
    left = MOST_POINTS - len(some)
    sampled = (
        others[np.linspace(0, len(others) - 1, left).astype(np.intp)] if left > 0 else others[:0]
    )
    return np.sort(np.concatenate([some, sampled]))
