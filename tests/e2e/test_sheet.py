"""A phone's sheet: closed on every page that is come to, and by Escape."""

import pytest
from playwright.sync_api import expect

from .app import ready

pytestmark = pytest.mark.e2e


def sheet(page, *, collapsed):
    return page.locator(f'[data-testid="stSidebar"][data-collapsed="{str(collapsed).lower()}"]')


def opened_sheet(page):
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(sheet(page, collapsed=False)).to_be_visible()


def test_a_sheet_is_closed_by_escape_and_where_a_page_is_come_to(open_page):
    page = open_page("/boundaries?data=moons&m=cart", size="phone")
    opened_sheet(page)
    page.keyboard.press("Escape")
    expect(sheet(page, collapsed=True)).to_be_attached()
    opened_sheet(page)
    page.reload()
    ready(page)
    expect(sheet(page, collapsed=True)).to_be_attached()
