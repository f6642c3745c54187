"""Every page with every algorithm on every kind of data: nothing goes wrong, no number is false.

A covering sample runs always: each algorithm meets each data set, each page meets both. The
whole product is part of ``make test-all``.
"""

from __future__ import annotations

import itertools
import re

import pytest
from streamlit.testing.v1 import AppTest

from lastviz.estimators import ESTIMATORS, ForestClassifier
from lastviz.ui.compute import cache
from lastviz.ui.frame import PAGES
from lastviz.ui.text import CannotShow, percent
from tests.credit import write_credit
from tests.ui.conftest import opened

DATA = {
    "moons": {"data": "moons", "n_samples": 150},
    "iris": {"data": "iris"},
    "digits": {"data": "digits", "held": 0.8},
    "waveform": {"data": "waveform", "n_samples": 150},
    "loan": {"data": "loan"},
    "credit": {},  # written by the fixture
    "monotone": {"data": "monotone", "n_samples": 150},
    "regression": {"data": "friedman", "n_samples": 120},
}
WITH_MODELS = ("data", "boundaries", "growth", "splits", "latent", "rules", "pruning", "monotone")
WHOLE = list(itertools.product(WITH_MODELS, ESTIMATORS, DATA))
SAMPLE = [
    (WITH_MODELS[(i + j) % len(WITH_MODELS)], key, data)
    for (i, key), (j, data) in itertools.product(enumerate(ESTIMATORS), enumerate(DATA))
]
# What no sentence for readers contains: programs speak so.
FOREIGN = re.compile(
    r"np\.|\bnan\b|\bNaN\b|\bNone\b|Traceback|\w+Error\b|array\(|<class|went wrong|out of bounds"
)
DIGITS = re.compile(r"\b\d+\.\d{9,}")  # more than anybody asked for, but where it says "exact"
GAP = re.compile(r"\{[a-z_]+\}")  # of a template that nobody filled in; formulas have braces, too


@pytest.fixture
def with_credit(tmp_path, monkeypatch):
    """A folder with the table of credits among the data sets; returns its part of a link."""
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    return {"data": write_credit(tmp_path)}


def sentences(app: AppTest) -> list[str]:
    """All that the page says in words: html without its tags, captions, boxes, formulas."""
    found = []
    for kind in ("html", "markdown", "caption", "info", "warning", "success", "latex", "title"):
        for element in app.get(kind):
            text = str(getattr(element, "body", "") or getattr(element, "value", ""))
            if not text.lstrip().startswith("<style>"):
                found.append(re.sub(r"<[^>]+>", " ", text))
    return found


def check(page: str, key: str, query: dict[str, object]) -> None:
    app = opened(page, m=key, **query)
    said = sentences(app)
    check_words(said)
    check_accuracy(app, said)


def check_words(said: list[str]) -> None:
    """No sentence speaks as programs do, and none has a gap."""
    plain = [re.sub(r"\$[^$]+\$", "", sentence.replace("$$", "$")) for sentence in said]
    assert [s for s in plain if FOREIGN.search(s) or GAP.search(s)] == []
    assert [s for s in plain if DIGITS.search(s) and "exact" not in s] == []


def check_accuracy(app: AppTest, said: list[str]) -> None:
    """An accuracy in the headline is that of the model on the rows that it names."""
    selection = app.session_state["selection"]
    try:
        estimator = cache.fitted(selection, 0, allow_ensembles=True).estimator
    except CannotShow:
        return  # the page says why
    strip = next((s for s in said if "accuracy, held out" in s), None)
    example = any(each.startswith("What this page shows, by an example") for each in said)
    if strip is None or example or isinstance(estimator, ForestClassifier):
        return
    divided = cache.division(selection)
    rows = divided.held_out_rows
    right = (estimator.predict(divided.X.iloc[rows]) == divided.y[rows]).mean()
    assert percent(right) in " ".join(said)


@pytest.mark.parametrize(("page", "key", "data"), SAMPLE)
def test_algorithms_data_and_pages_meet(page, key, data, with_credit):
    check(page, key, DATA[data] or with_credit)


@pytest.mark.slow
@pytest.mark.parametrize(("page", "key", "data"), sorted(set(WHOLE) - set(SAMPLE)))
def test_every_page_opens_with_every_algorithm_on_all_data(page, key, data, with_credit):
    check(page, key, DATA[data] or with_credit)


@pytest.mark.parametrize("page", sorted(set(PAGES) - set(WITH_MODELS)))
def test_pages_without_models_open(page):
    check_words(sentences(opened(page)))


def test_the_sample_covers_all_pairs():
    for i, j in itertools.combinations(range(3), 2):
        assert {(c[i], c[j]) for c in SAMPLE} == {(c[i], c[j]) for c in WHOLE}
