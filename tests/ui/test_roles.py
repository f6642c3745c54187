import pytest

from lastviz.datasets import load_dataset
from lastviz.ui.roles import edited, moved
from lastviz.ui.selection import Selection

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
    assert moved((0, 1, 2), edits) == order


def test_moving_a_class_back_is_the_order_of_the_data():
    assert moved((1, 2, 0), {2: {"place": 1}}) == ()


def test_columns_left_out_and_taken_in_again():
    without = edited(WINE, Selection(data="wine"), {0: {"used": False}, 2: {"used": False}})
    assert without["columns"] == (1, *range(3, 13))
    selection = Selection(data="wine", **without)
    again = edited(WINE, selection, {0: {"used": True}, 2: {"used": True}})
    assert again == {"columns": (), "kinds": ()}


def test_another_kind_and_back():
    ordinal = edited(WINE, Selection(data="wine"), {4: {"kind": "ordinal"}})
    assert ordinal["kinds"] == ((4, "ordinal"),)
    assert edited(WINE, Selection(data="wine", **ordinal), {4: {"kind": "numeric"}})["kinds"] == ()


def test_a_table_without_features_is_refused():
    with pytest.raises(ValueError, match="At least one feature"):
        edited(WINE, Selection(data="wine"), {i: {"used": False} for i in range(13)})
