"""Selections: what a change keeps, roles of columns, links that were kept."""

import json

import pytest
import streamlit as st

from lastviz._params import Param
from lastviz.datasets import all_datasets, load_dataset
from lastviz.estimators import ESTIMATORS, REGRESSORS
from lastviz.ui.compute import monotone
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.column_editors import columns_after, order_after, with_order
from lastviz.ui.state.edit_codes import read_edits
from lastviz.ui.state.pages import PAGES
from lastviz.ui.state.selection import DEFAULT, Model, Selection, with_param
from tests.fixtures.links.make import KEPT, cross_validated, learnt, said, value

from .conftest import checked, html, opened
from .opened_pages import seen

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


WINE = load_dataset("wine")


@pytest.mark.parametrize(("edits", "order"), [
    ({0: {"place": 3}}, (1, 2, 0)),
    ({2: {"place": 1}}, (2, 0, 1)),
    ({1: {"place": 1}}, (1, 0, 2)),
    ({1: {"place": 2}}, ()),
    ({1: {}}, ()),
])  # fmt: skip
def test_a_class_moves_to_the_place_typed(edits, order):
    assert order_after((0, 1, 2), edits) == order


def test_moving_a_class_back_is_the_order_of_the_data():
    assert order_after((1, 2, 0), {2: {"place": 1}}) == ()


def test_columns_left_out_and_taken_in_again():
    without = columns_after(WINE, Selection(data="wine"), {0: {"used": False}, 2: {"used": False}})
    assert without["columns"] == (1, *range(3, 13))
    selection = Selection(data="wine", **without)
    again = columns_after(WINE, selection, {0: {"used": True}, 2: {"used": True}})
    assert again == {"columns": (), "kinds": ()}


def test_another_kind_and_back():
    ordinal = columns_after(WINE, Selection(data="wine"), {4: {"kind": "ordinal"}})
    assert ordinal["kinds"] == ((4, "ordinal"),)
    assert (
        columns_after(WINE, Selection(data="wine", **ordinal), {4: {"kind": "numeric"}})["kinds"]
        == ()
    )


def test_a_table_without_features_is_refused():
    with pytest.raises(ValueError, match="At least one feature"):
        columns_after(WINE, Selection(data="wine"), {i: {"used": False} for i in range(13)})


def test_numbers_too_fine_for_id3_are_cut_into_intervals_by_a_click():
    app = opened("boundaries", data="iris", m="id3")
    assert any("or cut it into intervals" in info.value for info in app.info)
    next(b for b in app.button if b.label == "Cut into 4 intervals").click().run()
    checked(app)
    assert app.session_state["selection"].bins == 4
    assert not any("makes a branch" in info.value for info in app.info)


def test_the_values_of_an_ordinal_feature_are_put_in_order():
    app = seen("data", data="loan", kinds="4ordinal", levels="4-2.1.3")
    dataset = Work(app.session_state["selection"]).dataset
    natural = load_dataset("loan").orders["credit"]
    assert dataset.orders["credit"] == tuple(natural[i] for i in (1, 0, 2))
    wrong = seen("data", data="loan", kinds="4ordinal", levels="4-2.1")
    assert "orders 2 values of “credit”, which has 3" in html(wrong)


def test_an_order_of_values_is_changed_and_given_up():
    order = Selection().change(levels=with_order(Selection(), 3, (1, 0, 2)))
    assert order.levels == ((3, (1, 0, 2)),)
    assert with_order(order, 1, (1, 0)) == ((1, (1, 0)), (3, (1, 0, 2)))
    assert with_order(order, 3, ()) == ()


def test_the_page_data_says_where_the_rows_contradict_a_direction():
    """A fresh ordered set is taken to rise with every feature; where it falls, the page says so."""
    app = seen("data", data="iris", ordered="true")
    doubts = [info.value.replace("\\", "") for info in app.info if "Kendall" in info.value]
    suggested = monotone.suggested_directions(Work(app.session_state["selection"]))
    falling = [
        (name, tau)
        for name, tau, sign in zip(
            load_dataset("iris").feature_names, suggested.tau, suggested.direction, strict=True
        )
        if sign < 0
    ]
    assert falling
    assert len(doubts) == len(falling)
    for (name, tau), doubt in zip(falling, doubts, strict=True):
        assert f"the direction of {name}" in doubt
        assert f"−{abs(tau):.2f}" in doubt
    assert not [info for info in seen("data", data="iris").info if "Kendall" in info.value]


STORED = json.loads(KEPT.read_text())


def test_what_a_link_leaves_out_means_what_it_meant():
    assert {name: repr(value(DEFAULT, name)) for name in STORED["defaults"]} == STORED["defaults"]


@pytest.mark.parametrize("link", STORED["fields"])
def test_fields_of_links_say_what_they_said(link):
    assert said(link) == STORED["fields"][link]


@pytest.mark.parametrize("row", STORED["links"], ids=lambda row: f"{row['page']}?{row['link']}")
def test_links_open_what_they_opened_and_models_predict_what_they_predicted(row):
    assert row["page"] in PAGES or row["page"] in ("data", "home")
    assert said(row["link"]) == {"says": row["says"], "problems": row["problems"]}
    assert learnt(row["link"]) == row["models"]


@pytest.mark.parametrize("named", STORED["scores"])
def test_scores_are_what_they_were(named):
    key, data = named.split()
    entry = (ESTIMATORS | REGRESSORS)[key]
    assert cross_validated(entry.cls, data) == STORED["scores"][named]


def test_every_algorithm_has_links_and_scores_that_are_kept():
    learnt_by = {
        row["link"].rpartition("&m=")[2] for row in STORED["links"] if None not in row["models"]
    }
    assert set(ESTIMATORS) <= learnt_by
    assert {named.split()[0] for named in STORED["scores"]} == {*ESTIMATORS, *REGRESSORS}
    assert {named.split()[1] for named in STORED["scores"]} <= set(all_datasets())
