"""Everything that pages send is translated, on a wide sample of algorithms, data and parts.

The pages speak a made-up language here: the Chinese texts without their Latin letters. A word
of Latin letters that is on a page then came past the catalogue, unless it is a name: of the data,
of an algorithm, of a criterion.
"""

from __future__ import annotations

import itertools
import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from lastviz.datasets import DATASETS
from lastviz.estimators import ESTIMATORS
from lastviz.ui import text
from lastviz.ui.compute import cache
from lastviz.ui.state.fields import fields_of
from lastviz.ui.state.pages import PAGES as VIEWS
from lastviz.ui.state.presets import SCENES
from tests.credit import write_credit

from .conftest import opened
from .sent_texts import texts_sent
from .test_matrix import DATA, WITH_MODELS

MADE_UP = "qq"
PLACES = re.compile(r"(\{\w+[^}]*\}|<[^>]+>|&\w+;|`[^`]*`|\$[^$]*\$)")
LATIN = re.compile(r"[A-Za-z][A-Za-z.\d-]*")
NOT_WORDS = re.compile(r"<[^>]*>|&\w+;|`[^`]*`|\$\$?[^$]*\$\$?|%?\{[^}]*\}|https?://\S+|\\")
WORDS = re.compile(r"[A-Za-z]{2,}(?:[ -][A-Za-z]{2,})+")  # two in a row
# What is no prose: a program, a style, and what another program calls its own.
NO_PROSE = re.compile(r"^(from|import) |\dpx |Source Sans|^pip install|pandas|^st-key")
OPTIONS = [
    (page, field.name, field.link[0], choice)
    for page, record in VIEWS.items()
    for field in fields_of(record)
    if page != "view" and field.param is not None
    for choice in field.param.choices or ()
    if choice != field.default
]
STEPS = [(scene, n) for scene in SCENES for n in range(1, len(scene.steps) + 1)]


@pytest.fixture(autouse=True, scope="module")
def made_up_language(tmp_path_factory):
    """A language that has every text of the Chinese one, and no Latin letter."""
    known = text.catalogue("zh")
    stripped = {english: without_latin(other) for english, other in known.items()}
    folder = tmp_path_factory.mktemp("catalogues")
    (folder / f"{MADE_UP}.json").write_text(json.dumps(stripped), encoding="utf-8")
    before, text.CATALOGUES = text.CATALOGUES, folder
    _forget()
    yield
    text.CATALOGUES = before
    _forget()


@pytest.fixture
def with_credit(tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    return {"data": write_credit(tmp_path)}


def _forget():
    for memory in (text.catalogue, text.languages):
        memory.cache_clear()


def without_latin(words: str) -> str:
    parts = PLACES.split(words)
    return "".join(part if i % 2 else LATIN.sub("字", part) for i, part in enumerate(parts))


def names_on(app: AppTest) -> list[str]:
    """The names that stay as they are, the longest first: of data, algorithms and citations."""
    dataset = cache.data(app.session_state["selection"]).dataset
    known = [dataset.name, dataset.source, str(dataset.y.name)]
    known += [*map(str, dataset.feature_names), *map(str, dataset.class_order or ())]
    known += [str(v) for order in dataset.orders.values() for v in order]
    known += ["very good"]  # of the table that the page textbook always shows
    known += [entry.title for entry in ESTIMATORS.values()]
    known += [entry.title for entry in DATASETS.values()]
    return sorted({name for name in known if name}, key=len, reverse=True)


def untranslated(app: AppTest) -> set[tuple[str, str]]:
    names, found = names_on(app), set()
    for where, said in texts_sent(app):
        bare = NOT_WORDS.sub(" ", said)
        if NO_PROSE.search(bare) or not WORDS.search(bare):
            continue
        if "…" in bare:  # a name that its room was too small for
            shortened = {n[:k].rstrip() + "…" for n in names for k in range(3, len(n))}
            for short in sorted(shortened, key=len, reverse=True):
                bare = bare.replace(short, "字")
        for name in names:
            bare = bare.replace(name, "字").replace(name.capitalize(), "字")
        if WORDS.search(bare):
            found.add((where, bare.strip()[:200]))
    return found


def seen(page: str, **query: object) -> set[tuple[str, str]]:
    return untranslated(opened(page, lang=MADE_UP, **query))


SAMPLE = [
    (page, list(ESTIMATORS)[(3 * i + 2 * j) % len(ESTIMATORS)], data)
    for (i, page), (j, data) in itertools.product(enumerate(WITH_MODELS), enumerate(DATA))
]


@pytest.mark.parametrize(("page", "key", "data"), SAMPLE[::5])
def test_a_page_with_a_model_is_translated(page, key, data, with_credit):
    assert seen(page, m=key, **(DATA[data] or with_credit)) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "key", "data"), sorted(set(itertools.product(WITH_MODELS, ESTIMATORS, DATA)))
)
def test_every_page_with_every_model_is_translated(page, key, data, with_credit):
    assert seen(page, m=key, **(DATA[data] or with_credit)) == set()


@pytest.mark.parametrize(("page", "name", "link", "choice"), OPTIONS[::4])
def test_a_part_of_a_page_is_translated(page, name, link, choice):
    assert seen(page, **{link: choice}) == set()


@pytest.mark.slow
@pytest.mark.parametrize(("page", "name", "link", "choice"), OPTIONS)
def test_every_part_of_a_page_is_translated(page, name, link, choice):
    assert seen(page, **{link: choice}) == set()


@pytest.mark.slow
@pytest.mark.parametrize(("scene", "n"), STEPS, ids=lambda each: getattr(each, "key", each))
def test_every_step_of_the_course_is_translated(scene, n):
    assert seen(scene.steps[n - 1].page, **dict(scene.query_of(n))) == set()
