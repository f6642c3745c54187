"""Selection of the shorter ways (:mod:`.shorter`) that this Streamlit supports.

They replace something inside of Streamlit, which may be otherwise in its next release. So each has
a trial, which takes that way on objects of Streamlit's own and looks for the names that it reads.
One that does not pass is left off, with one line in the log, and so is what needs it; Streamlit
then does it its own way.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pkgutil import resolve_name
from threading import Lock, Thread
from types import SimpleNamespace
from typing import NamedTuple

import streamlit
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates

from . import shorter

ADDRESS = "http://localhost/"
SECTIONS = ("theme", "theme.light", "theme.sidebar")

log = logging.getLogger("lastviz")
_one_at_a_time = Lock()


class Shortcut(NamedTuple):
    """Replacement of a part of Streamlit's internals."""

    owner: str  # where it is; the owner as `module:attribute`
    name: str  # where it is; the owner as `module:attribute`
    shorter: Callable  # returns what stands in for what it is given
    # Raises an exception where that would not do; is given the owner, what is there, and `shorter`.
    trial: Callable[[object, object, Callable], None]
    needs: str = ""  # the name of another one without which this one would go wrong


def shorten() -> None:
    """Take the shorter ways from now on, once per process."""
    with _one_at_a_time:
        _shorten()


@cache
def _shorten() -> None:
    # What a trial leaves in the context of a thread ends with the thread.
    thread = Thread(target=lambda: [take(each) for each in SHORTCUTS], name="shortcuts")
    thread.start()
    thread.join()


def take(shortcut: Shortcut) -> None:
    """Take one of the shorter ways if it passes its trial; else say so."""
    try:
        owner = resolve_name(shortcut.owner)
        there = getattr(owner, shortcut.name)
        if shortcut.needs not in ("", *_taken):
            raise LookupError(f"it needs {shortcut.needs}")
        shortcut.trial(owner, there, shortcut.shorter)
        setattr(owner, shortcut.name, shortcut.shorter(there))
        _taken.add(shortcut.name)
    except Exception as fault:
        log.warning(
            "Streamlit %s is left to do %s its own way (%s: %s)",
            *(streamlit.__version__, shortcut.name, type(fault).__name__, fault),
        )


_taken: set[str] = set()


def _is(found: object, expected: object) -> None:
    if found != expected:
        raise ValueError(f"{found!r} in place of {expected!r}")


def _takes(function: Callable, *names: str) -> None:
    """Whether a method takes these arguments beside itself."""
    _is(list(inspect.signature(function).parameters)[1:], list(names))


def _reads(function: Callable, *names: str) -> None:
    """Whether a function reads or sets these attributes."""
    missing = set(names) - set(inspect.unwrap(function).__code__.co_names)
    _is(sorted(missing), [])


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Streamlit from telling that it misses the session of a reader."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    logger = logging.getLogger(get_script_run_ctx.__module__)
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = False


def _read_values(owner: type, there: property, by_key: Callable) -> None:
    from streamlit.runtime.state import SessionState

    state = owner(SessionState(), lambda: None)
    with _quiet():
        state["seed"] = 1
    values = by_key(there).fget(state)
    _is(dict(values), {"seed": 1})
    _is(there.fget(state), {"seed": 1})
    _is("$$ID-0-None" in values, False)


def _fill_themes(owner: object, there: Callable, theme_once: Callable) -> None:
    once = theme_once(there)
    for section in 2 * SECTIONS:
        expected, found = CustomThemeConfig(), CustomThemeConfig()
        there(expected, section)
        once(found, section)
        _is(found, expected)


def _call_back(owner: type, there: Callable, called_together: Callable) -> None:
    called = []
    loop = SimpleNamespace(call_soon_threadsafe=lambda callback: callback())
    session = SimpleNamespace(_event_loop=loop)
    for i in range(2):
        called_together(there)(session, lambda i=i: called.append(i))
    _is(called, [0, 1])


def _wake(owner: type, there: Callable, woken_once: Callable) -> None:
    woken = []
    loop = SimpleNamespace(call_soon_threadsafe=lambda wake: woken.append(wake()))
    there_is = SimpleNamespace(eventloop=loop, need_send_data=asyncio.Event())
    _reads(owner._get_async_objs, "_async_objs")
    for _ in range(2):
        woken_once(there)(SimpleNamespace(_get_async_objs=lambda: there_is))
    _is((len(woken), there_is.need_send_data.is_set()), (1, True))


def _go_back(owner: type, there: Callable, with_history: Callable) -> None:
    from streamlit.runtime.scriptrunner import RerunData

    tried = type("Tried", (owner,), {there.__name__: with_history(there)})()
    tried.request_rerun(RerunData(query_string="a=1", is_history_navigation=True))
    tried.request_rerun(RerunData(query_string="a=1", page_script_hash="page"))
    run = tried.on_scriptrunner_ready().rerun_data
    _is((run.is_history_navigation, run.page_script_hash), (True, "page"))


