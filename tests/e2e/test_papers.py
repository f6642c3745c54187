"""The page *papers* in a real browser: a claim unfolds, a figure leads to *compare*."""

import pytest
from playwright.sync_api import expect

from .app import ready

pytestmark = pytest.mark.e2e


def test_a_claim_unfolds_and_a_figure_leads_to_its_study(open_page):
    page = open_page("/papers?paper_table=sodt2")
    grid = page.locator(".lv-paper-grid")
    expect(grid.locator("tbody tr")).to_have_count(12)
    box = grid.bounding_box()
    assert box["width"] <= 1440 - 272  # wider tables scroll in their own room
    claim = page.locator(".lv-claims details").first
    expect(claim.locator("table")).to_be_hidden()
    claim.locator("summary").click()
    expect(claim.locator("tbody tr")).to_have_count(12)
    twonorm = grid.locator("tr", has_text="Twonorm")
    twonorm.locator("a").nth(3).click()
    page.wait_for_url("**/compare?**")
    ready(page)
    assert page.locator(".lv-cells thead th").count() == 5  # as many draws as the command takes
    expect(page.get_by_role("heading", level=1)).to_contain_text("Which one is better")
    expect(page.get_by_role("button", name="Begin the study")).to_be_enabled()
