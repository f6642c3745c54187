"""What would change it: a table of credits is handed in, a feature locked, the answer changes."""

import re

import pytest
from playwright.sync_api import expect

from tests.credit import credit_table

from .app import go_to, hand_in, ready

pytestmark = pytest.mark.e2e


@pytest.mark.main
def test_a_locked_feature_stays_out_of_the_answer(open_page):
    page = open_page("/data?data=xor&m=c45")
    table = credit_table(missing=0.0).to_csv(index=False).encode()
    hand_in(page, "credit.csv", table)
    page.wait_for_url("**data=upload**")
    ready(page)
    go_to(page, "Explore", "Rules")
    page.wait_for_url("**/rules?**")
    ready(page)
    row = page.get_by_role("spinbutton", name="Row")
    row.fill("12")
    row.press("Enter")
    page.wait_for_url("**lit=12**")
    ready(page)
    first = page.locator(".lv-flip li").first
    expect(first).to_contain_text("→")
    name = first.inner_text().split(":")[0]
    page.get_by_text("What may change", exact=True).click()
    expect(page.get_by_role("combobox", name=re.compile("Must not change"))).to_be_visible()
    ready(page)  # a run that comes meanwhile closes the list of options
    page.get_by_role("combobox", name=re.compile("Must not change")).fill(name)
    page.get_by_role("option", name=name, exact=True).click()
    page.wait_for_url("**flip_holds=**")
    expect(page.get_by_text(f"{name} stays.")).to_be_visible()
    page.keyboard.press("Escape")
    changes = page.locator(".lv-flip ul")
    expect(changes).not_to_contain_text(f"{name}:")
    page.get_by_role("button", name="Show the changed sample").click()
    page.wait_for_url("**typed=**")
    expect(page.locator(".lv-strip").first).to_contain_text("typed sample")
