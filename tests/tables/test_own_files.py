"""Files as new users have them are read right, or it is said what was guessed or is wrong."""

import pytest

from .own_files import DOCS, GROUPS, outcome, page

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
