"""Pages under test: opened by a link, and patient with their models, however busy the machine."""

import gzip
import json
from functools import cache
from pathlib import Path
from time import sleep
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from lastviz.host import jobs, language
from lastviz.ui.components import chart_host
from lastviz.ui.state import session
from tests.patience import SECONDS, until

ROOT = Path(__file__).parents[2]
WAS_SEEN = session.was_seen

# Else each test that opens a page reads again what all packages of the machine say of themselves,
# which takes longer than the page.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


@pytest.fixture(autouse=True)
def english():
    before = language.SPOKEN.set(language.ENGLISH)
    yield
    language.SPOKEN.reset(before)


@pytest.fixture(autouse=True, scope="module")
def patience():
    """Patience also of fixtures that are made once for a module. All of a page is in sight."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "PATIENCE", SECONDS)
        patch.setattr(session, "was_seen", lambda part: True)
        yield


def with_tables(*writers, autouse=True):
    """A fixture: the folder of data of all tests of a module, into which these have written."""

    @pytest.fixture(scope="module", autouse=autouse)
    def folder(tmp_path_factory):
        where = tmp_path_factory.mktemp("tables")
        for write in writers:
            write(where)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LASTVIZ_DATA", str(where))
            yield where

    return folder


def entered(page, query, **state):
    """The app on a page, by a link with this query, in a session that has something already.

    The box of rare settings is open.
    """
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    for key, value in query.items():
        app.query_params[key] = str(value)
    for key, value in ({"more": True} | state).items():
        app.session_state[key] = value
    return app.switch_page(f"pages/{page}.py").run() if page else app.run()


def opened(page, **query):
    """The app on a page, entered by a link with this query; nothing went wrong on the way."""
    return checked(entered(page, query))


def checked(app):
    assert not app.exception
    assert [error.value for error in app.error] == []
    return app


def rerun_until(app, condition):
    """Run a page again until something holds: a job may take longer than a page waits."""

    def holds():
        if condition(app):
            return True
        sleep(0.05)
        assert not app.run().exception
        return False

    until(holds)
    return app


def sampled(cases, always):
    """Cases as parameters: those that do not run always are slow."""
    return [
        pytest.param(
            *(c if isinstance(c, tuple) else (c,)), marks=[pytest.mark.slow][c in always :]
        )
        for c in cases
    ]


def sent(data):
    """What a component was sent, as the browser reads it."""
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()


@pytest.fixture
def drawn(monkeypatch):
    """What the charts were told, by their keys."""
    told = {}

    def component():
        return lambda **given: told.update({given["key"]: json.loads(sent(given["data"]))})

    monkeypatch.setattr(chart_host, "_component", component)
    return told


def html(app):
    return " ".join(str(getattr(element, "body", "")) for element in app.get("html"))


class OpenMenu:
    """What *Share* or *Save* holds, open."""

    open = True

    def __init__(self, *args, **about):
        self.box = st.container()

    def __enter__(self):
        return self.box.__enter__()

    def __exit__(self, *fault):
        return self.box.__exit__(*fault)


@pytest.fixture
def menus(monkeypatch):
    """Every page has *Share* and *Save* open."""
    shown = SimpleNamespace(**{name: getattr(st, name) for name in ("container", "expander")})
    shown.popover = OpenMenu
    monkeypatch.setattr("lastviz.ui.shared.doors.st", shown)
