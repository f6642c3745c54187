"""Who may come in, and what stands in place of the pages for who may not."""

import pytest
from streamlit.runtime.secrets import secrets_singleton

from lastviz.host import visitor
from lastviz.host.store import ACCOUNT
from lastviz.host.visitor import ALLOW, TRUST, Standing, is_allowed, standing
from lastviz.ui import frame
from lastviz.ui.shared import login_box
from tests.ui.conftest import checked, html, opened

WHOLE = {
    "redirect_uri": "http://localhost:8501/oauth2callback",
    "cookie_secret": "x" * 32,
    "client_id": "lastviz",
    "client_secret": "secret",
    "server_metadata_url": "http://localhost:1/.well-known/openid-configuration",
}
ANN = {"is_logged_in": True, "email": "Ann@Example.org", "email_verified": True, "name": "Ann"}
SUBJECT = {"iss": "https://accounts.example.org", "sub": "248289761001"}


@pytest.fixture
def server(monkeypatch):
    """Set up a server's secrets, list and who asks: ``server(auth, allow, user)``."""

    def set_up(auth=WHOLE, allow="", user=None):
        for cached in (visitor.is_wanted, visitor.providers):
            cached.cache_clear()
        secrets = {} if auth is None else {"auth": auth}
        monkeypatch.setattr(visitor, "secrets_singleton", Secrets(secrets))
        monkeypatch.setattr(visitor.st, "user", user or {})
        monkeypatch.setenv(ALLOW, allow)

    yield set_up
    visitor.is_wanted.cache_clear()
    visitor.providers.cache_clear()


class Secrets(dict):
    """What Streamlit has read from secrets.toml."""

    def load_if_toml_exists(self):
        return bool(self)


@pytest.mark.parametrize(("email", "allow", "expected"), [
    ("ann@example.org", "ann@example.org", True),
    ("ANN@Example.ORG", "bob@x.org, example.org", True),
    ("ann@example.org", "@example.org", True),
    ("ann@sub.example.org", "example.org", False),
    ("ann@notexample.org", "example.org", False),
    ("ann@example.org.evil.org", "example.org", False),
    ("example.org", "example.org", False),
    ("@example.org", "example.org", False),
    ("a@b@example.org", "example.org", True),  # it is one address, of that domain
    ("", "example.org", False),
    ("ann@example.org", "", False),
])  # fmt: skip
def test_a_list_has_addresses_and_domains(email, allow, expected):
    assert is_allowed(email, allow) is expected


def test_nobody_is_asked_unless_it_is_configured(server):
    server(auth=None)
    assert standing() is Standing.OPEN


@pytest.mark.parametrize("lacks", list(WHOLE))
def test_what_is_half_configured_lets_nobody_in(server, lacks):
    server({name: value for name, value in WHOLE.items() if name != lacks}, user=ANN)
    assert standing() is Standing.BROKEN


def test_a_list_without_a_provider_and_secrets_that_cannot_be_read_let_nobody_in(
    server, monkeypatch, tmp_path
):
    server(auth=None, allow="example.org", user=ANN)
    assert standing() is Standing.BROKEN
    server(auth=None)
    file = tmp_path / "secrets.toml"
    file.write_text("[auth\n")
    monkeypatch.setattr(visitor.config, "get_option", {"secrets.files": [str(file)]}.__getitem__)
    assert standing() is Standing.BROKEN


@pytest.mark.parametrize(("allow", "user", "expected"), [
    ("", {}, Standing.STRANGER),
    ("", {"is_logged_in": False} | {"email": "ann@example.org"}, Standing.STRANGER),
    ("", ANN, Standing.ADMITTED),
    ("", {"is_logged_in": True}, Standing.ADMITTED),
    ("example.org", ANN, Standing.ADMITTED),
    ("example.com", ANN, Standing.REFUSED),
    ("example.org", ANN | {"email_verified": False}, Standing.UNVERIFIED),
    ("example.org", ANN | {"email_verified": "true"}, Standing.UNVERIFIED),
    ("example.org", {"is_logged_in": True, "email": "ann@example.org"}, Standing.UNVERIFIED),
    ("example.org", {"is_logged_in": True, "email_verified": True}, Standing.REFUSED),
    (" , ", ANN, Standing.ADMITTED),
])  # fmt: skip
def test_who_is_let_in(server, allow, user, expected):
    server(allow=allow, user=user)
    assert standing() is expected


