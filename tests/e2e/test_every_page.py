"""Every page with every algorithm on all kinds of data, in a browser: pictures, and no faults.

A covering sample is part of ``.ci/run``: each page meets each algorithm and each kind of data, and
each algorithm each kind of data. The whole product is part of ``make test-all``.
"""

import itertools
import json
from importlib import import_module
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import pytest

from lastviz.datasets import NUMBER_SETS
from lastviz.estimators import ESTIMATORS
from lastviz.ui.frame import PAGES
from lastviz.ui.state.codec import encode
from lastviz.ui.state.fields import fields_of
from lastviz.ui.state.lessons import SCENES
from lastviz.ui.state.pages import PAGES as RECORDS

from .app import App, address
from .looking import LOOKS, SAMPLED, looking, sampled_looks

pytestmark = pytest.mark.e2e

N_ROWS = 120
KINDS = {  # features and classes of each table
    "two_features": (2, 3),
    "one_feature": (1, 3),
    "many_features": (6, 3),
    "one_class": (3, 1),
    "forty_classes": (3, 40),
    "nominal": (3, 3),
    "gaps": (4, 3),
}
DATA = [*(f"folder.{kind}" for kind in KINDS), next(iter(NUMBER_SETS))]


def takes_a_model(page):
    """Tell whether a page shows a model: it says how many, or its first scene has one."""
    return hasattr(import_module(f"lastviz.ui.{page}.page"), "MODELS") or "m=" in PAGES[page][-1]


WITH_MODELS = [page for page in PAGES if takes_a_model(page)]
WHOLE = list(itertools.product(WITH_MODELS, ESTIMATORS, DATA))
SAMPLE = [
    (page, key, DATA[(i + j) % len(DATA)])
    for (i, page), (j, key) in itertools.product(enumerate(WITH_MODELS), enumerate(ESTIMATORS))
]
# Each choice of a word that a page offers, beside its first scene.
VIEWS = [
    (page, "&".join((*PAGES[page][1:], f"{field.link[0]}={choice}")))
    for page in PAGES
    for field in (fields_of(RECORDS[page]) if page in RECORDS else ())
    if field.param is not None and field.param.kind is str
    for choice in field.param.choices
    if choice != field.default
]
TURNS = [0, *(pytest.param(turn, marks=pytest.mark.slow) for turn in range(1, SAMPLED))]


def write_tables(folder):
    """Write a table of each kind, with what describes it: classes in an order, but of names."""
    rng = np.random.default_rng(0)
    for kind, (n_features, n_classes) in KINDS.items():
        label = rng.permutation(np.arange(N_ROWS) % n_classes)
        middle = 6.0 * label / max(n_classes - 1, 1)
        names = [f"x{i}" for i in range(1, n_features + 1)]
        X = pd.DataFrame(rng.normal(middle[:, None], 1.5, (N_ROWS, n_features)), columns=names)
        X = X.round(0 if kind == "one_feature" else 1)
        if kind == "gaps":
            X = X.mask(rng.random(X.shape) < 0.1)
        if kind == "nominal":
            X = X.apply(lambda x: pd.cut(x, 4, labels=["a", "b", "c", "d"]).astype(str))
        X.assign(kind=label).to_csv(folder / f"{kind}.csv", index=False)
        if kind != "nominal":
            about = {"features": {name: {"direction": 1} for name in names}}
            about["class_order"] = [str(k) for k in range(n_classes)]
            (folder / f"{kind}.json").write_text(json.dumps(about), encoding="utf-8")


@pytest.fixture(scope="module")
def look(browser, tmp_path_factory):
    """Serve the app with the tables; return what looks at its pages."""
    folder = tmp_path_factory.mktemp("tables")
    write_tables(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LASTVIZ_DATA", str(folder))
        with App(tmp_path_factory.mktemp("server")) as app, looking(browser, app.address) as look:
            yield look


def faults_of(look, scenes):
    """Return what is wrong with the pages of scenes, each at one size and in one language."""
    links = [address(page, f"data={data}&m={key}") for page, key, data in scenes]
    looks = itertools.cycle(LOOKS)
    return [fault for link in links for fault in look(link, *next(looks))]


@pytest.mark.parametrize("page", WITH_MODELS)
def test_a_page_has_no_fault_with_any_algorithm(look, page):
    assert faults_of(look, [scene for scene in SAMPLE if scene[0] == page]) == []


@pytest.mark.slow
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("page", WITH_MODELS)
def test_a_page_has_none_with_any_other_pair(look, page, data):
    others = sorted(set(WHOLE) - set(SAMPLE))
    assert faults_of(look, [scene for scene in others if (page, data) == scene[::2]]) == []


@pytest.mark.parametrize(("size", "language"), sampled_looks(0))
def test_pages_without_a_model_have_no_fault(look, size, language):
    links = [address(page) for page in PAGES if page not in WITH_MODELS]
    assert [fault for link in links for fault in look(link, size, language)] == []


@pytest.mark.parametrize("page", dict.fromkeys(page for page, _ in VIEWS))
@pytest.mark.parametrize("turn", TURNS)
def test_no_view_of_a_page_has_a_fault(look, page, turn):
    links = [address(page, query) for at, query in VIEWS if at == page][turn::SAMPLED]
    looks = itertools.cycle(LOOKS)
    assert [fault for link in links for fault in look(link, *next(looks))] == []


def test_the_sample_covers_all_pairs():
    for i, j in itertools.combinations(range(3), 2):
        assert {(c[i], c[j]) for c in SAMPLE} == {(c[i], c[j]) for c in WHOLE}


@pytest.mark.parametrize(
    ("scene", "size", "language"),
    [
        pytest.param(scene, *each.values, marks=each.marks, id="-".join((scene.key, *each.values)))
        for turn, scene in enumerate(SCENES)
        for each in sampled_looks(turn)
    ],
)
def test_no_step_of_a_lesson_has_a_fault(look, scene, size, language):
    links = [
        address(step.page, urlencode(encode(scene.at(n))))
        for n, step in enumerate(scene.steps, start=1)
    ]
    assert [fault for link in links for fault in look(link, size, language)] == []
