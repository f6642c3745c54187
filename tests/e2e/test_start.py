"""The pages of the section Start in a real browser: scenes open, a table is handed in."""

import os
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import expect

from lastviz.datasets import load_dataset, to_csv

from .app import hand_in, ready

pytestmark = pytest.mark.e2e


def leave_for_another_browser(page):
    """Let pages opened from now on be those of a visitor who has never been here."""
    page.evaluate("localStorage.clear()")


@pytest.mark.main
def test_a_click_anywhere_on_a_card_opens_its_scene(open_page):
    page = open_page("/")
    box = page.locator(".st-key-scene-greedy .lv-pictures").bounding_box()
    page.mouse.click(box["x"] + 40, box["y"] + 40)
    page.wait_for_url("**/boundaries?data=three_spirals**")
    expect(page.get_by_role("heading", level=1)).to_contain_text("draw the line")
    ready(page)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_contain_text("See how a decision tree thinks")


def test_cards_are_reached_by_keyboard(open_page):
    page = open_page("/")
    card = page.get_by_role("link", name="Where do hidden directions help?")
    card.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/boundaries?data=waveform**")


@pytest.mark.main
def test_a_table_is_handed_in_and_its_columns_are_chosen(open_page):
    page = open_page("/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    expect(page.locator(".lv-strip")).to_contain_text("178")
    ready(page)
    page.go_back()
    expect(page.locator(".lv-strip")).to_contain_text("569")
    page.go_forward()
    expect(page.locator(".lv-strip")).to_contain_text("178")


def test_a_link_to_a_file_elsewhere_asks_for_it_and_takes_it(open_page):
    page = open_page("/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    expect(page.get_by_text("Kept on this server")).to_be_visible()
    leave_for_another_browser(page)
    other = open_page(page.url)
    expect(other.get_by_role("heading", level=1)).to_have_text("Please provide wines.csv, 178 rows")
    hand_in(other, "wines.csv", to_csv(load_dataset("wine")))
    expect(other.locator(".lv-strip")).to_contain_text("178")
    assert other.url == page.url


def test_a_file_is_found_again_by_its_own_browser(open_page):
    page = open_page("/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    expect(page.get_by_text("Kept on this server")).to_be_visible()
    token = page.evaluate("localStorage.getItem('lastviz-visitor')")
    assert len(token) == 64
    assert token not in page.url
    page.reload()
    expect(page.locator(".lv-strip")).to_contain_text("178")
    other = open_page(page.url.replace("/data?", "/boundaries?"))
    expect(other.locator(".lv-notice")).to_have_count(0)
    assert other.evaluate("localStorage.getItem('lastviz-visitor')") == token
    expect(page.get_by_role("button", name="Remove from this server")).to_be_visible()
    page.get_by_role("button", name="Remove from this server").click()
    expect(page.locator(".lv-strip")).to_contain_text("400")
    other.reload()
    expect(other.get_by_role("heading", level=1)).to_have_text("Please provide wines.csv, 178 rows")
    expect(other.locator(".lv-figure")).to_have_count(0)


def test_a_file_is_shared_by_a_code_until_it_is_withdrawn(open_page):
    page = open_page("/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    page.get_by_text("Share with a class").click()
    page.get_by_role("button", name="Make a code").click()
    code, link = (page.get_by_test_id("stCode").nth(place) for place in (0, 1))
    expect(link).to_contain_text("share=")
    code, link = code.inner_text().strip(), link.inner_text().strip()
    assert "/data?data=upload&" in link
    assert f"&share={code}" in link

    leave_for_another_browser(page)
    by_link = open_page(link)
    expect(by_link.locator(".lv-strip")).to_contain_text("178")
    expect(by_link.get_by_text("Shared with you until")).to_be_visible()
    assert by_link.evaluate("localStorage.getItem('lastviz-visitor')") is None
    by_code = open_page("/data")
    by_code.get_by_label("A table shared with you", exact=True).fill("wrong")
    by_code.get_by_label("A table shared with you", exact=True).press("Enter")
    expect(by_code.get_by_role("alert")).to_contain_text("does not exist")
    by_code.get_by_label("A table shared with you", exact=True).fill(code)
    by_code.get_by_label("A table shared with you", exact=True).press("Enter")
    expect(by_code.locator(".lv-strip")).to_contain_text("178")
    by_code.wait_for_url(f"**share={code}**")

    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("button", name="Withdraw")).to_have_count(0)
    by_code.reload()
    expect(by_code.get_by_text("no longer shared")).to_be_visible()
    expect(by_code.locator(".lv-strip")).to_have_count(0)


@pytest.mark.main
def test_on_a_phone_the_choices_wait_behind_their_button(open_page):
    page = open_page("/data", size="phone")
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(page.get_by_label("Seed", exact=True)).not_to_be_in_viewport()
    wider = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wider


@pytest.mark.main
def test_the_figures_follow_the_theme(open_page):
    page = open_page("/data")
    ink = "getComputedStyle(document.documentElement).getPropertyValue('--lv-ink').trim()"
    page.wait_for_function(f"{ink} === '#1B2029'")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"{ink} === '#EEF0F3'")


@pytest.mark.skipif(os.name == "nt", reason="the event loop that sends at once is not for Windows")
def test_files_are_sent_at_once(server):
    """What waits for an acknowledgement (Nagle) takes 40 ms a file; there are a hundred."""
    port = str(urlsplit(server).port)
    (process,) = (each for each in psutil.Process().children() if port in each.cmdline())
    assert any("uvloop" in each.path for each in process.memory_maps())