def test_a_provider_whose_addresses_are_trusted_need_not_verify_them(server, monkeypatch):
    monkeypatch.setenv(TRUST, "true")
    server(allow="example.org", user={"is_logged_in": True, "email": "ann@example.org"})
    assert standing() is Standing.ADMITTED


def test_an_account_is_its_providers_name_for_it(server):
    def account(**user):
        server(user=ANN | SUBJECT | user)
        return visitor.account()

    assert account() == account(email="ann@new.example.org", name="Anna")
    assert account().startswith(ACCOUNT)
    assert SUBJECT["sub"] not in account()
    assert visitor.FORM.fullmatch(account()) is None  # no browser can say that it is its token
    assert len({account(), account(sub="2"), account(iss="https://accounts.example.com")}) == 3
    assert account(sub=None) is None
    assert account(is_logged_in=False) is None
    server(allow="example.com", user=ANN | SUBJECT)
    assert visitor.account() is None
    server(auth=None, user=ANN | SUBJECT)
    assert visitor.account() is None


def test_who_is_logged_in_is_known_by_the_account_and_not_by_the_browser_or_the_address(
    server, monkeypatch
):
    monkeypatch.setenv(visitor.TRUSTED, "X-Real-IP")
    state = {}
    monkeypatch.setattr(visitor.st, "session_state", state)
    monkeypatch.setattr(type(visitor.st.context), "headers", {"X-Real-IP": "192.0.2.7"})
    server(user=ANN | SUBJECT)
    assert (visitor.is_known(), visitor.answer()) == (True, None)
    visitor.know("0f" * 32)
    assert (visitor.token(), visitor.answer()) == (visitor.account(), "0f" * 32)
    assert visitor.tokens() == (visitor.account(),)
    assert visitor.source() is None
    server(auth=None)
    assert visitor.token() == "0f" * 32
    assert visitor.source() is not None


def test_several_providers_have_a_button_each(server):
    own = {name: WHOLE[name] for name in ("redirect_uri", "cookie_secret")}
    other = {name: WHOLE[name] for name in WHOLE if name not in own}
    server(own | {"google": other, "our-school": other, "half": {"client_id": "x"}})
    app = opened("rules")
    assert [button.label for button in app.button] == [
        "Log in with Google",
        "Log in with Our\\-school",
    ]


@pytest.mark.parametrize("page", list(frame.PAGES))
def test_no_page_is_drawn_before_the_login(server, page):
    server()
    app = opened(page, data="iris", m="cart")
    assert [title.value for title in app.title] == ["Log in to go on"]
    assert [button.label for button in app.button] == ["Log in"]
    assert not app.sidebar.children
    assert '<p class="lv-scene">' not in html(app)
    assert app.query_params["data"] in ("iris", ["iris"])  # the address is still that of the page


def test_who_is_refused_reads_why_and_can_log_out(server):
    server(allow="example.com", user=ANN)
    app = opened("data")
    said = " ".join(each.value for each in app.markdown)
    assert "logged in as Ann@Example\\.org, who is not on this server's list" in said
    assert [button.label for button in app.button] == ["Log out"]
    server(allow="example.com", user=ANN | {"email_verified": False})
    assert "no verified e-mail address" in opened("data").markdown[0].value


def test_who_is_let_in_sees_pages_and_the_way_out(server):
    server(user=ANN)
    app = opened("rules", data="iris", m="cart")
    assert app.title[0].value == "What does the tree say?"
    assert app.button(key="logout").label == "Log out"
    assert "Logged in as Ann@Example\\.org" in [each.value for each in app.caption]


def test_settings_that_are_not_whole_are_said_in_one_sentence(server):
    server(allow="example.org", auth=None)
    app = opened("rules")
    assert "its settings for that are not complete" in app.markdown[0].value
    assert list(app.button) == []


def test_a_login_that_cannot_begin_is_said_and_logged(server, monkeypatch, caplog):
    def refuses(provider):
        raise login_box.StreamlitAuthError("no Authlib here")

    server()
    monkeypatch.setattr(login_box.st, "login", refuses)
    app = opened("rules")
    app.button(key="login_default").click()
    app.run()
    assert not app.exception
    (error,) = app.error
    assert "its settings for that are not complete" in error.value
    assert "no Authlib here" in caplog.text


def test_without_a_login_there_is_no_way_out(server):
    server(auth=None)
    app = checked(opened("textbook"))
    assert "logout" not in [button.key for button in app.button]


def test_streamlit_has_what_the_login_reads():
    assert callable(secrets_singleton.load_if_toml_exists)
    assert not secrets_singleton.load_if_toml_exists()
