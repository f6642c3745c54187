"""Two models laid over each other, and a tree grown again, in a browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lastviz import CARTClassifier, GSODTClassifier
from lastviz.datasets import load_dataset
from lastviz.inspection import overlay
from lastviz.plots import padded

from .app import downloaded

pytestmark = pytest.mark.e2e

PETALS = "/boundaries?data=iris&held=0&columns=3-4&m=cart&m2=gsodt"


@pytest.mark.main
def test_petals_the_page_measures_the_window_that_it_names(open_page):
    data = load_dataset("iris")
    X, y = data.X.to_numpy()[:, 2:], data.codes
    pair = CARTClassifier().fit(X, y), GSODTClassifier().fit(X, y)
    assert round(100 * overlay(*pair, (0, 8, 0, 3)).share, 1) == 17.9
    window = padded(X[:, 0], X[:, 1])
    page = open_page(PETALS + "&detail=differ")
    share = f"{100 * overlay(*pair, window).share:.1f}"
    cell = page.locator(".lv-strip div", has_text="of the window's area differ")
    expect(cell.locator("b")).to_have_text(re.compile(rf"^{re.escape(share)}"))
    ends = [f"{end:.3g}" for end in window]
    named = page.get_by_text(re.compile("The window is petal length from"))
    expect(named).to_contain_text(f"{ends[0]} to {ends[1]}")
    picture = page.get_by_role("application", name=re.compile("Where CART and GSODT agree"))
    expect(picture).to_be_visible()
    expect(page.get_by_text("Node by node")).to_be_visible()


def test_rows_that_differ_can_be_downloaded(open_page):
    page = open_page("/boundaries?data=iris&held=0.3&m=cart&m2=c45&detail=differ")
    button = page.get_by_role("button", name=re.compile(r"rows? as CSV"))
    lines = Path(downloaded(page, button).path()).read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("row,part,class,CART,C4.5,sepal length")
    assert len(lines) > 1


def test_how_stable_a_tree_is(open_page):
    page = open_page("/boundaries?data=iris&m=cart")
    page.get_by_text("How stable is it?").click()
    refits = page.locator(".lv-strip div", has_text=re.compile("refits$")).last
    expect(refits.locator("b")).to_have_text("100")
    cloud = page.get_by_role(
        "application", name=re.compile("The class that most of 100 trees predict")
    )
    expect(cloud).to_be_visible()
    expect(page.get_by_text(re.compile(r"Dashed: \d+ nodes? w"))).to_be_visible()
    assert "detail=stable" in page.url
