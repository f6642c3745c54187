"""Rows of pixels are images, with the pixels framed that the tree asks about on their path."""

import numpy as np
import pytest

from lastviz import CARTClassifier
from lastviz.export.blocks import Columns, Picture
from lastviz.plots import number
from lastviz.ui.boundaries.page import scene_report_of, slide_blocks
from lastviz.ui.boundaries.scene import (
    image_of,
    of_pixels,
    pixel_scene,
    pixel_words,
    scene_of,
    tree_of,
)
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import Model, Selection

from .conftest import checked, opened


def digits(key="cart", **view):
    return Selection(data="digits", models=(Model(key),)).change(**view)


def walked(tree, x):
    """The features asked about on the way of a row, and where it ends."""
    node, features = 0, []
    while tree.n_children[node]:
        features.append(int(tree.feature[node]))
        node = int(tree.first_child[node]) + int(x[features[-1]] > tree.threshold[node])
    return features, node


@pytest.mark.parametrize("row", [0, 3, 77, 1796])
def test_the_image_of_a_row_frames_the_pixels_on_its_path(row):
    scene = scene_of(Work(digits(highlighted=row)), "light")
    found, divided = pixel_scene(scene, 0), scene.work.first.division
    X, y, train = divided.values, divided.y, divided.train_rows
    tree = CARTClassifier().fit(X[train], y[train]).tree_
    features, leaf = walked(tree, X[row])
    assert {(p.row, p.column) for p in found.tested} == {divmod(f, 8) for f in features}
    for pixel in found.tested:
        which = [n for n, f in enumerate(features, 1) if divmod(f, 8) == (pixel.row, pixel.column)]
        assert pixel.order == ", ".join(map(str, which))
        for n in which:
            threshold = tree.threshold[found.path[n - 1]]
            sign = "≤" if X[row, features[n - 1]] <= threshold else ">"
            question = f"{n}: pixel {pixel.row} {pixel.column} {sign} {number(float(threshold))}"
            assert question in pixel.question.split("; ")
    np.testing.assert_array_equal(found.grey, X[row].reshape(8, 8))
    said, predicted = pixel_words(found, scene), int(np.argmax(tree.value[leaf]))
    assert f"Row {number(row + 1)} is class {y[row]}; CART predicts class {predicted}" in said
    assert f"after {len(features)} questions about {len(set(features))} pixels." in said


def test_image_and_tree_draw_what_was_found():
    scene = scene_of(Work(digits(highlighted=3)), "light")
    found = pixel_scene(scene, 0)
    image = image_of(found, "light")
    frames = [shape for shape in image.settings["shapes"] if shape.get("name") == "asked"]
    middles = {((s["x0"] + s["x1"]) / 2, (s["y0"] + s["y1"]) / 2) for s in frames}
    assert middles == {(p.column, p.row) for p in found.tested}
    assert {trace["meta"]["role"] for trace in image.traces} == {"pixels", "asked_pixels"}
    drawn = {each["meta"]["role"]: each for each in tree_of(found, scene).traces}
    along, across = np.asarray(drawn["node"]["x"]), np.asarray(drawn["path"]["x"])
    assert set(along[list(found.path)]) <= set(across)
    assert (across[0], across[-1]) == (along[found.path[0]], along[found.path[-1]])


def test_a_tree_cut_for_the_picture_asks_no_further():
    found = pixel_scene(scene_of(Work(digits(highlighted=3, depth=3)), "light"), 0)
    assert len(found.path) == 4


def test_other_data_and_other_trees_have_planes():
    assert of_pixels(scene_of(Work(Selection(data="iris")), "light")) is None
    assert pixel_scene(scene_of(Work(digits("gsodt")), "light"), 0) is None


def test_the_page_opens_on_the_image_and_the_plane_is_one_click_away():
    app = opened("boundaries", data="digits", m="cart")
    held = Work(digits()).first.division.held_out_rows
    (said,) = (c.value for c in app.caption if "questions about" in c.value)
    assert said.startswith(f"Row {held[0] + 1} is")
    checked(app.button(key="next_wrong0").click().run())
    row, view = (
        app.session_state["selection"].view.highlighted,
        scene_of(Work(digits()), "light").views[0],
    )
    wrong = np.flatnonzero(view.predicted != Work(digits()).data.dataset.codes)
    assert row == wrong[wrong > held[0]][0]
    plane = opened("boundaries", data="digits", m="cart", pixels="plane")
    assert not [c for c in plane.caption if "questions about" in c.value]
    assert not [b for b in plane.button if b.key == "next_row0"]


def test_slides_and_reports_show_the_image_as_the_page_does():
    (columns,) = [b for b in slide_blocks(Work(digits()), "light") if isinstance(b, Columns)]
    image, tree = (b for b in columns.columns[0] if isinstance(b, Picture))
    assert {trace["meta"]["role"] for trace in image.figure.traces} == {"pixels", "asked_pixels"}
    assert "path" in tree.figure.roles
    assert "questions about" in image.alt
    report = scene_report_of(scene_of(Work(digits()), "light"), "Where?", None)
    assert report.count("questions about") >= 2  # what the image says to ears, and below it
    plane = scene_report_of(scene_of(Work(digits(pixels="plane")), "light"), "Where?", None)
    assert "questions about" not in plane
