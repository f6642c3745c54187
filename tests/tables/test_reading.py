"""Readings: found out from the bytes, chosen, told, within limits."""

import io
import json
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastviz._sentences import Statement
from lastviz.datasets import read_file, read_rows, read_table, to_csv
from lastviz.datasets.columns import as_labels
from lastviz.estimators import CARTClassifier
from lastviz.export import rules_as_text
from lastviz.plots import rule_words
from lastviz.plots.visuals.words import feature_html
from lastviz.tables import (
    AS_FOUND,
    DATE_ORDERS,
    MERGED,
    QUOTES,
    READ_AS,
    ColumnReading,
    Limits,
    Reading,
    look_into,
)
from lastviz.ui.text import t

from .spreadsheets import with_cell, workbook

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
ways = st.builds(
    ColumnReading,
    read_as=st.none() | st.sampled_from(list(READ_AS)),
    decimal=st.sampled_from([None, "."]),
    thousands=st.sampled_from([None, "", ",", " "]),
    dates=st.sampled_from([None, *DATE_ORDERS]),
    zone=st.sampled_from([None, "UTC", "-05:30"]),
    unit=st.none() | names,
    missing=st.none() | st.lists(names).map(tuple),
    levels=st.none() | st.lists(names).map(tuple),
    merged=st.sampled_from([None, *MERGED]),
)
readings = st.builds(
    Reading,
    part=st.none() | names,
    header=st.none() | st.integers(0, 10**6),
    separator=st.sampled_from([None, ",", ";", "\t", " ", "&", "="]),
    decimal=st.sampled_from([None, "."]),
    thousands=st.sampled_from([None, "", ",", " ", "'"]),
    encoding=st.sampled_from([None, "cp1250"]),
    dates=st.sampled_from([None, *DATE_ORDERS]),
    quotes=st.sampled_from([None, *QUOTES]),
    without=st.lists(st.integers(1, 10**6)).map(tuple),
    columns=st.dictionaries(names, st.sampled_from(list(READ_AS)) | ways).map(
        lambda d: tuple(d.items())
    ),
)


@given(readings)
def test_a_reading_is_written_in_a_link_and_in_python(reading):
    assert Reading.parse(str(reading)) == reading
    assert eval(repr(reading)) == reading
    assert str(AS_FOUND) == ""


