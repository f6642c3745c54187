"""The reading recipe: new rows are read as the known ones were, and what differs is shown."""

import json

import numpy as np
import pandas as pd
import pytest

from lastviz import C45Classifier
from lastviz.datasets import Reading, read_file, read_rows, read_table
from lastviz.datasets.new_rows import AS_WRITTEN, BY_RECIPE
from lastviz.export import model_as_json, model_from_json
from lastviz.studies.kept_data import pack_dataset, unpack_dataset
from lastviz.tables import AS_FOUND, ColumnReading
from tests.tables.own_files import GROUPS, OwnFile, read
from tests.tables.own_files import text as table_of

TEXTS = [
    file
    for make in GROUPS.values()
    for file in make()
    if file.truth is not None and file.name.partition(" (")[0].endswith((".csv", ".tsv", ".txt"))
]


@pytest.mark.parametrize("file", TEXTS, ids=[file.name for file in TEXTS])
def test_each_row_alone_is_read_as_among_all(file: OwnFile):
    """One row shows little of how it is written: nothing but the recipe can tell."""
    known = read(file)
    encoding = known.found.encoding
    lines = [line for line in file.data.decode(encoding).split("\n") if line.strip()]
    head = next(i for i, line in enumerate(lines) if known.found.separator in line)
    for place, row in enumerate(lines[head + 1 : head + 5]):
        new = f"{lines[head]}\n{row}\n".encode(encoding)
        rows = read_rows(new, known.dataset)
        pd.testing.assert_frame_equal(
            rows.dataset.X.astype(object),
            known.dataset.X.iloc[[place]].reset_index(drop=True).astype(object),
            check_dtype=False,
        )
        assert rows.unseen == {}


@pytest.mark.parametrize("file", TEXTS, ids=[file.name for file in TEXTS])
def test_a_file_is_read_by_its_own_recipe_as_it_was_found(file: OwnFile):
    known = read(file)
    recipe = Reading.parse(str(known.found.reading))
    again = read_file(file.data, name=file.name, reading=recipe, task="auto")
    assert again.dataset.digest == known.dataset.digest
    assert again.found.reading == known.found.reading


GERMAN = {"price": ["1.025,00", "12,50", "3.000,75", "7,25"]}
AMERICAN = {"when": ["03/04/2024", "03/25/2024", "12/01/2024", "01/02/2024"]}


@pytest.mark.parametrize(
    ("columns", "cell", "by_recipe", "as_written"),
    [
        (GERMAN, "1.250", 1250.0, 1.25),
        ({"price": ["1,025.00", "12.50"]}, "1,250", 1250.0, 1.25),
        (AMERICAN, "05/06/2024", 19849.0, 19879.0),
        ({"when": ["25/03/2024", "04/03/2024"]}, "05/06/2024", None, 19879.0),
    ],
)
def test_a_cell_that_reads_otherwise_is_shown(columns, cell, by_recipe, as_written):
    known = read_table(table_of(columns, ";"))
    (column,) = columns
    new = f"{column};b\n{cell};x\n".encode()
    rows = read_rows(new, known)
    if by_recipe is None:  # both readings agree
        assert len(rows.differences) == 0
        assert rows.dataset.X[column].tolist() == [as_written]
        return
    assert rows.dataset.X[column].tolist() == [by_recipe]
    (found,) = rows.differences.to_dict("records")
    assert (found["column"], found["row"], found["cell"]) == (column, 2, cell)
    assert (found[BY_RECIPE], found[AS_WRITTEN]) == (by_recipe, as_written)
    assert read_rows(new, known, as_written=True).dataset.X[column].tolist() == [as_written]


def test_what_the_recipe_cannot_read_is_read_as_written_and_shown():
    known = read_table(table_of({"price": ["1,025.50", "12.50"]}, ";"))
    rows = read_rows(b"price;b\n1.025,50;1\n", known)
    assert rows.dataset.X["price"].tolist() == [1025.5]
    assert rows.differences[BY_RECIPE].tolist() == [None]
    assert rows.differences[AS_WRITTEN].tolist() == [1025.5]


