"""A model of one's own, handed in as JSON; what leaves by the buttons below a tree."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from lastviz import from_sklearn
from lastviz.datasets import load_dataset
from lastviz.export import model_as_json, model_from_json

from .app import downloaded, ready

pytestmark = pytest.mark.e2e

WINE = load_dataset("wine")
LABELS = np.asarray(WINE.class_order)[WINE.codes]

NOT_OF_THE_EXAMPLE = ":not([class*='st-key-example-'] *)"


def hand_in(page, content, name="mine.json"):
    field = page.locator(".st-key-own_model_field input[type=file]")
    field.set_input_files({"name": name, "mimeType": "application/json", "buffer": content})


def kept(page):
    """Wait until the server has stored the model: before, it is gone with the session."""
    expect(page.get_by_text("Kept on this server for this browser", exact=False)).to_be_visible()
    ready(page)


def download(page, title):
    button = page.get_by_role("button", name=title, exact=True)
    return Path(downloaded(page, button).path()).read_bytes()


def go_to(page, path):
    page.goto(re.sub(r"/data\?", f"/{path}?", page.url))
    ready(page)


@pytest.mark.main
@pytest.mark.parametrize("kind", [DecisionTreeClassifier, RandomForestClassifier])
def test_a_model_of_ones_own_is_drawn_and_refused_in_a_sentence_where_its_search_is_asked(
    open_page, kind
):
    model = kind(max_depth=3, random_state=0).fit(WINE.X, LABELS)
    page = open_page("/data?data=wine")
    hand_in(page, model_as_json(from_sklearn(model)).encode())
    expect(page.get_by_text("It is the first model now", exact=False)).to_be_visible()
    page.wait_for_url("**m=**")
    kept(page)
    address = page.url
    go_to(page, "boundaries")
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible()
    expect(page.locator(".lv-notice")).to_contain_text("trained elsewhere")
    page.goto(address.replace("/data?", "/rules?") + "&rule_view=rules")
    ready(page)
    expect(page.locator(".lv-figure .main-svg").first).to_be_visible()
    tree = model_from_json(download(page, "Tree as JSON"))
    theirs = model.estimators_[0] if kind is RandomForestClassifier else model
    assert tree.tree_.n_nodes == theirs.tree_.node_count
    for path in ("splits", "pruning"):
        page.goto(address.replace("/data?", f"/{path}?"))
        ready(page)
        expect(page.get_by_text("was not grown here", exact=False).first).to_be_visible()
        expect(page.locator(".st-key-example")).to_contain_text("by an example")
        expect(page.locator(f".lv-figure{NOT_OF_THE_EXAMPLE}")).to_have_count(0)
    page.goto(address.replace("/data?", "/growth?"))
    ready(page)
    if kind is RandomForestClassifier:
        expect(page.get_by_test_id("stAlert").first).to_be_visible()
        expect(page.locator(".st-key-example")).to_contain_text("by an example")
        expect(page.locator(f".lv-growth{NOT_OF_THE_EXAMPLE}")).to_have_count(0)
    else:
        expect(page.locator(".lv-growth")).to_be_visible()
        expect(page.get_by_text("from the root down", exact=False)).to_be_visible()


def test_names_in_a_model_are_words(open_page):
    evil = "<img src=x onerror='window.hit=1'>"
    model = from_sklearn(DecisionTreeClassifier(max_depth=2).fit(WINE.X, LABELS))
    text = model_as_json(model).replace('"DecisionTreeClassifier"', f'"{evil}"')
    page = open_page("/data?data=wine")
    hand_in(page, text.encode())
    expect(page.get_by_text("It is the first model now", exact=False)).to_be_visible()
    assert page.locator("img[src=x]").count() == 0
    assert page.evaluate("window.hit") is None
