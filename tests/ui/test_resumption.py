"""A page goes on with a session that has never seen it (in a browser: tests/e2e)."""

import json
from types import SimpleNamespace

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from lastviz.host import visitor
from lastviz.ui import frame
from lastviz.ui.state import resumption
from tests.patience import SECONDS

from .conftest import ROOT, checked, opened

WITHOUT_A_SEED = ("home", "textbook", "papers", "story", "privacy")
WITH_A_SEED = [name for name in frame.PAGES if name not in WITHOUT_A_SEED]
QUERY = {"data": "moons", "seed": "3", "held": "0.4", "m": "cart", "m.max_depth": "4"}


def resumed(page, states, **query):
    """The app in a new session whose first message brings the values of widgets."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    for key, value in query.items():
        app.query_params[key] = value
    app.switch_page(f"pages/{page}.py")
    return app._run(states)


def widgets_of(app):
    return app._tree.get_widget_states()


@pytest.mark.parametrize("page", WITH_A_SEED)
def test_the_first_change_is_kept_and_nothing_else_changes(page):
    before = opened(page, **QUERY)
    expected = before.session_state["selection"].change(seed=8)
    before.number_input(key="seed").set_value(8)
    after = checked(resumed(page, widgets_of(before), **QUERY))
    assert after.session_state["selection"] == expected
    assert after.number_input(key="seed").value == 8
    assert after.query_params["seed"] == "8"


def test_the_first_change_is_kept_on_a_page_without_a_seed():
    before = opened("papers", **QUERY)
    expected = before.session_state["selection"].change(paper_table="sodt3")
    before.selectbox(key="paper_table").set_value("sodt3")
    after = checked(resumed("papers", widgets_of(before), **QUERY))
    assert after.session_state["selection"] == expected
    assert after.selectbox(key="paper_table").value == "sodt3"
    assert after.query_params["paper_table"] == "sodt3"


def test_without_a_change_the_scene_is_that_of_the_address():
    before = opened("boundaries", **QUERY)
    after = checked(resumed("boundaries", widgets_of(before), **QUERY))
    assert after.session_state["selection"] == before.session_state["selection"]
    assert [title.value for title in after.title] == [title.value for title in before.title]


def test_values_of_widgets_that_are_not_on_the_page_are_forgotten():
    states = widgets_of(opened("monotone", data="monotone", m="remt"))
    after = checked(resumed("data", states, **QUERY))
    assert after.session_state["selection"] == opened("data", **QUERY).session_state["selection"]


def test_a_button_that_was_pressed_acts_once():
    before = opened("boundaries", data="moons", m="id3")
    button = before.button(key="cut_0").click()
    after = checked(resumed("boundaries", widgets_of(before), data="moons", m="id3"))
    assert button.label.startswith("Cut into")
    assert after.session_state["selection"].bins == 4
    after.run()
    assert after.session_state["selection"].bins == 4


def test_the_browser_is_told_nothing_of_the_run_that_only_finds_the_widgets(monkeypatch):
    drawn = []
    monkeypatch.setattr(resumption.Unsent, "__call__", _counted(drawn))
    before = opened("boundaries", **QUERY)
    assert drawn == []
    before.number_input(key="seed").set_value(8)
    resumed("boundaries", widgets_of(before), **QUERY)
    assert drawn.count("delta") > 20


def _counted(drawn):
    take = resumption.Unsent.__call__

    def counted(self, message):
        drawn.append(message.WhichOneof("type"))
        take(self, message)

    return counted


def test_what_arrived_is_known_by_the_keys_of_the_widgets(monkeypatch):
    states = widgets_of(opened("boundaries", **QUERY)).widgets
    nameless = WidgetState(id="$$ID-0123456789abcdef-None")
    session_state = SimpleNamespace(get_widget_states=lambda: [*states, nameless])
    run = SimpleNamespace(session_state=session_state)
    monkeypatch.setattr(resumption, "get_script_run_ctx", lambda **_: run)
    arrived = resumption.arrived_keys()
    assert {"data", "seed", "held", "model0", "model0.cart.criterion"} <= arrived.keys()
    assert arrived["model0"] == "CART"
    assert None not in arrived
    assert "None" not in arrived


def test_nothing_of_a_drawing_gets_through_not_even_by_name():
    kept, drawing, pauses = ForwardMsg(), ForwardMsg(), []
    kept.page_info_changed.query_string = "seed=3"
    drawing.delta.new_element.empty.SetInParent()
    by_name = ForwardMsg(ref_hash="a drawing that the browser still has")
    by_name.metadata.delta_path[:] = [0, 3]
    timer = ForwardMsg()
    timer.auto_rerun.interval = 0.5
    sent = []
    take = resumption.Unsent(sent.append, lambda: pauses.append(1))
    for message in (drawing, by_name, timer, kept):
        take(message)
    assert sent == [kept]
    assert len(pauses) == 3


def test_what_the_browser_tells_by_itself_is_heard(monkeypatch):
    before = opened("boundaries", **QUERY)
    states = widgets_of(before)
    told = states.widgets.add()
    told.id = before.session_state._state._state._key_id_mapper.get_id_from_key("visitor_watch")
    told.json_value = json.dumps({"token": "0" * 64})
    heard = []
    monkeypatch.setattr(visitor, "know", heard.append)
    checked(resumed("boundaries", states, **QUERY))
    assert heard == ["0" * 64]


def test_a_fault_in_that_run_is_told_and_leaves_no_empty_page(monkeypatch):
    states = widgets_of(opened("boundaries", **QUERY))

    def fail(theme, language):
        raise RuntimeError("a fault")

    monkeypatch.setattr(frame, "theme_watch", fail)
    after = resumed("boundaries", states, **QUERY)
    assert not after.exception
    assert len(after.error) == len(after.title) == 1
    assert len(after.title) == 1
