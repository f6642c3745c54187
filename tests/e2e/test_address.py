"""The address says the scene: back is undo, a copied link opens the same scene elsewhere."""

import pytest
from playwright.sync_api import expect

from .app import go_to, query, ready, seed_field

pytestmark = pytest.mark.e2e


def set_seed(page, value):
    seed_field(page).fill(str(value))
    seed_field(page).press("Enter")
    page.wait_for_url(lambda url: f"seed={value}" in url)
    ready(page)


@pytest.mark.main
def test_back_undoes_forward_redoes_and_a_change_after_back_starts_a_new_branch(open_page):
    page = open_page("/data")
    set_seed(page, 5)
    set_seed(page, 6)
    page.go_back()
    expect(seed_field(page)).to_have_value("5")
    page.go_back()
    expect(seed_field(page)).to_have_value("1")
    assert query(page) == {}
    page.go_forward()
    expect(seed_field(page)).to_have_value("5")
    page.go_forward()
    expect(seed_field(page)).to_have_value("6")
    page.go_back()
    expect(seed_field(page)).to_have_value("5")
    set_seed(page, 7)
    page.go_back()
    expect(seed_field(page)).to_have_value("5")


@pytest.mark.main
def test_the_scene_is_kept_over_pages_and_back_leaves_no_trap(open_page):
    page = open_page("/data")
    set_seed(page, 5)
    go_to(page, "Explore", "Boundaries")
    page.wait_for_url("**/boundaries?**")
    expect(seed_field(page)).to_have_value("5")
    assert query(page)["seed"] == "5"
    set_seed(page, 6)
    page.go_back()
    expect(seed_field(page)).to_have_value("5")
    page.go_back()
    page.wait_for_url("**/data?**")
    expect(seed_field(page)).to_have_value("5")
    page.go_back()
    expect(seed_field(page)).to_have_value("1")


@pytest.mark.main
def test_a_cold_deep_link_keeps_its_scene_and_its_page(open_page):
    page = open_page("/boundaries?data=three_spirals&seed=9&m=c45")
    expect(page.get_by_role("heading", level=1)).to_contain_text("draw the line")
    expect(seed_field(page)).to_have_value("9")
    assert query(page) == {"data": "three_spirals", "seed": "9", "m": "c45"}
    expect(page.get_by_test_id("stTopNavSection").first).to_be_visible()


def test_a_copied_link_opens_the_same_scene(open_page):
    page = open_page("/boundaries?data=xor&noise=0.3")
    set_seed(page, 4)
    page.get_by_role("button", name="Copy link").click()
    field = page.get_by_label("Link to this scene")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = field.input_value()
    assert page.evaluate("navigator.clipboard.readText()") == link
    other = open_page(link)
    expect(seed_field(other)).to_have_value("4")
    assert query(other) == {"data": "xor", "noise": "0.3", "seed": "4"}


@pytest.mark.main
def test_fast_changes_are_all_kept(open_page):
    page = open_page("/data")
    step = page.get_by_test_id("stNumberInputStepUp").last
    for _ in range(8):
        step.click()
    page.wait_for_url("**seed=9**")
    expect(seed_field(page)).to_have_value("9")
