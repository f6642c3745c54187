"""Shorter ways for work that Streamlit repeats for every widget, run and message.

- Each select box, number box and slider asks for the values of all widgets to look at its own;
  with a dozen widgets that is the sixth part of a run. Here only what is asked for is read.
- The look of the app, which stays, is read from the settings six times a run.
- Each message of a run wakes the thread that sends, twice, and the two take the interpreter from
  each other. Here it is woken once for all messages that it has not seen yet.

Six things are mended besides, all of what comes too close together:

- Streamlit forgets that the reader went back or forward if the browser asks for something else
  before that run begins, and then page and address part.
- Where a fragment runs before all of the page has been sent, what the page has of the fragment is
  dropped, block and all: what stands below moves up, and the fragment is drawn over it.
- Where a fragment is asked for when a run has ended and not all that it said has been heard, the
  fragment's run takes its place and the rest is dropped.
- Of a click that is followed by something else at once nothing is left: its run is ended before it
  has looked at what was clicked.
- Whatever the page asks for by itself while it is being left leads back to it: the browser names
  it as the page to run until it has heard of the next.
- A request that comes while callbacks are called ends them halfway, and as their widgets have
  changed no more by the next run, what they were to do is never done.

They replace something inside of Streamlit; the tests hold them against what they replace. What they
read there is imported as they are made, so that one whose Streamlit has become otherwise fails
alone; :mod:`.shortcuts` tries each before it is taken.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, wraps
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from streamlit import config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.NewSession_pb2 import CustomThemeConfig

if TYPE_CHECKING:
    from streamlit.runtime import Runtime
    from streamlit.runtime.app_session import AppSession
    from streamlit.runtime.scriptrunner import RerunData
    from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
    from streamlit.runtime.state import SafeSessionState

LINE = "lastviz_line"  # a session's: what its runs said that has not been heard yet
REQUESTS = "lastviz_requests"  # a session's: those of the run that it began last
NAVIGATION = "lastviz_navigation"  # a session's: the page to which it goes
TAKEN = "lastviz_taken"  # of requests: the values of widgets that their run has looked at

_locks: WeakValueDictionary[int, Lock] = WeakValueDictionary()  # of sessions, by their states
_guard = Lock()  # of the locks, and of what is taken


@dataclass
class Navigation:
    """Destination of a session: `page`, requested last, from an address with `path`.

    `left` is the page that was left for it with the path of its address, None as soon as the
    browser is known to have heard of `page`.
    """

    page: str = ""
    path: str = ""
    left: tuple[str, str] | None = None


class WidgetValues(Mapping):
    """The values of a session by the keys of the page, read when they are asked for.

    Parameters
    ----------
    state : SafeSessionState
    read_all : callable
        Returns all of them as a dict.
    is_hidden : callable
        Tells whether a key is none of the page's, but of a widget without one.
    """

    def __init__(
        self,
        state: SafeSessionState,
        read_all: Callable[[], dict],
        is_hidden: Callable[[str], bool],
    ) -> None:
        self._state, self._read_all, self._is_hidden = state, read_all, is_hidden

    def __getitem__(self, key: str) -> object:
        if self._is_hidden(key):
            raise KeyError(key)
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read_all())

    def __len__(self) -> int:
        return len(self._read_all())

    def __repr__(self) -> str:
        return repr(self._read_all())


def by_key(values: property) -> property:
    """Property `values` of a session, for callers that need only some of them."""
    from streamlit.runtime.state.common import is_element_id

    return property(
        lambda state: WidgetValues(state, lambda: values.fget(state), is_element_id),
    )


def theme_once(fill: Callable[[CustomThemeConfig, str], None]) -> Callable[..., None]:
    """Cached `fill`, which writes a section of the settings into a message."""

    @cache
    def filled(section: str) -> CustomThemeConfig:
        message = CustomThemeConfig()
        fill(message, section)
        return message

    @wraps(fill)
    def fill_once(message: CustomThemeConfig, section: str = "theme") -> None:
        known = filled(section)
        if known.ByteSize():
            message.MergeFrom(known)

    config.on_config_parsed(filled.cache_clear, force_connect=True)
    return fill_once


def called_together(call_soon: Callable[..., None]) -> Callable[..., None]:
    """Wrapper of `call_soon` that has the event loop make many calls at once.

    They are called in their order. While the loop has not come to the first, the others only
    stand in line.
    """

    @wraps(call_soon)
    def call_in_line(session: AppSession, callback: Callable[[], None]) -> None:
        line = session.__dict__.setdefault(LINE, deque())
        line.append(callback)
        if not session.__dict__.get("lastviz_called"):
            session.__dict__["lastviz_called"] = True
            call_soon(session, lambda: go_through(session, line))

    def go_through(session: AppSession, line: deque) -> None:
        session.__dict__["lastviz_called"] = False  # who comes now is seen below, or calls again
        try:
            while line:
                line.popleft()()
        finally:
            if line:  # one of them failed
                call_soon(session, lambda: go_through(session, line))

    return call_in_line


def woken_once(wake: Callable[[Runtime], None]) -> Callable[[Runtime], None]:
    """Wrapper of `wake` that wakes the sender only if it knows of no messages yet."""

    @wraps(wake)
    def wake_once(runtime: Runtime) -> None:
        if not runtime._get_async_objs().need_send_data.is_set():
            wake(runtime)

    return wake_once


def with_history(request: Callable[..., bool]) -> Callable[..., bool]:
    """Wrapper of `request` (for a run) for requests while another one waits.

    If the waiting one goes back or forward and the address is still that, the run does.
    """
    from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

    @wraps(request)
    def request_run(requests: ScriptRequests, new: RerunData) -> bool:
        waiting = requests._rerun_data
        if (
            requests._state is ScriptRequestType.RERUN
            and waiting.is_history_navigation
            and new.query_string == waiting.query_string
        ):
            new = replace(new, is_history_navigation=True)
        return request(requests, new)

    return request_run


def keeping_the_page(clear: Callable[..., None]) -> Callable[..., None]:
    """Wrapper of `clear` that drops unsent messages only when a whole run begins.

    A run of fragments drops nothing: it replaces what has been sent of them.
    """

    @wraps(clear)
    def clear_queue(session: AppSession, fragment_ids: list[str] | None = None) -> None:
        clear(session, [] if fragment_ids else None)

    return clear_queue


def after_messages(ask: Callable[..., None]) -> Callable[..., None]:
    """Wrapper of `ask` (for a run) that first handles all messages of earlier runs."""

    @wraps(ask)
    def request_rerun(session: AppSession, client_state: ClientState | None) -> None:
        line = session.__dict__.get(LINE, ())
        while line:
            line.popleft()()
        ask(session, client_state)

    return request_rerun


def to_the_page(ask: Callable[..., None]) -> Callable[..., None]:
    """Wrapper of `ask` (for a run) that redirects requests of a page being left.

    They become requests of the page to come; those of a fragment, which that page has not, are
    dropped. Whoever wants to go back to the page that was left has the address of another.
    """
    from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

    @wraps(ask)
    def request_rerun(session: AppSession, client_state: ClientState | None) -> None:
        if client_state is None or not client_state.context_info.url:
            ask(session, client_state)
            return
        asked = session.__dict__.get(REQUESTS, ScriptRequests())._rerun_data
        navigation = session.__dict__.setdefault(NAVIGATION, Navigation())
        page = asked.page_script_hash or session._client_state.page_script_hash
        if page != navigation.page:  # a script has switched to it
            navigation.left, navigation.page = (navigation.page, navigation.path), page
        wanted, path = client_state.page_script_hash, urlsplit(client_state.context_info.url).path
        if wanted == navigation.page or client_state.is_history_navigation:
            navigation.left = None
        elif navigation.left != (wanted, path):
            navigation.left = navigation.page, path
        elif client_state.fragment_id:
            return
        else:
            stale, client_state = client_state, ClientState()
            client_state.CopyFrom(stale)
            client_state.page_script_hash = navigation.page
            client_state.query_string = asked.query_string
        navigation.page, navigation.path = client_state.page_script_hash, path
        ask(session, client_state)

    return request_rerun


def with_pending_request(create: Callable[..., None]) -> Callable[..., None]:
    """Wrapper of `create` that also passes on the pending request of the replaced run.

    That is what it was asked for if it had not begun, and what waited for it.
    """
    from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

    @wraps(create)
    def create_runner(session: AppSession, asked: RerunData) -> None:
        before = session.__dict__.get(REQUESTS, ScriptRequests())
        left = before._rerun_data.widget_states
        with _guard:
            is_taken = left is None or left is before.__dict__.get(TAKEN)
        if not is_taken:
            both = ScriptRequests()
            both.request_rerun(before._rerun_data)
            both.request_rerun(asked)
            asked = both.on_scriptrunner_ready().rerun_data
        create(session, asked)
        session.__dict__[REQUESTS] = session._scriptrunner._requests

    return create_runner


def to_the_end(take: Callable[..., None]) -> Callable[..., None]:
    """Wrapper of `take` (new values, callbacks) that lets all callbacks finish.

    What is asked for before them goes first, with all values. What is asked for meanwhile comes
    after them, be it in another thread: a session takes values one run after the other.
    """

    @wraps(take)
    def take_all(state: SafeSessionState, *args: object, **kwargs: object) -> None:
        runner = state._yield_callback.__self__
        with _guard:
            lock = _locks.setdefault(id(state._state), Lock())
        with lock:
            with _guard:
                state._yield_callback()
                runner._requests.__dict__[TAKEN] = args[0]
            runner._execing = False  # nothing ends it from here on
            try:
                take(state, *args, **kwargs)
            finally:
                runner._execing = True

    return take_all
