"""A page that shows one or two models knows nothing of those that wait for other pages."""

import re
from functools import partial

import pytest

from lastviz.ui.compute.python_code import python_of
from lastviz.ui.compute.work import Work
from lastviz.ui.shared import controls
from lastviz.ui.state.selection import MAX_MODELS, Model, Selection
from tests.credit import write_credit

from .conftest import html, opened, with_tables
from .opened_pages import seen

SHOWN = {
    "growth": 1,
    "splits": 2,
    "latent": 1,
    "rules": 1,
    "pruning": 1,
    "monotone": 1,
    "boundaries": MAX_MODELS,
}
# The first model is shallow and reads columns as they are; the others would leave traces.
MODELS = {"m": "cart", "m.max_depth": 2, "m2": "oc1", "m3": "c45", "m4": "adaboost_m1"}
CLASSES = ("CARTClassifier", "OC1Classifier", "C45Classifier", "AdaBoostM1Classifier")


folder = with_tables(partial(write_credit, name="credit_small", n=120, missing=0.0))
CREDIT = "folder.credit_small"


@pytest.fixture
def scripts(monkeypatch):
    """The scripts that the page offers, in the order of the runs."""
    found, foot = [], controls.foot

    def listening(python=None, *offers, **others):
        found.append(python() if python else "")
        foot(python, *offers, **others)

    monkeypatch.setattr(controls, "foot", listening)
    return found


def depth_sliders(app):
    return [slider for slider in app.slider if str(slider.key).startswith("depth.")]


@pytest.mark.parametrize(("page", "n"), SHOWN.items(), ids=SHOWN)
def test_a_page_says_nothing_of_models_that_it_does_not_show(page, n, scripts):
    app = opened(page, data=CREDIT, **(MODELS | {"m": "gsodt" if page == "latent" else "cart"}))
    assert len(app.session_state["selection"].models) == MAX_MODELS
    classes = ("GSODTClassifier" if page == "latent" else CLASSES[0], *CLASSES[1:])
    for place, name in enumerate(classes):
        assert (name in scripts[-1]) == (place < n), name
    assert ("OC1 needs numbers" in html(app)) == (n > 1)
    assert all((slider.max <= 2) == (n == 1) for slider in depth_sliders(app))


@pytest.mark.parametrize("page", ["data", "home", "textbook"])
def test_pages_without_models_offer_no_script_of_models(page, scripts):
    opened(page, data="loan", **MODELS)
    assert not any(name in script for script in scripts for name in CLASSES)


@pytest.mark.parametrize(
    ("models", "names"),
    [
        ((Model("cart"), Model("cart")), ["cart_1", "cart_2"]),
        (
            (Model("c45"), Model("cart", (("max_depth", 2),)), Model("c45"), Model("cart")),
            ["c45_1", "cart_1", "c45_2", "cart_2"],
        ),
        ((Model("cart"), Model("c45")), ["cart", "c45"]),
    ],
)
def test_every_model_of_a_script_has_a_name_of_its_own(models, names):
    selection = Selection(data="iris", models=models)
    script = python_of(Work(selection))
    assert re.findall(r"^(\w+) = \w+Classifier\(", script, flags=re.MULTILINE) == names
    scope = {}
    exec(script, scope)
    for place, name in enumerate(names):
        assert scope[name].tree_.n_nodes == Work(selection).models[place].tree.n_nodes


@pytest.mark.parametrize("page", ["rules", "monotone", "boundaries"])
def test_the_trees_of_a_forest_that_is_not_shown_cannot_be_picked(page):
    app = seen(page, data="monotone", m="cart", m2="adaboost_m1")
    labels = [box.label for box in app.selectbox]
    assert ("AdaBoost.M1 shows" in labels) == (page == "boundaries")
