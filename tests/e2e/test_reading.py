"""A workbook with a title: read, its sheet chosen, a link to how it was read; a pasted table."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.tables.spreadsheets import workbook

from .app import choose, ready
from .conftest import OpenPage

pytestmark = pytest.mark.e2e

ROWS = [[f"{i}.25{i % 10},5 €", ("low", "high")[i % 2], "ab"[i % 2]] for i in range(1, 41)]
BOOK = workbook({
    "Sold": [["Sales of 2024"], [], ["price", "risk", "class"], *ROWS],
    "Bought": [["cost", "class"], *([i, "xy"[i % 2]] for i in range(30))],
})  # fmt: skip


def test_a_workbook_with_a_title_is_read_and_another_sheet_chosen(open_page: OpenPage) -> None:
    page = open_page("/data?data=wine")
    file = {"name": "sales.xlsx", "mimeType": "application/zip", "buffer": BOOK}
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files([file])
    page.wait_for_url("**file=sales.xlsx**")
    ready(page)
    expect(page.get_by_text("sales.xlsx (Excel workbook, Sold, names in row 3)")).to_be_visible()
    page.get_by_text("How it was read", exact=True).click()
    ready(page)
    row = page.get_by_role("spinbutton", name="Row with the names")
    expect(row).to_have_value("3")
    choose(page, page.get_by_role("combobox", name="Sheet"), "Bought")
    page.wait_for_url("**reading=part**Bought**")
    ready(page)
    expect(page.get_by_text("sales.xlsx (Excel workbook, Bought)")).to_be_visible()
    page.go_back()
    ready(page)
    expect(page.get_by_text("sales.xlsx (Excel workbook, Sold, names in row 3)")).to_be_visible()


def test_a_table_is_pasted(open_page: OpenPage) -> None:
    page = open_page("/data?data=wine")
    page.get_by_role("button", name="Paste a table").click()
    rows = "".join(f"{i},5\t{i % 3}\t{'ab'[i % 2]}\n" for i in range(20))
    page.get_by_role("textbox", name="Rows copied").fill(f"x\ty\tclass\n{rows}")
    page.get_by_role("button", name="Read it", exact=True).click()
    page.wait_for_url("**data=upload**")
    ready(page)
    expect(page.get_by_text("pasted table (tabs, decimal comma, utf-8)")).to_be_visible()