def _keep(owner: type, there: Callable, keeping_the_page: Callable) -> None:
    from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

    message, queue = ForwardMsg(), ForwardMsgQueue()
    message.metadata.delta_path.extend([0, 0])
    message.delta.fragment_id = "box"
    queue.enqueue(message)
    session, clear = SimpleNamespace(_browser_queue=queue), keeping_the_page(there)
    clear(session, ["box"])
    _is(queue.is_empty(), False)
    clear(session, None)
    _is(queue.is_empty(), True)


def _ask(owner: type, there: Callable, after_messages: Callable) -> None:
    _takes(there, "client_state")
    seen = []
    session = SimpleNamespace(**{shorter.LINE: deque([lambda: seen.append("heard")])})
    after_messages(lambda *_: seen.append("asked"))(session, None)
    _is(seen, ["heard", "asked"])


def _leave(owner: type, there: Callable, to_the_page: Callable) -> None:
    from streamlit.runtime.scriptrunner import RerunData
    from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

    _takes(there, "client_state")
    _reads(owner.__init__, "_client_state")
    asked, requests = [], ScriptRequests()
    requests.request_rerun(RerunData(page_script_hash="next"))
    session = SimpleNamespace(_client_state=ClientState(page_script_hash="left"))
    ask = to_the_page(lambda _, state: asked.append(state.page_script_hash))
    for page in ("next", "left"):
        state = ClientState(page_script_hash=page)
        state.context_info.url = ADDRESS
        ask(session, state)
        session.__dict__[shorter.REQUESTS] = requests
    _is(asked, ["next", "next"])


def _click(value: bool = True) -> WidgetStates:
    return WidgetStates(widgets=[WidgetState(id="go", trigger_value=value)])


def _follow(owner: type, there: Callable, with_pending_request: Callable) -> None:
    from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
    from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

    _takes(there, "initial_rerun_data")
    _reads(there, "_scriptrunner")
    _reads(ScriptRunner.__init__, "_requests")
    begun = []

    def begin(session: SimpleNamespace, asked: RerunData) -> None:
        session._scriptrunner = SimpleNamespace(_requests=ScriptRequests())
        session._scriptrunner._requests.request_rerun(asked)
        begun.append(asked)

    session, follow = SimpleNamespace(), with_pending_request(begin)
    follow(session, RerunData(widget_states=_click()))
    follow(session, RerunData(query_string="a=1", widget_states=WidgetStates()))
    _is((begun[1].query_string, begun[1].widget_states), ("a=1", _click()))


def _end(owner: type, there: Callable, to_the_end: Callable) -> None:
    from streamlit.runtime.scriptrunner import ScriptRunner
    from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
    from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState
    from streamlit.runtime.state import SessionState
    from streamlit.runtime.state.common import WidgetMetadata

    class Runner:
        """A run that is told to end as soon as its callback is called."""

        def __init__(self) -> None:
            self._execing, self._requests, self.called = True, ScriptRequests(), False
            self.state = owner(SessionState(), self.look)

        def look(self) -> None:
            if self._execing and self.called:
                raise RuntimeError("a callback was ended")

        def callback(self) -> None:
            self.called = True
            self.state._yield_callback()  # as whatever asks for a value does

    _reads(
        ScriptRunner.__init__, "_execing", "_requests", "_maybe_handle_execution_control_request"
    )
    ThreadState.initialize()
    runner, clicked = Runner(), _click()
    metadata = WidgetMetadata("go", bool, bool, "trigger_value", runner.callback)
    runner.state._state._new_widget_state.set_widget_metadata(metadata)
    with _quiet():
        to_the_end(there)(runner.state, clicked)
    _is((runner.called, runner._execing), (True, True))
    _is(runner._requests.__dict__[shorter.TAKEN] is clicked, True)


SESSION = "streamlit.runtime.app_session:AppSession"
STATE = "streamlit.runtime.state:SafeSessionState"
REQUESTS = "streamlit.runtime.scriptrunner_utils.script_requests:ScriptRequests"
END, CREATE, ASK = "on_script_will_rerun", "_create_scriptrunner", "request_rerun"
SHORTCUTS = (
    Shortcut(STATE, "filtered_state", shorter.by_key, _read_values),
    Shortcut(
        "streamlit.runtime:app_session", "_populate_theme_msg", shorter.theme_once, _fill_themes
    ),
    Shortcut(SESSION, "_call_soon_on_event_loop", shorter.called_together, _call_back),
    Shortcut("streamlit.runtime:Runtime", "_enqueued_some_message", shorter.woken_once, _wake),
    Shortcut(REQUESTS, "_request_rerun_locked", shorter.with_history, _go_back),
    Shortcut(SESSION, "_clear_queue", shorter.keeping_the_page, _keep),
    Shortcut(STATE, END, shorter.to_the_end, _end),
    Shortcut(SESSION, CREATE, shorter.with_pending_request, _follow, needs=END),
    Shortcut(SESSION, ASK, shorter.to_the_page, _leave, needs=CREATE),
    Shortcut(SESSION, ASK, shorter.after_messages, _ask, needs="_call_soon_on_event_loop"),
)
