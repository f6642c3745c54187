"""Models of ordered classes on the pages that show single trees."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from lastviz.datasets import load_dataset
from lastviz.estimators import ESTIMATORS
from lastviz.ui.compute.availability import criteria_for, known_of_data, obstacle
from lastviz.ui.state.codec import encode
from lastviz.ui.state.fields import OwnRule
from lastviz.ui.state.selection import DEFAULT, Model
from tests.patience import SECONDS

ROOT = Path(__file__).parents[2]


def opened(page, data, model):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    selection = replace(DEFAULT, data=data, params=(), models=(model,))
    for name, value in encode(selection).items():
        app.query_params[name] = value
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    return app


@pytest.mark.parametrize(
    ("page", "words"),
    [("boundaries", "REMT"), ("splits", "keep those with RMI of at least 0.01")],
)
def test_remt_has_its_picture(page, words):
    app = opened(page, "monotone", Model("remt"))
    assert [error.value for error in app.error] == []
    shown = [str(part.value) for part in app.markdown]
    shown += [str(getattr(part, "body", "")) for part in app.get("html")]
    assert any(words in part for part in shown)


def test_what_cannot_be_shown_says_why():
    for page, model, words in (
        ("splits", Model("monotone_boosting"), "Monotone boosting grows a forest"),
        ("pruning", Model("mcdf"), "MCDF grows a forest"),
        ("pruning", Model("remt", (("monotone", True),)), "no longer predicts by its leaves"),
    ):
        app = opened(page, "monotone", model)
        shown = [*app.info, *app.warning, *app.error, *app.caption]
        assert any(words in part.value for part in shown), words


def test_obstacles_and_what_the_data_say():
    ordered, plain = load_dataset("monotone", n_samples=50), load_dataset("iris")
    remt, c45 = ESTIMATORS["remt"], ESTIMATORS["c45"]
    assert obstacle(remt, ordered) is None
    assert "classes in an order" in obstacle(remt, plain)
    assert known_of_data(remt, ordered) == {"monotonic_cst": [1, 1]}
    turned = ordered.with_directions({"x1": -1, "x2": 0})
    assert known_of_data(remt, turned) == {"monotonic_cst": [-1, 0]}
    assert known_of_data(remt, ordered.with_directions({"x1": 0, "x2": 0})) == {}
    assert known_of_data(c45, ordered) == {}


def test_ordered_criteria_are_offered_for_ordered_classes_alone():
    ordered, plain = load_dataset("monotone", n_samples=50), load_dataset("iris")
    assert set(criteria_for(ordered)) - set(criteria_for(plain)) == {
        "rmi",
        "rmi_descending",
        "rmi_mean",
    }


def test_a_link_with_a_criterion_that_means_nothing_here_still_opens():
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    rule = OwnRule("rmi", "gini")
    selection = DEFAULT.having(data="xor", params=(), curves=("rmi", "gini"), rule=rule)
    for name, value in encode(selection).items():
        app.query_params[name] = value
    app.switch_page("pages/splits.py").run()
    assert not app.exception
    assert [error.value for error in app.error] == []
