"""The shorter ways give Streamlit's own answers."""

import asyncio
import inspect
from pkgutil import resolve_name
from threading import Event, Thread

import pytest
import streamlit
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import RerunData, StopException
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.state.common import WidgetMetadata

from lastviz.host import shortcuts
from lastviz.host.shortcuts import SHORTCUTS, shorten, take
from lastviz.host.shorter import (
    WidgetValues,
    after_messages,
    called_together,
    theme_once,
    to_the_page,
    with_pending_request,
)
from tests.own_loop import finished
from tests.patience import SECONDS
from tests.ui.conftest import opened

CLICK = WidgetStates(widgets=[WidgetState(id="go", trigger_value=True)])
BACK = RerunData(query_string="data=xor", is_history_navigation=True)
SECTIONS = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar")


def test_widgets_read_the_values_that_all_values_have():
    app = opened("rules", data="moons", m="cart")
    state = app.session_state._state
    values = state.filtered_state
    assert isinstance(values, WidgetValues)
    whole = dict(state._state.filtered_state)  # Streamlit's own
    assert {"data", "seed", "lit", "short_tree"} <= set(whole)
    assert set(values) == set(whole)
    assert len(values) == len(whole)
    assert {key: values[key] for key in whole} == whole


def test_widgets_do_not_read_what_has_no_key_of_the_page():
    app = opened("rules", data="moons", m="cart")
    values = app.session_state._state.filtered_state
    hidden = [key for key in app.session_state._state._state._keys() if key.startswith("$$ID")]
    assert hidden
    for key in [*hidden, "nothing"]:
        assert key not in values
        with pytest.raises(KeyError):
            values[key]


@pytest.mark.parametrize("section", SECTIONS)
def test_the_look_is_that_of_the_settings(section):
    shorten()
    fill = app_session._populate_theme_msg.__wrapped__
    expected = CustomThemeConfig()
    fill(expected, section)
    assert expected.ByteSize()
    again = theme_once(fill)
    for _ in range(2):
        message = CustomThemeConfig()
        again(message, section)
        assert message.SerializeToString() == expected.SerializeToString()


def otherwise(self, something_new=None, *, more=0):
    raise RuntimeError("this Streamlit is another one")


@pytest.mark.parametrize(
    "there", [None, otherwise, property(otherwise)], ids=["missing", "other", "property"]
)
@pytest.mark.parametrize("shortcut", SHORTCUTS, ids=lambda each: each.shorter.__name__)
def test_what_is_not_there_or_is_otherwise_is_left_as_it_is(shortcut, there, monkeypatch, caplog):
    owner = resolve_name(shortcut.owner)
    if there is None:
        monkeypatch.delattr(owner, shortcut.name)
    else:
        monkeypatch.setattr(owner, shortcut.name, there)
    take(shortcut)
    assert getattr(owner, shortcut.name, None) is there
    (line,) = caplog.messages
    assert line.startswith(f"Streamlit {streamlit.__version__} is left to do {shortcut.name} its")
    assert "\n" not in line


@pytest.mark.parametrize("shortcut", SHORTCUTS, ids=lambda each: each.shorter.__name__)
def test_what_is_as_it_was_passes_its_trial(shortcut):
    """Also once it is replaced: a trial looks through what stands in."""
    owner = resolve_name(shortcut.owner)
    there = inspect.unwrap(getattr(owner, shortcut.name))
    shortcut.trial(owner, there, shortcut.shorter)


def test_who_needs_what_was_left_off_is_left_off(monkeypatch, caplog):
    (shortcut,) = (each for each in SHORTCUTS if each.shorter is with_pending_request)
    monkeypatch.setattr(shortcuts, "_taken", set())
    before = AppSession._create_scriptrunner
    take(shortcut)
    assert AppSession._create_scriptrunner is before
    assert "it needs on_script_will_rerun" in caplog.text


def test_shortening_twice_changes_nothing():
    shorten()
    before = SafeSessionState.filtered_state, app_session._populate_theme_msg
    shorten()
    assert before == (SafeSessionState.filtered_state, app_session._populate_theme_msg)


class Session:
    """A session whose event loop is the running one."""

    def __init__(self):
        self.loop, self.calls = asyncio.get_running_loop(), 0

    def call_soon(self, callback):
        self.calls += 1
        self.loop.call_soon_threadsafe(callback)


def in_line(*callbacks):
    """What was called, in a loop that was busy until all callbacks had come; how often it woke."""

    async def run():
        session, call = Session(), called_together(Session.call_soon)
        for callback in callbacks:
            call(session, callback)
        await asyncio.sleep(0.05)
        return session.calls

    return finished(run())


def test_the_loop_calls_all_in_their_order_and_is_woken_once():
    seen = []
    calls = in_line(*(lambda i=i: seen.append(i) for i in range(100)))
    assert seen == list(range(100))
    assert calls == 1


