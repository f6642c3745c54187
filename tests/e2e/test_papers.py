"""The page *papers* in a real browser: a table, a cell, the way to the page *compare*."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .app import ready
from .conftest import OpenPage

pytestmark = pytest.mark.e2e


def test_a_cell_is_looked_at_and_run_on_compare(open_page: OpenPage) -> None:
    page = open_page("/papers?paper_table=sodt2&paper_cell=twonorm~GSODT~error~&paper_view=numbers")
    grid = page.locator(".lv-paper-grid")
    expect(grid.locator("tbody tr")).to_have_count(12)
    expect(grid.locator(".lv-here")).to_have_count(1)
    expect(page.locator(".lv-claims tbody tr").first).to_contain_text("SODT")
    box = grid.bounding_box()
    assert box["width"] <= 1440 - 272  # wider tables scroll in their own room
    run = page.get_by_role("button", name="Run this cell")
    expect(run).to_be_enabled()  # once the browser is known
    run.click()
    page.wait_for_url("**/compare?**study=**")
    ready(page)
    assert page.locator(".lv-cells thead th").count() == 5  # as many draws as the paper's row has
    expect(page.get_by_role("heading", level=1)).to_contain_text("Which one is better")


def test_a_cell_of_the_svm_tree_is_divided_anew_on_the_page(open_page: OpenPage) -> None:
    cell = "three_spirals~SVM tree (improved)~accuracy_class_2~sigma 5"
    page = open_page(f"/papers?paper_table=svm_tree1&paper_view=numbers&paper_cell={cell}")
    here = page.locator(".lv-paper-grid .lv-here")
    ours = here.locator("b").inner_text()
    page.get_by_role("button", name="Run this cell").click()
    expect(here.locator("small")).to_contain_text(f"run {ours}")  # the same divisions
    expect(page.locator(".lv-paper-grid small", has_text="run ")).to_have_count(1)
