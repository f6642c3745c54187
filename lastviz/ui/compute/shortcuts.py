"""Shorter ways to two answers that Streamlit works out anew in every run.

- Each select box, number box and slider asks for the values of all widgets to look at its own;
  with a dozen widgets that is the sixth part of a run. Here only what is asked for is read.
- The look of the app, which stays, is read from the settings six times a run.

Both replace something inside of Streamlit, whose version is pinned (requirements.txt); the tests
hold them against what they replace. Where Streamlit has become otherwise, it is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps

from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.state.common import is_element_id

__all__ = ["WidgetValues", "shorten", "theme_once"]

STATE, THEME = "filtered_state", "_populate_theme_msg"


class WidgetValues(Mapping):
    """The values of a session by the keys of the page, read when they are asked for.

    Parameters
    ----------
    state : SafeSessionState
    whole : callable
        Returns all of them as a dict.
    """

    def __init__(self, state: SafeSessionState, whole: Callable[[], dict]) -> None:
        self._state, self._whole = state, whole

    def __getitem__(self, key: str) -> object:
        if is_element_id(key):  # a widget without a key of the page's
            raise KeyError(key)
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def __repr__(self) -> str:
        return repr(self._whole())


def theme_once(fill: Callable[[CustomThemeConfig, str], None]) -> Callable[..., None]:
    """Return `fill`, which writes a section of the settings into a message, with a memory."""

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


@cache
def shorten() -> None:
    """Take the shorter ways from now on, once per process."""
    whole = getattr(SafeSessionState, STATE, None)
    if isinstance(whole, property):
        found = property(lambda state: WidgetValues(state, lambda: whole.fget(state)))
        setattr(SafeSessionState, STATE, found)
    fill = getattr(app_session, THEME, None)
    if fill is not None:
        setattr(app_session, THEME, theme_once(fill))
