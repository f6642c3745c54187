"""Where the system forces its colours, what is drawn stays visible, and what is chosen is said."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.e2e


def forced(open_page, path, scheme="dark"):
    page = open_page(path, scheme=scheme)
    page.emulate_media(forced_colors="active", color_scheme="dark")  # the system's black
    return page


def look(one, name):
    return one.evaluate("(e, name) => getComputedStyle(e)[name]", name)


def test_a_switch_and_a_box_to_tick_have_an_outline(open_page):
    for path in ("/growth?data=iris&m=cart", "/pruning?data=iris&m=cart"):
        page = forced(open_page, path)
        marks = page.locator('[data-testid="stCheckbox"] label > div:not([data-testid])')
        expect(marks.first).to_be_visible()
        for mark in marks.all():
            assert look(mark, "outlineStyle") == "solid"
            assert look(mark, "outlineColor") == "rgb(255, 255, 255)"


def test_what_is_chosen_of_several_is_told_from_the_others(open_page):
    page = forced(open_page, "/boundaries?data=iris&m=cart")
    options = page.locator('[data-testid="stButtonGroup"] [role="radio"]')
    chosen = [one for one in options.all() if one.get_attribute("aria-checked") == "true"]
    others = [one for one in options.all() if one.get_attribute("aria-checked") != "true"]
    assert chosen
    assert {look(one, "outlineStyle") for one in chosen} == {"solid"}
    assert {look(one, "outlineStyle") for one in others} == {"none"}


def test_drawings_stand_on_the_paper_that_their_ink_is_for(open_page):
    """A page that was drawn for white paper keeps it below its signs, its logo and its figures."""
    page = open_page("/boundaries?data=iris&m=cart")
    page.emulate_media(forced_colors="active", color_scheme="light")
    paper = page.evaluate(
        "() => getComputedStyle(document.documentElement).getPropertyValue('--lv-paper')"
    )
    assert paper == "#FFFFFF"
    for name in (".lv-legend .lv-sign", ".stLogo", ".lv-figure"):
        drawing = page.locator(name).first
        expect(drawing).to_be_visible()
        assert look(drawing, "backgroundColor") == "rgb(255, 255, 255)", name
