"""A study in a real browser: begun, watched, its server killed, gone on with, concluded from."""

import csv

import pytest
from playwright.sync_api import expect

from .app import LONG, App, ready

pytestmark = pytest.mark.e2e

N_FOLDS = 3 * 3 * 10
PLAN = (
    "/compare?compared=cart,k_nn,random_forest~n_estimators=200&compared_on=iris,wine,moons~n_samples=150"
    "&study_folds=10"
)


@pytest.fixture
def app(tmp_path, monkeypatch):
    """A server with a store of studies of its own, that may be killed."""
    monkeypatch.setenv("LASTVIZ_STORE", f"sqlite:///{tmp_path / 'studies.sqlite'}")
    with App(tmp_path) as app:
        yield app


def rows_of(download):
    with open(download.path(), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def wait_for_all_folds(page):
    """Wait as long as more folds are done from time to time."""
    done = "[...document.querySelectorAll('.lv-cells td')].map((cell) => cell.dataset.done).join()"
    all_done = f"document.body.innerText.includes('Done {N_FOLDS} of {N_FOLDS} folds')"
    while not page.evaluate(all_done):
        changed = f"(before) => {done} !== before || {all_done}"
        page.wait_for_function(changed, arg=page.evaluate(done), timeout=LONG)


@pytest.mark.slow
def test_a_study_survives_the_death_of_the_server(app, open_page):
    page = open_page(app.address + PLAN)
    begin = page.locator(".st-key-study_begin button:enabled")  # once the browser is known
    begin.wait_for()
    ready(page)
    begin.click()
    page.wait_for_url("**study=**")
    page.wait_for_selector('.lv-cells td[data-done]:not([data-done="0"])', timeout=LONG)
    assert page.locator(".lv-cells tbody td").count() == 9
    app.kill()
    app.start()
    # What is left is computed by another process, begun by the new server.
    wait_for_all_folds(page)
    ready(page)
    assert page.locator('.lv-cells td[data-done="10"]').count() == 9
    said = page.locator("p.lv-say").inner_text()
    assert "best mean rank" in said
    assert "study=" in page.url

    with page.expect_download() as saved:
        page.get_by_role("button", name="Folds as CSV").click()
    rows = rows_of(saved.value)
    places = {(r["algorithm"], r["dataset"], r["repeat"], r["fold"]) for r in rows}
    assert len(rows) == len(places) == N_FOLDS
    assert {row["state"] for row in rows} == {"done"}

    again = open_page(page.url)
    again.wait_for_selector("p.lv-say")
    assert again.locator("p.lv-say").inner_text() == said


@pytest.mark.parametrize("size", ["projector", "phone"])
def test_a_cold_window_opens_on_a_conclusion_and_one_click_makes_it_mine(open_page, size):
    page = open_page("/compare", size=size)
    said = page.locator("p.lv-say b")
    expect(said).to_contain_text("has the best mean rank")
    expect(said).to_be_in_viewport()
    expect(page.get_by_text("Example study, finished")).to_be_in_viewport()
    expect(page.locator('[class*="st-key-study_set_"] .js-plotly-plot').first).to_be_in_viewport()
    if size == "phone":
        return
    page.get_by_role("button", name="Make it mine").click()
    page.locator(".st-key-study_begin button:enabled").wait_for()
    ready(page)
    assert "compared=gsodt" in page.url
    page.get_by_role("button", name="See a finished study").click()
    expect(said).to_contain_text("has the best mean rank")
