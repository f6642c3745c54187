"""Who wins, the address or the session, and sessions that go on; browsers are in tests/e2e."""

import json
import sys
from types import SimpleNamespace

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.testing.v1 import AppTest

from lastviz.host import security, visitor
from lastviz.ui import frame
from lastviz.ui.state import resumption
from lastviz.ui.state import session as state
from lastviz.ui.state.selection import DEFAULT, Model
from tests.patience import SECONDS

from .conftest import ROOT, checked, opened


class Query(dict):
    """What Streamlit keeps of the address, with a count of what was written to it."""

    written = 0

    def to_dict(self):
        return dict(self)

    def from_dict(self, query):
        self.clear()
        self.update(query)
        self.written += 1


@pytest.fixture
def tab(monkeypatch):
    """A browser tab: its session, its address and the page it is on."""
    session, query = {}, Query()
    run = SimpleNamespace(is_history_navigation=False, page_script_hash="home")
    monkeypatch.setattr(state.st, "session_state", session)
    monkeypatch.setattr(state.st, "query_params", query)
    monkeypatch.setattr(state, "get_script_run_ctx", lambda: run)

    def rerun(
        address=None, *, history=False, page=None, example="", arrived=(), kept=lambda name: None
    ):
        """Start a run as the browser does, with its own idea of the address."""
        monkeypatch.setattr(state.resumption, "arrived_keys", lambda: dict(arrived))
        if address is not None:
            query.clear()
            query.update(address)
        run.is_history_navigation = history
        run.page_script_hash = page or run.page_script_hash
        state.sync(private_text=kept)
        state.enter_page(query=example)
        return state.current()

    return SimpleNamespace(rerun=rerun, query=query)


def test_the_first_run_reads_the_address(tab):
    assert tab.rerun({"data": "wine", "seed": "4"}) == DEFAULT.change(data="wine", seed=4)
    assert tab.query.written == 0


def test_an_empty_address_is_the_default_and_stays_empty(tab):
    assert tab.rerun() == DEFAULT
    tab.rerun(page="data")
    assert tab.query.written == 0


def test_each_page_shows_its_example_until_something_is_chosen(tab):
    assert tab.rerun(example="data=moons") == DEFAULT.change(data="moons")
    assert tab.rerun(page="growth", example="data=iris&m=id3").data == "iris"
    assert tab.query.written == 0
    assert state.is_example()
    state.select(seed=7)
    assert not state.is_example()
    assert tab.rerun(page="rules", example="data=wine").data == "iris"
    assert tab.query == {"data": "iris", "seed": "7", "m": "id3"}
    assert tab.rerun({}, history=True, example="data=wine").data == "wine"


def test_a_link_that_says_the_first_scene_is_no_example(tab):
    assert tab.rerun({"data": "xor"}, example="data=moons") == DEFAULT
    assert tab.rerun({}, page="rules", example="data=wine") == DEFAULT
    assert tab.query == {"data": "xor"}


def test_a_change_is_written_once(tab):
    tab.rerun()
    state.select(seed=7)
    assert tab.query == {"data": "xor", "seed": "7"}
    tab.rerun()
    assert tab.query.written == 1


def test_the_same_value_again_writes_nothing(tab):
    tab.rerun({"seed": "7"})
    state.select(seed=7)
    assert tab.query.written == 0


def test_an_address_that_lags_behind_does_not_undo(tab):
    tab.rerun()
    state.select(seed=7)
    tab.rerun()
    state.select(seed=8)
    assert tab.rerun({"data": "xor", "seed": "7"}).seed == 8
    assert tab.query["seed"] == "8"


def test_back_undoes_and_writes_nothing(tab):
    tab.rerun()
    state.select(seed=7)
    tab.rerun()
    written = tab.query.written
    assert tab.rerun({}, history=True) == DEFAULT
    assert tab.rerun({"data": "xor", "seed": "7"}, history=True).seed == 7
    assert tab.query.written == written


def test_another_page_keeps_the_scene_and_gets_it_into_its_address(tab):
    tab.rerun({"seed": "7"})
    assert tab.rerun({}, page="boundaries").seed == 7
    assert tab.query == {"data": "xor", "seed": "7"}


def test_a_link_to_another_page_brings_its_scene(tab):
    tab.rerun({"seed": "7"})
    assert tab.rerun({"data": "wine"}, page="boundaries") == DEFAULT.change(data="wine")


def test_sentences_about_a_link_last_until_the_next_change(tab):
    tab.rerun({"seed": "first"})
    assert len(state.problems()) == 1
    tab.rerun()
    assert len(state.problems()) == 1
    state.select(seed=2)
    assert state.problems() == ()


def test_widgets_are_told_their_values_until_a_run_on_the_page_came_to_its_end(tab):
    tab.rerun(arrived={"seed": ""})
    assert not state.shows("seed")
    state.end_run()
    tab.rerun(arrived={"seed": ""})
    assert state.shows("seed")
    tab.rerun(page="data", arrived={"seed": ""})
    assert not state.shows("seed")
    state.end_run()
    tab.rerun({}, history=True, arrived={"seed": ""})
    assert not state.shows("seed")


