"""Frames for a slider: worked out once they are asked for, and never instead of the page."""

from types import SimpleNamespace

import pytest

from lastviz.ui.components import frames as component
from lastviz.ui.state.selection import DEFAULT


@pytest.fixture
def sent(monkeypatch):
    """What the browser is sent, while the reader's selection is ``sent.now``."""
    sent = SimpleNamespace(now=DEFAULT, data=[], reruns=0)

    def rerun():
        sent.reruns += 1
        raise InterruptedError

    monkeypatch.setattr(component, "library_is_served", lambda: True)
    monkeypatch.setattr(component, "session", SimpleNamespace(current=lambda: sent.now))
    monkeypatch.setattr(
        component, "_component", lambda: lambda key, data, **_: sent.data.append(data)
    )
    monkeypatch.setattr(component, "_frames", component._frames.__wrapped__)  # no page runs
    monkeypatch.setattr(component.st, "rerun", rerun)
    monkeypatch.setattr(component.st, "session_state", {})
    return sent


def test_frames_are_worked_out_when_they_are_asked_for(sent):
    made = []
    frames_of = lambda: made.append(1) or {0.0: component.Frame({})}  # noqa: E731
    component.frames("depth", 0.0, "scene", frames_of)
    assert made == []
    component.st.session_state[component.REQUESTED] = "scene"
    component.frames("depth", 0.0, "scene", frames_of)
    assert made == [1]
    head, _, rest = sent.data[-1].partition(b"\n")
    assert rest
    assert sent.data[0] == head
    assert sent.reruns == 0


def test_a_widget_that_moved_in_the_moment_of_asking_draws_the_page(sent):
    """Streamlit then runs what asked alone: the page would keep what the widget had before."""
    component.st.session_state[component.REQUESTED] = "scene"
    with pytest.raises(InterruptedError):
        component._frames("depth", 0.0, "scene", dict, DEFAULT.change(depth=1))
    assert (sent.reruns, sent.data) == (1, [])
    assert component.st.session_state[component.REQUESTED] == "scene"  # the page's run answers
