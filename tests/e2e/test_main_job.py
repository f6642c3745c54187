"""The main job from end to end: a file, two algorithms, depth, a link, back."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from lastviz import C45Classifier, CARTClassifier
from lastviz.datasets import load_dataset, read_table, to_csv
from tests.patience import until

from .app import go_to, ready

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("upload") / "crescents.csv"
    path.write_bytes(to_csv(load_dataset("moons", n_samples=300, noise=0.3, random_state=7)))
    return path


def expected(path, depth=None):
    """(held-out, training) accuracy in per cent of both models, worked out without the app."""
    dataset = read_table(path.read_bytes(), name=path.name)
    train, held_out = dataset.split(0.3, random_state=1)
    X, y = dataset.numeric_X.to_numpy(), dataset.codes
    out = []
    for estimator in (CARTClassifier(), C45Classifier()):
        tree = estimator.fit(X[train], y[train]).tree_
        predicted = tree.prediction[tree.at_depth(depth)[tree.apply(X)]]
        right = predicted == y
        out.append([f"{100 * np.mean(right[rows]):.1f}" for rows in (held_out, train)])
    return out


def shown(page):
    heads = page.locator(".lv-head").all()
    said = [head.inner_text().replace("\n", " ") for head in heads]
    return [re.findall(r"(\d+\.\d)\s%\s\(", words) for words in said]


def go_to_boundaries(page):
    go_to(page, "Explore", "Boundaries")
    page.get_by_role("heading", name="Where does each algorithm draw the line?").wait_for()
    ready(page)


def upload(page, path):
    page.locator("input[type=file]").first.set_input_files(path)
    page.wait_for_url(lambda url: "file=" in url)
    ready(page)


def wait_for_accuracies(page, wanted):
    """Wait for what the script says; a frame of the slider says it before, and is drawn over."""

    def are_shown():
        page.wait_for_timeout(100)
        ready(page)
        return shown(page) == wanted

    until(are_shown, why=wanted)


@pytest.mark.main
def test_upload_train_cut_share_and_undo(open_page, table):
    page = open_page("/data")
    upload(page, table)
    expect(page.get_by_test_id("stMain")).to_contain_text("300")
    go_to_boundaries(page)
    wait_for_accuracies(page, expected(table))

    slider = page.get_by_role("slider", name="Show levels up to")
    deepest = int(slider.get_attribute("aria-valuemax") or slider.get_attribute("max"))
    slider.focus()
    slider.press("Home")
    page.wait_for_url(lambda url: "depth=0" in url)
    slider.press("ArrowRight")
    page.wait_for_url(lambda url: "depth=1" in url)
    wait_for_accuracies(page, expected(table, depth=1))
    assert deepest > 3

    # what the button copies comes with the last thing that a run sends
    expect(page.locator(".lv-copy-field").first).to_have_value(re.compile("depth=1"))
    wait_for_accuracies(page, expected(table, depth=1))
    page.get_by_role("button", name="Copy link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    assert "depth=1" in link

    other = open_page(link, elsewhere=True)
    asked = other.get_by_role("heading", name="Please provide crescents.csv, 300 rows")
    expect(asked).to_be_visible()
    other.locator("input[type=file]").first.set_input_files(table)
    expect(asked).to_have_count(0)
    ready(other)
    wait_for_accuracies(other, expected(table, depth=1))

    page.go_back()
    page.wait_for_url(lambda url: "depth=0" in url)
    wait_for_accuracies(page, expected(table, depth=0))
    page.go_back()
    wait_for_accuracies(page, expected(table))


@pytest.mark.main
def test_a_copied_link_opens_the_same_scene(open_page):
    page = open_page("/boundaries?data=waveform&n_samples=600&m=c45&m2=cart&m2.max_leaf_nodes=9")
    before = shown(page)
    page.get_by_role("button", name="Copy link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    other = open_page(link)
    wait_for_accuracies(other, before)
    texts = [p.locator(".lv-card").all_inner_texts() for p in (page, other)]
    assert texts[0] == texts[1]