def test_a_widget_is_told_its_value_until_the_browser_has_sent_it(tab):
    tab.rerun()
    state.end_run()
    tab.rerun(arrived={"fold": ""})
    assert state.shows("fold")
    assert not state.shows("seed")
    tab.rerun(arrived={"fold": "", "seed": ""})
    assert state.shows("seed")


def test_a_menu_is_told_its_value_again_where_that_is_called_by_other_words(tab):
    tab.rerun()
    state.end_run()
    tab.rerun(arrived={"node": "2: x1 ≤ 1, 9 rows"})
    assert state.shows("node", "2: x1 ≤ 1, 9 rows")
    assert not state.shows("node", "2: x2 ≤ 3, 9 rows")
    state.change_language("zh")
    assert not state.shows("node")


def test_models_change_one_at_a_time(tab):
    tab.rerun()
    state.select_model(1, params=(("confidence", 0.1),))
    state.select_model(1, node=4)
    assert state.current().models == (Model("cart"), Model("c45", (("confidence", 0.1),), 4))
    assert state.link() == "data=xor&m=cart&m2=c45&m2.confidence=0.1&node2=4"


def test_streamlit_still_tells_back_from_other_reruns():
    from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

    assert "is_history_navigation" in ScriptRunContext.__dataclass_fields__


def test_a_name_is_looked_up_again_once_the_visitor_is_known(tab):
    name = security.name_of("1,2")
    assert tab.rerun({"data": "iris", "typed": name}).rules.typed == ""
    assert state.awaits_private()
    assert state.to_drop() == {}
    visitor.know("ab" * 32)
    assert tab.rerun(kept={name: "1,2"}.get).rules.typed == "1,2"
    assert not state.awaits_private()
    assert state.problems() == ()
    assert security.text_of(name) == "1,2"
    assert tab.query.written == 0


def test_a_name_that_stands_for_nothing_is_dropped_from_the_address(tab):
    visitor.know("none")
    name = security.name_of("1,2")
    assert tab.rerun({"data": "iris", "typed": name}).rules.typed == ""
    assert not state.awaits_private()
    assert len(state.problems()) == 1
    assert state.to_drop() == {"typed": (name, "")}
    tab.rerun({"data": "iris"})  # as the browser has it now
    assert state.to_drop() == {}
    assert tab.query.written == 0


def test_values_of_an_old_link_are_exchanged_where_they_stand(tab):
    name = security.name_of("1,2")
    assert tab.rerun({"data": "iris", "typed": "1,2"}).rules.typed == "1,2"
    assert state.to_drop() == {"typed": ("1,2", name)}
    tab.rerun()  # the browser was not quick enough
    assert state.to_drop() == {"typed": ("1,2", name)}
    assert tab.query.written == 0
    tab.rerun({"data": "iris", "typed": name})
    assert state.to_drop() == {}
    assert tab.query.written == 0
    assert state.current().rules.typed == "1,2"
    assert "typed" not in state.link()


def test_a_scene_is_opened_as_it_is_with_what_is_wrong_with_it(tab):
    tab.rerun({"data": "wine"})
    scene = DEFAULT.having(data="iris", highlighted=3, typed="1,2")
    state.open_scene(scene, ("One thing is not known here.",), "rules")
    assert state.current() == scene
    assert state.problems() == ("One thing is not known here.",)
    assert (state.page_to_open(), state.page_to_open()) == ("rules", "")
    assert tab.query["typed"] == security.name_of("1,2")


def test_a_session_lets_go_of_callbacks_of_widgets_that_its_page_has_no_more(monkeypatch):
    kept = SessionState()
    kept._new_widget_state.widget_metadata |= dict.fromkeys(("gone", "shown", "sent"))
    kept._old_state["shown"] = 1  # Streamlit drops the values of those that are not shown
    kept._new_widget_state.states["sent"] = 2
    run = SimpleNamespace(session_state=SafeSessionState(kept, lambda: None))
    monkeypatch.setattr(state.resumption, "get_script_run_ctx", lambda **_: run)
    monkeypatch.setattr(state.resumption, "put_aside", sys.exit)  # what comes after
    with pytest.raises(SystemExit):
        state.sync()
    assert set(kept._new_widget_state.widget_metadata) == {"shown", "sent"}


WITHOUT_A_SEED = ("home", "textbook", "papers", "story", "privacy")
WITH_A_SEED = [name for name in frame.PAGES if name not in WITHOUT_A_SEED]
QUERY = {"data": "moons", "seed": "3", "held": "0.4", "m": "cart", "m.max_depth": "4"}


def resumed(page, states, **query):
    """The app in a new session whose first message brings the values of widgets."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    for key, value in query.items():
        app.query_params[key] = value
    app.session_state["more"] = True  # the driver does not tell that a box was opened
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

    def fail(*of_the_page, **words):
        raise RuntimeError("a fault")

    monkeypatch.setattr(frame, "page_watch", fail)
    after = resumed("boundaries", states, **QUERY)
    assert not after.exception
    assert len(after.error) == len(after.title) == 1
    assert len(after.title) == 1
