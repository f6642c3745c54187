"""Links, predictions and scores that were kept are what they were; see fixtures/links."""

import json

import pytest

from lastviz.datasets import all_datasets
from lastviz.estimators import ESTIMATORS, REGRESSORS
from lastviz.ui.state.pages import PAGES
from lastviz.ui.state.selection import DEFAULT
from tests.fixtures.links.make import KEPT, cross_validated, learnt, said, value

STORED = json.loads(KEPT.read_text())


def test_what_a_link_leaves_out_means_what_it_meant():
    assert {name: repr(value(DEFAULT, name)) for name in STORED["defaults"]} == STORED["defaults"]


@pytest.mark.parametrize("link", STORED["fields"])
def test_fields_of_links_say_what_they_said(link):
    assert said(link) == STORED["fields"][link]


@pytest.mark.parametrize("row", STORED["links"], ids=lambda row: f"{row['page']}?{row['link']}")
def test_links_open_what_they_opened_and_models_predict_what_they_predicted(row):
    assert row["page"] in PAGES or row["page"] in ("data", "home")
    assert said(row["link"]) == {"says": row["says"], "problems": row["problems"]}
    assert learnt(row["link"]) == row["models"]


@pytest.mark.parametrize("named", STORED["scores"])
def test_scores_are_what_they_were(named):
    key, data = named.split()
    entry = (ESTIMATORS | REGRESSORS)[key]
    assert cross_validated(entry.cls, data) == STORED["scores"][named]


def test_every_algorithm_has_links_and_scores_that_are_kept():
    learnt_by = {
        row["link"].rpartition("&m=")[2] for row in STORED["links"] if None not in row["models"]
    }
    assert set(ESTIMATORS) <= learnt_by
    assert {named.split()[0] for named in STORED["scores"]} == {*ESTIMATORS, *REGRESSORS}
    assert {named.split()[1] for named in STORED["scores"]} <= set(all_datasets())
