"""Files as new users have them are read right, or it is said what was guessed or is wrong."""

from dataclasses import replace

import pytest

from lastviz.tables import AS_FOUND

from .own_files import DOCS, GROUPS, outcome, page, read

FILES = [file for make in GROUPS.values() for file in make()]


def test_there_are_many_of_all_kinds():
    assert len(FILES) >= 40
    assert len({file.name for file in FILES}) == len(FILES)


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_a_file_is_read_right_or_with_a_word(file):
    became, said = outcome(file)
    assert became != "wrong", said


def test_the_table_in_the_docs_is_the_one_that_is_made():
    assert DOCS.read_text(encoding="utf-8") == page(), "python -m tests.tables.own_files"


@pytest.mark.parametrize(
    ("name", "column", "order"),
    [
        ("ordered.parquet", "t", ("cold", "warm", "hot")),
        ("groups.parquet", "g", ("1", "2", "3")),
        ("grades.parquet", "class", ("low", "high")),
    ],
)
def test_declared_categories_keep_their_order(name, column, order):
    data = read(next(file for file in FILES if file.name == name)).dataset
    assert (data.class_order if column == "class" else data.orders[column]) == order
    assert data.kinds.get(column) in (None, "nominal" if column == "g" else "ordinal")


def test_versions_are_ordered_part_by_part():
    file = next(file for file in FILES if file.name == "releases.csv")
    ranked = read(replace(file, reading=AS_FOUND.with_column("release", "ordinal")))
    assert ranked.dataset.orders["release"] == ("1.9", "1.10", "1.11", "2.0")
