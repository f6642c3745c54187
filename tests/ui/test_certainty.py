"""How sure a tree is, as the tint of its regions on the page *boundaries*."""

import pytest

from lastviz.plots import THEMES

from .conftest import checked, opened
from .opened_pages import pictures, seen, words


def regions(app):
    data = pictures(app)["plane0"]["figure"]["data"]
    return [trace for trace in data if trace["meta"]["role"] == "region"]


def test_regions_say_the_class_alone_at_first():
    app = seen("boundaries", data="moons", m="cart")
    assert all("degree" not in trace["meta"] for trace in regions(app))
    assert "certain of its class" not in words(app)


def test_tints_grow_with_certainty_and_few_rows_are_hatched():
    app = seen("boundaries", data="moons", m="cart", tint="certainty")
    found = regions(app)
    theme = THEMES["light"]
    for trace in found:
        colour = theme.certain(trace["meta"]["class"], trace["meta"]["degree"])
        assert trace["fillcolor"] == colour
        assert trace.get("fillpattern", {}).get("bgcolor", colour) == colour
    assert len({trace["meta"]["degree"] for trace in found}) > 1
    assert any("fillpattern" in trace for trace in found)
    assert any("fillpattern" not in trace for trace in found)
    said = words(app)
    assert "shares of all rows added (m = 2)" in said
    assert "fewer than 5 training rows" in said


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"smoothing": "laplace"}, "one row of each class added (Laplace)"),
        ({"smoothing": "raw"}, "shares of the leaf alone"),
        ({"smoothing_m": 10}, "m = 10"),
        ({"smoothing_m": 10_000}, "m = 2"),
        ({"smoothing_m": "x"}, "m = 2"),
    ],
)
def test_the_rule_stands_in_the_legend_and_in_the_link(query, said):
    app = seen("boundaries", data="iris", m="c45", tint="certainty", **query)
    assert said in words(app)


def test_more_smoothing_is_paler():
    app = seen("boundaries", data="moons", m="cart", tint="certainty", smoothing="raw")
    raw = max(trace["meta"]["degree"] for trace in regions(app))
    app = seen("boundaries", data="moons", m="cart", tint="certainty", smoothing_m=20)
    assert max(trace["meta"]["degree"] for trace in regions(app)) < raw == 1.0


@pytest.mark.parametrize(
    "query",
    [
        {"data": "iris", "m": "svm_tree"},
        {"data": "monotone", "m": "remt"},
        {"data": "monotone", "m": "mcdf", "n_samples": 80},
        {"data": "monotone", "m": "remt", "m.monotone": "true"},
    ],
)
def test_models_whose_leaves_do_not_tell_say_so(query):
    app = seen("boundaries", tint="certainty", **query)
    assert any("The tint shows the class only" in caption.value for caption in app.caption)
    assert all("degree" not in trace["meta"] for trace in regions(app))


def test_the_reader_chooses_it():
    app = opened("boundaries", data="iris", m="gsodt", tint="certainty")
    checked(app.selectbox(key="smoothing").select("laplace").run())
    assert app.query_params["smoothing"] == "laplace"
    assert "Laplace" in words(app)
    assert not [box for box in app.slider if box.key == "smoothing_m"]
