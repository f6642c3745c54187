"""Weights of classes, chosen in a browser: the tree changes, a link carries them."""

import re

import pytest
from playwright.sync_api import expect

from .app import choose

pytestmark = pytest.mark.e2e


def counts(page):
    """Return the model's headline numbers."""
    return [" ".join(text.split()) for text in page.locator(".lv-strip > div").all_inner_texts()]


def test_costly_errors_make_another_tree_that_a_link_carries(open_page):
    page = open_page("/data?data=moons&m=cart")
    box = page.get_by_role("combobox", name="Weights of the classes")
    choose(page, box, "a number for each class")
    first = page.get_by_role("spinbutton").filter(visible=True).first
    field = page.locator(".st-key-class_weight_0 input")
    expect(field).to_have_value("1")
    field.fill("20")
    field.press("Enter")
    page.wait_for_url(re.compile("class_weight=20_1"))
    expect(first).to_be_visible()
    query = page.url.split("?", 1)[1]
    weighed = open_page(f"/rules?{query}&rule_view=rules")
    expect(weighed.get_by_text("Rows count by their weights for CART")).to_be_visible()
    told = counts(weighed)
    plain = open_page("/rules?data=moons&m=cart&rule_view=rules")
    expect(plain.get_by_text("Rows count by their weights")).to_have_count(0)
    assert counts(plain) != told
    assert counts(open_page(f"/rules?{query}&rule_view=rules")) == told
