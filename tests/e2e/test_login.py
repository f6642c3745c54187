"""A login by OpenID Connect in a browser, at a provider on loopback, under a base path."""

import os

import pytest
from playwright.sync_api import expect

from tests.needed import needs
from tests.oidc_stand_in import provider, secrets

from .app import App, arrive, reload

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
def address(who, tmp_path_factory):
    """Serve the app for those of example.org."""
    home = tmp_path_factory.mktemp("home")
    app = App(home, base=BASE)
    (home / ".streamlit").mkdir()
    (home / ".streamlit" / "secrets.toml").write_text(secrets(who.issuer, app.address))
    app.environment = os.environ | {"HOME": str(home), "LASTVIZ_ALLOW": "example.org"}
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
