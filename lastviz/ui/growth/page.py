"""The page *growth*: the player and the file to keep; what stands below is in details."""

from __future__ import annotations

import streamlit as st

from lastviz.ui.components.growth_player import growth_player
from lastviz.ui.compute import python_code
from lastviz.ui.shared import controls
from lastviz.ui.shared.figures import current_theme
from lastviz.ui.state import session
from lastviz.ui.text import language, t

from .controls import picture_chooser
from .details import below
from .export import growth_page
from .story import Story, story

__all__ = ["ABOUT_CLASSES", "MODELS", "QUESTION", "body", "choices", "prepared"]

QUESTION = "How does the tree come to be?"
MODELS = 1
ABOUT_CLASSES = True


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    controls.model_choosers(MODELS)
    picture_chooser()
    controls.seed()
    controls.foot(lambda: python_code.python_of(session.current().first_models(MODELS)))


def prepared() -> Story:
    """Work out what the page shows."""
    return story(session.current(), current_theme())


def body(scene: Story) -> None:
    """Draw the player, the button that exports what it plays, and what stands below."""
    selection, theme = session.current(), current_theme()
    step = scene.first
    if selection.growth.step is not None:
        step = min(_place(scene, selection.growth.step), len(scene.steps) - 1)
    growth_player(scene.text, step, key="growth", on_stop=lambda at: _stopped(scene, at))
    title = t("{title} on {data}, step by step", title=scene.title, data=scene.data_name)
    st.download_button(
        t("Download as one web page that plays offline"),
        lambda: growth_page(scene.text, step, title=title, theme=theme, language=language()),
        file_name=f"growth-{selection.data}-{selection.models[0].key}.html",
        mime="text/html",
        on_click="ignore",
        key="growth_export",
        icon=":material/download:",
    )
    with st.container(key="growth_below"):
        below(scene, selection, theme)


def _place(scene: Story, step: int) -> int:
    """Return the position of a step: people count those of kernel machines from one."""
    return max(step - 1, 0) if scene.machines else step


def _stopped(scene: Story, at: int) -> None:
    step = at + 1 if scene.machines else at
    session.select(step=None if at == scene.first else step)
