"""Painted rows in the app: learnt, shown on every page, too many for a link, too few to learn."""

import numpy as np
import pytest

from lastviz.datasets import load_dataset
from lastviz.datasets.painted import Painting, painting_of
from lastviz.host import visitor
from lastviz.ui.compute import scene_file
from lastviz.ui.compute.python_code import python_of
from lastviz.ui.compute.work import Work
from lastviz.ui.data import painting
from lastviz.ui.shared.scene_box import FIELD
from lastviz.ui.state.codec import decode, encode, without_private
from lastviz.ui.state.selection import Selection
from lastviz.ui.state.session import data_params, model_params

from .conftest import checked, html, opened
from .opened_pages import seen

CORNERS = Painting(
    np.array([40, 60, 450, 470, 45, 65, 440, 480]),
    np.array([40, 60, 450, 470, 450, 470, 40, 60]),
    np.array([0, 0, 0, 0, 1, 1, 1, 1]),
)
TEXT = str(CORNERS)


def test_painted_rows_are_the_data():
    selection = Selection(data="painted", painted=TEXT)
    dataset = Work(selection).dataset
    np.testing.assert_array_equal(dataset.X.to_numpy(), CORNERS.values())
    assert decode(encode(selection), data_params, model_params) == (selection, ())
    assert f"load_dataset('painted', points='{TEXT}')" in python_of(Work(selection)).replace(
        '"', "'"
    )


def test_the_page_counts_what_it_shows():
    app = seen("data", data="painted", painted=TEXT, m="cart", held="0")
    tree = Work(
        Selection(data="painted", painted=TEXT, held=0.0).change_model(0, key="cart")
    ).first.tree
    said = html(app)
    assert "8" in said
    assert "rows painted" in said
    assert f">{tree.n_leaves}<" in said or f"{tree.n_leaves}</" in said


@pytest.mark.parametrize("painted", ["", str(Painting(*np.array([[1, 2], [1, 2], [0, 0]])))])
def test_too_few_rows_are_no_model_and_no_other_data(painted):
    app = opened("data", data="painted", painted=painted)
    assert [box.value for box in app.info] in (
        ["Paint some rows."],
        ["Paint rows of a second class."],
    )
    app = opened("boundaries", data="painted", painted=painted)
    assert app.title[0].value == "There are no training rows yet"
    app.button(key="missing_file_without").click()
    assert checked(app.run()).query_params["data"] == "xor"


def test_classes_are_numbered_without_a_gap():
    gaps = Painting(CORNERS.x, CORNERS.y, CORNERS.value * 3 + 2)
    assert painting._without_gaps(gaps).value.tolist() == CORNERS.value.tolist()


def test_a_long_painting_is_in_no_link():
    dataset = load_dataset("moons", n_samples=900)
    text = str(painting_of(dataset.X.to_numpy(), dataset.codes))
    selection = Selection(data="painted", painted=text)
    assert len(text) > 1700
    assert text not in encode(selection)["painted"]
    assert len(encode(selection)["painted"]) < 40
    assert without_private(selection).painted == ""
    assert encode(selection, named=False)["painted"] == text


def test_a_damaged_painting_is_said():
    app = seen("boundaries", data="painted", painted="c0~1~0~1~!!")
    assert "does not describe a painting" in html(app) or "no training rows" in app.title[0].value


def test_any_data_of_two_features_can_be_painted_on():
    app = opened("data", data="moons")
    app = checked(app.button(key="paint_on").click().run())
    assert app.query_params["data"] == "painted"
    moons = Work(Selection(data="moons")).data.dataset
    assert len(Painting.parse(app.session_state["selection"].painted)) == moons.n_samples


def test_it_begins_with_a_ready_set_and_takes_heights():
    app = opened("data", data="painted")
    app = checked(app.button(key="paint_xor").click().run())
    assert "rows misclassified" in html(app)
    app = checked(app.button(key="paint_kind").click().run())
    assert "have heights" in app.info[0].value
    checked(opened("boundaries", **dict(app.query_params)))


def long_painting():
    """A scene of more rows than a link holds."""
    moons = load_dataset("moons", n_samples=900)
    text = str(painting_of(moons.X.to_numpy(), moons.codes))
    return Selection(data="painted", painted=text, held=0.0).change_model(0, key="cart")


def handed_in(app, content):
    field = next(each for each in app.get("file_uploader") if each.key == FIELD)
    field.set_value(("mine.lastviz", content, "application/zip"))
    return checked(app.run())


@pytest.mark.parametrize("selection", [
    Selection(data="painted", painted=TEXT, held=0.0),
    Selection(data="painted", painted=str(Painting(CORNERS.x, CORNERS.y, CORNERS.value * 90,
                                                   heights=True))),
    long_painting(),
])  # fmt: skip
def test_painted_rows_are_in_a_saved_scene(selection):
    content = scene_file.write(selection, "boundaries", None)
    assert content == scene_file.write(selection, "boundaries", None)
    found = scene_file.read(content)
    assert (found.selection, found.page, found.problems) == (selection, "boundaries", ())
    before, after = Work(selection).dataset, Work(found.selection).dataset
    np.testing.assert_array_equal(after.X, before.X)
    np.testing.assert_array_equal(after.y, before.y)


@pytest.mark.parametrize("page", ["data", "boundaries", "rules", "growth"])
def test_a_link_without_its_large_painting_shows_where_to_drop_it_and_nothing_else(
    page, monkeypatch
):
    monkeypatch.setattr(visitor, "is_known", lambda: True)
    selection = long_painting()
    app = opened(page, **encode(selection))
    assert app.title[0].value == "Please provide the painted rows"
    assert len(app.get("file_uploader")) == 1
    app = handed_in(app, scene_file.write(selection, "boundaries", None))
    assert app.session_state["selection"] == selection
    assert "Please provide" not in " ".join(title.value for title in app.title)


def test_who_has_no_file_of_a_large_painting_paints_anew(monkeypatch):
    monkeypatch.setattr(visitor, "is_known", lambda: True)
    app = opened("data", **encode(long_painting()))
    app = checked(app.button(key="go_painting").click().run())
    assert app.session_state["selection"].painted == ""
    assert "Please provide" not in " ".join(title.value for title in app.title)


def test_a_copied_link_of_a_large_painting_takes_its_scene():
    selection = long_painting()
    app = opened("boundaries", **encode(without_private(selection)))
    assert app.title[0].value == "There are no training rows yet"
    app = handed_in(app, scene_file.write(selection, "boundaries", None))
    assert app.session_state["selection"] == selection