def test_one_that_fails_keeps_none_of_the_others_away():
    seen, told = [], []

    def fail():
        asyncio.get_running_loop().set_exception_handler(lambda loop, about: told.append(about))
        raise ValueError("no")

    in_line(lambda: seen.append(0), fail, lambda: seen.append(1), lambda: seen.append(2))
    assert seen == [0, 1, 2]
    assert [str(about["exception"]) for about in told] == ["no"]


def test_who_asks_for_a_run_is_heard_after_what_the_one_before_said():
    seen = []

    async def run():
        session, call = Session(), called_together(Session.call_soon)
        call(session, lambda: seen.append("drawn"))
        after_messages(lambda *_: seen.append("asked"))(session, None)
        await asyncio.sleep(0.05)

    finished(run())
    assert seen == ["drawn", "asked"]


def test_none_is_lost_between_threads():
    seen = []

    async def run():
        session, call = Session(), called_together(Session.call_soon)
        threads = [
            Thread(target=lambda k=k: [call(session, lambda i=i: seen.append((k, i)))
                                       for i in range(2000)])
            for k in range(3)
        ]  # fmt: skip
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads) or len(seen) < 6000:
            await asyncio.sleep(0.001)

    finished(asyncio.wait_for(run(), SECONDS))
    for k in range(3):
        assert [i for thread, i in seen if thread == k] == list(range(2000))


def asked_for(*requests):
    """The run that a session begins which was asked for all of them meanwhile."""
    shorten()
    waiting = ScriptRequests()
    for request in requests:
        assert waiting.request_rerun(request)
    return waiting.on_scriptrunner_ready().rerun_data


def test_going_back_stays_that_whatever_the_browser_tells_meanwhile():
    told = WidgetStates(widgets=[WidgetState(id="visitor", string_value="known")])
    run = asked_for(BACK, RerunData(query_string="data=xor", widget_states=told))
    assert run.is_history_navigation
    assert run.widget_states == told


def test_who_goes_on_after_going_back_is_followed():
    run = asked_for(BACK, RerunData(query_string="data=moons"))
    assert not run.is_history_navigation
    assert not asked_for(RerunData(query_string="data=xor")).is_history_navigation
    assert asked_for(RerunData(query_string="data=xor"), BACK).is_history_navigation


def drawn(path, text, fragment=""):
    message = ForwardMsg()
    message.metadata.delta_path.extend(path)
    message.delta.new_element.text.body = text
    message.delta.fragment_id = fragment
    return message


class Unsent:
    """What a session has of messages that are not sent yet."""

    def __init__(self, *messages):
        self._browser_queue = ForwardMsgQueue()
        for message in messages:
            self._browser_queue.enqueue(message)


def test_a_fragment_that_runs_before_the_page_is_sent_takes_nothing_from_it():
    shorten()
    page = [drawn([0, 0], "count", "counter"), drawn([0, 1], "below")]
    unsent = Unsent(*page)
    AppSession._clear_queue(unsent, ["counter"])
    again = drawn([0, 0], "count again", "counter")  # of the next run: it comes after the page
    unsent._browser_queue.enqueue(again)
    assert unsent._browser_queue.flush() == [*page, again]


def test_a_whole_run_drops_what_has_not_been_sent():
    shorten()
    unsent = Unsent(drawn([0, 0], "count", "counter"), drawn([0, 1], "below"))
    AppSession._clear_queue(unsent, None)
    assert unsent._browser_queue.is_empty()


class Told:
    """A run that is told, as its first callback is called, to end for another run."""

    def __init__(self, state, *callbacks):
        self._execing, self._requests, self.asked = True, ScriptRequests(), False
        self.state = SafeSessionState(state, self.look)
        self.callbacks = callbacks

    def look(self):
        if self._execing and self.asked:
            raise StopException

    def begin(self, value=1):
        states = self.state._state._new_widget_state
        widgets = [WidgetState(id=f"w{i}", int_value=value) for i in range(len(self.callbacks))]
        for widget, callback in zip(widgets, self.callbacks, strict=True):
            states.set_widget_metadata(
                WidgetMetadata(widget.id, lambda value: value or 0, lambda value: value,
                               "int_value", callback)
            )  # fmt: skip
        ThreadState.initialize()
        self.state.on_script_will_rerun(WidgetStates(widgets=widgets))


def test_callbacks_are_called_to_their_end_whatever_is_asked_meanwhile():
    shorten()
    done = []

    def first():
        run.asked = True
        done.append(run.state["w0"])

    run = Told(SessionState(), first, lambda: done.append(run.state["w1"]))
    run.begin()
    assert done == [1, 1]
    with pytest.raises(StopException):
        run.state["w0"]


def test_what_was_asked_for_before_goes_first():
    shorten()
    run = Told(SessionState(), lambda: pytest.fail("it is the next run that has all values"))
    run.asked = True
    with pytest.raises(StopException):
        run.begin()


def test_a_session_takes_values_one_run_after_the_other():
    shorten()
    session, done, goes_on = SessionState(), [], Event()

    def first():
        second.start()
        goes_on.wait(0.2)
        done.append("first")

    second = Thread(target=lambda: Told(session, lambda: done.append("second")).begin(2))
    Told(session, first).begin()
    second.join()
    assert done == ["first", "second"]


