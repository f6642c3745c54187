"""A login by OpenID Connect in a browser, at a provider on loopback, under a base path."""

import os
from hashlib import sha256

import pytest
from playwright.sync_api import expect

from lastviz.datasets import load_dataset, to_csv
from lastviz.host.store import Upload
from tests.needed import needs
from tests.oidc_stand_in import provider, secrets

from .app import App, arrive, hand_in, reload, visit

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

BASE = "/tools/lastviz"
SCENE = "/rules?data=iris&m=cart"


@pytest.fixture(scope="module")
def who():
    """Serve a provider of logins."""
    needs("authlib", "Authlib")
    with provider() as server:
        yield server


@pytest.fixture(scope="module")
def address(who, store, tmp_path_factory):
    """Serve the app for those of example.org."""
    home = tmp_path_factory.mktemp("home")
    app = App(home, base=BASE)
    (home / ".streamlit").mkdir()
    (home / ".streamlit" / "secrets.toml").write_text(secrets(who.issuer, app.address))
    app.environment = os.environ | {"HOME": str(home), "LASTVIZ_ALLOW": "example.org",
                                    "LASTVIZ_STORE_FOLDER": str(store.folder)}  # fmt: skip
    with app:
        yield app.address


def log_in(page, user):
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in to go on")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name=user).click()


def test_a_deep_link_asks_first_and_opens_its_page_then_until_the_reader_logs_out(
    open_page, address, who
):
    page = open_page(address + SCENE)
    refused: list[str] = []
    page.on("console", lambda m: refused.append(m.text) if "Content Security" in m.text else None)
    expect(page.locator(".lv-figure")).to_have_count(0)
    log_in(page, "ann")
    arrive(page, f"**{BASE}{SCENE}**")
    expect(page.get_by_role("heading", level=1)).to_have_text("What does the tree say?")
    expect(page.get_by_text("Logged in as ann@example.org")).to_be_visible()
    assert who.challenged == [True]  # with a proof key
    cookies = {cookie["name"]: cookie for cookie in page.context.cookies(address)}
    assert cookies["_streamlit_user"]["httpOnly"]
    assert cookies["_streamlit_user"]["path"] == BASE
    reload(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("What does the tree say?")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in to go on")
    page.goto(address + SCENE)
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in to go on")
    assert refused == []


NOTHING = "Nothing about you is stored here."


def kept(page, address):
    """What the page privacy says is kept of who is logged in."""
    page.wait_for_function("() => !sessionStorage.getItem('lastviz-came-for')")  # it has come
    visit(page, f"{address}/privacy")
    found = page.locator(".lv-kept").or_(page.get_by_text(NOTHING))
    return found.inner_text()


def test_a_table_is_its_accounts_on_every_computer_and_nobody_elses(open_page, address):
    here, there, other = (open_page(f"{address}/data", elsewhere=True) for _ in range(3))
    for page, user in ((here, "ann"), (there, "ann"), (other, "zoe")):
        log_in(page, user)
        arrive(page, f"**{BASE}/data**")
    hand_in(here, "wines.csv", to_csv(load_dataset("wine")))
    arrive(here, "**data=upload**")
    expect(here.get_by_text("Kept on this server for your account alone")).to_be_visible()
    link = here.url
    for page in (here, there):
        visit(page, link)
        expect(page.locator(".lv-say").first).to_contain_text("178")
        assert "wines.csv" in kept(page, address)
    visit(other, link)
    expect(other.locator(".lv-say")).to_have_count(0)
    assert kept(other, address) == NOTHING

    second = here.context.new_page()
    visit(second, link)
    here.get_by_role("button", name="Log out").click()
    for page in (here, second):
        expect(page.get_by_role("heading", level=1)).to_have_text("Log in to go on")
        expect(page.get_by_text("wines")).to_have_count(0)
    assert "wines" not in here.url
    here.go_back()
    expect(here.get_by_role("heading", level=1)).to_have_text("Log in to go on")
    log_in(here, "zoe")
    expect(here.get_by_text("Logged in as zoe@example.org")).to_be_visible()
    assert kept(here, address) == NOTHING
    visit(there, link)
    there.get_by_role("button", name="Remove from this server").click()
    expect(there.get_by_text("Kept on this server")).to_have_count(0)
    assert kept(there, address) == NOTHING


def test_what_a_browser_had_before_the_login_is_taken_over_once(open_page, address, store):
    token, table = "5a" * 32, to_csv(load_dataset("wine"))
    upload = Upload(sha256(table).hexdigest()[:12], "earlier.csv", 178)
    page = open_page(address, elsewhere=True)
    page.evaluate("(token) => localStorage.setItem('lastviz-visitor', token)", token)
    store.keep(token, upload, table)
    log_in(page, "zoe")
    expect(page.get_by_text("What this browser kept here before now belongs")).to_be_visible()
    assert store.names(token) == []
    assert "earlier.csv" in kept(page, address)
    page.get_by_role("button", name="Log out").click()
    log_in(page, "ann")
    expect(page.get_by_text("Logged in as ann@example.org")).to_be_visible()
    assert "earlier.csv" not in kept(page, address)


@pytest.mark.parametrize(("user", "sentence"), [
    ("eve", "logged in as eve@elsewhere.org, who is not on this server's list"),
    ("bob", "no verified e-mail address"),
])  # fmt: skip
def test_who_is_not_on_the_list_is_told_so(open_page, address, user, sentence):
    page = open_page(address + SCENE, elsewhere=True)
    log_in(page, user)
    expect(page.get_by_text(sentence)).to_be_visible()
    expect(page.locator(".lv-figure")).to_have_count(0)
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()


def test_a_cookie_that_somebody_else_has_signed_lets_nobody_in(open_page, address):
    page = open_page(address + SCENE, elsewhere=True)
    page.context.add_cookies(
        [{"name": "_streamlit_user", "value": "2|1:0|10:1|15:_streamlit_user|4:e30=|00",
          "url": address, "httpOnly": True}]
    )  # fmt: skip
    page.goto(address + SCENE)
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in to go on")
