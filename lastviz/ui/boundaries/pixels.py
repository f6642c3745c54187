"""Rows of pixels: the image of one with the pixels on its path framed, beside the tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from lastviz.export.html_report import Text
from lastviz.plots import Drawing, TestedPixel, ThemeName, flow_tree_plot, number, pixels_plot
from lastviz.plots.visuals.words import threshold_words
from lastviz.tree import Kind, Tree
from lastviz.ui.compute import cache
from lastviz.ui.shared.blocks import SLIDE, Block, Chart, Controls, Only, draw
from lastviz.ui.shared.figures import words
from lastviz.ui.shared.model_view import ModelView
from lastviz.ui.shared.widgets import segments
from lastviz.ui.state import session
from lastviz.ui.text import t

from .scene import Scene

PIXEL = re.compile(r"pixel (\d+) (\d+)")
HEIGHT = 300


@dataclass(frozen=True, eq=False)
class PixelScene:
    """A row of pixels and its path through a tree."""

    view: ModelView
    row: int
    path: tuple[int, ...]  # nodes from the root to the leaf
    grey: np.ndarray  # (n_rows, n_columns)
    tested: tuple[TestedPixel, ...]  # in the order of the path; each pixel once
    most: float  # the largest value of any pixel of the data


def of_pixels(scene: Scene) -> tuple[int, int] | None:
    """Return how many rows and columns the pixels make that the features are; None if not all."""
    places = [PIXEL.fullmatch(str(name)) for name in cache.data(scene.selection).dataset.X.columns]
    if not places or not all(places):
        return None
    rows, columns = (max(int(place[i]) for place in places) + 1 for i in (1, 2))
    return (rows, columns) if rows * columns == len(places) else None


def view_chooser() -> str:
    """Draw the choice between the image of a row and the plane of two pixels."""
    titles = {"path": t("One row and its path"), "plane": t("Plane of two pixels")}
    return segments("pixels", t("What is drawn for data with many features"), titles)


def shows_paths(scene: Scene) -> bool:
    """Tell whether images of rows are drawn, and their paths, instead of planes."""
    return of_pixels(scene) is not None and scene.selection.boundaries.pixels == "path"


def path_of_pixels(scene: Scene, place: int) -> PixelScene | None:
    """Return the row that is drawn for a model; None where its plane is."""
    return pixel_scene(scene, place) if shows_paths(scene) else None


def pixel_scene(scene: Scene, place: int) -> PixelScene | None:
    """Return the row at hand in the model at a place; None if its tree asks otherwise.

    The row is the picked one, else the first that was held out.
    """
    view = scene.views[place]
    if not isinstance(view, ModelView):
        return None
    if set(view.tree.kind[view.tree.n_children > 0].tolist()) - {int(Kind.THRESHOLD)}:
        return None
    divided = cache.division(scene.selection, place)
    picked = scene.selection.view.highlighted
    if picked is None or picked >= len(divided.y):
        picked = int(divided.held_out_rows[0]) if len(divided.held_out_rows) else 0
    values, tree = divided.values, view.tree
    path = tree.path(int(view.representative[tree.apply(values[[picked]])[0]]))
    orders: dict[int, list[int]] = {}
    for order, node in enumerate(path[:-1], start=1):
        orders.setdefault(int(tree.feature[node]), []).append(order)
    tested = []
    for feature, which in orders.items():
        row, column = map(int, PIXEL.fullmatch(str(tree.feature_names[feature])).groups())
        questions = t("; ").join(f"{n}: {_answer(tree, path[n - 1], path[n])}" for n in which)
        tested.append(TestedPixel(row, column, ", ".join(map(str, which)), questions))
    grey = values[picked].reshape(of_pixels(scene))
    return PixelScene(view, picked, tuple(path), grey, tuple(tested), float(np.nanmax(values)))


def _answer(tree: Tree, node: int, child: int) -> str:
    """Return the question of a node as it is answered on the way to a child."""
    sign = "≤" if child == tree.children(node)[0] else ">"
    name = tree.feature_names[tree.feature[node]]
    return f"{name} {sign} {threshold_words(tree, node)}"


def image_of(found: PixelScene, theme: ThemeName) -> Drawing:
    """Return the image of the row."""
    return pixels_plot(
        found.grey, found.tested, theme=theme, most=found.most, pixel_word=t("pixel"), height=HEIGHT
    )


def tree_of(found: PixelScene, scene: Scene) -> Drawing:
    """Return the tree with the path of the row."""
    return flow_tree_plot(
        found.view.tree,
        theme=scene.theme,
        selected=found.path[-1],
        path=list(found.path),
        depth=scene.selection.view.depth,
        height=HEIGHT,
        width_hint=420,
        class_names=scene.class_names,
        words=words(),
    )


def pixel_words(found: PixelScene, scene: Scene) -> str:
    """Return what the row is, what the tree says of it, and after how many questions."""
    return t(
        "Row {row} is {true}; {title} predicts {predicted} after {n} questions about {pixels} "
        "pixels. They are framed, with the number of the question.",
        row=number(found.row + 1),
        true=scene.class_names[int(scene.dataset.codes[found.row])],
        title=found.view.title,
        predicted=scene.class_names[int(found.view.predicted[found.row])],
        n=number(len(found.path) - 1),
        pixels=number(len(found.tested)),
    )


def pixel_pictures(found: PixelScene, scene: Scene, place: int) -> list[Chart]:
    """Return image and tree."""
    image, tree = image_of(found, scene.theme), tree_of(found, scene)
    about, words = pixel_words(found, scene), t("The tree, with the path of the row.")
    return [
        Chart(image, about, "", HEIGHT, key=f"pixels{place}", filename="pixels"),
        Chart(tree, words, words, key=f"pixel_tree{place}", filename="tree"),
    ]


def pixel_panel(found: PixelScene, scene: Scene, place: int) -> list[Block]:
    """Return image and tree, on the page beside each other and with the ways to other rows."""
    image, tree = pixel_pictures(found, scene, place)
    return [
        Controls(partial(_beside, image, tree)),
        Only((SLIDE,), [image, tree, Text(tree.alt)]),
        Text(pixel_words(found, scene)),
        Controls(partial(_row_buttons, found, scene, place)),
    ]


def _beside(image: Chart, tree: Chart) -> None:
    for column, picture in zip(st.columns([2, 3], gap="small"), (image, tree), strict=True):
        with column:
            draw([picture])


def _row_buttons(found: PixelScene, scene: Scene, place: int) -> None:
    wrong = np.flatnonzero(found.view.predicted != scene.dataset.codes)
    with st.container(key=f"other_rows{place}", horizontal=True, gap="small"):
        _row_button(
            t("Next row"), f"next_row{place}", found.row, np.arange(len(scene.dataset.codes))
        )
        if len(wrong):
            _row_button(t("Next misclassified row"), f"next_wrong{place}", found.row, wrong)


def _row_button(label: str, key: str, row: int, rows: np.ndarray) -> None:
    """Draw the button to the next of some rows; behind the last one comes the first."""
    later = rows[rows > row]
    following = int(later[0] if len(later) else rows[0])
    st.button(
        label, key=key, on_click=session.select, kwargs={"highlighted": following, "typed": ""}
    )
