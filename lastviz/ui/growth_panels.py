"""The page *growth*: the player, what to notice, the two orders, how it works."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from lastviz.inspection import slice_fidelity
from lastviz.plots import number

from . import cache, frame, state
from .components.growth_player import growth_player
from .growth_export import growth_page
from .growth_orders import orders_compared
from .growth_story import Story, story
from .plane import Plane, plane_of
from .selection import Selection
from .text import language, percent, t
from .widgets import put

__all__ = ["below", "picture_chooser", "player", "prepared"]


@dataclass(frozen=True, eq=False)
class Prepared:
    """What the page shows.

    Attributes
    ----------
    story : Story
    plane : Plane
    """

    story: Story
    plane: Plane


def prepared() -> Prepared | None:
    """Work out what the page shows; None, with a sentence, if the model cannot be trained."""
    selection = state.current()
    try:
        return Prepared(story(selection), plane_of(selection))
    except ValueError as error:
        st.info(str(error))
        return None


def picture_chooser() -> None:
    """Draw, for machines on more than two features, the choice of what the picture shows."""
    selection = state.current()
    if selection.models[0].key != "svm_tree" or not plane_of(selection).is_slice:
        return
    titles = {"values": t("Values of f"), "plane": t("A plane slice")}
    put("picture", "plane" if selection.picture == "plane" else "values")
    st.segmented_control(
        t("Growth shown as"),
        list(titles),
        key="picture",
        format_func=titles.get,
        required=True,
        on_change=lambda: state.select(picture=st.session_state["picture"]),
    )


def player(shown: Prepared) -> None:
    """Draw the player and the button that exports what it plays."""
    told = shown.story
    step = state.current().step
    step = told.first if step is None else min(_place(told, step), len(told.steps) - 1)
    growth_player(told.text, step, key="growth", on_stop=lambda at: _stopped(told, at))
    for sentence in _notes(state.current(), shown):
        st.caption(sentence)
    theme, title = frame.theme(), _title(told)
    st.download_button(
        t("Download as one web page that plays offline"),
        lambda: growth_page(told.text, step, title=title, theme=theme, language=language()),
        file_name=f"growth-{state.current().data}-{state.current().models[0].key}.html",
        mime="text/html",
        on_click="ignore",
        key="growth_export",
        icon=":material/download:",
    )


def _title(told: Story) -> str:
    name = cache.data(state.current()).dataset.name
    return t("{title} on {data}, step by step", title=told.title, data=name)


def _place(told: Story, step: int) -> int:
    """Return the position of a step: people count those of machines from one."""
    return max(step - 1, 0) if told.machines else step


def _stopped(told: Story, at: int) -> None:
    step = at + 1 if told.machines else at
    state.select(step=None if at == told.first else step)


def _notes(selection: Selection, shown: Prepared) -> list[str]:
    """Return what the picture leaves out, in sentences."""
    told, plane, notes = shown.story, shown.plane, []
    model = cache.fitted(selection, 0).estimator
    if told.drawn < told.rows and told.picture == "plane":
        sentence = "{drawn} of {rows} training rows are drawn."
        notes.append(t(sentence, drawn=number(told.drawn), rows=number(told.rows)))
    log = model.growth_log_
    if not told.machines and len(told.steps) - 2 < len(log):
        sentence = "The growth took {n} steps: the first {m} are played, then the finished tree."
        notes.append(t(sentence, n=number(len(log)), m=number(len(told.steps) - 2)))
    if told.picture == "values":
        notes.append(
            t("{n} features have no picture as a plane: each row shows how a class spreads over "
              "the decision value f; what is right of 0 leaves.", n=len(plane.at))
        )  # fmt: skip
    elif plane.is_slice:
        values = cache.division(selection).X.to_numpy()
        share = slice_fidelity(model.tree_, values, plane.features, plane.at)
        row = selection.at
        where = t("at their medians") if row is None else t("as in row {n}", n=row + 1)
        notes.append(
            t("A slice: the other {n} features are fixed {where}. {share} % of the rows lie on "
              "the colour that the model gives them.",
              n=len(plane.at) - len(set(plane.features)), where=where, share=percent(share))
        )  # fmt: skip
    return notes


def below(shown: Prepared) -> None:
    """Draw what stands below the player."""
    if shown.story.machines:
        orders_compared(state.current())
    st.markdown(f"**{t('How it works')}**")
    lines = _machine_lines() if shown.story.machines else _growth_lines()
    st.markdown("\n".join(f"- {line}" for line in lines))


def _growth_lines() -> list[str]:
    model = cache.fitted(state.current(), 0).estimator
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
        t("At each node one class leaves: the one whose nearest rival is farthest away, in units "
          "of both spreads. Its errors reach no machine below, so the easiest class goes first."),
        t("The paper takes a separability of at least 1 for classes that do not overlap. Here the "
          "value is never read that way: it depends on the unit of measurement, and with the RBF "
          "kernel it stays far below 1 for classes that a machine parts without an error. Only "
          "the order of the values means something."),
        t("A machine learns from all rows of the classes still in play, also from those that an "
          "earlier machine sent astray."),
    ]  # fmt: skip
