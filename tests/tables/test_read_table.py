"""Reading tables: what is understood, and one clear sentence for each thing that is wrong."""

import io
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lastviz.datasets import load_dataset, read_file, read_table, to_csv
from lastviz.tables import Reading

GOOD = b"a,b,class\n1,2.5,x\n3,4.5,y\n5,,x\n"


def test_reads_bytes_paths_and_files(tmp_path):
    path = tmp_path / "small.csv"
    path.write_bytes(GOOD)
    file = io.BytesIO(GOOD)
    file.name = "upload.csv"
    with path.open("rb") as opened:
        found = [read_table(GOOD), read_table(path), read_table(str(path)), read_table(opened)]
    found += [read_table(file), read_table(GOOD, name="mine")]
    assert len({data.digest for data in found}) == 1
    assert [data.name for data in found] == [
        "the table",
        "small",
        "small",
        "small",
        "upload",
        "mine",
    ]
    assert found[1].source == "small.csv (commas, decimal point, utf-8)"
    assert found[0].X["a"].dtype == np.int64
    np.testing.assert_array_equal(found[0].X["b"], [2.5, 4.5, np.nan])
    assert found[0].class_order == ("x", "y")
    assert not found[0].ordered


@pytest.mark.parametrize("key", ["xor", "iris", "wine", "breast_cancer", "digits", "monotone"])
def test_to_csv_is_read_back_with_every_digit(key):
    data = load_dataset(key)
    found = read_table(to_csv(data), class_order=data.class_order, ordered=data.ordered)
    pd.testing.assert_frame_equal(found.X, data.X)
    pd.testing.assert_series_equal(found.y, data.y)
    assert found.class_order == data.class_order


def test_nominal_and_missing_features():
    text = "colour,size,sick,class\nred,1,True,a\n ?,NA,False,b\nblue ,3,,a\n,4,True,b\n"
    data = read_table(text.encode())
    assert data.kinds == {"colour": "nominal", "size": "numeric", "sick": "nominal"}
    assert data.orders == {"colour": ("blue", "red"), "sick": ("False", "True")}
    np.testing.assert_array_equal(data.X["colour"].cat.codes, [1, -1, 0, -1])
    np.testing.assert_array_equal(data.X["size"], [1, np.nan, 3, 4])
    assert data.has_missing


def test_constant_and_empty_columns_are_kept():
    data = read_table(b"same,none,x,class\n7,,1,a\n7,,2,b\n")
    assert list(data.X) == ["same", "none", "x"]
    assert data.kinds["none"] == "numeric"
    assert data.X["none"].isna().all()


def test_whole_numbers_keep_their_digits():
    table = b"a,b,c,class\n123456789012345678901234567890,9007199254740993,9007199254740993,0\n"
    data = read_table(table + b"1,2,,1\n")
    assert list(data.X["a"]) == ["123456789012345678901234567890", "1"]
    assert list(data.X["b"]) == ["9007199254740993", "2"]
    assert data.X["c"].iloc[0] == "9007199254740993"
    rounded = read_table(table + b"1,2,,1\n", reading=Reading(columns=(("a", "number"),)))
    assert list(rounded.X["a"]) == [1.2345678901234568e29, 1.0]


@pytest.mark.parametrize(("header", "target"), [
    ("a,b,c", "c"),
    ("a,Class,c", "Class"),
    ("TARGET,b,c", "TARGET"),
    ("label,b,class", "class"),
    ("a,y,c", "y"),
    ("x,y,Species", "Species"),
])  # fmt: skip
def test_the_class_column_is_found(header, target):
    data = read_table(f"{header}\n1,1,1\n2,2,2\n".encode())
    assert data.y.name == target
    assert target not in data.X
    assert len(data.X.columns) == 2


def test_the_class_column_can_be_chosen():
    data = read_table(GOOD, target="a")
    assert (data.y.name, data.class_order) == ("a", (1, 3, 5))
    assert list(data.X) == ["b", "class"]
    with pytest.raises(ValueError, match="there is no column 'z'; the columns are: a, b, class"):
        read_table(GOOD, target="z")


def test_declared_kinds_orders_and_classes():
    data = read_table(
        b"doors,buying,class\n2,low,good\n5more,high,bad\n3,low,bad\n",
        kinds={"doors": "ordinal", "buying": "nominal"},
        orders={"doors": ("2", "3", "4", "5more")},
        directions={"doors": 1},
        class_order=("bad", "good"),
        ordered=True,
    )
    assert data.kinds == {"doors": "ordinal", "buying": "nominal"}
    np.testing.assert_array_equal(data.numeric_X["doors"], [0, 3, 1])
    assert data.class_order == ("bad", "good")
    numbers = read_table(b"a,class\n1,2\n2,10\n", kinds={"a": "ordinal"}, class_order=(10, 2))
    assert numbers.class_order == (10, 2)
    np.testing.assert_array_equal(numbers.codes, [1, 0])


def test_rows_count_as_lines_of_the_file():
    text = 'a,class\n\n1,x\n"2\n2",y\n\n  \n3\n'
    with pytest.raises(ValueError, match=r"t.csv: row 8 has 1 fields instead of 2; correct it"):
        read_table(text.encode(), name="t.csv")


