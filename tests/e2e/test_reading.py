"""A workbook with a title: read, its sheet chosen, a link to how it was read; a pasted table."""

import pytest
from playwright.sync_api import expect

from tests.tables.spreadsheets import workbook

from .app import choose, hand_in, ready

pytestmark = pytest.mark.e2e

ROWS = [[f"{i}.25{i % 10},5 €", ("low", "high")[i % 2], "ab"[i % 2]] for i in range(1, 41)]
BOOK = workbook({
    "Sold": [["Sales of 2024"], [], ["price", "risk", "class"], *ROWS],
    "Bought": [["cost", "class"], *([i, "xy"[i % 2]] for i in range(30))],
})  # fmt: skip


def test_a_workbook_with_a_title_is_read_and_another_sheet_chosen(open_page):
    page = open_page("/data?data=wine")
    hand_in(page, "sales.xlsx", BOOK)
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
