"""A page that outlives its session: its server died, and it goes on with another.

The browser sends nothing when it is connected again; with the reader's next change it sends the
values of all widgets. To the new session they mean nothing: it knows neither these widgets nor
which of the values is the change. So they are put aside, the page is drawn from its address
without the browser being told, and then the values are handed in as if the session had been there
all along. What differs from the address is what the reader changed, and goes the usual way,
through the callback of its widget.

A widget may appear only once another has its value, as one in a box that the reader had opened.
What is left over is handed in after such a run, until nothing more can be.

This looks into runs and sessions of Streamlit. Where they have become otherwise, nothing is put
aside: the reader's first change after such a pause is lost, as with any app of Streamlit.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache

import streamlit as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import RerunData, ScriptRunContext, get_script_run_ctx
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import user_key_from_element_id

BEGUN = "begun"  # a run of this session came to its end, and nothing is left over
ASIDE = "widgets_put_aside"
DRAWN = "widgets_drawn"


# A drawing that the browser still has goes as its hash; a timer belongs to what is drawn.
DRAWS = frozenset({"delta", "ref_hash", "auto_rerun"})


class Unsent:
    """Receiver of a run's messages that keeps its drawings from the browser."""

    def __init__(self, send: Callable[[ForwardMsg], None], pause: Callable[[], None]):
        self.send = send
        self.pause = pause

    def __call__(self, message: ForwardMsg) -> None:
        """Send a message that draws nothing; end the run here if another is asked for."""
        if message.WhichOneof("type") in DRAWS:
            self.pause()
        else:
            self.send(message)


@cache
def _is_as_known() -> bool:
    """Whether runs and sessions have the attributes used here; log once if not."""
    state = SessionState()
    try:
        for name in ("_enqueue", "script_requests", "shared", "yield_check"):
            ScriptRunContext.__dataclass_fields__.get(name) or getattr(ScriptRunContext, name)
        _ = state._new_widget_state.states, state._new_widget_state.widget_metadata
        _ = state._old_state
    except AttributeError as fault:
        logging.getLogger("lastviz").warning(
            "Streamlit %s: a change made while the server was away is lost (%s)",
            *(st.__version__, fault),
        )
        return False
    return True


def _run() -> ScriptRunContext | None:
    """Run, None outside of one and where it is not as known."""
    return get_script_run_ctx(suppress_warning=True) if _is_as_known() else None


# Each with the text that it stands at, as menus have it, else "".
def arrived_keys() -> dict[str, str]:
    """Keys of the widgets whose values the browser sent with this run's request."""
    run = get_script_run_ctx(suppress_warning=True)
    if run is None:
        return {}
    states = run.session_state.get_widget_states()
    texts = {user_key_from_element_id(state.id): state.string_value for state in states}
    return {key: text for key, text in texts.items() if key}


# Streamlit keeps them to the session's end, with all that they refer to: 70 kB a page.
def forget_old_widgets() -> None:
    """Drop the callbacks of widgets without a value, such as those of other pages."""
    run = _run()
    if run is not None:
        state = run.session_state._state
        widgets = state._new_widget_state
        gone = widgets.widget_metadata.keys() - state._old_state.keys() - widgets.states.keys()
        for name in gone:
            del widgets.widget_metadata[name]


def put_aside() -> None:
    """Set aside values of widgets never drawn in this session.

    To be called before anything is drawn.

    Not after back or forward: then the address says another scene than the widgets.
    """
    run = _run()
    _send_again(run)
    if run is None or st.session_state.get(BEGUN):
        return
    aside = dict(st.session_state.get(ASIDE, {}))
    drawn = st.session_state.get(DRAWN, frozenset())
    states = {state.id: state for state in run.session_state.get_widget_states()}
    aside |= {name: state for name, state in states.items() if name not in drawn}
    if run.is_history_navigation:
        aside = {}
    st.session_state[ASIDE] = aside
    if states:  # as if none of them had come
        run.session_state.on_script_will_rerun(None)
        new_states = run.session_state._state._new_widget_state.states
        for name in states:  # Streamlit clears only those of widgets that it has met
            new_states.pop(name, None)
    if aside:
        run._enqueue = Unsent(run._enqueue, run.yield_check)


def hand_in() -> None:
    """Rerun with the values set aside, if there are any, as the last act of a run."""
    run = _run()
    if run is None or st.session_state.get(BEGUN):
        return
    aside = st.session_state.pop(ASIDE, {})
    drawn = run.shared.widget_ids_this_run.snapshot()
    ready = [state for name, state in aside.items() if name in drawn]
    left = {name: state for name, state in aside.items() if name not in drawn}
    if ready and left:
        st.session_state[ASIDE] = left
        st.session_state[DRAWN] = st.session_state.get(DRAWN, frozenset()) | drawn
    else:
        st.session_state[BEGUN] = True
    if aside:
        _send_again(run)
        _run_again(run, ready)


def give_up() -> bool:
    """Drop the values set aside after a failed run, and return whether there were any."""
    st.session_state[BEGUN] = True
    return _send_again(_run())


def _run_again(run: ScriptRunContext, states: list) -> None:
    request = RerunData(
        query_string=run.query_string,
        page_script_hash=run.page_script_hash,
        widget_states=WidgetStates(widgets=states),
        cached_message_hashes=run.cached_message_hashes,
        context_info=run.context_info,
    )
    run.script_requests.request_rerun(request)
    st.empty()  # here the run ends


def _send_again(run: ScriptRunContext | None) -> bool:
    if run is None or not isinstance(run._enqueue, Unsent):
        return False
    run._enqueue = run._enqueue.send
    return True