def test_rows_of_separators_only_are_left_out():
    data = read_table(b"a,b,class\n1,2,x\n3,4,y\n,,\n,,\n")
    assert data.n_samples == 2


def rows(n, line):
    return "".join(line(i) for i in range(n))


MEASURED = "a,b,class\n" + rows(500, lambda i: f"{i / 7:.3f},{i},{'xy'[i % 2]}\n")


def with_text(*places):
    lines = MEASURED.splitlines()
    for place in places:
        lines[place - 1] = "n.d." + lines[place - 1][lines[place - 1].index(",") :]
    return "\n".join(lines)


@pytest.mark.parametrize(("text", "message"), [
    ("", "t.csv is empty; a header row and some rows of data are needed"),
    (" \n\n ", "t.csv is empty; a header row and some rows of data are needed"),
    ("a,b,class\n", "t.csv has a header row but no data; add rows below it"),
    ("a,b,class\n,,\n", "t.csv has only empty fields below its header row; fill them in"),
    ("a\n1\n2\n", "t.csv has only one column; at least one feature and the class are needed"),
    ("a,class\n1,x\n2,x\n",
     "t.csv: every row has the class 'x' in column 'class'; at least two classes are "
     "needed, or choose another class column"),
    ("a,a,class\n1,2,x\n3,4,y\n", "t.csv: columns 1 and 2 are both named 'a'; rename one"),
    ("a, a ,class\n1,2,x\n3,4,y\n", "t.csv: columns 1 and 2 are both named 'a'; rename one"),
    ("a,b,class\n1,2,x\n3,4,y,5\n",
     "t.csv: row 3 has 4 fields instead of 3; correct it (a text that holds the "
     "separator needs quotation marks)"),
    ("a,b,class\n1,2,x\n3,4\n", "t.csv: row 3 has 2 fields instead of 3; correct it"),
    ('a,b,class\n1,2,x\n3,"4,y\n5,6,x\n', "t.csv: quotation marks are not closed after row 2"),
    (with_text(3, 250, 501),
     "t.csv: column 'a' has 3 cells that are not numbers (row 3: 'n.d.', row 250: 'n.d.', "
     "row 501: 'n.d.'); correct or empty them"),
    (with_text(*range(10, 20)),
     "t.csv: column 'a' has 10 cells that are not numbers (row 10: 'n.d.', row 11: 'n.d.', "
     "row 12: 'n.d.', ...); correct or empty them"),
    (with_text(7), "t.csv: column 'a' has 1 cell that is not a number (row 7: 'n.d.'); "),
    ("a,b,class\n1,2,x\n3,inf,y\n",
     "t.csv: column 'b' has an infinite value in row 3; correct or empty it"),
    ("a,b,class\n1,2,x\n3,1e999,y\n", "t.csv: column 'b' has an infinite value in row 3"),
    ("a,class\n1,x\n2,\n3,?\n4,y\n",
     "t.csv: 2 rows without a class in column 'class' (rows 3, 4); fill in the class or "
     "delete the row"),
    ("a,class\n1,x\n2,y\n3, \n", "t.csv: 1 row without a class in column 'class' (row 4); "),
    ("a,class\n" + rows(65, lambda i: f"{i},c{i}\n"),
     "t.csv: the class column 'class' holds 65 different classes; at most 64 are possible"),
    ("a,price\n" + rows(200, lambda i: f"{i},{i * i}\n"),
     "t.csv: the class column 'price' holds 200 different numbers, which look measured; "
     "at most 64 are possible, so choose another class column or group them"),
    ("a,price\n" + rows(20, lambda i: f"{i},{i / 4}\n"),
     "t.csv: the class column 'price' holds 20 different numbers, which look measured; "),
])  # fmt: skip
def test_what_is_wrong_is_said_in_one_sentence(text, message):
    with pytest.raises(ValueError, match=r"^" + re.escape(message)) as caught:
        read_table(text.encode(), name="t.csv")
    assert "\n" not in str(caught.value)


def test_mostly_text_or_few_values_make_a_nominal_column():
    doors = read_table(b"doors,class\n2,a\n3,b\n4,a\n5more,b\n")
    assert doors.orders["doors"] == ("2", "3", "4", "5more")
    codes = "code,class\n" + rows(40, lambda i: f"{'K' if i % 3 else ''}{i},{i % 2}\n")
    assert read_table(codes.encode()).kinds["code"] == "nominal"


def test_wrong_cells_under_a_decimal_comma():
    text = "a;class\n" + rows(30, lambda i: f"{i},5;{'xy'[i % 2]}\n")
    data = read_table((text + "1.234,5;x\n").encode())
    assert data.X["a"].iloc[-1] == 1234.5
    with pytest.raises(ValueError, match=r"column 'a' has 1 cell .* \(row 32: '12.34,5'\)"):
        read_table((text + "12.34,5;x\n").encode())


