"""A server that dies under a page, and what is asked for right after a click."""

import time
from contextlib import suppress

import pytest
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from tests.patience import SECONDS

from .app import App, arrive, open_more, ready, seed_field, set_seed

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
    set_seed(page, 7)
    expect(seed_field(page)).to_have_value("7")
    page.go_back()
    expect(seed_field(page)).to_have_value("3")


@pytest.mark.slow
def test_a_widget_in_an_opened_box_keeps_its_first_changes_and_the_box_stays_open(
    open_page, mortal, replace_server
):
    page = open_page(mortal.address + "/boundaries?data=moons&m=cart")
    open_more(page)
    folded = page.get_by_role("slider", name="Smallest node to split")
    expect(folded).to_have_value("2")
    ready(page)
    replace_server(page)
    for _ in range(3):
        folded.press("ArrowRight")
    arrive(page, "**min_samples_split=5**")
    expect(folded).to_have_value("5")


@pytest.mark.slow
def test_back_after_it_goes_back(open_page, mortal, replace_server):
    page = open_page(mortal.address + "/data?data=xor&seed=3")
    set_seed(page, 7)
    replace_server(page)
    page.go_back()
    expect(seed_field(page)).to_have_value("3")
    ready(page)
    assert "seed=3" in page.url


CLICKS = 20
SCRIPT = """
import streamlit as st
from lastviz.host.shortcuts import shorten

shorten()
st.session_state.setdefault("n", 0)

def count():
    st.session_state["n"] += 1

st.button("go", on_click=count)
st.text(f"{st.session_state['n']} {st.query_params.get('run', 'unnamed')}")
"""


PAGES = """
import streamlit as st
from lastviz.host.shortcuts import shorten

shorten()

@st.fragment(run_every=3600)
def looked_after():
    st.caption("looked after")

def first():
    looked_after()
    st.text(f"first {st.query_params.get('run', 'unnamed')}")

def second():
    st.text(f"second {st.query_params.get('run', 'unnamed')}")

st.navigation([st.Page(first), st.Page(second)]).run()
"""


def request(button="", query="", page="", url="", fragment=""):
    message = BackMsg()
    run = message.rerun_script
    run.query_string, run.page_script_hash, run.fragment_id = query, page, fragment
    run.is_auto_rerun = bool(fragment)
    if url:
        run.context_info.url = url
    run.widget_states.SetInParent()
    if button:
        run.widget_states.widgets.add(id=button, trigger_value=True)
    return message.SerializeToString()


def connected(address):
    stream = f"ws://{address.removeprefix('http://')}/_stcore/stream"
    return connect(stream, subprotocols=["streamlit"], origin=address, open_timeout=SECONDS)


def heard(socket, kind, within=SECONDS):
    """Return the next message of a kind; raise TimeoutError if it takes longer (seconds)."""
    while True:
        message = ForwardMsg.FromString(socket.recv(within))
        if kind in (message.WhichOneof("type"), message.delta.new_element.WhichOneof("type")):
            return message


def text(socket, within=SECONDS):
    """Return the next text: its word, and the run's name if it has one."""
    return heard(socket, "text", within).delta.new_element.text.body.split(" ")


def clicked(address, gap):
    """Click, and ask for a run `gap` seconds later, again and again; return the clicks counted."""
    with connected(address) as socket:
        socket.send(request())
        button = heard(socket, "button").delta.new_element.button.id
        for i in range(CLICKS):
            socket.send(request(button))
            time.sleep(gap)
            socket.send(request(query=f"run={i}"))
            counted = run = ""
            while run != str(i):  # two clicks that wait together are one
                counted, run = text(socket)
        return int(counted)


def follow(address, gap, of_fragment):
    """Follow a link and have the page that is left ask for a run; the page of the link stays."""
    with connected(address) as socket:
        socket.send(request(url=address))
        pages = heard(socket, "navigation").navigation.app_pages
        first, second = (page.page_script_hash for page in pages)
        fragment = heard(socket, "auto_rerun").auto_rerun.fragment_id
        heard(socket, "script_finished")
        socket.send(request(query="run=here", page=second, url=address))
        time.sleep(gap)
        socket.send(request(page=first, url=address, fragment=fragment if of_fragment else ""))
        while text(socket) != ["second", "here"]:
            pass
        with suppress(TimeoutError):
            while text(socket, 0.3) == ["second", "here"]:
                pass
            raise AssertionError("the page that was left is back")
        socket.send(request(page=first, url=f"{address}/second"))
        assert text(socket) == ["first", "unnamed"]  # the way back is open


def test_no_click_is_lost_to_what_is_asked_for_right_after_it(tmp_path):
    script = tmp_path / "app.py"
    script.write_text(SCRIPT, encoding="utf-8")
    with App(tmp_path, script) as app:
        for gap in (0.0, 0.001, 0.003):
            assert clicked(app.address, gap) == CLICKS


@pytest.mark.parametrize("of_fragment", [False, True])
def test_a_link_is_followed_whatever_the_page_asks_for_that_it_leaves(tmp_path, of_fragment):
    script = tmp_path / "app.py"
    script.write_text(PAGES, encoding="utf-8")
    with App(tmp_path, script) as app:
        for gap in (0.0, 0.001, 0.01, 0.1):
            follow(app.address, gap, of_fragment)
