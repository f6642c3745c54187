"""axe-core over what opens, plays or is under way: dialogs, menus, a question, a study."""

import pytest
from playwright.sync_api import expect

from .app import App, ready
from .test_accessibility import serious

pytestmark = pytest.mark.e2e

WINE = "/rules?data=wine&m=cart&rule_view=rules"


def press(name, shown):
    """Return what presses a button and waits for what it opens."""

    def act(page):
        page.get_by_role("button", name=name).first.click()
        expect(page.locator(shown).first).to_be_visible()

    return act


def open_menu(page):
    page.locator('[data-tool="menu"]').first.click()
    expect(page.locator(".lv-menu").first).to_be_visible()


def show_table(page):
    page.locator(".lv-frame").first.press("t")
    expect(page.locator(".lv-table").first).to_be_focused()


def play(page):
    page.locator(".lv-growth select").select_option("0.5")
    page.locator(".lvg-play").click()
    expect(page.locator(".lv-growth")).to_have_attribute("data-step", "2")


def ask(page):
    page.locator(".st-key-quiz_add button").first.click()
    page.locator(".st-key-quiz_play button:enabled").click()
    expect(page.locator(".st-key-quiz_head h3")).to_contain_text("CART")


def open_list(page):
    page.get_by_role("combobox", name="Data set").click()
    expect(page.get_by_role("option").first).to_be_visible()


def collect(page):
    page.locator(".st-key-story_add button").click()
    page.get_by_role("button", name="Add to my story (1)").wait_for()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("menuitem", name="Story").click()
    expect(page.locator("h1")).to_have_text("What shall I show?")
    page.locator(".st-key-story_page summary").click()


OPENED = {
    "the glossary": (WINE, press("Glossary", '[data-testid="stDialog"]')),
    "the keys": (WINE, press("Keys", '[data-testid="stDialog"]')),
    "the page as a file": (WINE, press("Save this page", '[data-testid="stPopoverBody"]')),
    "Python code": (WINE, press("Python", '[data-testid="stPopoverBody"]')),
    "the menu of a picture": (WINE, open_menu),
    "the table of a picture": (WINE, show_table),
    "a list": (WINE, open_list),
    "the menu of the page": (WINE, press("Main menu", '[data-testid="stMainMenuPopover"]')),
    "a growth that plays": ("/growth?data=wine&m=cart", play),
    "a question of the quiz": ("/quiz?data=iris&m=cart", ask),
    "a story": (WINE, collect),
}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("path", "act"), OPENED.values(), ids=OPENED)
def test_what_is_opened_has_no_serious_fault(open_page, path, act, scheme):
    page = open_page(path, scheme=scheme)
    act(page)
    ready(page)
    assert serious(page) == []


@pytest.mark.slow
def test_a_study_that_is_not_done_has_none(open_page, tmp_path, monkeypatch):
    monkeypatch.setenv("LASTVIZ_STORE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    with App(tmp_path) as app:
        plan = "/compare?compared=cart,random_forest~n_estimators=400&compared_on=iris,wine,moons"
        page = open_page(app.address + plan)
        page.locator(".st-key-study_begin button:enabled").click()
        page.wait_for_url("**study=**")
        expect(page.locator(".lv-cells")).to_be_visible()
        assert serious(page) == []
        pause = page.get_by_role("button", name="Pause")
        pause.click()
        expect(page.get_by_role("button", name="Continue")).to_be_visible()
        ready(page)
        assert serious(page) == []
