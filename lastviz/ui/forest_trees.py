"""The boundaries of each tree of a forest beside those of the forest."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.inspection import ForestRegions, forest_regions
from lastviz.plots import Points, forest_plot, forest_trees_plot, surroundings

from . import cache, frame, state
from .components.chart_host import chart
from .memory import remembered
from .model_view import class_names_of
from .plane import Plane, plane_of
from .selection import Selection
from .text import number, percent, t
from .whole_view import predicted, regions_of_whole

__all__ = ["trees_panel"]

MOST_TREES, ACROSS = 12, 3


def trees_panel(forest: ForestClassifier, selection: Selection, place: int = 0) -> None:
    """Draw the forest large and its trees small; a click on a tree picks it.

    Parameters
    ----------
    forest : ForestClassifier
        The fitted model at `place` of `selection`.
    selection : Selection
    place : int, default 0

    Raises
    ------
    Working
        If the picture of many trees takes long.
    """
    plane = plane_of(selection)
    picked = selection.models[place].tree
    picked = None if picked is None else min(picked, len(forest.estimators_) - 1)
    large = _large(forest, selection, place, plane, picked)
    small, first, last = _small(forest, selection, place, plane, picked)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(f"**{_title(picked, len(forest.estimators_))}**")
        chart(large, key=f"forest_large{place}", height=large.layout.height,
              alt=t("The regions of {what}", what=_title(picked, len(forest.estimators_))),
              filename="forest")  # fmt: skip
    with right:
        n_trees = len(forest.estimators_)
        words = t("Its trees")
        if n_trees > MOST_TREES:
            words = t("Trees {first} to {last} of {n}", first=number(first + 1),
                      last=number(last), n=number(n_trees))  # fmt: skip
        st.markdown(f"**{words}**")
        chart(small, key=f"forest_small{place}", height=small.layout.height,
              alt=t("The regions of trees {first} to {last}", first=first + 1, last=last),
              on_click=lambda click: _picked(place, picked, click), filename="trees")  # fmt: skip
    grid = (
        t("Exact rectangles.")
        if regions_of_whole(selection, place, plane).exact
        else t("The forest on a grid of 400 by 400 places.")
    )
    st.caption(grid + " " + t("A click on a tree shows it large, another one the forest again. "
                              "The share is that of the training rows it gets right."))  # fmt: skip


def _title(picked: int | None, n_trees: int) -> str:
    if picked is None:
        return t("The vote of all {n} trees", n=number(n_trees))
    return t("Tree {n} of {all}", n=number(picked + 1), all=number(n_trees))


def _large(
    forest: ForestClassifier,
    selection: Selection,
    place: int,
    plane: Plane,
    picked: int | None,
) -> go.Figure:
    divided, drawn = cache.division(selection), plane.drawn
    X = divided.values[drawn]
    if picked is None:
        regions, label = (
            regions_of_whole(selection, place, plane),
            predicted(selection, place)[drawn],
        )
    else:
        regions = _of_tree(forest, selection, place, plane, picked)
        label = forest.estimators_[picked].predict_codes(X)
    held_out = np.zeros(len(divided.y), dtype=bool)
    held_out[divided.held_out_rows] = True
    points = Points(plane.x[drawn], plane.y[drawn], divided.y[drawn], held_out[drawn],
                    label != divided.y[drawn], drawn + 1)  # fmt: skip
    names = tuple(divided.X.columns[list(plane.features)])
    figure = forest_plot(
        regions, points, theme=frame.theme(),
        class_names=class_names_of(cache.data(selection).dataset),
        feature_names=names if names[0] != names[1] else (names[0], ""),
        height=480, equal=plane.equal, view=plane.view, units=plane.units,
    )  # fmt: skip
    figure.layout.uirevision = f"{cache.data_key(selection)}|{plane.features}"
    return figure


def _small(
    forest: ForestClassifier,
    selection: Selection,
    place: int,
    plane: Plane,
    picked: int | None,
) -> tuple[go.Figure, int, int]:
    """Return the figure of the trees around the picked one, the first and the one past the last."""
    n_trees = len(forest.estimators_)
    first = (picked or 0) // MOST_TREES * MOST_TREES
    last = min(first + MOST_TREES, n_trees)
    divided = cache.division(selection)
    rows = divided.train_rows
    X, y = divided.values[rows], divided.y[rows]
    trees = []
    for i in range(first, last):
        key = f"{cache.model_key(selection, place)}|right|{i}"
        right = percent(_share_right(key, forest.estimators_[i], X, y))
        title = t("tree {n}: {share} %", n=number(i + 1), share=right)
        trees.append((i, title, _of_tree(forest, selection, place, plane, i)))
    figure = forest_trees_plot(
        trees, theme=frame.theme(), class_names=class_names_of(cache.data(selection).dataset),
        view=plane.view, picked=picked, across=ACROSS,
    )  # fmt: skip
    return figure, first, last


def _of_tree(
    forest: ForestClassifier, selection: Selection, place: int, plane: Plane, tree: int
) -> ForestRegions:
    where = f"{plane.view}|{plane.features}|{plane.at.tobytes().hex()}"
    key = f"{cache.model_key(selection, place)}|{where}|{tree}"
    return _tree_regions(key, forest.estimators_[tree], plane)


@remembered(128)
def _tree_regions(key: str, tree: TreeClassifier, plane: Plane) -> ForestRegions:
    around = surroundings(plane.view, equal=plane.equal)
    return forest_regions(tree, around, plane.features, plane.at, focus=plane.view)


@remembered(256)
def _share_right(key: str, tree: TreeClassifier, X: np.ndarray, y: np.ndarray) -> float:
    return float(np.mean(tree.predict_codes(X) == y))


def _picked(place: int, picked: int | None, click: dict) -> None:
    tree = click.get("node")
    if tree is not None:
        state.select_model(place, tree=None if tree == picked else int(tree))
