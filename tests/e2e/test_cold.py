"""A new window on each page that has an example: its picture is there, and nothing to complain."""

import re

import pytest
from playwright.sync_api import expect

from lastviz.ui.frame import PAGES

from .app import ready
from .conftest import OpenPage

pytestmark = pytest.mark.e2e

MARKS = """() => {
    const fold = window.innerHeight;
    return [...document.querySelectorAll('.js-plotly-plot')].filter((gd) => {
        const box = gd.getBoundingClientRect();
        return box.top < fold && gd.querySelector('.point, .trace path, .shapelayer path');
    }).length;
}"""


@pytest.mark.parametrize("page", [name for name, row in PAGES.items() if row[2:]])
def test_a_cold_page_has_a_picture_within_the_first_viewport(open_page: OpenPage, page: str):
    window = open_page(f"/{page}")
    ready(window)
    window.wait_for_function(f"() => ({MARKS})() > 0")
    expect(window.locator(".st-key-example")).to_contain_text(
        re.compile("An example:|Example study, finished")
    )
    expect(window.get_by_test_id("stAlert")).to_have_count(0)
    assert "?" not in window.url
