"""The page *growth*: the player, and its controls; details stand below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from lastviz.export.blocks import Block, Columns, GrowthPlayer, Text
from lastviz.plots import ThemeName
from lastviz.plots.visuals.words import plain_text
from lastviz.ui.components.growth_player import growth_player
from lastviz.ui.compute.work import Work, current
from lastviz.ui.shared import controls, view_controls
from lastviz.ui.shared.blocks import report_of
from lastviz.ui.shared.edit_box import edit_box
from lastviz.ui.shared.figures import current_theme, paper_theme, plane_of
from lastviz.ui.shared.model_view import model_title
from lastviz.ui.shared.widgets import bound, segments
from lastviz.ui.state import session
from lastviz.ui.state.selection import Selection
from lastviz.ui.text import CannotShow, t

from .by_hand import HandScene, hand_scene, hand_work
from .details import Story, below, story
from .hand_page import hand_blocks, hand_body

QUESTION = "How does the tree come to be?"
BY_HAND = "Can you build a better tree by hand?"
QUESTIONS = (("growth_view", "hand", BY_HAND),)
MODELS = 1
ABOUT_CLASSES = True
IN_STEP = 2


@dataclass(frozen=True, eq=False)
class Growths:
    """Stories that the page plays."""

    stories: tuple[Story, ...]  # of the first model and, where two grow in step, of the second
    problem: str = ""  # why there is no second one although it is asked for


def choices() -> None:
    """Draw the sidebar."""
    controls.data_chooser()
    if session.current().growth.growth_view == "hand":
        controls.model_choosers(MODELS, of_trees=True)
        controls.more_settings(MODELS)
        return
    n_models = IN_STEP if session.current().growth.in_step else MODELS
    controls.model_choosers(n_models, of_trees=True)
    view_controls.tree_choosers(current().first_models(n_models), of_trees=True)
    view_controls.node_chooser(of_trees=True)
    edit_box(current().first)
    if more := controls.more_settings(n_models):
        with more:
            bound(st.toggle, "in_step", t("Two models in step"))
            _picture_chooser()


# For kernel machines the picture shows the values of f or a plane.
def _picture_chooser() -> None:
    """Draw the chooser of the picture and its plane."""
    work = current()
    plane = plane_of(work.first_models(IN_STEP), alone=not work.selection.growth.in_step)
    model = work.first.trained()
    curved = model is not None and len(model.grown_tree_.kernel) > 0
    if not curved or not plane.is_slice:
        view_controls.plane_chooser(plane)
        return
    titles = {"values": t("Values of f"), "plane": t("A plane slice")}
    chosen = "plane" if work.selection.growth.picture == "plane" else "values"
    if segments("picture", t("Growth shown as"), titles, chosen=chosen, seen=True) == "plane":
        view_controls.plane_chooser(plane)


def views() -> None:
    """Draw the choice of a view, beside the question."""
    segments(
        "growth_view", t("View"), {"played": t("As the algorithm grows it"), "hand": t("By hand")}
    )


def shown_work(work: Work) -> Work:
    """Work whose first model is shown: the tree by hand in its view."""
    return hand_work(work) if work.selection.growth.growth_view == "hand" else work


def slide_blocks(work: Work, theme: ThemeName) -> Sequence[Block]:
    """Blocks of a slide: the players and a reason if one is missing, or by hand."""
    growths = page_scene(work, theme)
    if isinstance(growths, HandScene):
        return hand_blocks(growths)
    first = growths.stories[0]
    played = [_played(work.selection, story, first) for story in growths.stories]
    about = [Text(growths.problem)] if growths.problem else []
    return [Columns([[each] for each in played]) if len(played) > 1 else played[0], *about]


def has_report(work: Work) -> bool:
    """Whether the tree is built by hand; one that plays leaves as a page that does."""
    return work.selection.growth.growth_view == "hand"


def report(address: str | None) -> str:
    """Tree by hand as one file of html."""
    scene = hand_scene(current(), paper_theme())
    return report_of(scene.work, t(BY_HAND), t("By hand"), hand_blocks(scene), address)


def _played(selection: Selection, scene: Story, first: Story) -> GrowthPlayer:
    step = _step(selection, scene, first)
    return GrowthPlayer(scene.text, step, _title(scene), plain_text(scene.steps[step].say))


def page_scene(work: Work, theme: ThemeName) -> Growths | HandScene:
    """Growths that the page shows, or the tree by hand."""
    if work.selection.growth.growth_view == "hand":
        return hand_scene(work, theme)
    work = work.single_trees
    if not work.selection.growth.in_step:
        return Growths((story(work, theme),))
    if len(work.selection.models) < IN_STEP:
        problem = t("Choose a second model at the left: it grows beside this one.")
        return Growths((story(work, theme),), problem)
    try:
        return Growths(_in_one_plane(work, theme))
    except CannotShow as reason:
        return Growths((story(work, theme),), str(reason))


# Values of f stand for a plane only where both models have them.
def _in_one_plane(work: Work, theme: ThemeName) -> tuple[Story, ...]:
    """Growths of both models on the same axes and through the same row."""
    work = work.first_models(IN_STEP)
    plane = plane_of(work)
    fitted = (work.models[place].estimator for place in range(IN_STEP))
    if not all(len(model.grown_tree_.kernel) for model in fitted):
        work = work.change(picture="plane")
    alone = (work.having(models=(model,)) for model in work.selection.models)
    return tuple(story(each, theme, plane) for each in alone)


def body(growths: Growths | HandScene) -> None:
    """Draw the tree by hand, or the players, an export and the details below."""
    if isinstance(growths, HandScene):
        hand_body(growths)
        return
    work, theme = current(), current_theme()
    scene = growths.stories[0]
    if growths.problem:
        st.info(growths.problem)
    if len(growths.stories) == 1:
        _player(scene, scene, "growth")
    else:
        for i, column in enumerate(st.columns(IN_STEP, gap="large")):
            with column:
                st.markdown(f"**{model_title(work.models[i])}**")
                _player(growths.stories[i], scene, f"growth{i}")
    with st.container(key="growth_below"):
        below(scene, work, theme)


def _player(scene: Story, first: Story, key: str) -> None:
    """Draw the player of a story at the step that the first one shows."""
    step = _step(session.current(), scene, first)
    growth_player(scene.text, step, key=key, on_stop=partial(_stopped, first))


def _step(selection: Selection, scene: Story, first: Story) -> int:
    step = selection.growth.step
    at = first.first if step is None else _place(first, step)
    return min(at, len(scene.steps) - 1)


def _title(scene: Story) -> str:
    return t("{title} on {data}, step by step", title=scene.title, data=scene.data_name)


def _place(scene: Story, step: int) -> int:
    """Position of a step: people count those of kernel machines from one."""
    return max(step - 1, 0) if scene.machines else step


def _stopped(scene: Story, at: int) -> None:
    step = at + 1 if scene.machines else at
    session.select(step=None if at == scene.first else step)