@pytest.mark.parametrize(("text", "sentence"), [
    ("header=-1", "header must be a row from 1"),
    ("header=x", "invalid literal"),
    ("separator=ab", "separator must be one character"),
    ("decimal=;", "decimal must be"),
    ("decimal=%2C&thousands=%2C", "decimal and thousands are both"),
    ("dates=ydm", "dates must be"),
    ("column.a=shoe", "column 'a' must be read as one of number"),
    ("shoe=1", "a reading has no 'shoe'"),
    ("x" * 30_000, "at most 20,000 letters"),
])  # fmt: skip
def test_a_text_that_says_no_reading_is_refused(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        Reading.parse(text)


def test_what_was_found_is_told():
    table = "Report\nprice;share;when;risk;class\n" + "".join(
        f"1.23{i},50 €;{i},5 %;0{1 + i}.02.2024;{('low', 'high')[i % 2]};{'ab'[i % 2]}\n"
        for i in range(8)
    )
    found = read_file(table.encode("utf-16"), name="t.csv").found
    assert (found.kind, found.header, found.separator) == ("text", 2, ";")
    assert (found.decimal, found.thousands, found.encoding) == (",", ".", "utf-16")
    assert (found.dates, found.n_rows, found.parts) == ("dmy", 8, ())
    assert [(c.name, c.read_as, c.unit) for c in found.columns] == [
        ("price", "number", "€"),
        ("share", "number", "%"),
        ("when", "days", "days since 1970-01-01"),
        ("risk", "ordinal", ""),
        ("class", "category", ""),
    ]
    assert found.column("price").examples[0] == "1.230,50 €"
    assert found.column("no such") is None


def test_a_look_into_a_file_needs_no_data_to_learn_from():
    sheets = {"Notes": [["a", "b"], ["c", "d"]], "Data": [["x", "class"], [1, "a"], [2, "b"]]}
    found = look_into(workbook(sheets), name="two.xlsx")
    assert (found.parts, found.part) == (("Notes", "Data"), "Notes")
    with pytest.raises(ValueError, match="at least two classes"):
        read_file(workbook(sheets), name="two.xlsx")


def test_a_number_to_learn_or_a_class_is_chosen_by_its_way():
    table = b"x,grade\n" + b"".join(b"%d,%d\n" % (i, i % 4) for i in range(20))
    assert read_file(table, task="auto").dataset.class_order == (0, 1, 2, 3)
    chosen = Reading(columns=(("grade", "number"),))
    read = read_file(table, task="auto", reading=chosen)
    assert read.dataset.is_regression
    assert read.found.column("grade").read_as == "number"


def test_a_target_of_numbers_names_the_task():
    table = b"a,price\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(200))
    with pytest.raises(ValueError, match=r'or learn the numbers by task="regression"$'):
        read_table(table, name="t.csv")


@pytest.mark.parametrize("labels", [
    np.array([1, 2**64 - 1], dtype=np.uint64),
    np.array([1.0, 2.0**63]),
    np.array([1.0, np.inf]),
    np.array([1, 2**70], dtype=object),
])  # fmt: skip
def test_labels_that_no_integer_holds_stay_what_they_are(labels):
    found = as_labels(pd.Series(labels))
    assert found.tolist() == [str(label) for label in pd.Series(labels)]


def test_a_csv_holds_no_formulas():
    data = read_table(b"=a,b,class\n=1+1,-5,@x\nplain,5,y\n-3,1,y\n")
    assert to_csv(data).decode() == "'=a,b,class\n'=1+1,-5,'@x\nplain,5,y\n-3,1,y\n"


def test_new_rows_are_read_as_the_known_ones_were():
    reading = Reading(columns=(("when", "month"),))
    known = read_file(
        b"price,share,when,class\n"
        b'"1,234.5",10 %,2024-01-31,a\n"2,000.0",20 %,2024-12-01,b\n"3,000.5",5 %,2024-06-01,a\n',
        reading=reading,
    ).dataset
    new = 'price;share;when\n"1.500,5";7,5 %;2024-12-24\n'.encode("cp1252")
    rows = read_rows(new, known, name="new.csv", reading=reading)
    assert rows.dataset.X["price"].tolist() == [1500.5]
    assert rows.dataset.X["share"].tolist() == [7.5]
    assert rows.dataset.X["when"].tolist() == ["December"]


def test_new_rows_come_in_every_kind_of_file():
    known = read_table(b"a,b,class\n1,x,p\n2,y,q\n")
    found = read_rows(workbook([["New"], ["b", "a"], ["y", 7], ["z", 8]]), known, name="n.xlsx")
    assert found.dataset.X["a"].tolist() == [7, 8]
    assert found.unseen["b"].tolist() == [None, "z"]


def test_sizes_are_checked_before_cells_become_objects():
    for place, sentence in (("A1048576", "more than 200,000 rows"), ("XFD3", "16,384 columns")):
        far = with_cell(workbook([["a", "class"], [1, "x"]]), place)
        tracemalloc.start()
        with pytest.raises(ValueError, match=sentence):
            read_table(far, name="far.xlsx")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 20_000_000
    long = workbook([["a", "class"], *(["y" * 9000, "x"] for _ in range(200))])
    with pytest.raises(ValueError, match="unpacks to more than"):
        read_file(long, limits=Limits(n_bytes=len(long)))


def test_limits_are_those_of_the_caller():
    table = b"a,b,class\n1,2,x\n3,4,y\n"
    for limits, sentence in (
        (Limits(rows=1), "more than 1 rows"),
        (Limits(columns=2), "3 columns; at most 2"),
        (Limits(values=5), "at most 5 values"),
        (Limits(n_bytes=10), "is larger than 1e-05 MB"),
    ):
        with pytest.raises(ValueError, match=sentence):
            read_file(table, limits=limits)


def test_numbers_grouped_as_in_india_are_numbers():
    table = "price\tclass\n1,02,34,100\ta\n99,500.5\tb\n7,50,000\ta\n850\tb\n"
    read = read_file(table.encode(), name="flats.tsv")
    assert read.dataset.X["price"].tolist() == [10234100.0, 99500.5, 750000.0, 850.0]
    assert {c.name: c.read_as for c in read.found.columns}["price"] == "number"


def test_a_number_whose_groups_are_of_no_use_is_none():
    table = "price\tclass\n1,02,34\ta\n1,0234,100\tb\nx\ta\n"
    assert read_file(table.encode(), name="flats.tsv").dataset.kinds["price"] == "nominal"


def test_a_name_that_some_records_lack_is_not_guessed_as_the_target():
    rows = [{"a": 1, "b": "x"}, {"a": 2, "b": "y", "note": "odd"}, {"a": 3, "b": "x"}]
    text = "\n".join(map(json.dumps, rows))
    for name, content in (("rows.jsonl", text), ("rows.json", json.dumps(rows))):
        dataset = read_file(content.encode(), name=name).dataset
        assert dataset.y.name == "b"
        assert dataset.X["note"].isna().tolist() == [True, False, True]
    named = [row | {"target": "t" + row["b"]} for row in rows]
    assert read_file(json.dumps(named).encode(), name="rows.json").dataset.y.name == "target"


def test_records_without_anything_are_no_rows_however_many():
    text = "{}\n" * 5001 + '{"a": 1, "class": "x"}\n{"class": "y", "a": 2, "b": 3}\n'
    dataset = read_file(text.encode(), name="rows.jsonl").dataset
    assert dataset.y.tolist() == ["x", "y"]
    assert dataset.X["a"].tolist() == [1, 2]
    assert dataset.X["b"].isna().tolist() == [True, False]


def test_names_from_right_to_left_do_not_turn_rules_round():
    """Isolated by U+2068 and U+2069, a name leaves the numbers beside it where they are."""
    table = "גיל,class\n" + "".join(f"{i},{'ab'[3 < i < 12]}\n" for i in range(20))
    data = read_table(table.encode(), name="t.csv")
    tree = CARTClassifier().fit(data.mixed_X, data.codes).tree_
    rules = [
        rule_words(tree, node, html=html)
        for node in range(1, tree.n_nodes)
        for html in (True, False)
    ]
    assert all("\u2068גיל\u2069" in rule for rule in rules)
    assert rules_as_text(tree).count("\u2068גיל\u2069") >= 3
    hint = Statement("“{name}” holds {value!r}, see {more}.", name="גיל", value="א", more="x")
    assert hint == "“\u2068גיל\u2069” holds \u2068'א'\u2069, see x."
    assert Statement("{hint}", hint=hint) == hint
    assert t("“{name}” is {value}.", name="גיל", value=3) == "“\u2068גיל\u2069” is 3."
    assert feature_html("%{x}") == "%&#123;x}"


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


@pytest.mark.parametrize(("text", "separator", "decimal"), [
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
])  # fmt: skip
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


@pytest.mark.parametrize(("text", "header"), [
    ("a,b,class\n1,2,x\n3,4,y\n", True),
    ("1,2,0\n3,4,1\n", False),
    ("5.1,3.5,Iris-setosa\n4.9,3.0,Iris-virginica\n", False),
    ("id,2019,2020,class\n1,2,3,x\n4,5,6,y\n", True),
    ("red,high,yes\nblue,low,no\n", True),
    ("0,1,2,target\n5,6,7,0\n8,9,10,1\n", True),
    ("?,2,0\n3,?,1\n", True),
])  # fmt: skip
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
