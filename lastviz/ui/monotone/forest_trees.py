"""The boundaries of each tree of a forest beside the forest's, and which tree is shown."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from lastviz.estimators import ForestClassifier, TreeClassifier
from lastviz.export.html_report import Text
from lastviz.export.slide_show import Columns
from lastviz.host.memory import remembered
from lastviz.inspection import ForestRegions, forest_regions
from lastviz.plots import Drawing, Points, ThemeName, forest_plot, forest_trees_plot, surroundings
from lastviz.ui.compute import cache
from lastviz.ui.shared.blocks import PAGE, Block, Chart, Only, Title
from lastviz.ui.shared.ensemble_view import predicted, regions_of_ensemble
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.model_view import class_names_of
from lastviz.ui.shared.plane import Plane, plane_of
from lastviz.ui.shared.widgets import put
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import number, percent, t

MOST_TREES, ACROSS = 12, 3


def trees_panel(forest: ForestClassifier, selection: Selection, theme: ThemeName) -> list[Block]:
    """Return the `forest` of a selection large and its trees small; a click on a tree picks it.

    Raises
    ------
    Working
        If the picture of many trees takes long.
    """
    plane, n_trees = plane_of(selection, alone=True), len(forest.estimators_)
    picked = selection.models[0].tree
    picked = None if picked is None else min(picked, n_trees - 1)
    what, words = _title_of(picked, n_trees), t("Its trees")
    small, first, last = _trees_figure(forest, selection, plane, picked, theme)
    if n_trees > MOST_TREES:
        words = t("Trees {first} to {last} of {n}", first=number(first + 1),
                  last=number(last), n=number(n_trees))  # fmt: skip
    large = Chart(
        _forest_figure(forest, selection, plane, picked, theme),
        t("The regions of {what}", what=what),
        key="forest_large0", filename="forest",
    )  # fmt: skip
    trees = Chart(
        small, t("The regions of trees {first} to {last}", first=first + 1, last=last),
        key="forest_small0", filename="trees", on_click=partial(_picked, picked),
    )  # fmt: skip
    grid = (
        t("Exact rectangles.")
        if regions_of_ensemble(selection, 0, plane).exact
        else t("The forest on a grid of 400 by 400 places.")
    )
    about = t("Click a tree to enlarge it, click again to return to the forest. The percentage is "
              "its accuracy on the training rows.")  # fmt: skip
    columns = Columns([[Title(what), large], [Title(words), trees]])
    return [columns, Only((PAGE,), [Text(f"{grid} {about}")])]


def _title_of(picked: int | None, n_trees: int) -> str:
    """Return what the large picture is called."""
    if picked is None:
        return t("What all {n} trees decide", n=number(n_trees))
    return t("Tree {n} of {all}", n=number(picked + 1), all=number(n_trees))


def _forest_figure(
    forest: ForestClassifier,
    selection: Selection,
    plane: Plane,
    picked: int | None,
    theme: ThemeName,
) -> Drawing:
    """Return the regions of the forest, or of the picked one of its trees."""
    divided, drawn = cache.division(selection), plane.drawn
    if picked is None:
        regions = regions_of_ensemble(selection, 0, plane)
        label = predicted(selection, 0)[drawn]
    else:
        regions = _of_tree(forest, selection, plane, picked)
        label = forest.estimators_[picked].predict_codes(divided.values[drawn])
    held_out = np.zeros(len(divided.y), dtype=bool)
    held_out[divided.held_out_rows] = True
    points = Points(plane.x[drawn], plane.y[drawn], divided.y[drawn], held_out[drawn],
                    label != divided.y[drawn], drawn + 1, plane.texts(drawn))  # fmt: skip
    figure = forest_plot(
        regions, points, theme=theme,
        class_names=class_names_of(cache.data(selection).dataset),
        feature_names=plane.titles,
        height=480, equal=plane.equal, view=plane.view, units=plane.units,
        words=words(),
    )  # fmt: skip
    return figure.about(f"{cache.data_key(selection)}|{plane.features}")


def _trees_figure(
    forest: ForestClassifier,
    selection: Selection,
    plane: Plane,
    picked: int | None,
    theme: ThemeName,
) -> tuple[Drawing, int, int]:
    """Return the figure of the trees around the picked one, the first and the one past the last."""
    n_trees = len(forest.estimators_)
    first = (picked or 0) // MOST_TREES * MOST_TREES
    last = min(first + MOST_TREES, n_trees)
    trees = []
    for i in range(first, last):
        share = percent(_accuracy(forest, selection, i))
        title = t("tree {n}: {share} %", n=number(i + 1), share=share)
        trees.append((i, title, _of_tree(forest, selection, plane, i)))
    figure = forest_trees_plot(
        trees, theme=theme, class_names=class_names_of(cache.data(selection).dataset),
        view=plane.view, picked=picked, across=ACROSS,
    )  # fmt: skip
    return figure, first, last


def _of_tree(
    forest: ForestClassifier, selection: Selection, plane: Plane, tree: int
) -> ForestRegions:
    where = f"{plane.view}|{plane.features}|{plane.at.tobytes().hex()}"
    key = f"{cache.model_key(selection, 0)}|{where}|{tree}"
    return _tree_regions(key, forest.estimators_[tree], plane)


@remembered
def _tree_regions(key: str, tree: TreeClassifier, plane: Plane) -> ForestRegions:
    around = surroundings(plane.view, equal=plane.equal)
    return forest_regions(tree, around, plane.features, plane.at, focus=plane.view)


def _accuracy(forest: ForestClassifier, selection: Selection, i: int) -> float:
    """Return the accuracy of a tree on the training rows."""
    key = f"{cache.model_key(selection, 0)}|accuracy|{i}"
    return _accuracy_of(key, forest.estimators_[i], cache.division(selection))


@remembered
def _accuracy_of(key: str, tree: TreeClassifier, divided: cache.Division) -> float:
    rows = divided.train_rows
    return float(np.mean(tree.predict_codes(divided.values[rows]) == divided.y[rows]))


def _picked(picked: int | None, click: dict) -> None:
    tree = click.get("node")
    if tree is not None:
        session.select_model(0, tree=None if tree == picked else int(tree))


def tree_stepper(forest: ForestClassifier, selection: Selection) -> int:
    """Draw a slider over the trees with a step back and a step on; return the tree shown."""
    n_trees = len(forest.estimators_)
    at = min(selection.models[0].tree or 0, n_trees - 1)
    if n_trees < 2:
        return at
    key = f"tree_step0.{n_trees}"
    put(key, at + 1)
    row = st.container(key="tree_steps", horizontal=True, wrap=False, vertical_alignment="bottom")
    row.button("◀", key="tree_back0", help=t("The tree before"), disabled=at == 0,
               on_click=partial(_step, n_trees, -1))  # fmt: skip
    row.slider(
        t("Tree, of {n}", n=number(n_trees)),
        min_value=1,
        max_value=n_trees,
        key=key,
        on_change=lambda: session.select_model(0, tree=st.session_state[key] - 1),
    )
    row.button("▶", key="tree_on0", help=t("The next tree"), disabled=at == n_trees - 1,
               on_click=partial(_step, n_trees, 1))  # fmt: skip
    return at


def _step(n_trees: int, by: int) -> None:
    at = (session.current().models[0].tree or 0) + by
    session.select_model(0, tree=min(max(at, 0), n_trees - 1))
