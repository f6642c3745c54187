import pytest
import streamlit as st

from lastviz._params import Param
from lastviz.ui.state.edit_codes import read_edits
from lastviz.ui.state.selection import DEFAULT, Model, Selection, with_param

from .conftest import checked, opened

FULL = DEFAULT.having(
    data="wine",
    columns=(0, 1),
    kinds=((0, "ordinal"),),
    scaling="standard",
    classes=(2, 1, 0),
    one=1,
    held=0.5,
    models=(Model("cart", (("max_depth", 3),), 5), Model("c45")),
    depth=2,
    axes=("ash", "hue"),
    at=3,
)


def test_other_data_forget_what_was_about_the_old_ones():
    other = FULL.change(data="xor")
    assert other == Selection(
        data="xor",
        scaling="standard",
        held=0.5,
        models=(Model("cart", (("max_depth", 3),)), Model("c45")),
    )


def test_the_same_data_again_change_nothing():
    assert FULL.change(data="wine") == FULL


def test_another_division_forgets_only_the_picked_nodes():
    other = FULL.change(held=0.2)
    assert other.models[0].node is None
    assert other.view.axes == FULL.view.axes
    assert other.columns == FULL.columns


def test_a_look_at_it_leaves_the_trees_alone():
    assert FULL.change(depth=1).models == FULL.models
    assert FULL.change(axes=("hue", "ash"), at=None).models == FULL.models


def test_another_algorithm_starts_from_its_defaults():
    assert FULL.change_model(0, key="c45").models[0] == Model("c45")
    assert FULL.change_model(0, key="cart").models[0] == Model("cart", (("max_depth", 3),))


def test_another_parameter_drops_the_picked_node_but_a_pick_keeps_the_parameters():
    assert FULL.change_model(0, params=()).models[0] == Model("cart")
    assert FULL.change_model(0, node=7).models[0] == Model("cart", (("max_depth", 3),), 7)


def test_defaults_are_not_kept():
    depth = Param("max_depth", int, None, low=1, none=True)
    pairs = with_param((), depth, 4)
    assert pairs == (("max_depth", 4),)
    assert with_param(pairs, depth, None) == ()


def test_selections_can_name_things():
    assert len({DEFAULT, Selection(), FULL}) == 2


def test_another_node_or_tree_has_no_picked_move():
    watched = Selection(models=(Model("oc1", (), 2, 7),))
    assert watched.change_model(0, move=3).models[0] == Model("oc1", (), 2, 3)
    assert watched.change_model(0, node=1).models[0] == Model("oc1", (), 1)
    assert watched.change(seed=5).models[0] == Model("oc1")
    assert watched.change(detail="search").models[0].move == 7
    assert DEFAULT.having(pick=4).change_model(0, move=3).splits.pick == 4


EDITED = FULL.change_model(0, edits=read_edits("1L~T2_0.5")[0])


def test_new_data_clear_the_edits_and_new_parameters_keep_them():
    made = EDITED.models[0].edits
    assert len(made) == 2
    assert EDITED.change(seed=9, held=0.1).models[0].edits == made
    assert EDITED.change_model(0, params=()).models[0].edits == made
    assert EDITED.change_model(0, node=3).models[0].edits == made
    for changes in ({"data": "xor"}, {"columns": (0,)}, {"scaling": "none"}, {"target": "other"}):
        assert EDITED.change(**changes).models[0].edits == ()
    assert EDITED.change_model(0, key="c45").models[0].edits == ()


def test_an_edit_forgets_the_picked_node_unless_one_is_named():
    assert EDITED.models[0].node is None
    assert FULL.change_model(0, edits=(), node=2).models[0].node == 2


@pytest.mark.parametrize(("page", "module", "key", "query"), [
    ("boundaries", "shared.blocks", "plane0", {"data": "iris", "m": "cart"}),
    ("boundaries", "shared.blocks", "plane0", {"data": "monotone", "m": "mcdf"}),
    ("splits", "shared.blocks", "features", {"data": "iris", "m": "cart"}),
    ("latent", "shared.blocks", "latent_plane", {"data": "iris", "m": "gsodt"}),
    ("monotone", "shared.blocks", "pairs_plane", {"data": "monotone", "m": "remt"}),
])  # fmt: skip
def test_a_row_that_is_picked_on_a_page_is_the_sample_of_rules(
    monkeypatch, page, module, key, query
):
    def chart(figure, *, key, on_click=None, **_):
        click = {"row": 21, "axis": "x", "yaxis": "y"}
        if on_click is not None:
            st.button(key, key=f"click.{key}", on_click=on_click, args=(click,))

    monkeypatch.setattr(f"lastviz.ui.{module}.chart", chart)
    app = opened(page, typed="1,2,3,4" if query["data"] == "iris" else "", **query)
    checked(app.button(key=f"click.{key}").click().run())
    assert app.session_state["selection"].view.highlighted == 20
    checked(app.switch_page("pages/rules.py").run())
    assert app.number_input(key="lit").value == 21
    assert "".join(app.query_params["lit"]) == "21"


def test_the_row_of_a_slice_is_the_sample_of_rules():
    app = opened("boundaries", data="iris", m="cart")
    checked(app.number_input(key="slice").set_value(77).run())
    checked(app.switch_page("pages/rules.py").run())
    assert app.number_input(key="lit").value == 77
