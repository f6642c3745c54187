"""Names that a newcomer cannot know are expanded, in about ten words and in every language."""

from __future__ import annotations

import re

import pytest

from lastviz.criteria import CRITERIA
from lastviz.estimators import ESTIMATORS
from lastviz.ui.text import catalogue

IN_EVERY_BOOK = {"id3", "c45", "cart"}
LETTERS = re.compile(r"[A-Z0-9.\-]{3,}")
COLUMNS = {key: row.stands_for for key, row in CRITERIA.items() if row.stands_for}
ALGORITHMS = {key: entry.stands_for for key, entry in ESTIMATORS.items() if entry.stands_for}
EXPANDED = COLUMNS | ALGORITHMS


def test_whatever_is_called_by_its_first_letters_is_expanded():
    criteria = {key for key, row in CRITERIA.items() if LETTERS.fullmatch(row.title)}
    algorithms = {key for key, entry in ESTIMATORS.items() if LETTERS.search(entry.title)}
    assert criteria <= COLUMNS.keys()
    assert algorithms - IN_EVERY_BOOK <= ALGORITHMS.keys()


@pytest.mark.parametrize("key", EXPANDED)
def test_an_expansion_is_short_and_translated(key):
    assert len(EXPANDED[key].split()) <= 24
    assert EXPANDED[key] in catalogue("zh")
