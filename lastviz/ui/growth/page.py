"""The page *growth*: the player, what to notice, two orders, how it works, a file to keep."""

from __future__ import annotations

import html
from pathlib import Path

import streamlit as st
from plotly.offline import get_plotlyjs

from lastviz.plots import THEMES, ThemeName, number
from lastviz.ui.components.growth_player import growth_player, player_code, player_style
from lastviz.ui.compute import cache, python_code
from lastviz.ui.shared import controls as sidebar
from lastviz.ui.shared.figures import current_theme
from lastviz.ui.shared.machine_words import settings_words
from lastviz.ui.shared.plane import plane_of
from lastviz.ui.shared.view_controls import plane_chooser
from lastviz.ui.shared.widgets import segments
from lastviz.ui.state import session
from lastviz.ui.text import language, t

from .orders import orders_compared
from .story import Story, story

__all__ = [
    "ABOUT_CLASSES",
    "MODELS",
    "QUESTION",
    "below",
    "body",
    "choices",
    "growth_page",
    "picture_chooser",
    "player",
    "prepared",
]

QUESTION = "How does the tree come to be?"
MODELS = 1
ABOUT_CLASSES = True


def choices() -> None:
    """Draw the sidebar."""
    sidebar.data_chooser()
    sidebar.model_choosers(1)
    picture_chooser()
    sidebar.seed()
    sidebar.foot(lambda: python_code.python_of(session.current().first_models(MODELS)))


def prepared() -> Story:
    """Work out what the page shows."""
    return story(session.current())


def body(told: Story) -> None:
    """Draw the player and what stands below it."""
    player(told)
    with st.container(key="growth_below"):
        below(told)


def picture_chooser() -> None:
    """Draw what the picture shows: of machines values of f or a plane, and which plane."""
    selection = session.current()
    plane = plane_of(selection, alone=True)
    if selection.models[0].key != "svm_tree" or not plane.is_slice:
        plane_chooser(plane)
        return
    titles = {"values": t("Values of f"), "plane": t("A plane slice")}
    asked = "plane" if selection.growth.picture == "plane" else "values"
    if segments("picture", t("Growth shown as"), titles, chosen=asked, seen=True) == "plane":
        plane_chooser(plane)


def player(told: Story) -> None:
    """Draw the player and the button that exports what it plays."""
    step = session.current().growth.step
    step = told.first if step is None else min(_place(told, step), len(told.steps) - 1)
    growth_player(told.text, step, key="growth", on_stop=lambda at: _stopped(told, at))
    theme, title = current_theme(), _title(told)
    st.download_button(
        t("Download as one web page that plays offline"),
        lambda: growth_page(told.text, step, title=title, theme=theme, language=language()),
        file_name=f"growth-{session.current().data}-{session.current().models[0].key}.html",
        mime="text/html",
        on_click="ignore",
        key="growth_export",
        icon=":material/download:",
    )


def _title(told: Story) -> str:
    name = cache.data(session.current()).dataset.name
    return t("{title} on {data}, step by step", title=told.title, data=name)


def _place(told: Story, step: int) -> int:
    """Return the position of a step: people count those of machines from one."""
    return max(step - 1, 0) if told.machines else step


def _stopped(told: Story, at: int) -> None:
    step = at + 1 if told.machines else at
    session.select(step=None if at == told.first else step)


def below(told: Story) -> None:
    """Draw what stands below the player."""
    if told.machines:
        orders_compared(session.current())
    st.markdown(f"**{t('How it works')}**")
    lines = _machine_lines() if told.machines else _growth_lines()
    st.markdown("\n".join(f"- {line}" for line in lines))


def _growth_lines() -> list[str]:
    model = cache.fitted(session.current(), 0).estimator
    log = model.growth_log_
    best_first = getattr(model, "max_leaf_nodes", None) is not None
    lines = [
        t("Grown best first: of all leaves the one whose split gains most is split next.")
        if best_first
        else t("Grown depth first: a branch is finished before the next one begins.")
    ]
    cut = len(log) - log.n_growth_events
    if cut:
        lines.append(t("After {n} steps of growth the pruning begins: dashed lines show what "
                       "each of its steps takes away.", n=number(log.n_growth_events)))  # fmt: skip
    lines.append(t("Wide ribbons carry many rows. A click on a bar leads to the step in which "
                   "its node was decided."))  # fmt: skip
    return lines


def _machine_lines() -> list[str]:
    return [
        settings_words(cache.fitted(session.current(), 0).estimator),
        t("At each node one class leaves: the one whose nearest rival is farthest away, in units "
          "of both spreads. Its errors reach no machine below, so the easiest class goes first."),
        t("The paper takes a separability of at least 1 for classes that do not overlap. Here the "
          "value is never read that way: it depends on the unit of measurement and on the width "
          "of the kernel. A machine can part classes far below 1 without an error, and classes "
          "above 1 can overlap. Only the order of the values means something."),
        t("A machine learns from all rows of the classes still in play, also from those that an "
          "earlier machine sent astray."),
    ]  # fmt: skip


TOKENS = ("paper", "side", "card", "ink", "grey7", "grey5", "grey3", "grey2", "grey1", "accent")
HEADLINE = Path(__file__).parents[1] / "shared" / "headline.css"
PAGE = """<!doctype html>
<html lang="{language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>:root {{ {variables} color-scheme: {theme}; }}
body {{ margin: 24px 40px; color: var(--lv-ink); background: var(--lv-paper);
  font: 16px/1.5 "Source Sans 3", "Source Sans Pro", system-ui, sans-serif; }}
h1 {{ font: 600 30px/1.25 "Source Serif 4", Georgia, serif; margin: 0 0 12px; }}
@media (max-width: 900px) {{ body {{ margin: 16px; }} }}
{style}</style>
<h1>{title}</h1><div class="lv-growth"></div>
<script>{plotly}</script>
<script>{code}
const story = {story};
const root = document.querySelector(".lv-growth");
mountPlayer(root, {{ loadPlotly: () => window.Plotly }}).show(story, {step});
root.focus();
</script></html>
"""


def growth_page(
    story: str, step: int, *, title: str, theme: ThemeName, language: str = "en"
) -> str:
    """Return the page: the story, the player and plotly.js in one text of about 5 MB.

    Parameters
    ----------
    story : str
        JSON, see :mod:`lastviz.ui.growth.story`.
    step : int
        Where it opens.
    title : str
        Heading and name of the window.
    theme : {"light", "dark"}
        The theme that the story was told in.
    language : str
        Code of the language of its words.
    """
    tokens = THEMES[theme]
    return PAGE.format(
        language=language,
        title=html.escape(title),
        theme=theme,
        variables="".join(f"--lv-{name}: {getattr(tokens, name)};" for name in TOKENS),
        style=HEADLINE.read_text(encoding="utf-8") + player_style(),
        plotly=get_plotlyjs().replace("</script", "<\\/script"),
        code=player_code(),
        story=story.replace("<", "\\u003c"),
        step=step,
    )
