"""What a browser asks for right after a click takes nothing of the click away."""

from __future__ import annotations

import time

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from .app import serving

pytestmark = pytest.mark.e2e

CLICKS = 20
SCRIPT = """
import streamlit as st
from lastviz.host.shortcuts import shorten

shorten()
st.session_state.setdefault("n", 0)

def count():
    st.session_state["n"] += 1

st.button("go", on_click=count)
st.text(f"{st.session_state['n']} {st.query_params.get('run', '')}")
"""


def request(button: str = "", query: str = "") -> bytes:
    message = BackMsg()
    message.rerun_script.query_string = query
    widgets = message.rerun_script.widget_states
    widgets.SetInParent()
    if button:
        widgets.widgets.add(id=button, trigger_value=True)
    return message.SerializeToString()


def clicked(address: str, gap: float) -> int:
    """Click, and ask for a run `gap` seconds later, again and again; return the clicks counted."""
    where = address.removeprefix("http://")
    with connect(
        f"ws://{where}/_stcore/stream", subprotocols=["streamlit"], origin=address
    ) as socket:

        def shown(kind: str) -> Element:
            while True:
                element = ForwardMsg.FromString(socket.recv(60)).delta.new_element
                if element.WhichOneof("type") == kind:
                    return element

        socket.send(request())
        button = shown("button").button.id
        for i in range(CLICKS):
            socket.send(request(button))
            time.sleep(gap)
            socket.send(request(query=f"run={i}"))
            counted = run = ""
            while run != str(i):  # two clicks that wait together are one
                counted, _, run = shown("text").text.body.partition(" ")
        return int(counted)


def test_no_click_is_lost_to_what_is_asked_for_right_after_it(tmp_path) -> None:
    script = tmp_path / "app.py"
    script.write_text(SCRIPT, encoding="utf-8")
    with serving(script, tmp_path) as address:
        for gap in (0.0, 0.001, 0.003):
            assert clicked(address, gap) == CLICKS
