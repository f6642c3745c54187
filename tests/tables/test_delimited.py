"""Found out from the bytes: separator, decimal mark, encoding, header."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastviz.datasets import read_table, to_csv
from lastviz.tables import Reading, look_into

WESTERN = ["größe", "température", "año", "poids µg", "sugar °Bx", "naïve", "Ärmel", "x²"]
CHINESE = ["花瓣长度", "花瓣宽度", "年龄", "身高", "体重", "温度", "类别", "颜色"]
ENCODINGS = {
    "utf-8": WESTERN + CHINESE,
    "utf-8-sig": WESTERN + CHINESE,
    "utf-16": WESTERN + CHINESE,
    "utf-16-le": WESTERN,
    "utf-16-be": WESTERN,
    "cp1252": WESTERN,
    "gb18030": CHINESE,
}
SEPARATORS = [",", ";", "\t", "|", " "]
LINE_ENDS = ["\n", "\r\n", "\r"]


@st.composite
def tables(draw):
    """Return a table of numbers with a class column, and how to write it."""
    encoding = draw(st.sampled_from(list(ENCODINGS)))
    words = [word for word in ENCODINGS[encoding] if " " not in word]
    names = draw(st.lists(st.sampled_from(words), min_size=1, max_size=4, unique=True))
    n = draw(st.integers(3, 12))
    numbers = st.floats(-1e6, 1e6).map(lambda x: round(x, 3) + 0.5)
    X = {name: draw(st.lists(numbers, min_size=n, max_size=n)) for name in names}
    others = st.lists(st.sampled_from(["no", "yes"]), min_size=n - 2, max_size=n - 2)
    y = ["no", "yes", *draw(others)]
    table = pd.DataFrame({**X, "class": y})
    decimal = draw(st.sampled_from([".", ","]))
    return (
        table,
        draw(st.sampled_from(SEPARATORS)),
        decimal,
        encoding,
        draw(st.sampled_from(LINE_ENDS)),
    )


def written(table, separator, decimal, encoding, line_end):
    text = table.to_csv(index=False, sep=separator, decimal=decimal, lineterminator=line_end)
    return text.encode(encoding)


@settings(deadline=None)
@given(tables())
def test_a_table_is_read_back_equal_however_it_was_written(case):
    table, separator, decimal, encoding, line_end = case
    data = written(table, separator, decimal, encoding, line_end)
    form = look_into(data)
    assert (form.separator, form.decimal, form.header) == (separator, decimal, 1)
    assert form.encoding == encoding or all(map(str.isascii, table))
    found = read_table(data)
    assert list(found.X) == list(table.columns[:-1])
    np.testing.assert_array_equal(found.X, table.iloc[:, :-1])
    np.testing.assert_array_equal(found.y, table["class"])


@settings(deadline=None)
@given(tables())
def test_to_csv_and_read_table_are_inverse(case):
    first = read_table(written(*case))
    second = read_table(to_csv(first))
    pd.testing.assert_frame_equal(first.X, second.X)
    pd.testing.assert_series_equal(first.y, second.y)
    assert first.digest == second.digest


@pytest.mark.parametrize(
    ("text", "separator", "decimal"),
    [
        ("a,b,class\n1.5,2,x\n3,4,y\n", ",", "."),
        ("a, b, class\n1.5, 2, x\n3, 4, y\n", ",", "."),
        ('a,b,class\n"1,5","2,25",x\n"3,5","4,0",y\n', ",", ","),
        ("a;b;class\n1,5;2;x\n3,25;4;y\n", ";", ","),
        ("1,5;2,5;0\n3,25;4,5;1\n", ";", ","),
        ("a b class\n1,5 2,5 x\n3,5 4,5 y\n", " ", ","),
        ("  a   b  class \n 1.5  2   x\n  3   4  y  \n", " ", "."),
        ("sepal length,petal width,class\n1,2,Iris setosa\n3,4,Iris virginica\n", ",", "."),
        ('a,"b; c",class\n1,2,x\n3,4,y\n', ",", "."),
        ("a|b|class\n1|2|x\n3|4|y\n", "|", "."),
        ("\n\n  \na\tb\tclass\n1\t2\tx\n\n3\t4\ty\n", "\t", "."),
    ],
)
def test_separator_and_decimal(text, separator, decimal):
    form = look_into(text.encode())
    assert (form.separator, form.decimal, form.encoding) == (separator, decimal, "utf-8")
    assert read_table(text.encode()).n_samples == 2


def test_given_parts_are_not_guessed():
    data = b"a,b;class\n1,2;0\n3,4;1\n"
    assert look_into(data).separator == ";"
    assert look_into(data, reading=Reading(separator=",")).separator == ","
    assert look_into(data, reading=Reading(decimal=".")).decimal == "."
    assert look_into(data, reading=Reading(encoding="latin-1")).encoding == "latin-1"
    with pytest.raises(ValueError, match="separator must be one character, got ';;'"):
        Reading(separator=";;")
    with pytest.raises(ValueError, match=r"decimal must be '\.' or ',', got '·'"):
        Reading(decimal="·")
    with pytest.raises(ValueError, match="there is no encoding 'utf-99'; try 'utf-8'"):
        look_into(data, reading=Reading(encoding="utf-99"))


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("a,b,class\n1,2,x\n3,4,y\n", True),
        ("1,2,0\n3,4,1\n", False),
        ("5.1,3.5,Iris-setosa\n4.9,3.0,Iris-virginica\n", False),
        ("id,2019,2020,class\n1,2,3,x\n4,5,6,y\n", True),
        ("red,high,yes\nblue,low,no\n", True),
        ("0,1,2,target\n5,6,7,0\n8,9,10,1\n", True),
        ("?,2,0\n3,?,1\n", True),
    ],
)
def test_header(text, header):
    assert look_into(text.encode()).header == header


def test_a_header_alone_is_no_table():
    with pytest.raises(ValueError, match="has a header row but no data"):
        look_into(b"a,b,class\n")


def test_a_table_without_header_row_says_so():
    data = read_table(b"5.1,3.5,setosa\n4.9,3.0,virginica\n")
    assert list(data.X) == ["x1", "x2"]
    assert data.n_samples == 2
    assert "no header row: columns named x1, x2, ..." in data.source
    assert read_table(b"1;2\n3;4\n").source == (
        "the table (semicolons, decimal point, utf-8, no header row: columns named x1, x2, ...)"
    )


@pytest.mark.parametrize("data", [b"a,b\n1,\x00\n", np.arange(1000, dtype=np.float32).tobytes()])
def test_binary_files_are_refused(data):
    with pytest.raises(ValueError, match=r"photo.csv is a binary file, not text; save the table"):
        read_table(data, name="photo.csv")


def test_wrong_encodings_are_refused():
    with pytest.raises(ValueError, match=r"t.csv is not text in cp1252 "):
        read_table(b"a,b\n\x81\xff,1\n", name="t.csv")
    with pytest.raises(ValueError, match=r"t.csv is not text in utf-8 "):
        read_table("größe,b\n1,1\n".encode("cp1252"), name="t.csv", encoding="utf-8")
    with pytest.raises(ValueError, match=r"t.csv is not text in utf-16 "):
        read_table(b"\xff\xfea\x00b", name="t.csv")


def test_single_accents_are_western():
    for word in ("café", "Größe", "±5 °C", "naïveté", "ÄÖÜ straße", "señor"):
        data = f"{word},class\n1,a\n2,b\n".encode("cp1252")
        assert look_into(data).encoding == "cp1252", word
        assert list(read_table(io.BytesIO(data)).X) == [word]
