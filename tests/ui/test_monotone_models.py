"""Models of ordered classes on the pages that show single trees."""

from dataclasses import replace

import pytest

from lastviz.datasets import load_dataset
from lastviz.estimators import ESTIMATORS
from lastviz.ui.compute.availability import criteria_for, known_of_data, obstacle
from lastviz.ui.state.codec import encode
from lastviz.ui.state.fields import OwnRule
from lastviz.ui.state.selection import DEFAULT, Model

from .conftest import html
from .opened_pages import said, seen


def shown(page, data, model):
    return seen(page, **encode(replace(DEFAULT, data=data, params=(), models=(model,))))


@pytest.mark.parametrize(
    ("page", "words"), [("boundaries", "REMT"), ("splits", "keep those with RMI of at least 0.01")]
)
def test_remt_has_its_picture(page, words):
    app = shown(page, "monotone", Model("remt"))
    assert words in f"{said(app, 'markdown')} {html(app)}"


def test_what_cannot_be_shown_says_why():
    for page, model, words in (
        ("splits", Model("monotone_boosting"), "Monotone boosting grows a forest"),
        ("pruning", Model("mcdf"), "MCDF grows a forest"),
        ("pruning", Model("remt", (("monotone", True),)), "no longer predicts by its leaves"),
    ):
        assert words in said(shown(page, "monotone", model), "info", "warning", "caption")


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
    rule = OwnRule("rmi", "gini")
    selection = DEFAULT.having(data="xor", params=(), curves=("rmi", "gini"), rule=rule)
    seen("splits", **encode(selection))
