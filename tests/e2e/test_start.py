"""The pages of the section Start in a real browser: scenes open, a table is handed in."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from lastviz.datasets import load_dataset, to_csv

from .conftest import OpenPage, ready

pytestmark = pytest.mark.e2e


def hand_in(page: Page, name: str, content: bytes) -> None:
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(file)


def test_a_click_anywhere_on_a_card_opens_its_scene(open_page: OpenPage) -> None:
    page = open_page("/")
    box = page.locator(".st-key-scene-spirals .lv-pictures").bounding_box()
    page.mouse.click(box["x"] + 40, box["y"] + 40)
    page.wait_for_url("**/boundaries?data=three_spirals**")
    expect(page.get_by_role("heading", level=1)).to_contain_text("draw the line")
    ready(page)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_contain_text("What can I see here?")


def test_cards_are_reached_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/")
    card = page.get_by_role("link", name="Waveform: a slice")
    card.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/boundaries?data=waveform**")


def test_a_table_is_handed_in_and_its_columns_are_chosen(open_page: OpenPage) -> None:
    page = open_page("/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    expect(page.locator(".lv-strip")).to_contain_text("178")
    ready(page)
    page.go_back()
    expect(page.locator(".lv-strip")).to_contain_text("400")
    page.go_forward()
    expect(page.locator(".lv-strip")).to_contain_text("178")


def test_a_bad_file_leaves_what_was_there(open_page: OpenPage) -> None:
    page = open_page("/data?data=wine")
    hand_in(page, "bad.csv", b"column\n1\n2\n")
    expect(page.get_by_role("alert")).to_contain_text("only one column")
    expect(page.locator(".lv-strip")).to_contain_text("178")


def test_a_link_to_a_file_elsewhere_asks_for_it_and_takes_it(open_page: OpenPage) -> None:
    page = open_page("/data")
    hand_in(page, "wines.csv", to_csv(load_dataset("wine")))
    page.wait_for_url("**data=upload**")
    other = open_page(page.url)
    expect(other.locator(".lv-notice")).to_contain_text("wines.csv")
    hand_in(other, "wines.csv", to_csv(load_dataset("wine")))
    expect(other.locator(".lv-strip")).to_contain_text("178")
    expect(other.locator(".lv-notice")).to_have_count(0)


def test_on_a_phone_the_choices_wait_behind_their_button(open_page: OpenPage) -> None:
    page = open_page("/data", size="phone")
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(page.get_by_label("Seed", exact=True)).not_to_be_in_viewport()
    wider = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wider


def test_the_figures_follow_the_theme(open_page: OpenPage) -> None:
    page = open_page("/data")
    ink = "getComputedStyle(document.documentElement).getPropertyValue('--lv-ink').trim()"
    page.wait_for_function(f"{ink} === '#1B2029'")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"{ink} === '#EEF0F3'")
