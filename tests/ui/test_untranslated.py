"""Everything that pages send is translated, on a wide sample of algorithms, data and parts.

The pages speak a made-up language here, see :mod:`.made_up`.
"""

import itertools

import pytest

from lastviz.estimators import ESTIMATORS
from lastviz.ui.state.fields import fields_of
from lastviz.ui.state.lessons import SCENES
from lastviz.ui.state.pages import PAGES as VIEWS
from tests.credit import write_credit

from .conftest import opened, sampled, with_tables
from .made_up import MADE_UP, made_up_language, untranslated
from .test_every_page import DATA, WITH_MODELS

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
def made_up(tmp_path_factory):
    with made_up_language(tmp_path_factory.mktemp("catalogues")):
        yield


folder = with_tables(write_credit)


def seen(page, **query):
    return untranslated(opened(page, lang=MADE_UP, **query))


PAIRS = [
    (page, list(ESTIMATORS)[(3 * i + 2 * j) % len(ESTIMATORS)], data)
    for (i, page), (j, data) in itertools.product(enumerate(WITH_MODELS), enumerate(DATA))
]
WHOLE = sorted(set(itertools.product(WITH_MODELS, ESTIMATORS, DATA)))


@pytest.mark.parametrize(("page", "key", "data"), sampled(WHOLE, PAIRS[::5]))
def test_a_page_with_a_model_is_translated(page, key, data):
    assert seen(page, m=key, **DATA[data]) == set()


@pytest.mark.parametrize(("page", "name", "link", "choice"), sampled(OPTIONS, OPTIONS[::4]))
def test_a_part_of_a_page_is_translated(page, name, link, choice):
    assert seen(page, **{link: choice}) == set()


@pytest.mark.slow
@pytest.mark.parametrize(("scene", "n"), STEPS, ids=lambda each: getattr(each, "key", each))
def test_every_step_of_the_course_is_translated(scene, n):
    assert seen(scene.steps[n - 1].page, **dict(scene.query_of(n))) == set()
