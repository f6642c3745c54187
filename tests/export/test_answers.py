"""One rule a model: every way out answers every kind of row by it, or refuses in a sentence."""

import numpy as np
import pytest

from lastviz.estimators import renamed_tree
from lastviz.export import as_sql
from lastviz.export.code_words import DUCKDB_VALUES
from tests import answers
from tests.needed import needs


@pytest.mark.parametrize("name", answers.MODELS)
def test_every_way_out_follows_the_rule_as_the_page_lists_it(name):
    found = answers.found_of(name)
    said = [cell for cells in found.values() for cell in cells]
    assert not [cell for cell in said if cell.startswith("WRONG")]
    assert answers.EQUAL in said
    assert found == answers.read_page(answers.PAGE.read_text("utf-8"))[name]


def test_the_page_lists_every_model_and_every_kind_of_row():
    listed = answers.read_page(answers.PAGE.read_text("utf-8"))
    assert list(listed) == list(answers.MODELS)
    assert {state for states in listed.values() for state in states} == set(answers.STATES)
    cells = [cell for states in listed.values() for row in states.values() for cell in row]
    assert not [cell for cell in cells if cell.startswith("WRONG")]


@pytest.mark.parametrize("name", answers.MODELS)
def test_another_base_reads_the_same_sql(name):
    """DuckDB has types, other literals and other errors than SQLite."""
    needs("duckdb", "DuckDB")
    found = answers.found_of(name, {"DuckDB": answers.by_duckdb})
    assert not [cell for cells in found.values() for cell in cells if cell.startswith("WRONG")]


def test_every_word_of_another_base_can_be_the_name_of_a_column():
    """Written by the marks that it needs there; where none help, a line says so."""
    needs("duckdb", "DuckDB")
    import duckdb

    base = duckdb.connect()
    words = base.execute("SELECT DISTINCT keyword_name FROM duckdb_keywords()").fetchall()
    here = answers.fitted("CART")
    right = here.tree.classes[here.tree.predict(np.full((1, here.tree.n_features), 1.5))[0]]
    taken = set()
    for word in sorted({word for (word,) in words} | DUCKDB_VALUES):
        names = (word, *(f"{word}{k}" for k in range(1, here.tree.n_features)))
        columns = ", ".join(f'CAST(1.5 AS DOUBLE) AS "{name}"' for name in names)
        code = as_sql(renamed_tree(here.tree, names, here.tree.feature_categories))
        (inside,) = base.execute(f'SELECT (SELECT "{word}") FROM (SELECT {columns})').fetchone()
        if inside != 1.5:
            taken.add(word)
            assert f'DuckDB takes "{word}" for a value' in code
            continue
        (found,) = base.execute(f"SELECT {code} FROM (SELECT {columns})").fetchone()
        assert found == right
    assert taken == DUCKDB_VALUES


def test_the_walk_that_says_what_is_right_follows_the_rule_word_for_word():
    """A tree of one test, each rule once."""
    here = answers.fitted("CART")
    tree = here.tree
    row = [np.nan] * tree.n_features
    heavier = tree.children(0)[int(tree.n_node_samples[2] >= tree.n_node_samples[1])]
    (end,) = answers.walk(tree, [None] * tree.n_features)
    assert heavier in tree.path(end[0])
    assert answers.right_answer(here, row) == tree.classes[tree.prediction[end[0]]]