@pytest.mark.parametrize(
    ("columns", "cell"),
    [
        ({"way": ["5 km", "7.5 km"]}, "5 mi"),
        ({"share": ["5 %", "7.5 %"]}, "0.05"),
        ({"at": ["2024-03-04T01:00:00+01:00", "2024-03-05T02:00:00+01:00"]}, "2024-03-04T01:00:00"),
    ],
)
def test_another_unit_or_zone_is_shown(columns, cell):
    known = read_table(table_of(columns, ";"))
    (column,) = columns
    assert read_rows(f"{column};b\n{cell};1\n".encode(), known).differences["cell"].tolist() == [
        cell
    ]
    same = next(iter(columns.values()))[0]
    assert not len(read_rows(f"{column};b\n{same};1\n".encode(), known).differences)


def test_moments_are_told_in_the_zone_of_the_known_ones():
    known = read_table(table_of({"at": ["2024-03-04T01:00:00+01:00"] * 2, "x": [1, 2]}, ";"))
    rows = read_rows(b"at;x\n2024-03-04T00:00:00Z;1\n", known)
    assert rows.dataset.X["at"].tolist() == [known.X["at"].iloc[0]]
    assert not len(rows.differences)


def test_missing_marks_and_spellings_are_those_of_the_known_rows():
    reading = AS_FOUND.with_column("code", missing=("-9",)).with_column("city", merged="looks")
    columns = {"code": ["NA", "DE", "-9", "FR"], "city": ["M\u00e1laga", "C\u00e1diz"]}
    known = read_table(table_of(columns), reading=reading)
    assert known.orders["code"] == ("DE", "FR", "NA")
    rows = read_rows("code,city\nNA,Ma\u0301laga\n-9,C\u00e1diz\u200b\n".encode(), known)
    assert rows.dataset.X["code"].astype(object).tolist()[0] == "NA"
    assert rows.dataset.X["code"].isna().tolist() == [False, True]
    assert rows.dataset.X["city"].tolist() == ["M\u00e1laga", "C\u00e1diz"]
    assert rows.unseen == {}


def test_yes_and_no_may_be_written_in_other_letters():
    reading = AS_FOUND.with_column("paid", "yes_no")
    known = read_table(table_of({"paid": ["yes", "no", "Yes", "NO"], "x": [1, 2]}), reading=reading)
    assert read_rows(b"paid,x\nYES,1\nNo,1\n", known).dataset.X["paid"].tolist() == ["yes", "no"]


def test_a_number_that_became_a_category_is_matched_by_its_value():
    known = read_table(table_of({"size": ["1,5", "2,0", "2,5"], "x": ["1,5", "2,5"]}, ";"))
    known = known.with_kinds({"size": "nominal"})
    rows = read_rows(b"size;x\n2,00;1,5\n9,5;1,5\n", known)
    assert rows.dataset.X["size"].astype(object).tolist()[0] == 2.0
    assert rows.unseen["size"].tolist() == [None, "9.5"]


def test_the_recipe_travels_with_a_kept_table_and_a_model():
    known = read_table(table_of({**GERMAN, "n": [1, 2]}, ";"))
    assert known.reading.column("price").decimal == ","
    assert unpack_dataset(pack_dataset(known)).reading == known.reading
    model = C45Classifier().fit(known.mixed_X, known.codes)
    written = model_as_json(model, reading=str(known.reading))
    assert json.loads(written)["reading"] == str(known.reading)
    again = model_from_json(written)
    assert Reading.parse(again.reading_) == known.reading
    bare = read_table(table_of({"price": [1, 2], "n": [1, 2]}))
    rows = read_rows(b"price;n\n1.250;1\n", bare, reading=again.reading_)
    np.testing.assert_array_equal(rows.dataset.X["price"], [1250.0])


def test_comments_say_how_columns_are_read():
    columns = {**AMERICAN, "t": ["1.5", "-999"]}
    reading = AS_FOUND.with_column("t", missing=("-999",))
    lines = read_table(table_of(columns, ";"), reading=reading).reading.in_words(["when", "t"])
    assert lines == [
        "when: date as days, month, day, year",
        "t: number, decimal mark ., missing: -999",
    ]


def test_a_column_has_what_is_not_its_own_from_the_file():
    reading = Reading(decimal=",", dates="mdy", columns=(("a", ColumnReading(decimal=".")),))
    assert (reading.column("a").decimal, reading.column("a").dates) == (".", "mdy")
    assert reading.column("b").decimal == ","
    assert Reading(thousands=".").column("a").decimal is None
