"""The glossary: every term once, found by its letters, its formula that of the criterion."""

import pytest

from lastviz.criteria import CRITERIA
from lastviz.criteria.expression import tex_number
from lastviz.ui.shared import glossary
from lastviz.ui.shared.glossary import LARGE, SMALL, TERMS, example_scores, symbols_of, terms_with
from tests.texts import CODES, texts
from tests.ui.conftest import checked, opened


def test_every_term_stands_once_and_says_something_else_than_its_name():
    names = [term.name.casefold() for term in TERMS]
    assert names == sorted(set(names))
    for term in TERMS:
        assert len(term.definition) > len(term.name)
        assert term.definition.endswith(".")


@pytest.mark.parametrize("key", CRITERIA)
def test_every_criterion_is_a_term_with_its_formula(key):
    row = CRITERIA[key]
    term = next(term for term in TERMS if term.name == row.title)
    assert term.formula == row.formula
    assert ("small is better" in term.definition) == row.smaller_is_better


def test_terms_are_found_by_their_letters():
    assert "alpha" in {term.name for term in terms_with("  ALPHA ")}
    assert terms_with("") == TERMS
    assert terms_with("zzz") == ()


def test_the_glossary_opens_over_any_page():
    for page in ("boundaries", "home"):
        app = opened(page, data="moons")
        app = checked(app.button(key="glossary").click().run())
        assert any("**accuracy**" in str(each.value) for each in app.markdown)


@pytest.mark.parametrize("key", CRITERIA)
def test_a_criterion_has_an_idea_its_symbols_and_an_example_of_its_own_numbers(key):
    (term,) = (term for term in TERMS if term.criterion == key)
    idea, symbols = CRITERIA[key].idea, symbols_of(term)
    assert idea not in (LARGE, SMALL)
    assert [row.idea for row in CRITERIA.values()].count(idea) == 1
    assert " ".join(symbols).count("$") >= 2
    for code in CODES:
        assert {idea, CRITERIA[key].symbols} - {""} <= set(texts(code))
    candidate, score = example_scores()[key]
    assert candidate.left.tolist() == [3, 1]
    assert candidate.right.tolist() == [1, 3]
    assert CRITERIA[key].card(candidate).numbers.value() == pytest.approx(score, abs=1e-9)
    if CRITERIA[key].score is not None:
        assert float(CRITERIA[key].score(candidate.left, candidate.right)) == pytest.approx(score)
    _, latex = glossary._example(key)
    assert tex_number(score) in latex