def test_a_column_without_a_name_is_called_by_its_place_and_an_empty_one_left_out():
    found = read_file(b",a,class,\n0,1,x,\n1,3,y,\n", name="t.csv")
    assert list(found.dataset.X) == ["column 1", "a"]
    assert found.found.column("column 4") is None


def test_limits():
    with pytest.raises(
        ValueError, match=r"t.csv is larger than 0.00105 MB; use a part of its rows"
    ):
        read_table(MEASURED.encode(), name="t.csv", limit_bytes=1049)
    with pytest.raises(ValueError, match=r"t.csv has more than 499 rows; use a sample of its rows"):
        read_table(MEASURED.encode(), name="t.csv", limit_rows=499)
    assert read_table(MEASURED.encode(), limit_rows=500).n_samples == 500
    with pytest.raises(ValueError, match="holds 3 different numbers"):
        read_table(b"a,class\n1,1\n2,2\n3,3\n", limit_classes=2)


def wide(n_columns, n_rows, header=None):
    header = header or [f"c{j}" for j in range(n_columns - 1)]
    body = "".join(",".join("1" * (n_columns - 1)) + f",{'xy'[i % 2]}\n" for i in range(n_rows))
    return (",".join([*header, "class"]) + "\n" + body).encode()


def test_more_columns_than_the_limit_are_refused_at_the_header():
    sentence = "t.csv has 2,001 columns; at most 2,000 are possible, so leave some out"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        read_table(wide(2001, 2), name="t.csv")
    assert read_table(wide(10, 4), limit_columns=10).n_features == 9


def test_more_values_than_the_limit_are_refused():
    sentence = (
        "t.csv has 5 rows of 10 columns; at most 49 values are possible, so leave out columns or "
        "use a sample of rows"
    )
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        read_table(wide(10, 5), name="t.csv", limit_values=49)
    assert read_table(wide(10, 4), limit_values=50).n_samples == 4


def test_of_forty_thousand_names_the_two_that_are_equal_are_told():
    n = 40_000
    header = [f"c{j}" for j in range(n - 1)] + ["c0"]
    data = wide(n + 1, 1, header)
    with pytest.raises(ValueError, match=f"columns 1 and {n} are both named 'c0'"):
        read_table(data, name="t.csv", limit_columns=n + 1)


def test_a_wide_file_is_refused_for_its_columns():
    data = wide(20_000, 100)
    with pytest.raises(ValueError, match="20,000 columns"):
        read_table(data, name="t.csv")


def test_a_file_over_the_limit_is_not_read_to_its_end():
    class Endless(io.RawIOBase):
        def read(self, n):
            return b"1,2\n" * (n // 4 + 1)

    with pytest.raises(ValueError, match="is larger than 100 MB"):
        read_table(Endless(), name="endless.csv")


PIECES = st.sampled_from(
    [
        *("a,b,class\n", "1,2,x\n", "3,4,y\n", ",", ";", "\t", "|", " ", "\n", "\r", '"'),
        *("1.5", "1,5", "NA", "?", "inf", "x", "é", "花", "-", "e5", "#"),
        *("\x00", "\x0b", "\x0c", "\x85", "\ufeff"),
    ]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join), st.sampled_from(["utf-8", "utf-16", "gb18030"]))
@example("a,b,class\n1,2,x\n3,4,y\n\x0c", "utf-8")
@example("a,b,class\n1,2,x\n3,4,y\n \x85", "utf-8")
@example("|\n\ufeff ,", "utf-16")
@example(";a,b,class\n;,a,b,class\n;a,b,class\n", "utf-8")
def test_any_text_gives_a_data_set_or_one_sentence_that_names_the_file(text, encoding):
    outcome = data_set_or_sentence(text.encode(encoding))
    if isinstance(outcome, str):
        assert outcome.startswith("t.csv")
        assert "rows were counted" not in outcome
    else:
        assert outcome.n_classes >= 2


def data_set_or_sentence(data):
    try:
        return read_table(data, name="t.csv")
    except ValueError as error:
        return str(error)


def test_a_measured_target_is_read_as_numbers_where_that_is_welcome():
    table = b"size,price\n" + b"".join(b"%d,%.1f\n" % (i, 2.5 * i) for i in range(30))
    data = read_table(table, name="t.csv", task="auto")
    assert data.is_regression
    assert data.y.tolist() == [2.5 * i for i in range(30)]
    few = b"size,kind\n" + b"".join(b"%d,%d\n" % (i, i % 3) for i in range(30))
    assert read_table(few, name="t.csv", task="auto").class_order == (0, 1, 2)
    assert read_table(few, name="t.csv", task="regression").is_regression


@pytest.mark.parametrize(("table", "sentence"), [
    (b"x,y\n1,2.5\n2,\n3,1.5\n", "1 row without a number in column 'y' (row 3)"),
    (b"x,y\n1,2.5\n2,2.5\n", "every row has 2.5 in column 'y'"),
    (b"x,y\n1,a\n2,b\n", "column 'y' holds no numbers"),
])  # fmt: skip
def test_numbers_that_cannot_be_learnt_are_refused(table, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_table(table, name="t.csv", task="regression")
