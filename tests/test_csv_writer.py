"""What the one writer of CSV makes harmless, and what it leaves as it is."""

import csv
import io
from itertools import product

import numpy as np
import pandas as pd
import pytest

from lastviz._csv_writer import as_csv, harmless

SIGNS = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]
RESTS = ["cmd|' /C calc'!A0", "1+1", 'HYPERLINK("http://a.example")', "x1 <= 3", "a,b", ""]
RESTS += ["1e", "inf"]
NUMBERS = ["-1", "+1", "-0.5", "-.5", "+5.", "-1e-9", "+2E+10", "7"]
DTYPES = [object, "string", "category"]


def cells_of(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("dtype", DTYPES)
def test_no_cell_and_no_title_begins_a_formula(dtype):
    texts = [sign + rest for sign, rest in product(SIGNS, RESTS)]
    for text in texts:
        table = pd.DataFrame({text: pd.Series([text, "plain", None], dtype=dtype)})
        written = "'" + text.replace("\r", "\n")
        assert cells_of(as_csv(table)) == [[written], [written], ["plain"], [""]]


@pytest.mark.parametrize("written", [",", ";", "\t"])
@pytest.mark.parametrize("read", [",", ";", "\t"])
def test_no_cell_begins_a_formula_where_another_sign_parts_them(written, read):
    """A program that takes another sign parts lines there, whatever marks are around a text."""
    texts = [
        f"a{mark}{quote}{sign}{rest}{mark}b"
        for mark, quote, sign, rest in product(";,\t\n", ["", '"'], SIGNS, [*RESTS, "1"])
    ]
    table = pd.DataFrame({"first": texts, "a;=b": "c", "last": texts})
    lines = as_csv(table, sep=written).split("\n")
    cells = [cell.lstrip('"\t') for line in lines for cell in line.split(read)]
    assert not [cell for cell in cells if cell.startswith(tuple(set(SIGNS) - {"\t", "\n"}))]


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_stay_numbers(dtype):
    table = pd.DataFrame({"written": pd.Series(NUMBERS, dtype=dtype), "held": map(float, NUMBERS)})
    read = pd.read_csv(io.StringIO(as_csv(table)))
    assert read["written"].tolist() == read["held"].tolist() == [float(n) for n in NUMBERS]


def test_every_kind_of_column_is_written_as_pandas_does():
    table = pd.DataFrame(
        {
            "whole": pd.array([-1, None, 3], dtype="Int64"),
            "real": [-0.1, np.nan, 1e-300],
            "yes": [True, False, True],
            "day": pd.to_datetime(["2020-01-01", None, "2021-05-05"]),
            "mixed": [-1, 2.5, "text"],
        }
    )
    assert as_csv(table) == table.to_csv(index=False, lineterminator="\n")


def test_twin_titles_and_no_column_at_all():
    twins = pd.DataFrame([["=1", "-b"]], columns=["=x", "=x"])
    assert as_csv(twins) == "'=x,'=x\n'=1,'-b\n"
    assert as_csv(pd.DataFrame()) == pd.DataFrame().to_csv(index=False, lineterminator="\n")


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_the_end_of_a_line_within_a_text_begins_no_cell(end):
    table = pd.DataFrame({"label": [f"a{end}=1+1,b"], "next": [1]})
    assert cells_of(as_csv(table)) == [["label", "next"], ["a\n'=1+1,b", "1"]]


def test_lengths_of_time_before_now_begin_no_formula():
    table = pd.DataFrame({"wait": pd.to_timedelta([-1, 1], unit="h")})
    assert not as_csv(table).splitlines()[1].startswith("-")


def test_harmless_text_is_left_alone():
    for text in ["", "a=b", "'=1", " -", "1-2", "x1 > -3"]:
        assert harmless(text) == text
