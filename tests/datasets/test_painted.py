"""Painted rows as text and as data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastviz.datasets import load_dataset, painted_dataset
from lastviz.datasets.painted import EMPTY_PAINTING, MOST_PAINTED, Painting, painting_of

CELL = st.integers(0, 511)


@given(st.lists(st.tuples(CELL, CELL, st.integers(0, 7)), max_size=40))
def test_a_painting_comes_back_from_its_text(rows):
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    there = Painting.parse(str(Painting(*columns)))
    np.testing.assert_array_equal([there.x, there.y, there.value], columns)
    assert (there.window, there.heights) == (EMPTY_PAINTING.window, False)


@given(st.lists(st.tuples(CELL, CELL, st.integers(0, 100)), min_size=2, max_size=40))
def test_so_do_heights_and_windows(rows):
    columns = np.array(rows, dtype=np.int64).T
    window = (-2.5, 1.25, 0.0, 1e6)
    there = Painting.parse(str(Painting(*columns, window, heights=True)))
    np.testing.assert_array_equal([there.x, there.y, there.value], columns)
    assert (there.window, there.heights) == (window, True)


def test_five_hundred_rows_fit_into_a_link():
    rng = np.random.default_rng(0)
    text = str(Painting(*rng.integers(0, 512, (2, 500)), rng.integers(0, 8, 500)))
    assert len(text) < 1800


def test_what_is_painted_is_learnt():
    text = str(Painting(np.array([0, 511, 100]), np.array([0, 511, 7]), np.array([2, 0, 2])))
    dataset = load_dataset("painted", points=text)
    assert dataset.feature_names == ("x1", "x2")
    assert dataset.X.iloc[1].tolist() == [10.0, 7.5]
    assert dataset.y.tolist() == [2, 0, 2]
    assert dataset.class_order == (0, 2)


def test_heights_are_numbers_to_learn():
    text = str(Painting(np.array([0, 9]), np.array([0, 9]), np.array([0, 100]), heights=True))
    assert painted_dataset(text).is_regression
    assert painted_dataset(text).y.tolist() == [0.0, 100.0]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], r"yet\. Paint some rows\."),
        ([(1, 1, 3), (2, 2, 3)], r"yet\. Paint rows of a second class\."),
    ],
)
def test_too_little_is_said(rows, sentence):
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    with pytest.raises(ValueError, match=sentence):
        painted_dataset(str(Painting(*columns)))


@pytest.mark.parametrize("key", ["moons", "xor", "iris"])
def test_any_two_features_can_be_painted_on(key):
    dataset = load_dataset(key)
    X, y = dataset.X.iloc[:, :2].to_numpy(), dataset.codes
    there = painting_of(X, y)
    left, right, bottom, top = there.window
    step = np.array([right - left, top - bottom]) / 511
    assert (np.abs(there.values() - X) <= 0.51 * step + 1e-6).all()
    np.testing.assert_array_equal(there.value, y)
    assert Painting.parse(str(there)).window == there.window


def test_rows_at_one_place_have_a_window():
    there = painting_of(np.full((3, 2), 5.0), np.array([0, 1, 1]))
    assert there.window[0] < 5 < there.window[1]
    np.testing.assert_allclose(there.values(), 5.0, atol=0.01)


@pytest.mark.parametrize(
    "text",
    ["", "x", "c0~1~0~1", "c1~0~0~1~", "c0~1~0~1~AAAAA", "c0~1~0~1~AB", "c0~1~0~1~\u00e9AAA",
     "c0~1~0~nan~", "c0~1~0~1e9~", "h0~1~0~1~____", "c0~1~0~1~" + "A" * 4 * MOST_PAINTED],
)  # fmt: skip
def test_what_says_no_painting_is_refused(text):
    with pytest.raises(ValueError, match=r"painting|height"):
        Painting.parse(text)
