"""What is kept of a visitor is taken away as a file, deleted, and forgotten by the browser."""

import zipfile

import pytest
from playwright.sync_api import expect

from lastviz.datasets import load_dataset, to_csv
from lastviz.ui.privacy.page import STORAGE

from .app import downloaded, hand_in, ready

pytestmark = pytest.mark.e2e


def test_what_was_handed_in_is_listed_taken_away_and_deleted(open_page):
    page = open_page("/data")
    table = to_csv(load_dataset("wine"))
    hand_in(page, "wines.csv", table)
    page.wait_for_url("**data=upload**")
    ready(page)
    page.get_by_role("link", name="What is stored, and for how long?").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "What is stored about me, and for how long?"
    )
    expect(page.locator(".lv-kept")).to_contain_text("wines.csv")
    with zipfile.ZipFile(
        downloaded(page, page.get_by_role("button", name="Save it all")).path()
    ) as archive:
        assert archive.read("files/wines.csv") == table
    assert len(page.evaluate(f"localStorage.getItem('{STORAGE}')")) == 64
    page.get_by_role("button", name="Delete it all").click()
    page.get_by_role("button", name="Yes, delete it all").click()
    expect(page.get_by_text("All of it is deleted.")).to_be_visible()
    expect(page.locator(".lv-kept")).to_have_count(0)
    page.wait_for_function(f"localStorage.getItem('{STORAGE}') === null")
    assert "upload" not in page.url
    page.reload()
    ready(page)
    expect(page.get_by_text("Nothing about you is stored here.")).to_be_visible()
    assert page.evaluate(f"localStorage.getItem('{STORAGE}')") is None  # none is made for looking