class Clicked:
    """A session in which a button was clicked, and what its runs were asked for."""

    def __init__(self):
        self.runs = []
        self.begin(RerunData(widget_states=CLICK))

    def begin(self, asked):
        with_pending_request(Clicked.create)(self, asked)

    def create(self, asked):
        n_widgets = len(asked.widget_states.widgets) if asked.widget_states else 0
        self._scriptrunner = Told(SessionState(), *[list] * n_widgets)
        self._scriptrunner._requests.request_rerun(asked)
        self.runs.append(asked)


def test_a_click_that_its_run_has_not_looked_at_is_of_the_next_run():
    session = Clicked()
    session._scriptrunner._requests.request_stop()
    session.begin(RerunData(query_string="a=1", widget_states=WidgetStates()))
    assert session.runs[1].widget_states == CLICK
    assert session.runs[1].query_string == "a=1"


def test_a_click_that_its_run_has_looked_at_is_not_of_the_next_run():
    shorten()
    session = Clicked()
    ThreadState.initialize()
    session._scriptrunner.state.on_script_will_rerun(CLICK)
    session._scriptrunner._requests.request_stop()
    session.begin(RerunData(widget_states=WidgetStates()))
    assert not session.runs[1].widget_states.widgets


def test_a_fragment_after_a_run_that_the_script_asked_for_stays_a_fragment():
    shorten()
    session = Clicked()
    run = session._scriptrunner
    run._requests.on_scriptrunner_ready()
    ThreadState.initialize()
    run.state.on_script_will_rerun(CLICK)
    run._requests.request_rerun(RerunData())  # as st.rerun does
    run._requests.on_scriptrunner_ready()
    session.begin(RerunData(fragment_id="count", widget_states=WidgetStates()))
    assert session.runs[-1].fragment_id == "count"


HOME, RULES, QUIZ = "http://here/", "http://here/rules", "http://here/quiz"


class Browsed:
    """A session that only takes down what it is asked for: pages, addresses' queries."""

    def __init__(self, page):
        self._client_state = ClientState(page_script_hash=page)
        self.asked = []

    def ask(self, client_state):
        self.asked.append((client_state.page_script_hash, client_state.query_string))
        run = RerunData(client_state.query_string, page_script_hash=client_state.page_script_hash)
        self.switched_to(run)

    def switched_to(self, run):
        requests = ScriptRequests()
        requests.request_rerun(run)
        self.__dict__["lastviz_requests"] = requests


def pages_asked_for(*requests, page="home", switch=None):
    """Pages for which a session is asked by a browser; the script switches before the last one."""
    session, ask = Browsed(page), to_the_page(Browsed.ask)
    for i, (wanted, url, more) in enumerate(requests):
        if switch and i == len(requests) - 1:
            session.switched_to(RerunData("q=switched", page_script_hash=switch))
        state = ClientState(page_script_hash=wanted, **more)
        state.context_info.url = url
        ask(session, state)
    return session.asked


LOOK = ("home", HOME, {})
FOLLOWED = ("rules", HOME, {"query_string": "q=link"})


@pytest.mark.parametrize(("requests", "asked"), [
    ([FOLLOWED, LOOK], [("rules", "q=link"), ("rules", "q=link")]),
    ([LOOK, FOLLOWED, LOOK, LOOK], [("home", "")] + 3 * [("rules", "q=link")]),
    ([FOLLOWED, ("home", HOME, {"fragment_id": "box"})], [("rules", "q=link")]),
    ([FOLLOWED, ("quiz", HOME, {})], [("rules", "q=link"), ("quiz", "")]),
    ([FOLLOWED, ("home", RULES, {})], [("rules", "q=link"), ("home", "")]),
    ([FOLLOWED, ("rules", RULES, {}), LOOK], [("rules", "q=link"), ("rules", ""), ("home", "")]),
    ([FOLLOWED, ("home", HOME, {"is_history_navigation": True}), FOLLOWED, LOOK], [("rules",
     "q=link"), ("home", ""), ("rules", "q=link"), ("rules", "q=link")]),
])  # fmt: skip
def test_what_a_page_asks_for_that_is_being_left_is_of_the_page_to_come(requests, asked):
    assert pages_asked_for(*requests) == asked


def test_a_page_to_which_the_script_switched_is_one_to_come():
    assert pages_asked_for(LOOK, LOOK, switch="rules")[-1] == ("rules", "q=switched")
    assert pages_asked_for(LOOK, ("quiz", HOME, {}), switch="rules")[-1] == ("quiz", "")


def test_the_first_page_of_a_session_is_named_by_the_session():
    opened = ("", HOME, {})
    assert pages_asked_for(opened, LOOK, FOLLOWED, LOOK)[1:] == [
        ("home", ""),
        ("rules", "q=link"),
        ("rules", "q=link"),
    ]
    assert pages_asked_for(opened, FOLLOWED, LOOK)[-1] == ("rules", "q=link")
