import pytest

from lastviz.datasets import load_dataset
from lastviz.ui.compute import monotone
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.column_editors import columns_after, order_after, with_order
from lastviz.ui.state.selection import Selection

from .conftest import checked, html, opened
from .opened_pages import seen

WINE = load_dataset("wine")


@pytest.mark.parametrize(
    ("edits", "order"),
    [
        ({0: {"place": 3}}, (1, 2, 0)),
        ({2: {"place": 1}}, (2, 0, 1)),
        ({1: {"place": 1}}, (1, 0, 2)),
        ({1: {"place": 2}}, ()),
        ({1: {}}, ()),
    ],
)
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
        assert f"rise with {name}" in doubt
        assert f"{abs(tau):.2f}" in doubt
    assert not [info for info in seen("data", data="iris").info if "Kendall" in info.value]
