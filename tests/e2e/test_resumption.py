"""The server of an open page dies and another takes its place: the reader goes on."""

import pytest
from playwright.sync_api import expect

from .app import App, ready, seed_field

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def mortal(tmp_path_factory):
    """Serve the app from a process that tests may kill and start again at the same port."""
    with App(tmp_path_factory.mktemp("mortal")) as app:
        yield app


@pytest.fixture
def replace_server(mortal):
    """Return what kills the server under a page, and waits until the page has found the next."""

    def replace(page):
        expect(seed_field(page)).to_be_enabled()
        ready(page)
        mortal.kill()
        expect(seed_field(page)).to_be_disabled()
        mortal.start()
        expect(seed_field(page)).to_be_enabled()

    return replace


def test_the_first_change_after_it_is_not_lost(open_page, mortal, replace_server):
    page = open_page(mortal.address + "/data?data=xor&seed=3")
    replace_server(page)
    expect(seed_field(page)).to_have_value("3")
    seed_field(page).fill("7")
    seed_field(page).press("Enter")
    page.wait_for_url("**seed=7**")
    ready(page)
    expect(seed_field(page)).to_have_value("7")
    page.go_back()
    expect(seed_field(page)).to_have_value("3")


@pytest.mark.slow
def test_a_widget_in_an_opened_box_keeps_its_first_changes_and_the_box_stays_open(
    open_page, mortal, replace_server
):
    page = open_page(mortal.address + "/boundaries?data=moons&m=cart")
    page.get_by_text("More parameters").last.click()
    folded = page.get_by_role("slider", name="Smallest node to split")
    expect(folded).to_have_value("2")
    ready(page)
    replace_server(page)
    for _ in range(3):
        folded.press("ArrowRight")
    page.wait_for_url("**min_samples_split=5**")
    ready(page)
    expect(folded).to_have_value("5")


@pytest.mark.slow
def test_back_after_it_goes_back(open_page, mortal, replace_server):
    page = open_page(mortal.address + "/data?data=xor&seed=3")
    seed_field(page).fill("7")
    seed_field(page).press("Enter")
    page.wait_for_url("**seed=7**")
    ready(page)
    replace_server(page)
    page.go_back()
    expect(seed_field(page)).to_have_value("3")
    ready(page)
    assert "seed=3" in page.url
