"""What stands around pictures: headings, menus and sentences that say what they mean."""

import re

import numpy as np
import pandas as pd
import pytest

from lastviz.datasets import all_datasets
from lastviz.estimators import ESTIMATORS, REGRESSORS
from lastviz.ui.compute.work import Work
from lastviz.ui.shared.model_view import model_title
from lastviz.ui.shared.widgets import choice_title
from lastviz.ui.state.selection import FIELDS, MAX_MODELS, Model, Selection

from .conftest import checked, html, opened
from .opened_pages import seen


def titles(*models):
    selection = Selection(data="iris", models=models)
    return [*map(model_title, Work(selection).models)]


def differing(key):
    """Models of one algorithm, each with one parameter away from its default."""
    found = [Model(key)]
    for param in ESTIMATORS[key].cls.PARAMS:
        if param.kind is bool:
            found.append(Model(key, ((param.name, not param.default),)))
        elif param.kind is str and len(param.choices) > 1:
            other = next(c for c in param.choices if c != param.default)
            found.append(Model(key, ((param.name, other),)))
        elif param.kind is int and param.name != "random_state":
            low = 0 if param.low is None else int(param.low)
            found.append(Model(key, ((param.name, low + 7),)))
    return found


@pytest.mark.parametrize("key", ESTIMATORS)
def test_models_of_one_algorithm_are_told_apart_by_what_differs(key):
    models = differing(key)
    for other in models[1:]:
        names = titles(models[0], other)
        assert names[0] != names[1]
        assert all(name.startswith(ESTIMATORS[key].title + " (") for name in names)
    for first in range(0, len(models), MAX_MODELS):
        names = titles(*models[first : first + MAX_MODELS])
        assert len(set(names)) == len(names)


def test_equal_models_are_numbered_and_others_keep_their_name():
    pruned = Model("c45", (("pruning", "none"),))
    assert titles(Model("cart"), Model("c45")) == ["CART", "C4.5"]
    assert titles(Model("cart"), Model("cart")) == ["CART (no. 1)", "CART (no. 2)"]
    assert titles(Model("c45"), pruned, Model("c45")) == [
        "C4.5 (pruning: error-based, no. 1)",
        "C4.5 (pruning: none)",
        "C4.5 (pruning: error-based, no. 2)",
    ]


def test_headings_on_the_page_differ():
    app = seen("boundaries", data="iris", m="c45", m2="c45", **{"m2.pruning": "none"})
    found = re.findall(r'<h2 class="lv-name">(.*?)<small>', html(app))
    assert found == ["C4.5 (pruning: error-based)", "C4.5 (pruning: none)"]


def test_no_menu_shows_a_name_of_the_code():
    declared = [
        *(p for e in (*ESTIMATORS.values(), *REGRESSORS.values()) for p in e.cls.PARAMS),
        *(p for e in all_datasets().values() for p in e.PARAMS),
        *(field.param for field in FIELDS.values() if getattr(field, "param", None)),
    ]
    for param in declared:
        shown = [choice_title(choice) for choice in param.choices]
        assert len(set(shown)) == len(shown), param.name
        assert not [title for title in shown if "_" in title or "+" in title], param.name


@pytest.mark.parametrize(
    "query",
    [
        {"data": "xor", "m": "hybrid", "m2": "cart"},
        {"data": "gauss_2d", "m": "cart"},
        {"data": "waveform", "m": "c45"},
        {"data": "xor", "m": "cart", "held": 0},
    ],
    ids=str,
)
def test_an_expectation_is_no_bound(query):
    """The best rule's accuracy is an average: a sample can lie above it, and does."""
    app = seen("boundaries", **query)
    said = " ".join(markdown.value for markdown in app.markdown)
    dataset = Work(app.session_state["selection"]).dataset
    best = f"{100 * (1 - dataset.bayes_error):.1f} %"
    assert f"an expected accuracy of {best} on new data" in said
    assert "can lie above it" in said
    for word in ("No rule", "more than", "by chance", "0.0 points"):
        assert word not in said


def test_the_page_data_calls_it_an_expectation():
    assert "expected error of the best possible rule (Bayes)" in html(seen("data", data="xor"))


@pytest.mark.parametrize("held", [0.3, 0.0])
def test_a_share_says_that_it_is_an_accuracy(held):
    said = html(seen("boundaries", data="iris", m="cart", m2="c45", held=held))
    cells = re.findall(r"<b>[\d.]+<small> %[^<]*</small></b><span>(.*?)</span>", said)
    assert cells
    assert all(cell.startswith("accuracy, ") for cell in cells)


def test_a_slice_says_what_a_ring_means():
    app = seen("boundaries", data="iris", m="cart")
    said = [caption.value for caption in app.caption]
    assert any("A ring marks a row" in text for text in said)


def test_one_colour_in_sight_is_said(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(80, 20)), columns=[f"f{i}" for i in range(20)])
    table["class"] = np.where(table.f7 > 1.0, "rare", "usual")
    table.to_csv(tmp_path / "wide.csv", index=False)
    monkeypatch.setenv("LASTVIZ_DATA", str(tmp_path))
    app = opened("boundaries", data="folder.wide", m="cart")
    assert not any("No border crosses" in caption.value for caption in app.caption)
    selection = app.session_state["selection"].change(axes=("f0", "f1"))
    app.session_state["selection"] = selection
    checked(app.run())
    assert any("No border crosses this slice" in caption.value for caption in app.caption)
    app = checked(app.button(key="border0").click().run())
    assert {"axes", "at"} & set(app.query_params)
    assert not any("No border crosses" in caption.value for caption in app.caption)
