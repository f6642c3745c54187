"""Rows to be scored: matched by name, whatever is wrong is named."""

import numpy as np
import pandas as pd
import pytest

from lastviz.datasets import Dataset, read_rows, scaled_like

KNOWN = Dataset(
    pd.DataFrame({"age": [20.0, 30.0, 50.0], "job": ["yes", "no", "no"], "size": [1, 2, 3]}),
    pd.Series(["a", "b", "a"]),
    kinds={"size": "ordinal"},
)


def test_columns_are_matched_by_name_and_others_stay_in_the_table():
    rows = read_rows(b"size;extra;job;age\n3;x;no;1,5\n;y;;\n", KNOWN, name="new.csv")
    assert rows.dataset.feature_names == KNOWN.feature_names
    assert rows.dataset.kinds == KNOWN.kinds
    assert rows.dataset.orders == KNOWN.orders
    assert rows.dataset.X["age"].tolist()[0] == 1.5
    assert rows.dataset.X.isna().sum().tolist() == [1, 1, 1]
    assert list(rows.given.columns) == ["size", "extra", "job", "age"]
    assert rows.unseen == {}
    assert rows.lines.tolist() == [2, 3]


def test_an_unseen_category_is_told_apart_from_a_missing_one():
    rows = read_rows(b"age,job,size\n1,maybe,1\n2,,2\n", KNOWN)
    assert rows.unseen["job"].tolist() == ["maybe", None]
    assert rows.dataset.X["job"].isna().all()


def test_a_header_is_needed_even_where_all_cells_are_words():
    known = Dataset(pd.DataFrame({"a": ["x", "y"], "b": ["u", "v"]}), pd.Series(["p", "q"]))
    assert read_rows(b"b,a\nu,x\n", known).dataset.X["a"].tolist() == ["x"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"age,job\n1,yes\n", "no column 'size'"),
        (b"age,job,size\n1,yes,1\nold,no,2\n", "column 'age' holds 'old' in row 3"),
        (b"age,job,size\n1,yes,7\n", "column 'size' holds '7' in row 2"),
        (b"age,job,size\n1,yes\n", "row 2 has 2 fields instead of 3"),
        (b"", "is empty"),
    ],
)
def test_what_is_wrong_is_said_with_column_and_row(content, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_rows(content, KNOWN)


def test_new_rows_are_scaled_by_the_known_ones():
    rows = read_rows(b"age,job,size\n20,yes,1\n50,no,2\n", KNOWN)
    scaled = scaled_like(rows.dataset, KNOWN.X, "min-max")
    assert scaled.X["age"].tolist() == [0.0, 1.0]
    standard = scaled_like(rows.dataset, KNOWN.X, "standard").X["age"]
    np.testing.assert_allclose(standard, KNOWN.scale("standard").X["age"].iloc[[0, 2]])
