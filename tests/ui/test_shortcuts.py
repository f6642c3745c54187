"""The shorter ways give Streamlit's own answers."""

import pytest
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.state import SafeSessionState

from lastviz.ui.compute.shortcuts import WidgetValues, shorten, theme_once

from .conftest import opened

SECTIONS = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar")


def test_widgets_read_the_values_that_all_values_have():
    app = opened("rules", data="moons", m="cart")
    state = app.session_state._state
    values = state.filtered_state
    assert isinstance(values, WidgetValues)
    whole = dict(state._state.filtered_state)  # Streamlit's own
    assert {"data", "seed", "lit", "rules_plot"} <= set(whole)
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


def test_shortening_twice_changes_nothing():
    shorten()
    before = SafeSessionState.filtered_state, app_session._populate_theme_msg
    shorten()
    assert before == (SafeSessionState.filtered_state, app_session._populate_theme_msg)
