import math
from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastviz.splitters.edits import (
    MOST_EDITS,
    CategorySplit,
    ClassSplit,
    Cut,
    ForcedSplit,
    Kept,
    MadeLeaf,
    ObliqueSplit,
    Split,
    Without,
)
from lastviz.ui.state.edit_codes import in_order, read_edits, trim, write_edits

paths = st.lists(st.integers(0, 35), max_size=6).map(tuple)
numbers = st.floats(allow_nan=False, allow_infinity=False)
features = st.integers(0, 300)
some = st.sets(features, min_size=1, max_size=5).map(lambda found: tuple(sorted(found)))
weights = st.dictionaries(features, numbers.filter(bool), min_size=1, max_size=4)
branches = st.lists(st.integers(0, 1), min_size=1, max_size=70).filter(lambda b: 0 in b)


def hyperplane(terms, threshold):
    dense = np.zeros(max(terms) + 3)
    dense[list(terms)] = list(terms.values())
    return ObliqueSplit(dense, threshold, 0.5)


splits = st.one_of(
    st.builds(Split, features, numbers, st.just(0.5)),
    st.builds(hyperplane, weights, numbers),
    st.builds(CategorySplit, features, branches.map(np.array), st.just(0.5)),
    st.builds(ClassSplit, some),
)
edits = st.one_of(
    st.builds(ForcedSplit, paths, splits),
    st.builds(MadeLeaf, paths),
    st.builds(Without, paths, some, st.booleans()),
    st.builds(Cut, paths),
    st.builds(Kept, paths),
)
tuples = st.lists(
    edits.map(trim), max_size=MOST_EDITS, unique_by=lambda edit: (edit.path, edit.slot)
).map(in_order)


@given(tuples)
def test_a_text_says_the_edits_and_survives_a_link(made):
    text = write_edits(made)
    if made:
        assert read_edits(text) == (made, ())
        assert dict(parse_qsl(f"e={text}")) == {"e": text}
        assert urlencode({"e": text}) == f"e={text}"


@given(edits)
def test_a_trimmed_edit_makes_the_same_test(edit):
    other = trim(edit)
    assert (other.path, other.slot) == (edit.path, edit.slot)
    if isinstance(edit, ForcedSplit) and isinstance(edit.split, ObliqueSplit):
        n = len(other.split.weights)
        assert np.array_equal(edit.split.weights[:n], other.split.weights)
        assert not edit.split.weights[n:].any()
    elif isinstance(edit, ForcedSplit) and isinstance(edit.split, CategorySplit):
        n = len(other.split.branch)
        assert np.array_equal(edit.split.branch[:n], other.split.branch)
        assert (edit.split.branch[n:] == 1).all()
    else:
        assert other == edit


def test_the_codes():
    hyperplane = ObliqueSplit(np.array([0, 0, 0.5, -1.25]), 0.75, 0.0)
    made = {
        "T3_2.45": ForcedSplit((), Split(2, 2.45, 0.0)),
        "1O3_0.5_4_-1.25_0.75": ForcedSplit((1,), hyperplane),
        "0aC2_1a": ForcedSplit((0, 10), CategorySplit(1, np.array([1, 0, 1, 0, 0]), 0.0)),
        "S2": ForcedSplit((), ClassSplit((1,))),
        "10L": MadeLeaf((1, 0)),
        "X1_4": Without((), (0, 3), below=False),
        "Y1_4": Without((), (0, 3), below=True),
        "P": Cut(()),
        "0K": Kept((0,)),
        "T1_1e23": ForcedSplit((), Split(0, 1e23, 0.0)),
    }
    for text, edit in made.items():
        assert read_edits(text) == ((edit,), ())
        assert write_edits((edit,)) == text


@pytest.mark.parametrize("text", [
    *("", "T", "T3", "T0_1", "T3_x", "T3_inf", "T3_nan", "T3_1_2", "t3_1", "AT3_1", "-1L"),
    *("O0.5", "O1_2", "O1_0_2", "O2_1_1_1_0", "O1_1_1_1_0", "O1_nan_0", "C1_0", "C1_g"),
    *("C1_-1", "C1_" + "f" * 999, "L1", "X", "X0", "X3_1", "X1_1", "P2", "K0", "S", "S0"),
    *("T" + "9" * 5000 + "_1", "Z1", "0 1L", "L L"),
])  # fmt: skip
def test_what_says_no_edit_is_dropped_and_the_rest_is_read(text):
    made, dropped = read_edits(f"1L~{text}~0P")
    assert made == (Cut((0,)), MadeLeaf((1,)))
    assert dropped == (text,)


def test_one_of_a_kind_at_a_node_and_no_more_than_there_may_be():
    made, dropped = read_edits("T1_2~L~P~K~X1~Y1")
    assert [type(edit) for edit in made] == [ForcedSplit, Cut, Without, Without]
    assert dropped == ("L", "K")
    many = "~".join(f"{i:b}L" for i in range(1, 60))
    made, dropped = read_edits(many)
    assert (len(made), len(dropped)) == (MOST_EDITS, 59 - MOST_EDITS)


@pytest.mark.parametrize("edit", [
    MadeLeaf((36,)),
    ForcedSplit((), Split(0, math.inf, 0.0)),
    ForcedSplit((), CategorySplit(0, np.array([0, 1, 2]), 0.0)),
])  # fmt: skip
def test_what_no_code_says_is_refused(edit):
    with pytest.raises(ValueError, match=r"36|inf|two branches"):
        trim(edit)
