"""The plane on which a picture opens where many features have been measured."""

import numpy as np
import pandas as pd
import pytest

from lastviz.inspection import slice_agreement
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.figures import plane_of
from lastviz.ui.state.selection import DEFAULT, Model
from tests.credit import write_credit

from .conftest import opened
from .opened_pages import seen


@pytest.fixture
def corner(tmp_path, monkeypatch):
    """Class 1 lies where three of six features are large: no plane through the medians has any."""
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.uniform(size=(800, 6)).round(4), columns=list("abcdef"))
    table["class"] = np.where((table[["a", "b", "c"]] > 0.55).all(axis=1), "in", "out")
    table.to_csv(tmp_path / "corner.csv", index=False)
    return DEFAULT.having(data="folder.corner", models=(Model("cart"),))


def agreement(selection, plane):
    tree = Work(selection).first.tree
    divided = Work(selection).first.division
    return slice_agreement(tree, divided.values, divided.y, plane.features, plane.at[None])[0]


def test_it_opens_where_the_medians_show_no_border(corner):
    plane = plane_of(Work(corner))
    assert plane.proposed
    assert plane.row is not None
    assert {plane.names[f] for f in plane.features} <= set("abc")
    usual = plane_of(Work(corner.having(axes=plane_names(plane))))
    assert usual.row is None
    assert agreement(corner, usual) < agreement(corner, plane)


def plane_names(plane):
    return tuple(plane.names[f] for f in plane.features)


@pytest.mark.parametrize(
    "change", [{"held": 0.5}, {"models": (Model("cart", (("max_depth", 4),)),)}, {"bins": None}]
)
def test_it_stays_while_other_things_move(corner, change):
    one, other = plane_of(Work(corner)), plane_of(Work(corner.having(**change)))
    assert (one.features, one.row) == (other.features, other.row)


def test_what_is_chosen_is_taken(corner):
    assert plane_of(Work(corner.having(axes=("e", "f")))).row is None
    assert plane_names(plane_of(Work(corner.having(axes=("e", "f"))))) == ("e", "f")
    assert plane_of(Work(corner.having(at=7))).row == 7
    assert plane_of(Work(corner.having(at=70_000))).row is None


def test_usual_values_stay_where_they_show_the_classes_as_well():
    plane = plane_of(Work(DEFAULT.having(data="iris", models=(Model("cart"),))))
    assert plane.row is None
    assert plane_names(plane) == ("petal length", "petal width")


def test_algorithms_that_weigh_features_keep_the_usual_values(corner):
    assert plane_of(Work(corner.having(models=(Model("gsodt"),)))).row is None


def test_the_page_says_what_is_proposed_and_gives_it_up(corner):
    app = opened("boundaries", data="folder.corner", m="cart")
    row = plane_of(Work(corner)).row
    field = next(n for n in app.number_input if n.key == "slice")
    assert field.value == row + 1
    assert any("are suggested" in c.value for c in app.caption)
    app = field.set_value(None).run()
    assert app.session_state["selection"].view.at is None
    assert app.session_state["selection"].view.axes == plane_names(plane_of(Work(corner)))
    assert not any("are suggested" in c.value for c in app.caption)
    assert any("Show a slice with a border" in b.label for b in app.button)


def test_another_axis_keeps_the_row(corner):
    app = opened("boundaries", data="folder.corner", m="cart")
    axis = next(b for b in app.selectbox if b.key == "axis0")
    app = axis.set_value("f").run()
    assert app.session_state["selection"].view.at == plane_of(Work(corner)).row


def test_a_table_with_categories_and_gaps_opens(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    name = write_credit(tmp_path, "credit", n=400)
    plane = plane_of(Work(DEFAULT.having(data=name, models=(Model("c45"),))))
    assert len(plane.at) == 20
    seen("boundaries", data=name, m="c45", m2="gsodt")
